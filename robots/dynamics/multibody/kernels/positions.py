"""Positions and rates that belong to the independent coordinates: generalized-coordinate partitioning.

Source: R. A. Wehage, E. J. Haug, J. Mech. Design 104 (1982); CSTR-01-06 (2001), equations (4) to (10a).
"""

from __future__ import annotations

import numpy as np

from robots.dynamics.multibody.kernels.blocks import block, indices, matrix
from robots.dynamics.multibody.kernels.constraints import curvature, gradient, residual
from robots.dynamics.multibody.kernels.forces import add_mass_product
from robots.dynamics.multibody.kernels.sparse import factorise, factors, solve, solve_many
from robots.dynamics.multibody.layout import (
    BASE,
    BASE_FACTORS,
    BASE_H,
    BODY_COUNT,
    DENSE,
    DEPENDENT,
    FACTORISED,
    FACTORS,
    FREEDOM,
    GRADIENT,
    INDEPENDENT,
    KNOWN,
    MASS_TANGENT,
    POSITION,
    RATE,
    REDUCED_MASS,
    REDUCED_PIVOTS,
    REDUCED_SCALES,
    RESIDUAL,
    ROW_COUNT,
    STATE,
    TANGENT,
    H,
)
from solvers.kernels.parts import dense_linear
from solvers.kernels.signatures import VECTOR, boolean, helper, separate

CONVERGED, ROUND_OFF = 1e-13, 1e-10


@helper
def factorise_dependent(p):
    """Phi_q at the present position and the factors of Phi_u; False when that is singular."""
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    gradient(p)
    full, dense, dependent = matrix(p, GRADIENT, m, n), matrix(p, DENSE, m, m), indices(p, DEPENDENT, m)
    for i in range(m):
        for j in range(m):
            dense[i, j] = full[i, dependent[j]]
    return factorise(dense, factors(p, FACTORS, m))


@separate(boolean(VECTOR, boolean))
def correct(p, fresh):
    """Newton's method for the dependent coordinates, with the base's factors or fresh ones; whether it converged."""
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    q, dependent, change = block(p, POSITION, n), indices(p, DEPENDENT, m), block(p, RESIDUAL, m)
    last = np.inf
    for attempt in range(20):
        if fresh and not factorise_dependent(p):
            return False
        residual(p, change)
        if fresh:
            solve(factors(p, FACTORS, m), change)
        else:
            solve(factors(p, BASE_FACTORS, m), change)
        size = 0.0
        for i in range(m):
            q[dependent[i]] -= change[i]
            size = max(size, abs(change[i]))
        if not size < 1e3:
            return False
        if size <= CONVERGED or (size <= ROUND_OFF and size >= 0.5 * last):
            return True
        if attempt > (12 if fresh else 1) and size > 0.5 * last:
            return False
        last = size
    return False


@helper
def predict(p, y):
    """Independent coordinates from y, the dependent ones along the base's tangent."""
    n, m, d = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT]), int(p[FREEDOM])
    q, base, h = block(p, POSITION, n), block(p, BASE, n), matrix(p, BASE_H, m, d)
    independent, dependent = indices(p, INDEPENDENT, d), indices(p, DEPENDENT, m)
    for i in range(m):
        total = base[dependent[i]]
        if p[FACTORISED] != 0.0:
            for c in range(d):
                total += h[i, c] * (y[c] - base[independent[c]])
        q[dependent[i]] = total
    for c in range(d):
        q[independent[c]] = y[c]


@separate(boolean(VECTOR))
def tangent(p):
    """H = -Phi_u^-1 Phi_v, T = dq/dv (n, d), M T, and the factors of the reduced mass matrix T' M T, equation (10a).

    Returns False where Phi_u is singular.
    """
    n, m, d = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT]), int(p[FREEDOM])
    if not factorise_dependent(p):
        return False
    T, MT, h = matrix(p, TANGENT, n, d), matrix(p, MASS_TANGENT, n, d), matrix(p, H, m, d)
    full, independent, dependent = matrix(p, GRADIENT, m, n), indices(p, INDEPENDENT, d), indices(p, DEPENDENT, m)
    for i in range(m):
        for c in range(d):
            h[i, c] = -full[i, independent[c]]
    solve_many(factors(p, FACTORS, m), h)
    T[:] = 0.0
    MT[:] = 0.0
    for c in range(d):
        T[independent[c], c] = 1.0
    for i in range(m):
        for c in range(d):
            T[dependent[i], c] = h[i, c]
    add_mass_product(p, T, 1.0, MT)
    mass = matrix(p, REDUCED_MASS, d, d)
    mass[:] = 0.0
    for k in range(n):
        for i in range(d):
            if T[k, i] != 0.0:
                for j in range(d):
                    mass[i, j] += T[k, i] * MT[k, j]
    dense_linear.factorise(mass, indices(p, REDUCED_PIVOTS, d), block(p, REDUCED_SCALES, d))
    return True


@separate(boolean(VECTOR, VECTOR))
def configure(p, y):
    """Position, factors of Phi_u, H = -Phi_u^-1 Phi_v and rates that belong to y; False outside the domain."""
    n, m, d = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT]), int(p[FREEDOM])
    state = block(p, STATE, 2 * d)
    if p[KNOWN] != 0.0:
        same = True
        for k in range(2 * d):
            same = same and y[k] == state[k]
        if same:
            return True
    p[KNOWN] = 0.0
    for k in range(2 * d):
        if not abs(y[k]) < 1e100:
            return False
    predict(p, y)
    if p[FACTORISED] == 0.0 or not correct(p, False):
        predict(p, y)
        if not correct(p, True):
            return False
    if not tangent(p):
        return False
    h, rate = matrix(p, H, m, d), block(p, RATE, n)
    independent, dependent = indices(p, INDEPENDENT, d), indices(p, DEPENDENT, m)
    for c in range(d):
        rate[independent[c]] = y[d + c]
    for i in range(m):
        total = 0.0
        for c in range(d):
            total += h[i, c] * y[d + c]
        rate[dependent[i]] = total
    curvature(p)
    for k in range(2 * d):
        state[k] = y[k]
    p[KNOWN] = 1.0
    return True
