"""A constrained system in all its coordinates as ordinary differential equations: index 1, Baumgarte, projection.

The state is (q, q'), and the accelerations satisfy Phi_q q'' = tau - 2 alpha Phi_q q' - beta^2 Phi; for index 1 alpha
and beta are 0. `params` is that of `System.pack` with three numbers behind it: alpha, beta, and whether each step
begins with a projection.

Source: J. Baumgarte, Comp. Meth. Appl. Mech. Eng. 1 (1972); E. Hairer, G. Wanner, Solving Ordinary Differential
Equations II (1996), VII.2.
"""

from __future__ import annotations

import numpy as np

from robots.dynamics.multibody.kernels.blocks import block, indices, largest, matrix, put, put_matrix
from robots.dynamics.multibody.kernels.constraints import curvature, gradient, residual
from robots.dynamics.multibody.kernels.forces import note_angles, write_state
from robots.dynamics.multibody.kernels.partition import eliminate
from robots.dynamics.multibody.kernels.positions import tangent
from robots.dynamics.multibody.kernels.reduced import accelerate
from robots.dynamics.multibody.kernels.sparse import factorise, factors, solve, solve_transposed
from robots.dynamics.multibody.layout import (
    ACCELERATION,
    BODY_COUNT,
    COLUMN,
    CURVATURE,
    DENSE,
    DEPENDENT,
    FACTORS,
    FORCE_BY_Q,
    FREEDOM,
    GRADIENT,
    INDEPENDENT,
    KNOWN,
    MULTIPLIER,
    POSITION,
    RATE,
    RESIDUAL,
    ROW_COUNT,
)
from solvers.kernels.signatures import MATRIX, RHS, VECTOR, boolean, compiled, separate, void

# A matrix of the constraints is singular below this share of its largest entry.
SINGULAR = 1e-9
CONVERGED, MOST = 1e-14, 10

# -- state -------------------------------------------------------------------------------------------------------------


@separate(boolean(VECTOR, VECTOR))
def place(p, y):
    """Take position and rate from y; False where they are not numbers of reasonable size."""
    n = 7 * int(p[BODY_COUNT])
    position, rate, good = block(p, POSITION, n), block(p, RATE, n), True
    for k in range(n):
        position[k], rate[k] = y[k], y[n + k]
        good = good and abs(y[k]) < 1e100 and abs(y[n + k]) < 1e100
    p[KNOWN] = 0.0
    return good


@separate(void(VECTOR))
def choose_dependent(p):
    """Choose the coordinates whose accelerations the constraints give; kept where the constraints are redundant."""
    n, m, d = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT]), int(p[FREEDOM])
    gradient(p)
    # Neither block is in use between steps.
    work, rows, columns = matrix(p, FORCE_BY_Q, m, n), indices(p, RESIDUAL, m), indices(p, MULTIPLIER, m)
    put_matrix(matrix(p, GRADIENT, m, n), work)
    for r in range(m):
        rows[r] = r
    if eliminate(work, SINGULAR, columns, rows) < m:
        return
    independent, dependent = indices(p, INDEPENDENT, d), indices(p, DEPENDENT, m)
    free = block(p, COLUMN, n)
    free[:] = 1.0
    for r in range(m):
        free[columns[r]] = 0.0
    i, u = 0, 0
    for k in range(n):
        if free[k] != 0.0:
            independent[i] = k
            i += 1
        else:
            dependent[u] = k
            u += 1


@separate(boolean(VECTOR, VECTOR, VECTOR))
def take_back(p, change, out):
    """Take from out (n,) the shortest vector x with Phi_q x = change (m,), which is overwritten.

    Returns False, and takes nothing, where the constraints are redundant.
    """
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    full, dense, found = matrix(p, GRADIENT, m, n), matrix(p, DENSE, m, m), factors(p, FACTORS, m)
    for i in range(m):
        for j in range(m):
            total = 0.0
            for k in range(n):
                total += full[i, k] * full[j, k]
            dense[i, j] = total
    if not factorise(dense, found):
        return False
    solve(found, change)
    for i in range(m):
        for k in range(n):
            out[k] -= full[i, k] * change[i]
    return True


