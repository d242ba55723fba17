"""One way to call the kernel of any family: its own coefficients and working memory come as two addresses.

So the loop over problems is compiled once for all families.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic

from solvers.kernels.loop import ROWS, RULES, SLICE, STATE, TASK
from solvers.kernels.signatures import i8

KERNEL = SLICE(TASK, RULES, STATE, i8, i8, ROWS, i8)
"""run(task, rules, state, formula, scratch, rows, attempts)"""
PACKED = 3, 4
"""Which of them are addresses of `words`."""


@cache
def entry_address(kernel: Any) -> int:
    """Where a function with the signature `KERNEL` is that calls the kernel."""
    return _library(kernel).get_pointer_to_function(_name(kernel))


@global_compiler_lock
@cache
def _library(kernel: Any) -> Any:
    """Its machine code: a name must not be defined twice, so one thread at a time makes it."""
    ((kinds, compiled),) = kernel.overloads.items()
    context, convention = compiled.target_context, compiled.target_context.call_conv
    name = _name(kernel)
    library = context.codegen().create_library(name)
    module = library.create_ir_module(name)
    function = ir.Function(module, convention.get_function_type(KERNEL.return_type, KERNEL.args), name)
    builder = ir.IRBuilder(function.append_basic_block())
    given = context.get_arg_packer(KERNEL.args).from_arguments(builder, convention.get_arguments(function))
    for place in PACKED:
        held = context.get_value_type(kinds[place]).as_pointer()
        given[place] = builder.load(builder.inttoptr(given[place], held))
    target = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    kind = convention.get_function_type(KERNEL.return_type, kinds)
    pointer = builder.inttoptr(context.get_constant(i8, target), kind.as_pointer())
    _, result = convention.call_function(builder, pointer, KERNEL.return_type, kinds, given)
    convention.return_value(builder, result)
    library.add_ir_module(module)
    library.finalize()
    return library


def words(kernel: Any, formula: tuple[object, ...], scratch: tuple[object, ...]) -> list[np.ndarray]:
    """What a kernel takes as `formula` and `scratch`, as compiled code holds it in memory, 8 bytes for each word.

    The arrays in them must outlive it.
    """
    (kinds,) = kernel.signatures
    return [
        np.array(_words(value, kinds[place]), dtype=np.int64)
        for place, value in zip(PACKED, (formula, scratch), strict=True)
    ]


def _name(kernel: Any) -> str:
    return f"armstep.batch.{kernel.py_func.__module__}"


def _words(value: Any, kind: Any) -> list[int]:
    if isinstance(value, tuple):
        return [word for pair in zip(value, kind, strict=True) for word in _words(*pair)]
    if isinstance(value, np.ndarray):
        # It has no owner: the first two words.
        return [0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides]
    return [int(np.float64(value).view(np.int64)) if isinstance(kind, types.Float) else int(value)]


def _call_kernel(typing, address, task, rules, state, formula, scratch, rows, attempts):
    """The function at an address of `entry_address`, with two addresses of `words`."""

    def generate(context, builder, _, arguments):
        convention = context.call_conv
        kind = convention.get_function_type(KERNEL.return_type, KERNEL.args)
        pointer = builder.inttoptr(arguments[0], kind.as_pointer())
        return convention.call_function(builder, pointer, KERNEL.return_type, KERNEL.args, arguments[1:])[1]

    return KERNEL.return_type(address, *KERNEL.args), generate


# The typing context, first in the definition, is supplied by numba.
call_kernel: Callable[..., Any] = cast(Any, intrinsic(_call_kernel))
