"""A constrained system in its independent coordinates: accelerations, exact Jacobian, and the partition's health.

The state is y = (v, v') with v the independent generalized coordinates; the dependent ones are recovered from the
constraints by Newton's method with the factors of the step's beginning.

Source: A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu, CSTR-01-06 (2001), equations (7) to (10) and (27) to
(35); R. A. Wehage, E. J. Haug, J. Mech. Design 104 (1982).
"""

from __future__ import annotations

import numpy as np

from robots.dynamics.multibody.kernels.blocks import add_product, block, indices, matrix, put, put_matrix
from robots.dynamics.multibody.kernels.constraints import add_rows_product, constraint_derivatives
from robots.dynamics.multibody.kernels.forces import (
    add_mass_product,
    force_derivatives,
    forces,
    inertia_derivatives,
    note_angles,
    write_state,
)
from robots.dynamics.multibody.kernels.positions import configure
from robots.dynamics.multibody.kernels.sparse import factors, inverse_norm, keep, solve, solve_many, solve_transposed
from robots.dynamics.multibody.layout import (
    ACCELERATION,
    BASE,
    BASE_FACTORS,
    BASE_H,
    BODY_COUNT,
    COLUMN,
    CONDITION,
    CURVATURE,
    DENSE,
    DEPENDENT,
    FACTORISED,
    FACTORS,
    FORCE,
    FORCE_BY_Q,
    FORCE_BY_RATE,
    FREEDOM,
    GRADIENT,
    KNOWN,
    LIMIT,
    MULTIPLIER,
    PAIR,
    POSITION,
    RATE_TANGENT,
    REDUCED_MASS,
    REDUCED_PIVOTS,
    REDUCED_SCALES,
    RESIDUAL,
    RIGHT,
    ROW_BY_Q,
    ROW_BY_RATE,
    ROW_COUNT,
    ROW_TANGENT,
    ROW_TANGENT_2,
    SPENT,
    TANGENT,
    TOTAL,
    H,
)
from solvers.kernels.parts import dense_linear
from solvers.kernels.signatures import JACOBIAN, MATRIX, RHS, VECTOR, compiled, f8, i8, separate, void

# -- accelerations -----------------------------------------------------------------------------------------------------


@separate(void(VECTOR, f8))
def accelerate(p, t):
    """Accelerations of all coordinates after `configure`, equations (9) and (10b); RIGHT holds the independent ones."""
    n, m, d = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT]), int(p[FREEDOM])
    forces(p, t)
    acceleration, force, T = block(p, ACCELERATION, n), block(p, FORCE, n), matrix(p, TANGENT, n, d)
    dependent = indices(p, DEPENDENT, m)
    bend, right, column = block(p, RESIDUAL, m), block(p, RIGHT, d), matrix(p, COLUMN, n, 1)
    put(block(p, CURVATURE, m), bend)
    solve(factors(p, FACTORS, m), bend)
    acceleration[:] = 0.0
    for i in range(m):
        acceleration[dependent[i]] = -bend[i]
    put(force, column[:, 0])
    add_mass_product(p, matrix(p, ACCELERATION, n, 1), -1.0, column)
    right[:] = 0.0
    for k in range(n):
        for c in range(d):
            right[c] += T[k, c] * column[k, 0]
    dense_linear.solve(matrix(p, REDUCED_MASS, d, d), indices(p, REDUCED_PIVOTS, d), block(p, REDUCED_SCALES, d), right)
    for k in range(n):
        for c in range(d):
            acceleration[k] += T[k, c] * right[c]
    # T' (M q'' - Q) = 0 leaves the multipliers to the dependent rows: Phi_u' lambda = (Q - M q'')_u.
    put(force, column[:, 0])
    add_mass_product(p, matrix(p, ACCELERATION, n, 1), -1.0, column)
    multiplier = block(p, MULTIPLIER, m)
    for i in range(m):
        multiplier[i] = column[dependent[i], 0]


@compiled(RHS)
def rhs(t, y, params, dy):
    """(v', v'') of the independent coordinates; nan outside the domain of this partition."""
    d = int(params[FREEDOM])
    if params[SPENT] != 0.0 or not configure(params, y):
        dy[:] = np.nan
        return
    accelerate(params, t)
    right = block(params, RIGHT, d)
    for c in range(d):
        dy[c], dy[d + c] = y[d + c], right[c]


