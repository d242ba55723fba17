"""Blocks of `params` as free array views, and a product that skips zeros."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, cast

from numba import njit, types
from numba.core import config
from numba.extending import intrinsic
from numba.np.numpy_support import as_dtype

from robots.dynamics.kernels.views import window
from robots.dynamics.multibody.layout import OFFSETS
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, f8, separate, void

# -- views -------------------------------------------------------------------------------------------------------------


def _view(kind: Any, dimensions: int) -> Callable[..., Any]:
    """The intrinsic (p, offset, extents ...) -> an array of type `kind`; numba's slices cost more.

    Where nothing is compiled, it is a slice.
    """
    if config.DISABLE_JIT:
        dtype = as_dtype(kind.dtype)
        return lambda p, offset, *shape: p[offset : offset + prod(shape)].view(dtype).reshape(shape)

    def generate(context, builder, signature, arguments):
        params, offset, *shape = arguments
        return window(context, builder, kind, params, offset, shape)

    if dimensions == 1:
        return cast(Any, intrinsic(lambda typing, p, o, n: (kind(VECTOR, types.intp, types.intp), generate)))
    whole = types.intp
    return cast(Any, intrinsic(lambda typing, p, o, n, m: (kind(VECTOR, whole, whole, whole), generate)))


numbers, table, whole_numbers = _view(VECTOR, 1), _view(MATRIX, 2), _view(INDICES, 1)


@njit(cache=True, nogil=True, inline="always")
def block(p, name, size):
    """The numbers of a block, (size,)."""
    return numbers(p, int(p[OFFSETS + name]), size)


@njit(cache=True, nogil=True, inline="always")
def matrix(p, name, rows, columns):
    """A block as a matrix."""
    return table(p, int(p[OFFSETS + name]), rows, columns)


@njit(cache=True, nogil=True, inline="always")
def indices(p, name, size):
    """A block of whole numbers, (size,)."""
    return whole_numbers(p, int(p[OFFSETS + name]), size)


# -- copies: numba's assignment of one array to another allocates ------------------------------------------------------


@njit(inline="always")
def put(source, target):
    """target = source, both (n,)."""
    for i in range(source.size):
        target[i] = source[i]


@njit(inline="always")
def put_matrix(source, target):
    """target = source, both (r, s)."""
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]


@njit(inline="always")
def largest(x):
    """The largest absolute value of x (n,); nan if one of them is nan, 0 if there are none."""
    found = 0.0
    for i in range(x.size):
        size = abs(x[i])
        if size > found or size != size:
            found = size
    return found


# -- products ----------------------------------------------------------------------------------------------------------


@separate(void(MATRIX, MATRIX, f8, MATRIX))
def add_product(a, b, factor, out):
    """out += factor a b, skipping the zeros of a; a is (r, s), b (s, k)."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            scale = factor * a[i, j]
            if scale != 0.0:
                for c in range(b.shape[1]):
                    out[i, c] += scale * b[j, c]
