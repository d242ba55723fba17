"""The derivatives of the right-hand side that linearly implicit and Newton methods need."""

from __future__ import annotations

from numba import njit

from solvers.kernels.calls import call_jacobian, call_rhs
from solvers.kernels.signatures import MATRIX, VECTOR, f8, i8, void


@njit(i8(i8, i8, VECTOR, f8, VECTOR, MATRIX, i8, i8, VECTOR, MATRIX), cache=True, nogil=True, error_model="numpy")
def state_derivative(rhs, jacobian, params, t, y, slopes, base, scratch, moved, J):
    """J = df/dy at (t, y), exact or by forward differences from slopes[base] = f(t, y); returns the calls of rhs.

    slopes[scratch] and `moved` (d,) are overwritten.
    """
    if jacobian != 0:
        call_jacobian(jacobian, t, y, params, J)
        return 0
    for j in range(y.size):
        moved[j] = y[j]
    for j in range(y.size):
        moved[j] = y[j] + 1.5e-8 * max(1.0, abs(y[j]))
        step = moved[j] - y[j]
        call_rhs(rhs, t, moved, params, slopes, scratch)
        moved[j] = y[j]
        for i in range(y.size):
            J[i, j] = (slopes[scratch, i] - slopes[base, i]) / step
    return y.size


@njit(void(i8, VECTOR, f8, f8, VECTOR, MATRIX, i8, i8), cache=True, nogil=True, error_model="numpy")
def time_derivative(rhs, params, t, ceiling, y, slopes, base, out):
    """slopes[out] = df/dt at (t, y) by a difference from slopes[base] = f(t, y): exactly 0 when f has no t."""
    step = 1e-8 * max(1.0, abs(t))
    if t + step > ceiling:
        step = -step
    call_rhs(rhs, t + step, y, params, slopes, out)
    actual = (t + step) - t
    for j in range(y.size):
        slopes[out, j] = (slopes[out, j] - slopes[base, j]) / actual
