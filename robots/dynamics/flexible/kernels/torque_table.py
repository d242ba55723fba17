"""What drives a flexible arm: torques, and the actuators' reference angles and rates, as a table over time."""

from __future__ import annotations

import math

import numpy as np

from solvers.kernels.signatures import VECTOR, f8, i8, separate

# The last numbers: first time, interval, hold, rows and columns of the table, which stands before them.
FIRST, INTERVAL, ZERO_ORDER, ROWS, COLUMNS = -5, -4, -3, -2, -1
_HEAD = 5


def torque_table(grid, rows, zero_order):
    """The table for evenly spaced times (m,) [s] and rows (m, k), as `held` finds it at the end of the parameters."""
    return np.concatenate([rows.ravel(), [grid[0], grid[1] - grid[0], float(zero_order), *rows.shape]])


@separate(f8(f8, VECTOR, i8), no_cpython_wrapper=False)
def held(t, params, column):
    """Column `column` at time t: joined by lines, or held from one sample to the next."""
    rows, width = int(params[ROWS]), int(params[COLUMNS])
    start = params.size - _HEAD - rows * width
    place = (t - params[FIRST]) / params[INTERVAL]
    low = min(max(math.floor(place + 1e-9), 0), rows - 1)
    high = min(low + 1, rows - 1)
    share = 0.0 if params[ZERO_ORDER] != 0.0 else min(max(place - low, 0.0), 1.0)
    return (1.0 - share) * params[start + low * width + column] + share * params[start + high * width + column]
