"""A point that moves along a table of times and places, compiled."""

from __future__ import annotations

from solvers.kernels.signatures import MATRIX, f8, i8, separate


@separate(f8(f8, MATRIX, i8))
def on_track(t, track, column):
    """Column `column` at `t` of a track whose rows begin with their time: a cubic with the slopes of its neighbours."""
    low, high = 0, track.shape[0] - 1
    while high - low > 1:
        middle = (low + high) // 2
        if track[middle, 0] <= t:
            low = middle
        else:
            high = middle
    before, after = max(low - 1, 0), min(high + 1, track.shape[0] - 1)
    t0, t1, x0, x1 = track[low, 0], track[high, 0], track[low, column], track[high, column]
    h = t1 - t0
    s = min(max((t - t0) / h, 0.0), 1.0)
    slope0 = (x1 - track[before, column]) / (t1 - track[before, 0]) * h
    slope1 = (track[after, column] - x0) / (track[after, 0] - t0) * h
    return x0 + s * (slope0 + s * ((3.0 * (x1 - x0) - 2.0 * slope0 - slope1) + s * (2.0 * (x0 - x1) + slope0 + slope1)))
