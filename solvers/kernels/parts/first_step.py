"""The first step of an integration with step control, compiled: it is chosen before every run."""

from __future__ import annotations

import math

from solvers.kernels.calls import call_rhs
from solvers.kernels.signatures import MATRIX, VECTOR, compiled, f8, i8


@compiled(f8(VECTOR, VECTOR, f8, f8))
def size(vector, y, rtol, atol):
    """The norm of `vector` in units of the tolerance at y."""
    total = 0.0
    for j in range(y.size):
        ratio = vector[j] / max(atol + rtol * abs(y[j]), 1e-300)
        total += ratio * ratio
    return math.sqrt((1e300 if total > 1e300 else total) / y.size)


@compiled(f8(i8, VECTOR, f8, VECTOR, VECTOR, f8, f8, f8, f8, i8, VECTOR, MATRIX))
def guess(rhs, params, t, y, slope, longest, ceiling, rtol, atol, power, moved, later):
    """A first step with the sign of `longest`, which it does not exceed, from (t, y) with f(t, y) = `slope`.

    `power` is the power of h with which the error falls; `moved` (d,) and `later` (1, d) are for work.

    Source: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I (1993), II.4.
    """
    most = abs(longest)
    start, speed = size(y, y, rtol, atol), size(slope, y, rtol, atol)
    h = 1e-6 if start < 1e-5 or speed < 1e-5 else 0.01 * start / speed
    h = min(h, most)
    signed = math.copysign(h, longest)
    for j in range(y.size):
        moved[j] = y[j] + signed * slope[j]
    call_rhs(rhs, min(t + signed, ceiling), moved, params, later, 0)
    for j in range(y.size):
        moved[j] = later[0, j] - slope[j]
    bend = size(moved, y, rtol, atol) / h if h > 0.0 else 0.0
    largest = bend if bend > speed else speed
    proposal = max(1e-6, 1e-3 * h) if largest <= 1e-15 else (0.01 / largest) ** (1.0 / power)
    h = min(min(100.0 * h, proposal), most)
    return math.copysign(h if math.isfinite(h) and h > 0.0 else 1e-6 * most, longest)
