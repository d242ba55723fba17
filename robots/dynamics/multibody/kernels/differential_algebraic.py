"""A constrained system in all its coordinates as F(t, x, x') = 0: index 3, index 2, and stabilised index 2.

The unknowns are (q, v, lambda) or, with the multipliers mu of Gear, Gupta and Leimkuhler, (q, v, lambda, mu):

    q' - v + Phi_q' mu = 0,   M v' - Q + Phi_q' lambda = 0,   Phi_q v = 0 and/or Phi = 0.

`params` is that of `System.pack` with the kind of the constraints behind it.

Source: K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value Problems in
Differential-Algebraic Equations (1996), section 6.2; C. W. Gear, B. Leimkuhler, G. K. Gupta, J. Comp. Appl. Math. 12-13
(1985).
"""

from __future__ import annotations

import numpy as np

from robots.dynamics.multibody.kernels.blocks import block, matrix, put, put_matrix
from robots.dynamics.multibody.kernels.constrained import note_angles, place, slip
from robots.dynamics.multibody.kernels.constraints import constraint_derivatives, gradient, residual
from robots.dynamics.multibody.kernels.forces import (
    add_mass_product,
    force_derivatives,
    forces,
    inertia_derivatives,
)
from robots.dynamics.multibody.layout import (
    ACCELERATION,
    BODY_COUNT,
    BODY_I,
    BODY_J,
    COLUMN,
    FORCE,
    FORCE_BY_Q,
    FORCE_BY_RATE,
    GRADIENT,
    MULTIPLIER,
    PAIR,
    PRODUCT,
    PRODUCT_COUNT,
    PRODUCTS,
    ROW_BY_RATE,
    ROW_COUNT,
)
from solvers.kernels.signatures import RHS, SYSTEM, VECTOR, compiled, f8, helper, separate, void

# The constraints of `system`: of position, of velocity, or both.
POSITIONS, VELOCITIES, BOTH = 3.0, 2.0, 1.0


@compiled(RHS)
def begin_step(t, x, params, unused):
    """Follow the angles at a step's beginning."""
    if place(params, x):
        note_angles(params)


@helper
def add_transposed(p, multiplier, out):
    """out (n,) += Phi_q' multiplier, after `gradient`."""
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    full = matrix(p, GRADIENT, m, n)
    for i in range(m):
        for k in range(n):
            out[k] += full[i, k] * multiplier[i]


@separate(void(VECTOR, f8, VECTOR, VECTOR, f8, VECTOR))
def values(p, t, x, rate, kind, F):
    """F(t, x, x') after `place`."""
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    gradient(p)
    forces(p, t)
    force, column = block(p, FORCE, n), matrix(p, COLUMN, n, 1)
    for k in range(n):
        F[k] = rate[k] - x[n + k]
        column[k, 0] = -force[k]
    acceleration = block(p, ACCELERATION, n)
    put(rate[n : 2 * n], acceleration)
    add_mass_product(p, matrix(p, ACCELERATION, n, 1), 1.0, column)
    put(column[:, 0], F[n : 2 * n])
    add_transposed(p, x[2 * n : 2 * n + m], F[n : 2 * n])
    if kind == POSITIONS:
        residual(p, F[2 * n : 2 * n + m])
    else:
        slip(p, F[2 * n : 2 * n + m])
    if kind == BOTH:
        add_transposed(p, x[2 * n + m : 2 * n + 2 * m], F[0:n])
        residual(p, F[2 * n + m : 2 * n + 2 * m])


@helper
def add_velocity_row_derivatives(p, row, J):
    """J[row + i, :n] = d(Phi_q v)_i / dq, half of the derivative by v of the curvature, after it is known."""
    m = int(p[ROW_COUNT])
    by_rate, rows = matrix(p, ROW_BY_RATE, m, PAIR), matrix(p, PRODUCTS, int(p[PRODUCT_COUNT]), PRODUCT)
    for i in range(m):
        of_products = i < rows.shape[0]
        first = int(rows[i, BODY_I]) if of_products else i - rows.shape[0]
        second = int(rows[i, BODY_J]) if of_products else -1
        for k in range(7):
            if first >= 0:
                J[row + i, 7 * first + k] += 0.5 * by_rate[i, k]
            if second >= 0:
                J[row + i, 7 * second + k] += 0.5 * by_rate[i, 7 + k]


@helper
def put_gradient(p, position, velocity, J):
    """Phi_q into the rows of position and velocity constraints, where these are not below 0."""
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    full = matrix(p, GRADIENT, m, n)
    for i in range(m):
        for k in range(n):
            J[n + k, 2 * n + i] = full[i, k]
            if position >= 0:
                J[position + i, k] = full[i, k]
            if velocity >= 0:
                J[velocity + i, n + k] = full[i, k]
            if position >= 0 and velocity >= 0:
                J[k, 2 * n + m + i] = full[i, k]


@compiled(SYSTEM)
def system(t, x, rate, alpha, params, F, J):
    """F(t, x, x') and dF/dx + alpha dF/dx'."""
    p = params
    n, m, kind = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT]), p[p.size - 1]
    J[:] = 0.0
    if not place(p, x):
        F[:] = np.nan
        return
    values(p, t, x, rate, kind, F)
    by_q, by_rate, multiplier = matrix(p, FORCE_BY_Q, n, n), matrix(p, FORCE_BY_RATE, n, n), block(p, MULTIPLIER, m)
    if kind == BOTH:
        by_q[:] = 0.0
        put(x[2 * n + m : 2 * n + 2 * m], multiplier)
        constraint_derivatives(p)
        put_matrix(by_q, J[0:n, 0:n])
    by_q[:] = 0.0
    by_rate[:] = 0.0
    put(x[2 * n : 2 * n + m], multiplier)
    inertia_derivatives(p)
    force_derivatives(p, t)
    constraint_derivatives(p)
    put_matrix(by_q, J[n : 2 * n, 0:n])
    put_matrix(by_rate, J[n : 2 * n, n : 2 * n])
    unit, column = matrix(p, ACCELERATION, n, 1), matrix(p, COLUMN, n, 1)
    for k in range(n):
        J[k, k] += alpha
        J[k, n + k] = -1.0
        unit[:] = 0.0
        column[:] = 0.0
        unit[k, 0] = 1.0
        add_mass_product(p, unit, alpha, column)
        for i in range(n):
            J[n + i, n + k] += column[i, 0]
    velocity = -1 if kind == POSITIONS else 2 * n
    position = 2 * n if kind == POSITIONS else 2 * n + m if kind == BOTH else -1
    put_gradient(p, position, velocity, J)
    if velocity >= 0:
        add_velocity_row_derivatives(p, velocity, J)
