"""Products and inverses of a Jacobian with a few rows, compiled: J W^-1 J', its factor, and singular values."""

from __future__ import annotations

from math import sqrt

from numba import njit

from robots.dynamics.kernels.serial import COORDINATE, RATIO
from robots.dynamics.kernels.small_linear import cholesky, cholesky_solve, orthogonalise_rows
from robots.dynamics.kernels.views import part, rows
from solvers.kernels.signatures import MATRIX, VECTOR, f8, separate, void

NEARLY_SINGULAR = 1e-13
"""A Cholesky pivot of J J' that is a smaller share of its diagonal entry is round-off."""


@separate(void(MATRIX, VECTOR, MATRIX))
def gram_of(jac, weights, gram):
    """gram = J W^-1 J', (m, m), lower triangle and diagonal; `weights` holds W^-1's diagonal."""
    for i in range(gram.shape[0]):
        for j in range(i + 1):
            total = 0.0
            for k in range(weights.size):
                total += jac[i, k] * weights[k] * jac[j, k]
            gram[i, j] = total


@njit(cache=True, nogil=True, inline="always")
def solve_six(gram, x):
    """Solve gram x = b in place by Cholesky, six rows: the loops' constant bounds let the compiler unroll them.

    Returns:
        The smallest pivot relative to its diagonal entry; 0.0 when a pivot is not positive, and then the result is
        useless.
    """
    smallest = 1.0
    for j in range(6):
        diagonal = gram[j, j]
        pivot = diagonal
        rest = x[j]
        for k in range(j):
            pivot -= gram[j, k] * gram[j, k]
            rest -= gram[j, k] * x[k]
        if not pivot > 0.0:
            return 0.0
        if pivot < smallest * diagonal:
            smallest = pivot / diagonal
        inverse = 1.0 / sqrt(pivot)
        gram[j, j] = inverse
        x[j] = rest * inverse
        for i in range(j + 1, 6):
            total = gram[i, j]
            for k in range(j):
                total -= gram[i, k] * gram[j, k]
            gram[i, j] = total * inverse
    for j in range(5, -1, -1):
        rest = x[j]
        for k in range(j + 1, 6):
            rest -= gram[k, j] * x[k]
        x[j] = rest * gram[j, j]
    return smallest


@separate(f8(MATRIX, VECTOR))
def solve_any(gram, x):
    """The same for any number of rows, with the factor's diagonal as it is."""
    smallest = cholesky(gram)
    if smallest > 0.0:
        cholesky_solve(gram, x)
    return smallest


@separate(f8(MATRIX))
def manipulability(factor):
    """w = sqrt(det J J') = product of the Cholesky factor's diagonal."""
    w = 1.0
    for i in range(factor.shape[0]):
        w *= factor[i, i]
    return w


@separate(void(MATRIX, MATRIX, MATRIX, MATRIX, f8, VECTOR, VECTOR))
def ascend(jac, each, table, gram, gain, work, z):
    """z += gain * grad w: dw/dq_k = w tr((J J')^-1 dJ/dq_k J'); `each` is J of the joints, work has 6 n + 24."""
    n, m = jac.shape[1], gram.shape[0]
    weights = part(work, 0, n)
    for k in range(n):
        weights[k] = 1.0
    gram_of(jac, weights, gram)
    if cholesky(gram) <= NEARLY_SINGULAR:
        return
    w = manipulability(gram)
    column, moved = part(work, n, m), part(work, n + 6, 6)
    for i in range(each.shape[1]):
        for row in range(m):
            column[row] = table[i, RATIO] * jac[row, int(table[i, COORDINATE])]
        cholesky_solve(gram, column)
        for k in range(each.shape[1]):
            # dJ_i/dq_k: joint k turns joint i when k <= i, else it moves the tool alone. One that slides turns nothing.
            turns, other = min(i, k), max(i, k)
            wx, wy, wz = each[3, turns], each[4, turns], each[5, turns]
            for row in range(0, 6, 3):
                x, y, up = each[row, other], each[row + 1, other], each[row + 2, other]
                moved[row], moved[row + 1], moved[row + 2] = wy * up - wz * y, wz * x - wx * up, wx * y - wy * x
            if k > i:
                moved[3] = moved[4] = moved[5] = 0.0
            total = 0.0
            for row in range(m):
                total += column[row] * moved[row]
            z[int(table[k, COORDINATE])] += table[k, RATIO] * (gain * w * total)


@separate(void(MATRIX, VECTOR, f8, VECTOR, VECTOR))
def by_singular_values(jac, command, cut_off, work, qd):
    """qd += J+ command, singular values at or below `cut_off` left out; `command` is spoilt, work holds m n numbers."""
    m, n = command.size, qd.size
    g = rows(work, 0, m, n)
    for i in range(m):
        for k in range(n):
            g[i, k] = jac[i, k]
    orthogonalise_rows(g, command)
    for i in range(m):
        squared = 0.0
        for k in range(n):
            squared += g[i, k] * g[i, k]
        if squared > cut_off * cut_off:
            for k in range(n):
                qd[k] += command[i] * g[i, k] / squared
