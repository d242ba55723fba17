"""The one signature of every right-hand side and Jacobian, declared to the kernels.

A kernel that takes `RHS_TYPE` is compiled once for all problems and is found in the disk cache by the next process. A
problem's own function is compiled for the same signature: `@njit(RHS, cache=True, nogil=True)`.
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
RHS_TYPE = types.FunctionType(RHS)
JACOBIAN_TYPE = types.FunctionType(JACOBIAN)

# system(t, x, rate, alpha, params, F, J)
SYSTEM = types.void(f8, VECTOR, VECTOR, f8, VECTOR, VECTOR, MATRIX)
SYSTEM_TYPE = types.FunctionType(SYSTEM)
