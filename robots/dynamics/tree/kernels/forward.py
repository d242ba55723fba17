"""The right-hand side of every tree, compiled once."""

from __future__ import annotations

import numpy as np

from robots.dynamics.tree.kernels.dynamics import factorise, joints_of, solve
from robots.dynamics.tree.kernels.forces import balance, demand
from robots.dynamics.tree.kernels.mimic import following
from robots.dynamics.tree.layout import COMPUTED, INDEPENDENT, JOINTS, LAW, STATE
from solvers.kernels.signatures import RHS, compiled


@compiled(RHS, _nrt=True)
def tree(t, y, params, dy):
    """Rates of y = (q, v): forward dynamics by the inertia matrix."""
    if params[INDEPENDENT] < params[JOINTS]:
        following(t, y, params, dy)
        return
    joints = joints_of(params)
    n = joints.shape[0]
    world, M, zero = np.empty((n, STATE)), np.zeros((n, n)), np.zeros(n)
    q, v, a = y[:n], y[n:], dy[n:]
    balance(t, params, q, v, zero, world, M, a)
    factorise(joints, M)
    solve(M, a)
    if params[LAW] == COMPUTED:
        demand(t, params, q, v, zero)
        for i in range(n):
            a[i] += zero[i]
    for i in range(n):
        dy[i] = v[i]
