"""Positions and torques that were recorded, between their samples, compiled."""

from __future__ import annotations

from numba import types

from robots.dynamics.tree.layout import HEADER, INDEPENDENT, JOINTS, LOGGED, ROW, TRACK
from solvers.kernels.signatures import VECTOR, f8, i8, separate


@separate(i8(f8, VECTOR))
def piece(t, params):
    """Where in `params` the row of the log begins that is the last not after `t`, or the last but one."""
    count = int(params[LOGGED])
    width = 1 + 2 * int(params[INDEPENDENT])
    first = HEADER + int(params[JOINTS]) * ROW + 4 * int(params[TRACK])
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if params[first + middle * width] <= t:
            low = middle
        else:
            high = middle
    return first + low * width


@separate(f8(f8, VECTOR, i8, i8))
def between(t, params, place, column):
    """A value at `t`, on the straight line through its samples; the last one holds after the end."""
    width = 1 + 2 * int(params[INDEPENDENT])
    before, after = params[place + 1 + column], params[place + width + 1 + column]
    s = min(max((t - params[place]) / (params[place + width] - params[place]), 0.0), 1.0)
    return before + s * (after - before)


@separate(types.UniTuple(f8, 3)(f8, VECTOR, i8, i8))
def moving(t, params, place, column):
    """Position, rate and acceleration at `t`, on a cubic with the slopes of the log; at rest after the end."""
    n = int(params[INDEPENDENT])
    here, there = place + 1 + column, place + 2 + 2 * n + column
    h = params[place + 2 * n + 1] - params[place]
    s = (t - params[place]) / h
    if s > 1.0:
        return params[there], 0.0, 0.0
    gap, u, w = params[there] - params[here], h * params[here + n], h * params[there + n]
    b, a = 3.0 * gap - 2.0 * u - w, u + w - 2.0 * gap
    return (
        params[here] + s * (u + s * (b + s * a)),
        (u + s * (2.0 * b + s * 3.0 * a)) / h,
        (2.0 * b + 6.0 * s * a) / (h * h),
    )
