"""The right-hand side of every tree, compiled once."""

from __future__ import annotations

from robots.dynamics.kernels.views import borrow, give_back, part, rows
from robots.dynamics.tree.kernels.dynamics import factorise, joints_of, solve
from robots.dynamics.tree.kernels.forces import balance, demand
from robots.dynamics.tree.kernels.mimic import following
from robots.dynamics.tree.layout import COMPUTED, INDEPENDENT, JOINTS, LAW, STATE
from solvers.kernels.signatures import RHS, compiled


@compiled(RHS)
def tree(t, y, params, dy):
    """Rates of y = (q, v): forward dynamics by the inertia matrix."""
    if params[INDEPENDENT] < params[JOINTS]:
        following(t, y, params, dy)
        return
    joints = joints_of(params)
    n = joints.shape[0]
    room = borrow(3 + n * (1 + STATE + n))
    gravity, zero = part(room, 0, 3), part(room, 3, n)
    world, M = rows(room, 3 + n, n, STATE), rows(room, 3 + n * (1 + STATE), n, n)
    q, v, a = part(y, 0, n), part(y, n, n), part(dy, n, n)
    balance(t, params, q, v, zero, gravity, world, M, a)
    factorise(joints, M)
    solve(M, a)
    if params[LAW] == COMPUTED:
        demand(t, params, q, v, zero)
        for i in range(n):
            a[i] += zero[i]
    for i in range(n):
        dy[i] = v[i]
    give_back(room)
