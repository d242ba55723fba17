"""The derivatives of the right-hand side that linearly implicit and Newton methods need."""

from __future__ import annotations

from numba import njit

from solvers.kernels.calls import call_jacobian, call_rhs
from solvers.kernels.loop import CALLS, JACOBIANS
from solvers.kernels.signatures import MATRIX, VECTOR, f8, i8, separate, void


@separate(i8(i8, i8, VECTOR, f8, VECTOR, MATRIX, i8, i8, VECTOR, MATRIX, i8), no_cpython_wrapper=False)
def state_derivative(rhs, jacobian, params, t, y, slopes, base, scratch, moved, J, central):
    """J = df/dy at (t, y), exact or by differences; returns the calls of rhs.

    Forward differences start from slopes[base] = f(t, y); `central` ones overwrite it, cost twice as much and have 10
    digits instead of 8. slopes[scratch] and `moved` (d,) are overwritten.
    """
    if jacobian != 0:
        call_jacobian(jacobian, t, y, params, J)
        return 0
    size = 6e-6 if central else 1.5e-8
    for j in range(y.size):
        moved[j] = y[j]
    for j in range(y.size):
        moved[j] = y[j] + size * max(1.0, abs(y[j]))
        step = moved[j] - y[j]
        call_rhs(rhs, t, moved, params, slopes, scratch)
        if central:
            moved[j] = y[j] - step
            step += y[j] - moved[j]
            call_rhs(rhs, t, moved, params, slopes, base)
        moved[j] = y[j]
        for i in range(y.size):
            J[i, j] = (slopes[scratch, i] - slopes[base, i]) / step
    return 2 * y.size if central else y.size


@separate(void(i8, VECTOR, f8, f8, VECTOR, MATRIX, i8, i8))
def time_derivative(rhs, params, t, ceiling, y, slopes, base, out):
    """slopes[out] = df/dt at (t, y) by a difference from slopes[base] = f(t, y): exactly 0 when f has no t."""
    step = 1e-8 * max(1.0, abs(t))
    if t + step > ceiling:
        step = -step
    call_rhs(rhs, t + step, y, params, slopes, out)
    actual = (t + step) - t
    for j in range(y.size):
        slopes[out, j] = (slopes[out, j] - slopes[base, j]) / actual


@njit(inline="always")
def linearise(task, state, t, y, slopes, base, scratch, moved, J):
    """J = df/dy at (t, y), counted; see `state_derivative`."""
    rhs, jacobian, params = task.rhs, task.jacobian, task.params
    state.tally[CALLS] += state_derivative(rhs, jacobian, params, t, y, slopes, base, scratch, moved, J, 0)
    state.tally[JACOBIANS] += 1.0
