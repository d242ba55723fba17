"""The right-hand side of every tree, compiled once."""

from __future__ import annotations

import numpy as np
from numba import njit

from robots.dynamics.tree.kernels.dynamics import compose, factorise, gather, joints_of, move, place, solve, weigh
from robots.dynamics.tree.kernels.forces import demand, felt, law, pull_now
from robots.dynamics.tree.kernels.mimic import following
from robots.dynamics.tree.layout import (
    COMPUTED,
    FORCE,
    INDEPENDENT,
    JOINTS,
    LAW,
    STATE,
    TRACK,
)
from solvers.kernels.signatures import RHS


@njit(RHS, cache=True, nogil=True, error_model="numpy")
def tree(t, y, params, dy):
    """Rates of y = (q, v): forward dynamics by the inertia matrix."""
    if params[INDEPENDENT] < params[JOINTS]:
        following(t, y, params, dy)
        return
    joints = joints_of(params)
    n = joints.shape[0]
    world, M, gravity = np.empty((n, STATE)), np.zeros((n, n)), np.empty(3)
    zero = np.zeros(n)
    q, v, a = y[:n], y[n:], dy[n:]
    place(joints, q, world)
    weigh(joints, world)
    felt(params, gravity)
    computed = params[LAW] == COMPUTED
    # Computed torque carries all that moves, so that only what it does not know is left.
    move(joints, gravity, zero if computed else v, zero, world)
    if params[TRACK] > 0.0:
        if computed:
            move(joints, gravity, v, zero, world)
            for i in range(n):
                for k in range(FORCE, FORCE + 6):
                    world[i, k] = 0.0
        pull_now(t, params, gravity, world)
    gather(joints, world, a)
    compose(joints, world, M)
    factorise(joints, M)
    law(t, params, q, v, zero)
    for i in range(n):
        a[i] = zero[i] - a[i]
    solve(M, a)
    if computed:
        demand(t, params, q, v, zero)
        for i in range(n):
            a[i] += zero[i]
    for i in range(n):
        dy[i] = v[i]
