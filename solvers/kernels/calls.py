"""Calling a compiled function by its address.

A kernel takes the address of a right-hand side as a whole number: one compilation serves all problems and hits the disk
cache, as with numba's first-class functions, but entering the kernel costs nothing, while those take 0.1 ms to unbox.
The row for the result is passed without counting references, which makes a step a third faster.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, cast

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from solvers.dae_problem import DaeProblem
from solvers.kernels.signatures import JACOBIAN, MATRIX, RHS, SYSTEM, VECTOR
from solvers.problem import OdeProblem


def _addresses_for(signature: Any) -> Callable[[Callable[..., None] | None], int]:
    """The addresses of functions compiled for a signature, 0 for None; looked up by the function alone."""

    @cache
    def address(function: Callable[..., None] | None) -> int:
        if function is None:
            return 0
        compiled: Any = cast(Any, function).get_compile_result(signature)
        return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)

    return address


_rhs_address, _jacobian_address, _system_address = map(_addresses_for, (RHS, JACOBIAN, SYSTEM))


def addresses(problem: OdeProblem | DaeProblem) -> tuple[int, int, int]:
    """What the kernels take as `rhs`, `begin` and `jacobian`: 0 for those that a problem lacks."""
    if isinstance(problem, DaeProblem):
        return 0, _rhs_address(problem.begin_step), 0
    return _rhs_address(problem.rhs), _rhs_address(problem.begin_step), _jacobian_address(problem.jacobian)


def system_address(problem: OdeProblem | DaeProblem) -> int:
    """What the kernels take as `system`: 0 for an ODE."""
    return _system_address(problem.system) if isinstance(problem, DaeProblem) else 0


@cache
def entry(kernel: Any) -> Callable[..., Any]:
    """A kernel without numba's look at the arguments' types, which takes as long as a short run."""
    (signature,) = kernel.signatures
    return kernel.overloads[signature].entry_point


def _call(context, builder, signature, address, arguments):
    """Emit the call of the numba function at `address`; its status is ignored: no kernel raises."""
    convention = context.call_conv
    pointer_type = convention.get_function_type(signature.return_type, signature.args).as_pointer()
    pointer = builder.inttoptr(address, pointer_type)
    convention.call_function(builder, pointer, signature.return_type, signature.args, arguments)


def _borrowed(context, builder, array_type, array):
    """The same array without its owner, so that no references to it are counted."""
    view = cgutils.create_struct_proxy(array_type)(context, builder, array)
    view.meminfo = cgutils.get_null_value(view.meminfo.type)
    view.parent = cgutils.get_null_value(view.parent.type)
    return view._getvalue()


def _row(context, builder, matrix_type, matrix, index):
    """Row `index` of a matrix as a vector that owns nothing."""
    source = cgutils.create_struct_proxy(matrix_type)(context, builder, matrix)
    row = cgutils.create_struct_proxy(VECTOR)(context, builder)
    _, columns = cgutils.unpack_tuple(builder, source.shape, 2)
    row.data = builder.gep(source.data, [builder.mul(index, columns)])
    row.shape = cgutils.pack_array(builder, [columns])
    row.strides = cgutils.pack_array(builder, [source.itemsize])
    row.nitems, row.itemsize = columns, source.itemsize
    row.meminfo = cgutils.get_null_value(row.meminfo.type)
    row.parent = cgutils.get_null_value(row.parent.type)
    return row._getvalue()


def _call_rhs(typing, address, t, y, params, k, row):
    """rhs(t, y, params, k[row]) for the function at `address`."""
    signature = types.void(address, t, y, params, k, row)

    def generate(context, builder, signature, arguments):
        target, t, y, params, k, row = arguments
        state, numbers = (_borrowed(context, builder, VECTOR, array) for array in (y, params))
        _call(context, builder, RHS, target, (t, state, numbers, _row(context, builder, MATRIX, k, row)))
        return context.get_dummy_value()

    return signature, generate


def _passed_on(function, signature):
    """Generates the call of the function at an address with the arguments behind it, arrays without their owners."""

    def generate(context, builder, _, arguments):
        address, *given = arguments
        pairs = zip(function.args, given, strict=True)
        views = [_borrowed(context, builder, *pair) if isinstance(pair[0], types.Array) else pair[1] for pair in pairs]
        _call(context, builder, function, address, views)
        return context.get_dummy_value()

    return signature, generate


def _call_jacobian(typing, address, t, y, params, jacobian):
    """jacobian(t, y, params, J) for the function at `address`."""
    return _passed_on(JACOBIAN, types.void(address, *JACOBIAN.args))


def _call_system(typing, address, t, x, rate, alpha, params, F, J):
    """system(t, x, rate, alpha, params, F, J) for the function at `address`."""
    return _passed_on(SYSTEM, types.void(address, *SYSTEM.args))


# The typing context, first in the definition, is supplied by numba.
call_jacobian: Callable[..., None] = cast(Any, intrinsic(_call_jacobian))
call_rhs: Callable[..., None] = cast(Any, intrinsic(_call_rhs))
call_system: Callable[..., None] = cast(Any, intrinsic(_call_system))
