"""Exact derivatives of a tree's dynamics, compiled.

Turning a joint displaces its whole branch like one rigid body, and everything in the branch with it, except for the
velocity and acceleration that come in from below. So each derivative is one product with the sums over a branch: the
force, the inertia, and the matrix D with D u = u x* I v + v x* I u - I (v x u).

Source: derived here; the same structure as J. Carpentier and N. Mansard, Analytical derivatives of rigid body dynamics
algorithms, RSS (2018).
"""

from __future__ import annotations

from robots.dynamics.kernels.views import borrow, give_back, part, rows
from robots.dynamics.tree.kernels.dynamics import (
    SIX,
    dot,
    factorise,
    joints_of,
    momentum,
    momentum_of,
    move,
    solve,
    weigh,
)
from robots.dynamics.tree.kernels.forces import balance, felt
from robots.dynamics.tree.layout import (
    ACCELERATION,
    AXIS,
    BODY,
    COMPUTED,
    FORCE,
    FRICTION,
    GAIN_D,
    GAIN_P,
    LAW,
    PARENT,
    PD,
    PD_GRAVITY,
    STATE,
    VELOCITY,
)
from solvers.kernels.signatures import JACOBIAN, MATRIX, VECTOR, compiled, f8, i8, separate, void


@compiled(SIX(VECTOR, i8, VECTOR, i8))
def turned(a, i, b, j):
    """The motion b[j:] as seen to change by moving along the motion a[i:]: their cross product."""
    return (
        a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1],
        a[i + 2] * b[j] - a[i] * b[j + 2],
        a[i] * b[j + 1] - a[i + 1] * b[j],
        a[i + 1] * b[j + 5] - a[i + 2] * b[j + 4] + a[i + 4] * b[j + 2] - a[i + 5] * b[j + 1],
        a[i + 2] * b[j + 3] - a[i] * b[j + 5] + a[i + 5] * b[j] - a[i + 3] * b[j + 2],
        a[i] * b[j + 4] - a[i + 1] * b[j + 3] + a[i + 3] * b[j + 1] - a[i + 4] * b[j],
    )


@compiled(SIX(VECTOR, i8, f8, f8, f8, f8, f8, f8))
def pushed(a, i, f0, f1, f2, f3, f4, f5):
    """The force f as it changes by moving along the motion a[i:]: the dual cross product."""
    w0, w1, w2, v0, v1, v2 = a[i], a[i + 1], a[i + 2], a[i + 3], a[i + 4], a[i + 5]
    return (
        w1 * f2 - w2 * f1 + v1 * f5 - v2 * f4,
        w2 * f0 - w0 * f2 + v2 * f3 - v0 * f5,
        w0 * f1 - w1 * f0 + v0 * f4 - v1 * f3,
        w1 * f5 - w2 * f4,
        w2 * f3 - w0 * f5,
        w0 * f4 - w1 * f3,
    )


@separate(void(MATRIX, MATRIX, VECTOR))
def drag(world, D, unit):
    """The matrix D of each link alone, a row of 36, from its velocity and inertia; `unit`, (6,), is zero."""
    for k in range(world.shape[0]):
        w = world[k]
        h0, h1, h2, h3, h4, h5 = momentum_of(w, VELOCITY)
        for c in range(6):
            unit[c] = 1.0
            a0, a1, a2, a3, a4, a5 = pushed(unit, 0, h0, h1, h2, h3, h4, h5)
            i0, i1, i2, i3, i4, i5 = momentum(w, BODY, unit[0], unit[1], unit[2], unit[3], unit[4], unit[5])
            b0, b1, b2, b3, b4, b5 = pushed(w, VELOCITY, i0, i1, i2, i3, i4, i5)
            m0, m1, m2, m3, m4, m5 = turned(w, VELOCITY, unit, 0)
            c0, c1, c2, c3, c4, c5 = momentum(w, BODY, m0, m1, m2, m3, m4, m5)
            D[k, c], D[k, 6 + c], D[k, 12 + c] = a0 + b0 - c0, a1 + b1 - c1, a2 + b2 - c2
            D[k, 18 + c], D[k, 24 + c], D[k, 30 + c] = a3 + b3 - c3, a4 + b4 - c4, a5 + b5 - c5
            unit[c] = 0.0


