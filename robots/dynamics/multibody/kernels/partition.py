"""Which coordinates follow from the others: Gauss-Jordan elimination with full pivoting.

Source: R. A. Wehage, E. J. Haug, J. Mech. Design 104 (1982).
"""

from __future__ import annotations

from solvers.kernels.signatures import INDICES, MATRIX, f8, i8, separate


@separate(i8(MATRIX, f8, INDICES, INDICES), no_cpython_wrapper=False)
def eliminate(work, singular, columns, rows):
    """Overwrite `work` (m, n) and note the pivots' columns and rows in order; returns how many there are.

    The elimination ends where no entry exceeds `singular` times the largest of the whole matrix. `rows`, at first all
    in order, then has those left over at its end, in order too.
    """
    largest = 0.0
    for size in work.flat:
        largest = max(largest, abs(size))
    for step in range(rows.size):
        best, at, column = 0.0, step, 0
        for r in range(step, rows.size):
            for c in range(work.shape[1]):
                if abs(work[rows[r], c]) > best:
                    best, at, column = abs(work[rows[r], c]), r, c
        if best <= singular * largest:
            return step
        row = rows[at]
        for r in range(at, step, -1):
            rows[r] = rows[r - 1]
        rows[step], columns[step] = row, column
        pivot = work[row, column]
        for c in range(work.shape[1]):
            work[row, c] /= pivot
        for r in range(step + 1, rows.size):
            factor = work[rows[r], column]
            if factor != 0.0:
                for c in range(work.shape[1]):
                    work[rows[r], c] -= factor * work[row, c]
            work[rows[r], column] = 0.0
    return rows.size
