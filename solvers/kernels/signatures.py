"""The one signature of every right-hand side and of every Jacobian, and how kernels are compiled.

Kernels call such a function by its address, so that they are compiled once for all problems. A problem's own function
is compiled for it: `@njit(RHS, cache=True, nogil=True)`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from numba import njit, types

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

Compiler = Callable[..., Callable[[Callable[..., Any]], Any]]
# What numba need not make for functions that allocate nothing and that only Python and other kernels call: counts of
# references, and a way in for C.
compiled: Compiler = partial(
    cast(Any, njit), cache=True, nogil=True, error_model="numpy", no_cfunc_wrapper=True, _nrt=False
)
