"""Dense linear equations inside kernels, without heap allocation: equilibrated LU factors, solves, condition number."""

from __future__ import annotations

from math import inf

from numba.types import float64 as f8
from numba.types import void

from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, separate


@separate(f8(MATRIX, INDICES, VECTOR))
def factorise(a, pivots, scales):
    """LU factors of the square matrix `a` in place, its rows first divided by their largest entry.

    Args:
        a: (n, n), becomes L below and U on and above the diagonal.
        pivots: out, (n,), the row exchanged with row k in step k.
        scales: out, (n,), what each row was divided by.

    Returns:
        The smallest pivot relative to its column's largest entry; 0 for a matrix that is singular to round-off or not
        finite.
    """
    n = pivots.size
    for i in range(n):
        largest = 0.0
        for j in range(n):
            size = abs(a[i, j])
            largest = size if not size <= largest else largest
        if not 0.0 < largest < inf:
            return 0.0
        scales[i] = largest
        for j in range(n):
            a[i, j] /= largest
    smallest = inf
    for k in range(n):
        column = 0.0
        for i in range(n):
            column = max(column, abs(a[i, k]))
        best, row = 0.0, k
        for i in range(k, n):
            if abs(a[i, k]) > best:
                best, row = abs(a[i, k]), i
        pivots[k] = row
        if best <= 1e-14 * column or best == 0.0:
            return 0.0
        smallest = min(smallest, best / column)
        if row != k:
            for j in range(n):
                a[k, j], a[row, j] = a[row, j], a[k, j]
        for i in range(k + 1, n):
            if a[i, k] != 0.0:
                ratio = a[i, k] / a[k, k]
                a[i, k] = ratio
                for j in range(k + 1, n):
                    a[i, j] -= ratio * a[k, j]
    return smallest


@separate(void(MATRIX, INDICES, VECTOR, VECTOR))
def solve(lu, pivots, scales, x):
    """Solve a x = b in place with the factors of `factorise`; x holds b on entry, (n,)."""
    n = pivots.size
    for i in range(n):
        x[i] /= scales[i]
    for k in range(n):
        row = pivots[k]
        if row != k:
            x[k], x[row] = x[row], x[k]
    for i in range(n):
        total = x[i]
        for j in range(i):
            total -= lu[i, j] * x[j]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, n):
            total -= lu[i, j] * x[j]
        x[i] = total / lu[i, i]


@separate(f8(MATRIX, INDICES, VECTOR, f8, VECTOR))
def condition(lu, pivots, scales, norm, work):
    """The condition number in the maximum norm: `norm`, the matrix's own, times that of its inverse.

    `work` is (2 n,) scratch.
    """
    n = pivots.size
    column, sums = work[0:n], work[n : 2 * n]
    sums[:] = 0.0
    for k in range(n):
        column[:] = 0.0
        column[k] = 1.0
        solve(lu, pivots, scales, column)
        for i in range(n):
            sums[i] += abs(column[i])
    largest = 0.0
    for i in range(n):
        largest = max(largest, sums[i])
    return norm * largest