@separate(void(VECTOR, VECTOR))
def slip(p, out):
    """out = Phi_q q' at the present position and rate, after `gradient`."""
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    full, rate = matrix(p, GRADIENT, m, n), block(p, RATE, n)
    for i in range(m):
        total = 0.0
        for k in range(n):
            total += full[i, k] * rate[k]
        out[i] = total


@separate(void(VECTOR, VECTOR))
def project(p, y):
    """Replace y = (q, q') by the nearest position that satisfies the constraints, and then the nearest rate there."""
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    position, rate, change = block(p, POSITION, n), block(p, RATE, n), block(p, CURVATURE, m)
    for _ in range(MOST):
        residual(p, change)
        size = 0.0
        for i in range(m):
            size = max(size, abs(change[i]))
        gradient(p)
        if size <= CONVERGED or not take_back(p, change, position):
            break
    slip(p, change)
    take_back(p, change, rate)
    for k in range(n):
        y[k], y[n + k] = position[k], rate[k]


# -- equations ---------------------------------------------------------------------------------------------------------


@compiled(RHS)
def rhs(t, y, params, dy):
    """(q', q'') of all coordinates; nan where the constraints are redundant."""
    p = params
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    if not place(p, y) or not tangent(p):
        dy[:] = np.nan
        return
    curvature(p)
    alpha, beta = p[p.size - 3], p[p.size - 2]
    if alpha != 0.0 or beta != 0.0:
        bend, drift = block(p, CURVATURE, m), block(p, RESIDUAL, m)
        slip(p, drift)
        for i in range(m):
            bend[i] += 2.0 * alpha * drift[i]
        residual(p, drift)
        for i in range(m):
            bend[i] += beta * beta * drift[i]
    accelerate(p, t)
    acceleration = block(p, ACCELERATION, n)
    for k in range(n):
        dy[k], dy[n + k] = y[n + k], acceleration[k]


@compiled(RHS)
def begin_step(t, y, params, unused):
    """Before a step: project the state itself if that is asked for, follow the angles, choose coordinates again."""
    p = params
    if not place(p, y):
        return
    if p[p.size - 1] != 0.0:
        project(p, y)
    note_angles(p)
    choose_dependent(p)


@compiled(RHS)
def multipliers(t, y, params, out):
    """The multipliers lambda (m,) and, before them, the accelerations (n,) at y = (q, q'): out is (n + m,)."""
    p = params
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    place(p, y)
    choose_dependent(p)
    if not tangent(p):
        out[:] = np.nan
        return
    curvature(p)
    accelerate(p, t)
    found = block(p, MULTIPLIER, m)
    solve_transposed(factors(p, FACTORS, m), found)
    put(block(p, ACCELERATION, n), out[0:n])
    put(found, out[n : n + m])


# -- all of a run ------------------------------------------------------------------------------------------------------


@compiled(void(MATRIX, VECTOR, MATRIX))
def describe(states, params, out):
    """The full state (q, q', angles, their rates) of every row (q, q', ...), one step after the other."""
    p = params
    for r in range(states.shape[0]):
        place(p, states[r])
        if p[p.size - 1] != 0.0:
            project(p, states[r])
        note_angles(p)
        write_state(p, out[r])


@compiled(void(MATRIX, VECTOR, MATRIX))
def drift(states, params, out):
    """The largest |Phi| and the largest |Phi_q q'| of every full state, (r, 2)."""
    p = params
    change = block(p, RESIDUAL, int(p[ROW_COUNT]))
    for r in range(states.shape[0]):
        place(p, states[r])
        residual(p, change)
        out[r, 0] = largest(change)
        gradient(p)
        slip(p, change)
        out[r, 1] = largest(change)
