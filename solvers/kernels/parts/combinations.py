"""Sparse rows of coefficients times stored slopes.

A table is given as rows `weights[starts[i]:starts[i + 1]]` at `columns`. Four components are summed at a time, since
independent sums keep the processor busy. They are inlined: as calls they took a fifth of a step.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(inline="always")
def add(row, h, y, starts, columns, weights, k, out):
    """out = y + h times the sum of weights times slopes of one row."""
    first, last = starts[row], starts[row + 1]
    m = 0
    while m + 4 <= y.size:
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for j in range(first, last):
            weight, n = weights[j], np.uintp(columns[j])
            a += weight * k[n, m]
            b += weight * k[n, m + 1]
            c += weight * k[n, m + 2]
            d += weight * k[n, m + 3]
        out[m] = y[m] + h * a
        out[m + 1] = y[m + 1] + h * b
        out[m + 2] = y[m + 2] + h * c
        out[m + 3] = y[m + 3] + h * d
        m += 4
    while m < y.size:
        a = 0.0
        for j in range(first, last):
            a += weights[j] * k[np.uintp(columns[j]), m]
        out[m] = y[m] + h * a
        m += 1


@njit(inline="always")
def multiply(row, h, starts, columns, weights, k, out):
    """out = h times the sum of weights times slopes of one row."""
    for m in range(out.size):
        total = 0.0
        for j in range(starts[row], starts[row + 1]):
            total += weights[j] * k[np.uintp(columns[j]), m]
        out[m] = h * total
