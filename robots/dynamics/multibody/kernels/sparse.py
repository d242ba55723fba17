"""Linear equations with Phi_u, whose rows touch two bodies each: nine tenths of it and of its factors are zeros.

The elimination is that of `solvers.kernels.parts.dense_linear` without the multiplications by zero; what it leaves is
kept as a list of the nonzero entries, row by row, below and above the diagonal. Shared parts of the two were measured:
they cost each a tenth of its speed.
"""

from __future__ import annotations

from math import inf

from numba import njit, types

from robots.dynamics.multibody.kernels.blocks import numbers, put, whole_numbers
from robots.dynamics.multibody.layout import OFFSETS
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, boolean, f8, helper, separate, void

SPARSE = types.Tuple((INDICES, VECTOR, VECTOR, INDICES, INDICES, VECTOR))
"""See `factors`."""


@njit(cache=True, nogil=True, inline="always")
def factors(p, name, m):
    """The block of the factors of an (m, m) matrix.

    pivots, scales: (m,), as in `dense_linear`; diagonal: (m,) of U; ends: (2 m + 1,), L's entries of row i lie from
    ends[2 i] to ends[2 i + 1] and U's from there to ends[2 i + 2]; columns, entries: (m m,), of which those are in use.
    """
    o = int(p[OFFSETS + name])
    listed = o + 5 * m + 1
    return (
        whole_numbers(p, o, m),
        numbers(p, o + m, m),
        numbers(p, o + 2 * m, m),
        whole_numbers(p, o + 3 * m, 2 * m + 1),
        whole_numbers(p, listed, m * m),
        numbers(p, listed + m * m, m * m),
    )


@helper
def compress(a, factors):
    """List the nonzero entries of L below and U above the diagonal of `a` (m, m)."""
    _, _, diagonal, ends, columns, entries = factors
    n, count = diagonal.size, 0
    for i in range(n):
        ends[2 * i] = count
        for j in range(n):
            if j == i:
                ends[2 * i + 1], diagonal[i] = count, a[i, i]
            elif a[i, j] != 0.0:
                columns[count], entries[count] = j, a[i, j]
                count += 1
    ends[2 * n] = count


@separate(boolean(MATRIX, SPARSE), no_cpython_wrapper=False)
def factorise(a, factors):
    """Factors of `a` (m, m), its rows first divided by their largest entry; False when it is singular to round-off."""
    pivots, scales, tops, _, listed, _ = factors
    n = pivots.size
    for i in range(n):
        largest = 0.0
        for j in range(n):
            size = abs(a[i, j])
            if size != 0.0:
                largest = size if not size <= largest else largest
        if not 0.0 < largest < inf:
            return False
        scales[i], tops[i] = largest, 0.0
        for j in range(n):
            if a[i, j] != 0.0:
                a[i, j] /= largest
    for k in range(n):
        best, row = 0.0, k
        for i in range(k, n):
            if abs(a[i, k]) > best:
                best, row = abs(a[i, k]), i
        pivots[k] = row
        if best <= 1e-14 * tops[k] or best == 0.0:
            return False
        if row != k:
            for j in range(n):
                a[k, j], a[row, j] = a[row, j], a[k, j]
        # The nonzero entries right of the pivot, and the largest of every column so far.
        count = 0
        for j in range(k + 1, n):
            size = abs(a[k, j])
            if size != 0.0:
                listed[count] = j
                count += 1
                tops[j] = max(tops[j], size)
        for i in range(k + 1, n):
            if a[i, k] != 0.0:
                ratio = a[i, k] / a[k, k]
                a[i, k] = ratio
                for e in range(count):
                    j = listed[e]
                    a[i, j] -= ratio * a[k, j]
    compress(a, factors)
    return True


@separate(void(SPARSE, SPARSE))
def keep(factors, copy):
    """Copy factors."""
    pivots, scales, diagonal, ends, columns, entries = factors
    put(pivots, copy[0])
    put(scales, copy[1])
    put(diagonal, copy[2])
    put(ends, copy[3])
    for e in range(ends[2 * pivots.size]):
        copy[4][e], copy[5][e] = columns[e], entries[e]


@separate(void(SPARSE, VECTOR), no_cpython_wrapper=False)
def solve(factors, x):
    """Solve a x = b in place, (m,)."""
    pivots, scales, diagonal, ends, columns, entries = factors
    n = pivots.size
    for i in range(n):
        x[i] /= scales[i]
    for k in range(n):
        row = pivots[k]
        if row != k:
            x[k], x[row] = x[row], x[k]
    for i in range(n):
        total = x[i]
        for e in range(ends[2 * i], ends[2 * i + 1]):
            total -= entries[e] * x[columns[e]]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total = x[i]
        for e in range(ends[2 * i + 1], ends[2 * i + 2]):
            total -= entries[e] * x[columns[e]]
        x[i] = total / diagonal[i]


@separate(void(SPARSE, MATRIX), no_cpython_wrapper=False)
def solve_many(factors, b):
    """Solve a x = b in place for all columns of b (m, k)."""
    pivots, scales, diagonal, ends, columns, entries = factors
    n, width = b.shape
    for i in range(n):
        for c in range(width):
            b[i, c] /= scales[i]
    for k in range(n):
        row = pivots[k]
        if row != k:
            for c in range(width):
                b[k, c], b[row, c] = b[row, c], b[k, c]
    for i in range(n):
        for e in range(ends[2 * i], ends[2 * i + 1]):
            entry, j = entries[e], columns[e]
            for c in range(width):
                b[i, c] -= entry * b[j, c]
    for i in range(n - 1, -1, -1):
        for e in range(ends[2 * i + 1], ends[2 * i + 2]):
            entry, j = entries[e], columns[e]
            for c in range(width):
                b[i, c] -= entry * b[j, c]
        for c in range(width):
            b[i, c] /= diagonal[i]


@separate(void(SPARSE, VECTOR), no_cpython_wrapper=False)
def solve_transposed(factors, x):
    """Solve a' x = b in place, (m,)."""
    pivots, scales, diagonal, ends, columns, entries = factors
    n = pivots.size
    for i in range(n):
        x[i] /= diagonal[i]
        for e in range(ends[2 * i + 1], ends[2 * i + 2]):
            x[columns[e]] -= entries[e] * x[i]
    for i in range(n - 1, -1, -1):
        for e in range(ends[2 * i], ends[2 * i + 1]):
            x[columns[e]] -= entries[e] * x[i]
    for k in range(n - 1, -1, -1):
        row = pivots[k]
        if row != k:
            x[k], x[row] = x[row], x[k]
    for i in range(n):
        x[i] /= scales[i]


@separate(f8(SPARSE, MATRIX), no_cpython_wrapper=False)
def inverse_norm(factors, inverse):
    """The 1-norm of the inverse, which is left in `inverse` (m, m)."""
    n = factors[0].size
    inverse[:] = 0.0
    for i in range(n):
        inverse[i, i] = 1.0
    solve_many(factors, inverse)
    largest = 0.0
    for j in range(n):
        total = 0.0
        for i in range(n):
            total += abs(inverse[i, j])
        largest = max(largest, total)
    return largest
