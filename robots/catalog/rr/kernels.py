"""The track of the point to which a spring pulls the RR arm, compiled: a table, so no elementary operation."""

from __future__ import annotations

from numba import njit

from solvers.kernels.signatures import VECTOR, f8, i8


@njit(f8(f8, VECTOR, i8), cache=True, nogil=True, error_model="numpy")
def aim(t, params, axis):
    """Coordinate `axis` (0: x, 1: z) of the track at `t`: a cubic with the slopes of its neighbours [m].

    `params` ends in n rows t, x, z and their number n.
    """
    count = int(params[params.size - 1])
    base = params.size - 1 - 3 * count
    x = base + 1 + axis
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if params[base + 3 * middle] <= t:
            low = middle
        else:
            high = middle
    before, after = max(low - 1, 0), min(high + 1, count - 1)
    t0, t1, x0, x1 = params[base + 3 * low], params[base + 3 * high], params[x + 3 * low], params[x + 3 * high]
    h = t1 - t0
    s = min(max((t - t0) / h, 0.0), 1.0)
    slope0 = (x1 - params[x + 3 * before]) / (t1 - params[base + 3 * before]) * h
    slope1 = (params[x + 3 * after] - x0) / (params[base + 3 * after] - t0) * h
    return x0 + s * (slope0 + s * ((3.0 * (x1 - x0) - 2.0 * slope0 - slope1) + s * (2.0 * (x0 - x1) + slope0 + slope1)))
