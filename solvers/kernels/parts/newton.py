"""The matrix of Newton's iteration, and when the iteration ends."""

from __future__ import annotations

import math

from numba import njit

from solvers.codes import DIVERGED, NEWTON_FAILED, RUNNING, SINGULAR_ITERATION
from solvers.kernels.parts.dense_linear import factorise
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, f8, i8, separate

GOES_ON = -1


@njit(inline="always")
def verdict(full, controlled, size, before, tolerance):
    """`RUNNING` once it has converged, `NEWTON_FAILED`, or `GOES_ON`.

    `size` is the correction's in units of the tolerance, `before` that of the one before it. In `full`, with a new
    Jacobian in every iteration, it goes on until the correction is a thousand times smaller than the tolerance, or is
    within it and no longer shrinks. A tolerance below round-off asks for as much as there is.
    """
    found = GOES_ON
    if not math.isfinite(size):
        found = NEWTON_FAILED
    elif size <= 1e-3 or (full and size <= max(1.0, 1e-15 / tolerance) and size >= 0.25 * before):
        found = RUNNING
    elif not full and before < math.inf:
        rate = size / before
        if rate < 1.0:
            found = RUNNING if rate / (1.0 - rate) * size <= 1.0 else GOES_ON
        else:
            # Corrections at the level of round-off no longer shrink.
            found = RUNNING if not controlled and size * tolerance <= 1e-13 else NEWTON_FAILED
    return found


@separate(i8(f8, MATRIX, INDICES, VECTOR))
def shifted(unit, N, pivots, scales):
    """Factorise `unit` I + N in place; returns a code."""
    total = 0.0
    for i in range(N.shape[0]):
        for j in range(N.shape[1]):
            total += abs(N[i, j])
        N[i, i] += unit
    if not math.isfinite(total):
        return DIVERGED
    return RUNNING if factorise(N, pivots, scales) != 0.0 else SINGULAR_ITERATION


@separate(i8(f8, MATRIX, MATRIX, INDICES, VECTOR))
def iteration_matrix(c, J, N, pivots, scales):
    """Factorise N = I - c J; returns a code."""
    for i in range(J.shape[0]):
        for j in range(J.shape[1]):
            N[i, j] = -c * J[i, j]
    return shifted(1.0, N, pivots, scales)
