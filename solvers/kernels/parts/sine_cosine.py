"""Sine and cosine from products and sums alone: one number and the lanes of a vector register get the same bits.

The argument is reduced to |r| <= pi/4 in three parts (W. J. Cody, W. Waite, Software Manual for the Elementary
Functions, 1980, chapter 8), whose powers make both functions. Errors are below 1.5 units in the last place.
"""

from __future__ import annotations

import math

from numba import njit

from solvers.kernels.parts.lanes import below, floor, fused

BEYOND = 1e5
"""Larger arguments need more digits of pi: they are left to the C library."""

QUARTERS = 2.0 / math.pi
# pi/2 is the sum of the three.
FIRST, SECOND, THIRD = 1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33
S3, S5, S7, S9, S11, S13, S15, S17 = ((-1.0) ** k / math.factorial(2 * k + 1) for k in range(1, 9))
C4, C6, C8, C10, C12, C14, C16 = ((-1.0) ** k / math.factorial(2 * k) for k in range(2, 9))


@njit(inline="always")
def sine(x):
    """The sine of an angle, rad."""
    return _from_quarters(x, 0.0) if below(x, BEYOND) else math.sin(x)


@njit(inline="always")
def cosine(x):
    """The cosine of an angle, rad."""
    return _from_quarters(x, 1.0) if below(x, BEYOND) else math.cos(x)


@njit(inline="always")
def _from_quarters(x, ahead):
    """The sine of x + ahead pi/2."""
    turns = floor(fused(x, QUARTERS, 0.5))
    r = fused(turns, -THIRD, fused(turns, -SECOND, fused(turns, -FIRST, x)))
    z = r * r
    series = fused(z, fused(z, fused(z, fused(z, fused(z, fused(z, fused(z, S17, S15), S13), S11), S9), S7), S5), S3)
    own_sine = fused(r * z, series, r)
    series = fused(z, fused(z, fused(z, fused(z, fused(z, fused(z, C16, C14), C12), C10), C8), C6), C4)
    own_cosine = fused(z, fused(z, series, -0.5), 1.0)
    quarter = turns + ahead
    half = floor(0.5 * quarter)
    odd = fused(half, -2.0, quarter)
    turned = fused(floor(0.5 * half), -2.0, half)
    # Of the two one is multiplied by 0: no digit is lost.
    return fused(turned, -2.0, 1.0) * fused(odd, own_cosine, (1.0 - odd) * own_sine)
