"""Torques, inertia matrix and energies of trees, compiled: for one posture, and for the states of a run."""

from __future__ import annotations

from robots.dynamics.kernels.views import borrow, give_back, part, rows
from robots.dynamics.tree.kernels.dynamics import compose, gather, joints_of, momentum_of, move, place, weigh
from robots.dynamics.tree.kernels.forces import demand, law
from robots.dynamics.tree.kernels.mimic import expand, fold, lead
from robots.dynamics.tree.layout import (
    ARMATURE,
    BODY,
    COMPUTED,
    CONSTANT,
    FRICTION,
    GAIN_P,
    GRAVITY,
    LAW,
    PD,
    PD_GRAVITY,
    STATE,
    TARGET,
    TORQUE,
    VELOCITY,
)
from solvers.kernels.signatures import MATRIX, VECTOR, compiled, separate, void


@separate(void(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR), no_cpython_wrapper=False)
def inverse(params, q, v, a, torques):
    """Torques that move the joints with accelerations `a` against gravity, all (n,): inverse dynamics, no friction."""
    joints = joints_of(params)
    room = borrow(joints.shape[0] * STATE)
    world = rows(room, 0, joints.shape[0], STATE)
    place(joints, q, world)
    weigh(joints, world)
    move(joints, part(params, GRAVITY, 3), v, a, world)
    gather(joints, world, torques)
    for i in range(joints.shape[0]):
        torques[i] += joints[i, ARMATURE] * a[i]
    give_back(room)


@compiled(void(VECTOR, VECTOR, MATRIX))
def inertia(params, q, M):
    """The symmetric inertia matrix `M`, (n, n), at q (n,)."""
    joints = joints_of(params)
    n = joints.shape[0]
    room = borrow(n * STATE)
    world = rows(room, 0, n, STATE)
    place(joints, q, world)
    weigh(joints, world)
    M[:] = 0.0
    compose(joints, world, M)
    for i in range(n):
        for j in range(i):
            M[j, i] = M[i, j]
    give_back(room)


@compiled(void(VECTOR, MATRIX, VECTOR, MATRIX))
def motor_torques(t, y, params, torques):
    """What the motors do at times t (n,) for states y (n, d): `torques`, (n, free joints)."""
    joints = joints_of(params)
    n = joints.shape[0]
    room = borrow(6 * n)
    a, still, carried = part(room, 0, n), part(room, n, n), part(room, 2 * n, n)
    all_torques, q, v = part(room, 3 * n, n), part(room, 4 * n, n), part(room, 5 * n, n)
    for k in range(t.size):
        expand(params, y[k], q, v)
        if params[LAW] == COMPUTED:
            demand(t[k], params, q, v, a)
            lead(params, a)
            inverse(params, q, v, a, all_torques)
            fold(params, all_torques, torques[k])
            continue
        law(t[k], params, q, v, all_torques)
        for i in range(n):
            all_torques[i] += joints[i, FRICTION] * v[i]
        if params[LAW] == PD_GRAVITY:
            inverse(params, q, still, still, carried)
            for i in range(n):
                all_torques[i] += carried[i]
        fold(params, all_torques, torques[k])
    give_back(room)


@compiled(void(MATRIX, VECTOR, MATRIX))
def energies(y, params, found):
    """Kinetic and potential energy for states y (n, d): `found`, (n, 2) [J]."""
    joints = joints_of(params)
    n = joints.shape[0]
    room, after = borrow(n * (STATE + 3) + 3), n * STATE
    world, still, q = rows(room, 0, n, STATE), part(room, after, n), part(room, after + n, n)
    v, gravity = part(room, after + 2 * n, n), part(room, after + 3 * n, 3)
    for k in range(y.shape[0]):
        expand(params, y[k], q, v)
        place(joints, q, world)
        weigh(joints, world)
        move(joints, gravity, v, still, world)
        kinetic, potential = 0.0, 0.0
        for i in range(n):
            w, row = world[i], joints[i]
            h = momentum_of(w, VELOCITY)
            for c in range(6):
                kinetic += 0.5 * h[c] * w[VELOCITY + c]
            kinetic += 0.5 * row[ARMATURE] * v[i] * v[i]
            for c in range(3):
                potential -= params[GRAVITY + c] * w[BODY + 1 + c]
            if params[LAW] == CONSTANT:
                potential -= row[TORQUE] * q[i]
            elif params[LAW] == PD:
                gap = q[i] - row[TARGET]
                potential += 0.5 * row[GAIN_P] * (gap * gap)
        found[k, 0], found[k, 1] = kinetic, potential
    give_back(room)
