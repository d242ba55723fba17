"""The constraints of a whole system: values, gradient, curvature and their derivatives, assembled from primitives.

Source: A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu, CSTR-01-06 (2001), equations (2) and (29), (30).
"""

from __future__ import annotations

from robots.dynamics.multibody.kernels import primitives
from robots.dynamics.multibody.kernels.blocks import block, matrix
from robots.dynamics.multibody.kernels.forces import scatter, scatter_matrix
from robots.dynamics.multibody.layout import (
    ACCELERATION,
    BODY_COUNT,
    BODY_I,
    BODY_J,
    CURVATURE,
    FORCE_BY_Q,
    GRADIENT,
    KEPT,
    KEPT_SIZE,
    MULTIPLIER,
    PAIR,
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
from solvers.kernels.signatures import MATRIX, VECTOR, f8, separate, void


@separate(void(VECTOR, VECTOR), no_cpython_wrapper=False)
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


@separate(void(VECTOR), no_cpython_wrapper=False)
def gradient(p):
    """Fill Phi_q (m, n) at the present position, and keep what is known of every product there."""
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    q, w, out = block(p, POSITION, n), block(p, WORK, WORK_SIZE), matrix(p, GRADIENT, m, n)
    rows = matrix(p, PRODUCTS, int(p[PRODUCT_COUNT]), PRODUCT)
    kept = matrix(p, KEPT, rows.shape[0], KEPT_SIZE)
    out[:] = 0.0
    for r in range(rows.shape[0]):
        primitives.value(rows[r], q, w)
        primitives.slope(rows[r], w, primitives.SLOPE)
        primitives.remember(w, kept[r])
        scatter(rows[r], w, primitives.SLOPE, 1.0, out[r])
    for b in range(m - rows.shape[0]):
        for k in range(3, 7):
            out[rows.shape[0] + b, 7 * b + k] = 2.0 * q[7 * b + k]


@separate(void(VECTOR))
def curvature(p):
    """Fill -tau (m,) = (Phi_q q')_q q' at the present position and rate, after `gradient`."""
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    rate, w, out = block(p, RATE, n), block(p, WORK, WORK_SIZE), block(p, CURVATURE, m)
    rows = matrix(p, PRODUCTS, int(p[PRODUCT_COUNT]), PRODUCT)
    kept = matrix(p, KEPT, rows.shape[0], KEPT_SIZE)
    for r in range(rows.shape[0]):
        row = rows[r]
        primitives.recall(kept[r], w)
        primitives.gather(rate, int(row[BODY_I]), int(row[BODY_J]), w, primitives.RATES, 0.0)
        out[r] = primitives.curvature(row, w)
    for b in range(m - rows.shape[0]):
        total = 0.0
        for k in range(3, 7):
            total += 2.0 * rate[7 * b + k] * rate[7 * b + k]
        out[rows.shape[0] + b] = total


@separate(void(VECTOR))
def constraint_derivatives(p):
    """Fill d/dq and d/dq' of Phi_q q'' - tau, (m, PAIR) by the coordinates of each row's two bodies.

    (Phi_q' lambda)_q is added to the forces' derivative. After `gradient`.
    """
    n, m = 7 * int(p[BODY_COUNT]), int(p[ROW_COUNT])
    rate, w = block(p, RATE, n), block(p, WORK, WORK_SIZE)
    acceleration, multiplier = block(p, ACCELERATION, n), block(p, MULTIPLIER, m)
    by_q, by_rate, force = matrix(p, ROW_BY_Q, m, PAIR), matrix(p, ROW_BY_RATE, m, PAIR), matrix(p, FORCE_BY_Q, n, n)
    rows = matrix(p, PRODUCTS, int(p[PRODUCT_COUNT]), PRODUCT)
    kept, swing, bend = matrix(p, KEPT, rows.shape[0], KEPT_SIZE), primitives.SWING, primitives.BEND
    for r in range(rows.shape[0]):
        row = rows[r]
        i, j = int(row[BODY_I]), int(row[BODY_J])
        primitives.recall(kept[r], w)
        primitives.hessian(row, w, primitives.HESSIAN)
        primitives.gather(rate, i, j, w, primitives.RATES, 0.0)
        primitives.gather(acceleration, i, j, w, primitives.ACCELERATIONS, 0.0)
        primitives.times_hessian(w, primitives.HESSIAN, primitives.ACCELERATIONS, swing)
        primitives.curvature_slope(row, w, bend)
        for k in range(PAIR):
            by_q[r, k] = w[swing + k] + w[bend + k]
        primitives.times_hessian(w, primitives.HESSIAN, primitives.RATES, swing)
        for k in range(PAIR):
            by_rate[r, k] = 2.0 * w[swing + k]
        scatter_matrix(row, w, primitives.HESSIAN, multiplier[r], force)
    for b in range(m - rows.shape[0]):
        r = rows.shape[0] + b
        for k in range(3, 7):
            o = 7 * b + k
            by_q[r, k], by_rate[r, k] = 2.0 * acceleration[o], 4.0 * rate[o]
            force[o, o] += 2.0 * multiplier[r]


@separate(void(VECTOR, MATRIX, MATRIX, f8, MATRIX))
def add_rows_product(p, a, x, factor, out):
    """out (m, k) += factor a x for rows a (m, PAIR) by the coordinates of two bodies each; x is (n, k)."""
    rows = matrix(p, PRODUCTS, int(p[PRODUCT_COUNT]), PRODUCT)
    for r in range(out.shape[0]):
        for side in range(2):
            body = int(rows[r, BODY_I + side]) if r < rows.shape[0] else (r - rows.shape[0] if side == 0 else -1)
            if body >= 0:
                for l in range(7):
                    scale = factor * a[r, 7 * side + l]
                    if scale != 0.0:
                        for c in range(x.shape[1]):
                            out[r, c] += scale * x[7 * body + l, c]
