"""The one signature of every right-hand side and of every Jacobian, as the kernels know it.

Kernels call such a function by its address, so that they are compiled once for all problems. A problem's own function
is compiled for it: `@njit(RHS, cache=True, nogil=True)`.
"""

from __future__ import annotations

from numba import types

f8 = types.float64
i8 = types.int64
void = types.void
VECTOR = f8[::1]
MATRIX = f8[:, ::1]
INDICES = i8[::1]

# rhs(t, y, params, dy) and jacobian(t, y, params, J)
RHS = types.void(f8, VECTOR, VECTOR, VECTOR)
JACOBIAN = types.void(f8, VECTOR, VECTOR, MATRIX)

# system(t, x, rate, alpha, params, F, J)
SYSTEM = types.void(f8, VECTOR, VECTOR, f8, VECTOR, VECTOR, MATRIX)
