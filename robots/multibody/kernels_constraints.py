"""The constraints of a whole system: values, gradient, curvature and their derivatives, assembled from primitives.

Source: A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu, CSTR-01-06 (2001), equations (2) and (29), (30).
"""

from __future__ import annotations

from numba import njit

from robots.multibody import kernels_primitives as primitives
from robots.multibody.kernels_blocks import block, matrix
from robots.multibody.kernels_forces import scatter, scatter_matrix
from robots.multibody.layout import (
    ACCELERATION,
    BODY_COUNT,
    BODY_I,
    BODY_J,
    CURVATURE,
    FORCE_BY_Q,
    GRADIENT,
    MULTIPLIER,
    POSITION,
    PRODUCT,
    PRODUCT_COUNT,
    PRODUCTS,
    RATE,
    ROW_BY_Q,
    ROW_BY_RATE,
    ROW_COUNT,
    WORK,
    WORK_SIZE,
)


@njit(cache=True, nogil=True, error_model="numpy")
def residual(p, out):
    """out (m,) = Phi at the present position: the joints' products, then the norms of the Euler parameters."""
    n = 7 * int(p[BODY_COUNT])
    q, w = block(p, POSITION, n), block(p, WORK, WORK_SIZE)
    rows = matrix(p, PRODUCTS, int(p[PRODUCT_COUNT]), PRODUCT)
    for r in range(rows.shape[0]):
        out[r] = primitives.value(rows[r], q, w)
    for b in range(out.size - rows.shape[0]):
        o = 7 * b + 3
        square = q[o] * q[o] + q[o + 1] * q[o + 1] + q[o + 2] * q[o + 2] + q[o + 3] * q[o + 3]
        out[rows.shape[0] + b] = square - 1.0


@njit(cache=True, nogil=True, error_model="numpy")
def gradient(p):
    """Fill Phi_q (m, n) at the present position."""
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    q, w, out = block(p, POSITION, n), block(p, WORK, WORK_SIZE), matrix(p, GRADIENT, m, n)
    rows = matrix(p, PRODUCTS, int(p[PRODUCT_COUNT]), PRODUCT)
    out[:] = 0.0
    for r in range(rows.shape[0]):
        primitives.value(rows[r], q, w)
        primitives.slope(rows[r], w, primitives.SLOPE)
        scatter(rows[r], w, primitives.SLOPE, 1.0, out[r])
    for b in range(m - rows.shape[0]):
        for k in range(3, 7):
            out[rows.shape[0] + b, 7 * b + k] = 2.0 * q[7 * b + k]


@njit(cache=True, nogil=True, error_model="numpy")
def curvature(p):
    """Fill -tau (m,) = (Phi_q q')_q q' at the present position and rate."""
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    q, rate, w, out = block(p, POSITION, n), block(p, RATE, n), block(p, WORK, WORK_SIZE), block(p, CURVATURE, m)
    rows = matrix(p, PRODUCTS, int(p[PRODUCT_COUNT]), PRODUCT)
    for r in range(rows.shape[0]):
        row = rows[r]
        primitives.value(row, q, w)
        primitives.slope(row, w, primitives.SLOPE)
        primitives.gather(rate, int(row[BODY_I]), int(row[BODY_J]), w, primitives.RATES, 0.0)
        out[r] = primitives.curvature(row, w)
    for b in range(m - rows.shape[0]):
        total = 0.0
        for k in range(3, 7):
            total += 2.0 * rate[7 * b + k] * rate[7 * b + k]
        out[rows.shape[0] + b] = total


@njit(cache=True, nogil=True, error_model="numpy")
def constraint_derivatives(p):
    """Fill d/dq and d/dq' of Phi_q q'' - tau, and add (Phi_q' lambda)_q to the forces' derivative."""
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    q, rate, w = block(p, POSITION, n), block(p, RATE, n), block(p, WORK, WORK_SIZE)
    acceleration, multiplier = block(p, ACCELERATION, n), block(p, MULTIPLIER, m)
    by_q, by_rate, force = matrix(p, ROW_BY_Q, m, n), matrix(p, ROW_BY_RATE, m, n), matrix(p, FORCE_BY_Q, n, n)
    by_q[:] = 0.0
    by_rate[:] = 0.0
    rows = matrix(p, PRODUCTS, int(p[PRODUCT_COUNT]), PRODUCT)
    for r in range(rows.shape[0]):
        row = rows[r]
        i, j = int(row[BODY_I]), int(row[BODY_J])
        primitives.value(row, q, w)
        primitives.slope(row, w, primitives.SLOPE)
        primitives.hessian(row, w, primitives.HESSIAN)
        primitives.gather(rate, i, j, w, primitives.RATES, 0.0)
        primitives.gather(acceleration, i, j, w, primitives.ACCELERATIONS, 0.0)
        primitives.times_hessian(w, primitives.HESSIAN, primitives.ACCELERATIONS, primitives.SWING)
        primitives.curvature_slope(row, w, primitives.BEND)
        scatter(row, w, primitives.SWING, 1.0, by_q[r])
        scatter(row, w, primitives.BEND, 1.0, by_q[r])
        primitives.times_hessian(w, primitives.HESSIAN, primitives.RATES, primitives.SWING)
        scatter(row, w, primitives.SWING, 2.0, by_rate[r])
        scatter_matrix(row, w, primitives.HESSIAN, multiplier[r], force)
    for b in range(m - rows.shape[0]):
        r = rows.shape[0] + b
        for k in range(7 * b + 3, 7 * b + 7):
            by_q[r, k] = 2.0 * acceleration[k]
            by_rate[r, k] = 4.0 * rate[k]
            force[k, k] += 2.0 * multiplier[r]
