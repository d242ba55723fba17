"""A tree in positions and momenta p = M(q) v, compiled: Hamilton's equations without a derivative of M.

Turning a joint moves its whole branch like one rigid body, which changes no momentum but the power of the joint's own
velocity on it: with the joint's axis S, its link's velocity V and the branch's momentum H, the kinetic energy's
derivative by the joint's position at constant rates is -(S x V) . H, and its momentum is p = S . H.

Source: derived here; notation of R. Featherstone, Rigid Body Dynamics Algorithms (2008), chapter 2.
"""

from __future__ import annotations

from robots.dynamics.kernels.views import borrow, give_back, part, rows
from robots.dynamics.tree.kernels.derivative import turned
from robots.dynamics.tree.kernels.dynamics import (
    compose,
    factorise,
    gather,
    joints_of,
    momentum,
    momentum_of,
    move,
    place,
    solve,
    weigh,
)
from robots.dynamics.tree.kernels.forces import felt, law
from robots.dynamics.tree.layout import ARMATURE, AXIS, BODY, FORCE, STATE, VELOCITY
from solvers.kernels.signatures import MATRIX, RHS, VECTOR, separate, void


@separate(void(MATRIX, MATRIX, VECTOR))
def gather_momenta(joints, world, p):
    """The joints' momenta, (n,), of moved links; FORCE becomes the momentum of each branch."""
    for i in range(joints.shape[0]):
        w = world[i]
        h = momentum_of(w, VELOCITY)
        for k in range(6):
            w[FORCE + k] = h[k]
    gather(joints, world, p)


@separate(void(VECTOR, VECTOR, VECTOR, MATRIX))
def rates(params, q, p, world):
    """Replace the momenta `p` (n,) by the rates that they belong to; `world` (n, STATE) is placed and weighed."""
    joints = joints_of(params)
    n = p.size
    room = borrow(n * n)
    M = rows(room, 0, n, n)
    place(joints, q, world)
    weigh(joints, world)
    compose(joints, world, M)
    factorise(joints, M)
    solve(M, p)
    weigh(joints, world)
    give_back(room)


@separate(RHS)
def tree_in_momenta(t, y, params, dy):
    """Rates of (q, p): Hamilton's equations, with the torques of the joints."""
    joints = joints_of(params)
    n = joints.shape[0]
    room, after = borrow(n * (STATE + 2) + 3), n * STATE
    world, still, torques = rows(room, 0, n, STATE), part(room, after, n), part(room, after + n, n)
    gravity, q, v, push = part(room, after + 2 * n, 3), part(y, 0, n), part(dy, 0, n), part(dy, n, n)
    for i in range(n):
        v[i] = y[n + i]
    rates(params, q, v, world)
    move(joints, gravity, v, still, world)
    gather_momenta(joints, world, torques)
    law(t, params, q, v, torques)
    for i in range(n):
        w = world[i]
        c = turned(w, AXIS, w, VELOCITY)
        power = 0.0
        for k in range(6):
            power += c[k] * w[FORCE + k]
        push[i] = torques[i] - power
    felt(params, gravity)
    for i in range(n):
        f = momentum(world[i], BODY, 0.0, 0.0, 0.0, gravity[0], gravity[1], gravity[2])
        for k in range(6):
            world[i, FORCE + k] = f[k]
    gather(joints, world, torques)
    for i in range(n):
        push[i] += torques[i]
    give_back(room)


@separate(void(MATRIX, VECTOR), no_cpython_wrapper=False)
def to_momenta(y, params):
    """Replace the rates in states y (m, 2n) by momenta."""
    joints = joints_of(params)
    n = joints.shape[0]
    room, after = borrow(n * (STATE + 2) + 3), n * STATE
    world, still, p = rows(room, 0, n, STATE), part(room, after, n), part(room, after + n, n)
    gravity = part(room, after + 2 * n, 3)
    for row in range(y.shape[0]):
        q, v = part(y[row], 0, n), part(y[row], n, n)
        place(joints, q, world)
        weigh(joints, world)
        move(joints, gravity, v, still, world)
        gather_momenta(joints, world, p)
        for i in range(n):
            v[i] = p[i] + joints[i, ARMATURE] * v[i]
    give_back(room)


@separate(void(MATRIX, VECTOR), no_cpython_wrapper=False)
def to_rates(y, params):
    """Replace the momenta in states y (m, 2n) by rates."""
    n = y.shape[1] // 2
    room = borrow(n * STATE)
    world = rows(room, 0, n, STATE)
    for row in range(y.shape[0]):
        rates(params, part(y[row], 0, n), part(y[row], n, n), world)
    give_back(room)
