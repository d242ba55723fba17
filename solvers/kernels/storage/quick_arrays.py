"""What numba emits for an element or a row of an array, in a third of the instructions; the machine code is the same.

numba copies an array's whole description to the stack for each element, asks each time whether its type stands for
another one, and marks extents as positive. Here the description stays a value. These functions stand before numba's own
for arrays of numbers in C order, and leave everything else to them.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.base import BaseContext
from numba.core.imputils import impl_ret_borrowed, lower_builtin
from numba.cpython import slicing
from numba.np import arrayobj

NOT_OF_ARRAYS = ("__array__", "static_getitem", "static_setitem")


def use() -> None:
    """From now on numba compiles elements and rows in this way."""
    lower_builtin(operator.getitem, types.Array, types.Integer)(_one_index)
    lower_builtin(operator.getitem, types.Array, types.BaseTuple)(_all_indices)
    lower_builtin(operator.setitem, types.Array, types.Any, types.Any)(_assigned)
    context: Any = BaseContext
    find = context.get_function
    context.get_function = lambda self, name, signature, **options: _found(find, self, name, signature, options)


def _found(find: Any, context: Any, name: Any, signature: Any, options: dict[str, Any]) -> Any:
    """What emits a function's instructions; what no array of numbers has is not looked for."""
    if isinstance(name, str) and name in NOT_OF_ARRAYS:
        kind = signature.args[0]
        if type(kind) is types.Array and isinstance(kind.dtype, types.Number):
            raise NotImplementedError
    return find(context, name, signature, **options)


def _one_index(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """array[i]: an element of a vector, a row of a matrix."""
    kind, index_kind = signature.args
    array, index = arguments
    if not _plain(context, kind):
        return arrayobj.getitem_arraynd_intp(context, builder, signature, arguments)
    place = _place(context, builder, kind, array, [index_kind], [index])
    if kind.ndim == 1:
        return arrayobj.load_item(context, builder, kind, place)
    result = signature.return_type
    row = ir.Constant(context.get_value_type(result), ir.Undefined)
    extents = _extents(context, builder, kind, array)[1:]
    size = extents[0]
    for extent in extents[1:]:
        size = builder.mul(size, extent, flags=["nsw"])
    field = _fields(context, kind)
    strides = cgutils.unpack_tuple(builder, builder.extract_value(array, field["strides"]), kind.ndim)[1:]
    known = {
        "data": place,
        "nitems": size,
        "shape": cgutils.pack_array(builder, extents),
        "strides": cgutils.pack_array(builder, strides),
    }
    for name, position in field.items():
        value = known[name] if name in known else builder.extract_value(array, position)
        row = builder.insert_value(row, value, position)
    return impl_ret_borrowed(context, builder, result, row)


def _all_indices(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """array[i, j, ...]: an element."""
    kind, index_kind = signature.args
    if not _plain(context, kind) or not _whole(index_kind.types, kind):
        return arrayobj.getitem_array_tuple(context, builder, signature, arguments)
    array, indices = arguments
    places = cgutils.unpack_tuple(builder, indices, kind.ndim)
    return arrayobj.load_item(context, builder, kind, _place(context, builder, kind, array, index_kind.types, places))


def _assigned(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """array[i, ...] = value, for an element."""
    kind, index_kind, value_kind = signature.args
    several = isinstance(index_kind, types.BaseTuple)
    kinds = index_kind.types if several else (index_kind,)
    if not _plain(context, kind) or not _whole(kinds, kind) or not isinstance(value_kind, types.Number | types.Boolean):
        return arrayobj.setitem_array(context, builder, signature, arguments)
    array, index, value = arguments
    indices = cgutils.unpack_tuple(builder, index, kind.ndim) if several else [index]
    place = _place(context, builder, kind, array, kinds, indices)
    number = context.cast(builder, value, value_kind, kind.dtype)
    return arrayobj.store_item(context, builder, kind, number, place)


def _plain(context: Any, kind: Any) -> bool:
    """Whether this is an array of numbers in C order whose indices are not checked."""
    numbers = isinstance(kind.dtype, types.Float | types.Integer)
    return type(kind) is types.Array and kind.layout == "C" and numbers and not context.enable_boundscheck


def _whole(kinds: Any, kind: Any) -> bool:
    """Whether these indices lead to an element."""
    return len(kinds) == kind.ndim and all(isinstance(one, types.Integer) for one in kinds)


def _fields(context: Any, kind: Any) -> dict[str, int]:
    """Where an array's description has what."""
    model = context.data_model_manager[kind]
    return {name: model.get_field_position(name) for name in model._fields}


def _extents(context: Any, builder: Any, kind: Any, array: Any) -> list[Any]:
    shape = builder.extract_value(array, _fields(context, kind)["shape"])
    return list(cgutils.unpack_tuple(builder, shape, kind.ndim))


def _place(context: Any, builder: Any, kind: Any, array: Any, kinds: Any, indices: Any) -> Any:
    """The address of what leading indices lead to; negative ones count from the end."""
    extents, offset = _extents(context, builder, kind, array), None
    for axis, (index_kind, index) in enumerate(zip(kinds, indices, strict=True)):
        place = context.cast(builder, index, index_kind, types.intp if index_kind.signed else types.uintp)
        if index_kind.signed and not (isinstance(place, ir.Constant) and place.constant >= 0):
            place = slicing.fix_index(builder, place, extents[axis])
        for extent in extents[axis + 1 :]:
            place = builder.mul(place, extent)
        offset = place if offset is None else builder.add(offset, place)
    return builder.gep(builder.extract_value(array, _fields(context, kind)["data"]), [offset])
