"""The one signature of every right-hand side and of every Jacobian, and how kernels are compiled.

Kernels call such a function by its address, so that they are compiled once for all problems. A problem's own function
is compiled for it: `@njit(RHS, cache=True, nogil=True)`.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial
from typing import Any, cast

from llvmlite.binding import add_symbol
from numba import njit, types

f8 = types.float64
i8 = types.int64
boolean = types.boolean
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
# The same for small functions that become a part of their callers, with whatever arguments they get.
helper = compiled()


def separate(signature: Any, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Like `compiled`, for a function that others call: they find it by its name.

    numba compiles a function again into each of its callers, and into theirs. This one stays as it is, at the price of
    a call that cannot be inlined: a few nanoseconds. Python may call those with the signatures above, and where
    `no_cpython_wrapper` is False: the way in takes as long to compile as a small function.
    """
    options = {"no_cpython_wrapper": signature not in (RHS, JACOBIAN, SYSTEM), **options}

    def make(function: Callable[..., Any]) -> Any:
        kernel: Any = compiled(signature, **options)(function)
        name = f"armstep.{function.__module__}.{function.__qualname__}"
        for result in kernel.overloads.values():
            description, context = copy(result.fndesc), result.target_context
            description.mangled_name = name
            add_symbol(name, result.library.get_pointer_to_function(result.fndesc.llvm_func_name))
            # Kernels on the disk are bound to the name, too: their modules import this one, which is loaded before.
            context.remove_user_function(result.entry_point)
            context.insert_user_function(result.entry_point, description)
        return kernel

    return make
