"""One step of the classical fourth-order Runge-Kutta method, for other methods to build on."""

from __future__ import annotations

from solvers.kernels.calls import call_rhs
from solvers.kernels.signatures import MATRIX, VECTOR, compiled, f8, i8, void


@compiled(void(i8, VECTOR, f8, f8, f8, VECTOR, MATRIX, MATRIX, VECTOR, VECTOR))
def runge_kutta_step(rhs, params, t, h, ceiling, y, slopes, k, work, after):
    """after = one step of the classical fourth-order method; its first stage is slopes[0]."""
    for j in range(y.size):
        work[j] = y[j] + 0.5 * h * slopes[0, j]
    call_rhs(rhs, min(t + 0.5 * h, ceiling), work, params, k, 0)
    for j in range(y.size):
        work[j] = y[j] + 0.5 * h * k[0, j]
    call_rhs(rhs, min(t + 0.5 * h, ceiling), work, params, k, 1)
    for j in range(y.size):
        work[j] = y[j] + h * k[1, j]
    call_rhs(rhs, min(t + h, ceiling), work, params, k, 2)
    for j in range(y.size):
        after[j] = y[j] + h / 6.0 * (slopes[0, j] + 2.0 * (k[0, j] + k[1, j]) + k[2, j])
