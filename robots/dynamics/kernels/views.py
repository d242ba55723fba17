"""A part of a flat array as a free array view: numba's slices and shapes cost more, to run and to compile."""

from __future__ import annotations

from numba.core import cgutils

from solvers.kernels.signatures import VECTOR


def window(context, builder, kind, params, offset, shape):
    """An array of type `kind` over the numbers of `params` from `offset` on; it owns nothing."""
    source = cgutils.create_struct_proxy(VECTOR)(context, builder, params)
    view = cgutils.create_struct_proxy(kind)(context, builder)
    view.data = builder.bitcast(builder.gep(source.data, [offset]), view.data.type)
    size, strides = source.itemsize, []
    for extent in reversed(shape):
        strides.insert(0, size)
        size = builder.mul(size, extent)
    view.shape, view.strides = cgutils.pack_array(builder, shape), cgutils.pack_array(builder, strides)
    view.nitems, view.itemsize = builder.sdiv(size, source.itemsize), source.itemsize
    view.meminfo = cgutils.get_null_value(view.meminfo.type)
    view.parent = cgutils.get_null_value(view.parent.type)
    return view._getvalue()
