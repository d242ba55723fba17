"""The flexible beam: q'' = b sin(q1) + A q, with its Jacobian."""

from __future__ import annotations

from math import cos, sin

from numba import njit

from solvers.kernels.signatures import JACOBIAN, RHS


@njit(RHS, cache=True, nogil=True)
def rhs(t, y, params, dy):
    """`params` is b (n,) and then A (n, n)."""
    n = y.size // 2
    push = sin(y[0])
    for i in range(n):
        dy[i] = y[n + i]
        total = params[i] * push
        row = n + i * n
        for j in range(n):
            total += params[row + j] * y[j]
        dy[n + i] = total


@njit(JACOBIAN, cache=True, nogil=True)
def jacobian(t, y, params, J):
    """d(q', v')/d(q, v)."""
    n = y.size // 2
    J[:, :] = 0.0
    slope = cos(y[0])
    for i in range(n):
        J[i, n + i] = 1.0
        for j in range(n):
            J[n + i, j] = params[n + i * n + j]
        J[n + i, 0] += params[i] * slope
