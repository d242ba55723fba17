"""Torques that are held between the samples of a control: a table at the end of a problem's numbers, compiled.

The table has a row (time of the sample, time from which its torques act, torques) for every sample, in the order in
which they act; behind it stand the number of torques and the number of rows.
"""

from __future__ import annotations

from solvers.kernels.signatures import VECTOR, f8, i8, separate


@separate(f8(f8, VECTOR, i8))
def held_torque(t, params, motor):
    """The torque of a motor at `t`: that of the last sample that acts, 0 before the first one [N m]."""
    count, width = int(params[params.size - 1]), int(params[params.size - 2]) + 2
    first = params.size - 2 - count * width
    low, high = -1, count
    while high - low > 1:
        middle = (low + high) // 2
        if params[first + middle * width + 1] <= t:
            low = middle
        else:
            high = middle
    return 0.0 if low < 0 else params[first + low * width + 2 + motor]