@separate(void(MATRIX, VECTOR, MATRIX, MATRIX, MATRIX))
def slopes(joints, gravity, world, by_q, by_v):
    """Derivatives of inverse dynamics by the joints' positions and rates, (n, n) each.

    Args:
        joints: (n, ROW).
        gravity: (3,) [m/s2].
        world: (n, STATE) after `move`; FORCE and BODY become those of each branch.
        by_q, by_v: out, zero before; entry (i, j) is the change of torque i with joint j.
    """
    n = joints.shape[0]
    room, after = borrow(48 * n + 24), 48 * n
    D, enters, comes = rows(room, 0, n, 36), rows(room, 36 * n, n, 6), rows(room, 42 * n, n, 6)
    base, force, flow = part(room, after, 12), part(room, after + 12, 6), part(room, after + 18, 6)
    for k in range(3):
        base[9 + k] = -gravity[k]
    drag(world, D, force)
    for i in range(n):
        parent = int(joints[i, PARENT])
        under, at_v, at_a = (world[parent], VELOCITY, ACCELERATION) if parent >= 0 else (base, 0, 6)
        u = turned(under, at_v, world[i], AXIS)
        w = turned(under, at_a, world[i], AXIS)
        for k in range(6):
            enters[i, k], comes[i, k] = u[k], w[k]
        w = turned(under, at_v, enters[i], 0)
        for k in range(6):
            comes[i, k] += w[k]
    for m in range(n - 1, -1, -1):
        w, u = world[m], enters[m]
        parent = int(joints[m, PARENT])
        f = pushed(w, AXIS, w[FORCE], w[FORCE + 1], w[FORCE + 2], w[FORCE + 3], w[FORCE + 4], w[FORCE + 5])
        g = momentum(w, BODY, comes[m, 0], comes[m, 1], comes[m, 2], comes[m, 3], comes[m, 4], comes[m, 5])
        h = momentum(w, BODY, u[0], u[1], u[2], u[3], u[4], u[5])
        for r in range(6):
            force[r], flow[r] = f[r] + g[r], 2.0 * h[r]
            for c in range(6):
                force[r] += D[m, 6 * r + c] * u[c]
                flow[r] += D[m, 6 * r + c] * w[AXIS + c]
        i = m
        while i >= 0:
            by_q[i, m] = dot(world[i], AXIS, force, 0)
            by_v[i, m] = dot(world[i], AXIS, flow, 0)
            i = int(joints[i, PARENT])
        g = momentum_of(w, AXIS)
        for c in range(6):
            force[c], flow[c] = g[c], 0.0
            for r in range(6):
                flow[c] += w[AXIS + r] * D[m, 6 * r + c]
        j = parent
        while j >= 0:
            by_q[m, j] = dot(force, 0, comes[j], 0) + dot(flow, 0, enters[j], 0)
            by_v[m, j] = dot(flow, 0, world[j], AXIS) + 2.0 * dot(force, 0, enters[j], 0)
            j = int(joints[j, PARENT])
        if parent >= 0:
            for k in range(FORCE, BODY + 10):
                world[parent, k] += w[k]
            for k in range(36):
                D[parent, k] += D[m, k]
    give_back(room)


@compiled(JACOBIAN)
def tree_jacobian(t, y, params, J):
    """The derivative of `kernels.tree` without a pull, (2n, 2n)."""
    joints = joints_of(params)
    n = joints.shape[0]
    room, after = borrow(3 + n * (2 + STATE + 3 * n)), 3 + n * (2 + STATE)
    gravity, x, still, world = part(room, 0, 3), part(room, 3, n), part(room, 3 + n, n), rows(room, 3 + 2 * n, n, STATE)
    M, by_q, by_v = rows(room, after, n, n), rows(room, after + n * n, n, n), rows(room, after + 2 * n * n, n, n)
    q, v = part(y, 0, n), part(y, n, n)
    computed = params[LAW] == COMPUTED
    controlled = params[LAW] == PD or params[LAW] == PD_GRAVITY
    # What the joints do is found first: the torques' slopes are taken at these accelerations.
    balance(t, params, q, v, still, gravity, world, M, x)
    felt(params, gravity)
    still[:] = 0.0
    factorise(joints, M)
    solve(M, x)
    weigh(joints, world)
    move(joints, gravity, still if computed else v, x, world)
    slopes(joints, gravity, world, by_q, by_v)
    J[:] = 0.0
    for j in range(n):
        J[j, n + j] = 1.0
        for i in range(n):
            x[i], still[i] = -by_q[i, j], 0.0 if computed else -by_v[i, j]
        still[j] -= joints[j, FRICTION]
        if controlled:
            x[j] -= joints[j, GAIN_P]
            still[j] -= joints[j, GAIN_D]
        solve(M, x)
        solve(M, still)
        if computed:
            x[j] -= joints[j, GAIN_P]
            still[j] -= joints[j, GAIN_D]
        for i in range(n):
            J[n + i, j], J[n + i, n + j] = x[i], still[i]
    give_back(room)
