"""Linear algebra for matrices of a few rows, in place and without heap allocation."""

from __future__ import annotations

from math import sqrt

from solvers.kernels.signatures import MATRIX, VECTOR, boolean, f8, separate, void


@separate(f8(MATRIX))
def cholesky(a):
    """Factorise the symmetric (n, n) matrix a = L L' in place (lower triangle).

    Returns:
        The smallest pivot relative to its diagonal entry; 0.0 when a pivot is not positive, and then `a` is spoilt.
    """
    n = a.shape[0]
    smallest = 1.0
    for j in range(n):
        diagonal = a[j, j]
        pivot = diagonal
        for k in range(j):
            pivot -= a[j, k] * a[j, k]
        if not pivot > 0.0:
            return 0.0
        smallest = min(smallest, pivot / diagonal)
        root = sqrt(pivot)
        a[j, j] = root
        for i in range(j + 1, n):
            total = a[i, j]
            for k in range(j):
                total -= a[i, k] * a[j, k]
            a[i, j] = total / root
    return smallest


@separate(void(MATRIX, VECTOR))
def cholesky_solve(factor, x):
    """Solve L L' x = b in place; `factor` from `cholesky`, x holds b on entry, (n,)."""
    n = x.size
    for i in range(n):
        total = x[i]
        for k in range(i):
            total -= factor[i, k] * x[k]
        x[i] = total / factor[i, i]
    for i in range(n - 1, -1, -1):
        total = x[i]
        for k in range(i + 1, n):
            total -= factor[k, i] * x[k]
        x[i] = total / factor[i, i]


@separate(void(MATRIX, VECTOR))
def orthogonalise_rows(g, u):
    """One-sided Jacobi: turn the rows of g (m, n) until they are orthogonal, and the entries of u (m,) with them.

    Afterwards the norms of g's rows are the singular values of the matrix, and sum_i u_i g_i / |g_i|^2 is its
    pseudo-inverse applied to the original u.

    Source: M. R. Hestenes, J. SIAM 6 (1958) 51.
    """
    m, n = g.shape
    for _ in range(30):
        rotated = False
        for i in range(m - 1):
            for j in range(i + 1, m):
                aa, bb, ab = 0.0, 0.0, 0.0
                for k in range(n):
                    aa += g[i, k] * g[i, k]
                    bb += g[j, k] * g[j, k]
                    ab += g[i, k] * g[j, k]
                if abs(ab) <= 1e-15 * sqrt(aa * bb) or ab == 0.0:
                    continue
                rotated = True
                zeta = (bb - aa) / (2.0 * ab)
                tangent = (1.0 if zeta >= 0.0 else -1.0) / (abs(zeta) + sqrt(1.0 + zeta * zeta))
                c = 1.0 / sqrt(1.0 + tangent * tangent)
                s = c * tangent
                for k in range(n):
                    gi, gj = g[i, k], g[j, k]
                    g[i, k], g[j, k] = c * gi - s * gj, s * gi + c * gj
                ui, uj = u[i], u[j]
                u[i], u[j] = c * ui - s * uj, s * ui + c * uj
        if not rotated:
            break


@separate(boolean(MATRIX, VECTOR))
def eliminate(a, x):
    """Solve a x = b in place by Gauss elimination with partial pivoting; x holds b on entry, (n,); a is spoilt.

    Returns:
        False when a pivot is zero to round-off.
    """
    n = x.size
    for k in range(n):
        best, row, column = 0.0, k, 0.0
        for i in range(n):
            column = max(column, abs(a[i, k]))
            if i >= k and abs(a[i, k]) > best:
                best, row = abs(a[i, k]), i
        if not best > 1e-14 * column:
            return False
        if row != k:
            for j in range(k, n):
                a[k, j], a[row, j] = a[row, j], a[k, j]
            x[k], x[row] = x[row], x[k]
        for i in range(k + 1, n):
            ratio = a[i, k] / a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= ratio * a[k, j]
            x[i] -= ratio * x[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            x[k] -= a[k, j] * x[j]
        x[k] /= a[k, k]
    return True
