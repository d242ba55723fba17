"""Right-hand sides that call back: with the common signature, they call a function given by its address.

`params` begins with three addresses, whole numbers below 2^53 and so exact as doubles: of the C function that computes
f, of the one that computes df/dy, and of the memory that both share with the caller. In the memory, `FAILED` is not 0
once a call has failed; then come the time and the d components of the state of the latest call, then what it computed.
After a failure nothing is called and every slope is nan, so that no further step is accepted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.unsafe.ndarray import to_fixed_tuple

from solvers.kernels.signatures import JACOBIAN, RHS, VECTOR, compiled, f8, i8, void

SLOPE, SLOPES, MEMORY, HEADER = range(4)
"""Places in `params`; a compiled function uses what follows the header."""

FAILED, TIME, STATE = range(3)
"""Places in the memory."""

RAISED, MISSHAPEN = 1.0, 2.0
"""What `FAILED` means: the function raised, or it returned a wrong number of values."""


def memory_size(dimension: int) -> int:
    """How many doubles the memory holds for d components."""
    return STATE + dimension + dimension * dimension


def _invoke_at(typing, address, t):
    """Call the C function void(double) at `address`."""

    def generate(context, builder, signature, arguments):
        pointer, time = arguments
        kind = ir.FunctionType(ir.VoidType(), [ir.DoubleType()]).as_pointer()
        builder.call(builder.inttoptr(pointer, kind), [time])
        return context.get_dummy_value()

    return types.void(address, t), generate


def _vector_at(typing, address, size):
    """The `size` doubles at `address` as an array that owns nothing."""

    def generate(context, builder, signature, arguments):
        place, count = arguments
        view = cgutils.create_struct_proxy(VECTOR)(context, builder)
        width = context.get_constant(types.intp, 8)
        view.data = builder.inttoptr(place, view.data.type)
        view.shape = cgutils.pack_array(builder, [count])
        view.strides = cgutils.pack_array(builder, [width])
        view.nitems, view.itemsize = count, width
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return VECTOR(address, size), generate


# The typing context, first in the definitions, is supplied by numba.
invoke_at: Callable[..., None] = cast(Any, intrinsic(_invoke_at))
vector_at: Callable[..., Any] = cast(Any, intrinsic(_vector_at))
# The first components of a vector as a tuple.
first_of: Callable[..., Any] = cast(Any, to_fixed_tuple)


@compiled(void(VECTOR, f8, f8, VECTOR))
def keep(memory, failed, t, y):
    """Record where a call is made, and whether it failed."""
    memory[FAILED], memory[TIME] = failed, t
    for j in range(y.size):
        memory[STATE + j] = y[j]


@compiled(types.boolean(VECTOR, f8, f8, VECTOR))
def asked(memory, address, t, y):
    """Let the C function at `address` compute at (t, y), unless that is 0 or a call failed; whether none has failed."""
    if address != 0.0 and memory[FAILED] == 0.0:
        keep(memory, 0.0, t, y)
        invoke_at(i8(address), t)
    return memory[FAILED] == 0.0


@compiled(RHS)
def slope(t, y, params, dy):
    """f(t, y) from the C function in `params`."""
    d = y.size
    memory = vector_at(i8(params[MEMORY]), STATE + 2 * d)
    good = asked(memory, params[SLOPE], t, y)
    for j in range(d):
        dy[j] = memory[STATE + d + j] if good else math.nan


@compiled(JACOBIAN)
def slopes(t, y, params, J):
    """df/dy (d, d) from the C function in `params`; if that is 0, a constant that is already there."""
    d = y.size
    memory = vector_at(i8(params[MEMORY]), STATE + d + d * d)
    good = asked(memory, params[SLOPES], t, y)
    for i in range(d):
        for j in range(d):
            J[i, j] = memory[STATE + d + i * d + j] if good else math.nan


@njit(nogil=True, error_model="numpy")
def store_slope(values, params, scaled, dy):
    """Write f to dy; whether it has as many components."""
    good = len(values) == dy.size
    if good:
        for j in range(dy.size):
            dy[j] = values[j]
            if scaled:
                dy[j] /= params[HEADER + j]
    return good


@njit(nogil=True, error_model="numpy")
def store_slopes(values, params, scaled, J):
    """Write df/dy to J; whether it has the same shape."""
    good = values.shape == J.shape
    if good:
        for i in range(J.shape[0]):
            for j in range(J.shape[0]):
                J[i, j] = values[i, j]
                if scaled:
                    J[i, j] *= params[HEADER + j] / params[HEADER + i]
    return good


def adapted(function: Any, matrix: bool, numbers: int, fixed: tuple[Any, ...], scaled: bool) -> Any:
    """`function(t, y, *args)`, a numba function that returns f or df/dy, as one of the common signature.

    Args:
        function: returns the d components of f or, as a matrix (d, d), df/dy.
        matrix: whether that is df/dy.
        numbers: how many floating-point arguments come from `params`.
        fixed: the arguments after them, which become part of the code.
        scaled: whether the first d numbers of `params` after the header are the units of the components.

    Raises:
        numba.core.errors.NumbaError: it cannot be compiled for these arguments.
    """
    store = store_slopes if matrix else store_slope

    @njit(nogil=True, error_model="numpy")
    def call(t, y, params):
        first = HEADER
        state = y
        if scaled:
            first = HEADER + y.size
            state = y * params[HEADER:first]
        return function(t, state, *(first_of(params[first:], numbers) + fixed))

    @njit(JACOBIAN if matrix else RHS, nogil=True, error_model="numpy")
    def guarded(t, y, params, out):
        memory = vector_at(i8(params[MEMORY]), STATE + y.size)
        failed = memory[FAILED]
        if failed == 0.0:
            try:
                if not store(call(t, y, params), params, scaled, out):
                    failed = MISSHAPEN
            except Exception:
                failed = RAISED
            if failed != 0.0:
                keep(memory, failed, t, y)
        if failed != 0.0:
            out[:] = math.nan

    return guarded
