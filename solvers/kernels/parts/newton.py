"""When Newton's iteration ends."""

from __future__ import annotations

import math

from numba import njit

from solvers.codes import NEWTON_FAILED, RUNNING

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
