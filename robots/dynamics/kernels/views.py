"""Parts of a flat array as free array views, and scratch memory: numba's own cost more, to run and to compile.

numba compiles `np.zeros` and a slice into each function, and counts the references to each array. Here a kernel borrows
all of its scratch memory at once, uses parts of it, and gives it back; nothing is counted.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import lower_builtin, type_callable

from solvers.kernels.signatures import MATRIX, VECTOR, void


def borrow(size):
    """Scratch memory: `size` zeros, until `give_back`."""
    return np.zeros(size)


def give_back(numbers):
    """The end of scratch memory, and of all its parts."""


def part(numbers, first, size):
    """A vector of a flat array's numbers from `first` on."""
    return numbers[first : first + size]


def rows(numbers, first, height, width):
    """A matrix, (height, width), of a flat array's numbers from `first` on."""
    return numbers[first : first + height * width].reshape(height, width)


def window(context, builder, kind, params, offset, shape):
    """An array of type `kind` over the numbers of `params` from `offset` on; it owns nothing."""
    source = cgutils.create_struct_proxy(VECTOR)(context, builder, params)
    place = builder.gep(source.data, [offset])
    return _view(context, builder, kind, place, shape, source.itemsize)


def _view(context, builder, kind, place, shape, itemsize):
    view = cgutils.create_struct_proxy(kind)(context, builder)
    view.data = builder.bitcast(place, view.data.type)
    size, strides = itemsize, []
    for extent in reversed(shape):
        strides.insert(0, size)
        size = builder.mul(size, extent)
    view.shape, view.strides = cgutils.pack_array(builder, shape), cgutils.pack_array(builder, strides)
    view.nitems, view.itemsize = builder.sdiv(size, itemsize), itemsize
    view.meminfo = cgutils.get_null_value(view.meminfo.type)
    view.parent = cgutils.get_null_value(view.parent.type)
    return view._getvalue()


def _whole(context, builder, signature, arguments, first):
    """Arguments from `first` on as indices."""
    pairs = zip(arguments[first:], signature.args[first:], strict=True)
    return [context.cast(builder, number, kind, types.intp) for number, kind in pairs]


@lower_builtin(part, VECTOR, types.Integer, types.Integer)
@lower_builtin(rows, VECTOR, types.Integer, types.Integer, types.Integer)
def _part(context, builder, signature, arguments):
    """`part` and `rows`, compiled."""
    first, *shape = _whole(context, builder, signature, arguments, 1)
    return window(context, builder, signature.return_type, arguments[0], first, shape)


@lower_builtin(borrow, types.Integer)
def _borrow(context, builder, signature, arguments):
    """The same, compiled."""
    (size,) = _whole(context, builder, signature, arguments, 0)
    width = context.get_constant(types.intp, 8)
    length = builder.mul(size, width)
    takes = ir.FunctionType(cgutils.voidptr_t, [length.type])
    memory = builder.call(cgutils.get_or_insert_function(builder.module, takes, "NRT_Allocate"), [length])
    cgutils.memset(builder, memory, length, 0)
    return _view(context, builder, VECTOR, memory, [size], width)


@lower_builtin(give_back, VECTOR)
def _give_back(context, builder, signature, arguments):
    """The same, compiled."""
    numbers = cgutils.create_struct_proxy(VECTOR)(context, builder, arguments[0]).data
    takes = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t])
    memory = builder.bitcast(numbers, cgutils.voidptr_t)
    builder.call(cgutils.get_or_insert_function(builder.module, takes, "NRT_Free"), [memory])
    return context.get_dummy_value()


type_callable(borrow)(lambda context: lambda size: VECTOR)
type_callable(give_back)(lambda context: lambda numbers: void)
type_callable(part)(lambda context: lambda numbers, first, size: VECTOR)
type_callable(rows)(lambda context: lambda numbers, first, height, width: MATRIX)