@compiled(RHS)
def begin_step(t, y, params, unused):
    """Make the state the base that this step's positions are corrected from; note angles and the partition's health."""
    p = params
    if p[SPENT] != 0.0 or not configure(p, y):
        return
    n, m, d = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT]), int(p[FREEDOM])
    position, full, now = block(p, POSITION, n), matrix(p, GRADIENT, m, n), factors(p, FACTORS, m)
    put(position, block(p, BASE, n))
    keep(now, factors(p, BASE_FACTORS, m))
    put_matrix(matrix(p, H, m, d), matrix(p, BASE_H, m, d))
    p[FACTORISED] = 1.0
    note_angles(p)
    if p[LIMIT] < 0.0:
        return
    largest, dependent = 0.0, indices(p, DEPENDENT, m)
    for j in range(m):
        total = 0.0
        for i in range(m):
            total += abs(full[i, dependent[j]])
        largest = max(largest, total)
    p[CONDITION] = largest * inverse_norm(now, matrix(p, DENSE, m, m))
    if p[LIMIT] > 0.0 and p[CONDITION] > p[LIMIT]:
        p[SPENT] = 1.0


@separate(void(VECTOR, MATRIX, MATRIX, MATRIX, i8))
def finish(p, bend, total, J, at):
    """J[d:, at:] = -(T' M T)^-1 T' (total + M [bend at the dependent rows]); MOVING is overwritten."""
    n, m, d = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT]), int(p[FREEDOM])
    T, moving, dependent = matrix(p, TANGENT, n, d), matrix(p, RATE_TANGENT, n, d), indices(p, DEPENDENT, m)
    moving[:] = 0.0
    for i in range(m):
        for c in range(d):
            moving[dependent[i], c] = bend[i, c]
    add_mass_product(p, moving, 1.0, total)
    right = block(p, RIGHT, d)
    mass, pivots, scales = matrix(p, REDUCED_MASS, d, d), indices(p, REDUCED_PIVOTS, d), block(p, REDUCED_SCALES, d)
    for c in range(d):
        right[:] = 0.0
        for k in range(n):
            if total[k, c] != 0.0:
                for i in range(d):
                    right[i] -= T[k, i] * total[k, c]
        dense_linear.solve(mass, pivots, scales, right)
        for i in range(d):
            J[d + i, at + c] = right[i]


@compiled(JACOBIAN)
def jacobian(t, y, params, J):
    """J1 = dv''/dv and J2 = dv''/dv', equations (27) to (35), in [0 I; J1 J2]."""
    p = params
    n, m, d = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT]), int(p[FREEDOM])
    if p[SPENT] != 0.0 or not configure(p, y):
        J[:] = np.nan
        return
    accelerate(p, t)
    now = factors(p, FACTORS, m)
    solve_transposed(now, block(p, MULTIPLIER, m))
    by_q, by_rate = matrix(p, FORCE_BY_Q, n, n), matrix(p, FORCE_BY_RATE, n, n)
    by_q[:] = 0.0
    by_rate[:] = 0.0
    inertia_derivatives(p)
    force_derivatives(p, t)
    constraint_derivatives(p)
    T, moving, total = matrix(p, TANGENT, n, d), matrix(p, RATE_TANGENT, n, d), matrix(p, TOTAL, n, d)
    rows_q, rows_rate = matrix(p, ROW_BY_Q, m, PAIR), matrix(p, ROW_BY_RATE, m, PAIR)
    first, second, dependent = matrix(p, ROW_TANGENT, m, d), matrix(p, ROW_TANGENT_2, m, d), indices(p, DEPENDENT, m)
    # du'/dv at fixed v', (28b), is half of d u''/d v' without H J2, (34).
    second[:] = 0.0
    add_rows_product(p, rows_rate, T, -1.0, second)
    solve_many(now, second)
    moving[:] = 0.0
    for i in range(m):
        for c in range(d):
            moving[dependent[i], c] = 0.5 * second[i, c]
    # L of (29).
    first[:] = 0.0
    add_rows_product(p, rows_q, T, -1.0, first)
    add_rows_product(p, rows_rate, moving, -1.0, first)
    solve_many(now, first)
    total[:] = 0.0
    add_product(by_q, T, 1.0, total)
    add_product(by_rate, moving, 1.0, total)
    finish(p, first, total, J, 0)
    total[:] = 0.0
    add_product(by_rate, T, 1.0, total)
    finish(p, second, total, J, d)
    for i in range(d):
        for c in range(d):
            J[i, c], J[i, d + c] = 0.0, (1.0 if i == c else 0.0)


# -- all coordinates ---------------------------------------------------------------------------------------------------


@compiled(void(MATRIX, VECTOR, MATRIX))
def expand(states, params, out):
    """The full state (q, q', angles, their rates) of every row of independent ones, one step after the other."""
    p = params
    # Every row was in this partition's domain as the end of a step, so its condition needs no check.
    p[LIMIT], p[SPENT] = -1.0, 0.0
    for r in range(states.shape[0]):
        begin_step(0.0, states[r], p, states[r])
        if p[KNOWN] == 0.0:
            out[r] = np.nan
            continue
        write_state(p, out[r])
