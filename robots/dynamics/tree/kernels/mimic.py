"""Joints that follow others, compiled: from the coordinates that are free to all joints, and back.

With q = G y + b for all joints, the free coordinates y have the inertia matrix G' M G and the forces G' f.
"""

from __future__ import annotations

from robots.dynamics.kernels.views import borrow, give_back, part, rows
from robots.dynamics.tree.kernels.dynamics import factorise, joints_of, solve
from robots.dynamics.tree.kernels.forces import balance, demand
from robots.dynamics.tree.layout import (
    COMPUTED,
    COORDINATE,
    INDEPENDENT,
    LAW,
    LEADS,
    PARENT,
    RATIO,
    ROW,
    SHIFT,
    STATE,
)
from solvers.kernels.signatures import RHS, VECTOR, separate, void


@separate(void(VECTOR, VECTOR, VECTOR, VECTOR))
def expand(params, y, q, v):
    """Positions and rates of all joints, (n,) each, for the state y = (free positions, free rates)."""
    joints, m = joints_of(params), int(params[INDEPENDENT])
    for i in range(q.size):
        k = int(joints[i, COORDINATE])
        q[i], v[i] = joints[i, RATIO] * y[k] + joints[i, SHIFT], joints[i, RATIO] * y[m + k]


@separate(void(VECTOR, VECTOR, VECTOR))
def fold(params, forces, free):
    """G' f: what the forces of all joints do to the free coordinates; `free`, (m,)."""
    joints = joints_of(params)
    free[:] = 0.0
    for i in range(forces.size):
        free[int(joints[i, COORDINATE])] += joints[i, RATIO] * forces[i]


@separate(void(VECTOR, VECTOR))
def lead(params, a):
    """Accelerations of those that follow, from those that are free, in place, (n,)."""
    joints = joints_of(params)
    for i in range(a.size):
        if joints[i, LEADS] != 0.0:
            for k in range(a.size):
                if joints[k, LEADS] == 0.0 and joints[k, COORDINATE] == joints[i, COORDINATE]:
                    a[k] = joints[k, RATIO] * a[i]


@separate(RHS)
def following(t, y, params, dy):
    """Rates of y = (free positions, free rates)."""
    joints, m = joints_of(params), int(params[INDEPENDENT])
    n = joints.shape[0]
    room, after = borrow(3 + n * (4 + STATE + n) + m * (m + ROW)), 3 + n * (4 + STATE)
    gravity, q, v = part(room, 0, 3), part(room, 3, n), part(room, 3 + n, n)
    zero, forces = part(room, 3 + 2 * n, n), part(room, 3 + 3 * n, n)
    world, M, after = rows(room, 3 + 4 * n, n, STATE), rows(room, after, n, n), after + n * n
    reduced, chain, free = rows(room, after, m, m), rows(room, after + m * m, m, ROW), part(dy, m, m)
    expand(params, y, q, v)
    balance(t, params, q, v, zero, gravity, world, M, forces)
    fold(params, forces, free)
    for i in range(n):
        for j in range(i + 1):
            a, b = int(joints[i, COORDINATE]), int(joints[j, COORDINATE])
            share = joints[i, RATIO] * joints[j, RATIO] * M[i, j]
            reduced[max(a, b), min(a, b)] += share * (2.0 if a == b and i != j else 1.0)
    for k in range(m):
        chain[k, PARENT] = k - 1.0
    factorise(chain, reduced)
    solve(reduced, free)
    computed = params[LAW] == COMPUTED
    if computed:
        demand(t, params, q, v, forces)
    for i in range(n):
        if joints[i, LEADS] != 0.0:
            k = int(joints[i, COORDINATE])
            dy[k] = v[i]
            if computed:
                dy[m + k] += forces[i]
    give_back(room)
