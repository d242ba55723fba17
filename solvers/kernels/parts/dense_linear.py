"""Dense linear equations inside kernels, without heap allocation: equilibrated LU factors, solves, condition number."""

from __future__ import annotations

from math import inf

from numba.types import float64 as f8
from numba.types import void

from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, helper, separate


@helper
def equilibrate(a, scales):
    """Divide every row of `a` (n, n) by its largest entry, which `scales` keeps; False if one is 0 or not finite."""
    n = scales.size
    for i in range(n):
        largest = 0.0
        for j in range(n):
            size = abs(a[i, j])
            if size != 0.0:
                largest = size if not size <= largest else largest
        if not 0.0 < largest < inf:
            return False
        scales[i] = largest
        for j in range(n):
            if a[i, j] != 0.0:
                a[i, j] /= largest
    return True


@helper
def pivot(a, k):
    """The size of the largest entry on and below the diagonal in column k, and its row."""
    best, row = 0.0, k
    for i in range(k, a.shape[0]):
        if abs(a[i, k]) > best:
            best, row = abs(a[i, k]), i
    return best, row


@helper
def exchange(a, k, row):
    """Exchange two rows."""
    if row != k:
        for j in range(a.shape[1]):
            a[k, j], a[row, j] = a[row, j], a[k, j]


@helper
def arrange(pivots, scales, x):
    """Divide and exchange the right-hand sides x (n,) as `factorise` did the rows."""
    for i in range(pivots.size):
        x[i] /= scales[i]
    for k in range(pivots.size):
        row = pivots[k]
        if row != k:
            x[k], x[row] = x[row], x[k]


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
    if not equilibrate(a, scales):
        return 0.0
    smallest = inf
    for k in range(n):
        column = 0.0
        for i in range(n):
            column = max(column, abs(a[i, k]))
        best, row = pivot(a, k)
        pivots[k] = row
        if best <= 1e-14 * column or best == 0.0:
            return 0.0
        smallest = min(smallest, best / column)
        exchange(a, k, row)
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
    arrange(pivots, scales, x)
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
