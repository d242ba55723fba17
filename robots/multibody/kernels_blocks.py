"""Blocks of `params` as arrays, and linear equations with many right-hand sides or a transposed matrix."""

from __future__ import annotations

import numpy as np
from numba import njit

import solvers.kernels  # noqa: F401 - it says when a compiled function still holds
from robots.multibody.layout import OFFSETS


@njit(cache=True, nogil=True, inline="always")
def block(p, name, size):
    """The numbers of a block, (size,)."""
    o = int(p[OFFSETS + name])
    return p[o : o + size]


@njit(cache=True, nogil=True, inline="always")
def matrix(p, name, rows, columns):
    """A block as a matrix."""
    o = int(p[OFFSETS + name])
    return p[o : o + rows * columns].reshape(rows, columns)


@njit(cache=True, nogil=True, inline="always")
def indices(p, name, size):
    """A block of whole numbers, (size,)."""
    o = int(p[OFFSETS + name])
    return p[o : o + size].view(np.int64)


@njit(cache=True, nogil=True)
def solve_many(lu, pivots, scales, b):
    """Solve a x = b in place for all columns of b (n, k), with the factors of `factorise`."""
    n, columns = b.shape
    for i in range(n):
        for c in range(columns):
            b[i, c] /= scales[i]
    for k in range(n):
        row = pivots[k]
        if row != k:
            for c in range(columns):
                b[k, c], b[row, c] = b[row, c], b[k, c]
    for i in range(n):
        for j in range(i):
            factor = lu[i, j]
            if factor != 0.0:
                for c in range(columns):
                    b[i, c] -= factor * b[j, c]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            factor = lu[i, j]
            if factor != 0.0:
                for c in range(columns):
                    b[i, c] -= factor * b[j, c]
        for c in range(columns):
            b[i, c] /= lu[i, i]


@njit(cache=True, nogil=True)
def solve_transposed(lu, pivots, scales, x):
    """Solve a' x = b in place, (n,), with the factors of `factorise`."""
    n = x.size
    for i in range(n):
        x[i] /= lu[i, i]
        for j in range(i + 1, n):
            x[j] -= lu[i, j] * x[i]
    for i in range(n - 1, -1, -1):
        for j in range(i):
            x[j] -= lu[i, j] * x[i]
    for k in range(n - 1, -1, -1):
        row = pivots[k]
        if row != k:
            x[k], x[row] = x[row], x[k]
    for i in range(n):
        x[i] /= scales[i]


@njit(cache=True, nogil=True)
def inverse_norm(lu, pivots, scales, inverse):
    """The 1-norm of the inverse, which is left in `inverse` (n, n)."""
    n = pivots.size
    inverse[:] = 0.0
    for i in range(n):
        inverse[i, i] = 1.0
    solve_many(lu, pivots, scales, inverse)
    largest = 0.0
    for j in range(n):
        total = 0.0
        for i in range(n):
            total += abs(inverse[i, j])
        largest = max(largest, total)
    return largest


@njit(cache=True, nogil=True)
def add_product(a, b, factor, out):
    """out += factor a b, skipping the zeros of a; a is (r, s), b (s, k)."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            scale = factor * a[i, j]
            if scale != 0.0:
                for c in range(b.shape[1]):
                    out[i, c] += scale * b[j, c]
