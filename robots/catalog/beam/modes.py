"""The flexible beam from first principles: a uniform beam pinned at one end, in its rotation and eight shapes.

Length, mass, bending stiffness and gravity are 1. The deflection is w(x, t) = x q1 + sum_k phi_k(x) q_{k+1}, k =
1..8, where phi_k is a polynomial of degree k + 1 with phi_k(0) = 0, orthonormal on [0, 1], of zero mean and positive
first moment. Then

    M q'' = -K q - (sin(q1) / 2, 0, .., 0),   M = [[1/3, s'], [s, 1]],   K_ij = integral of phi_i'' phi_j''.

All integrals are rational numbers except the norms of the shapes, so everything is exact until it is rounded once.

Source: the problem that the listing of 1990 integrates, identified from its 81 printed numbers.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import sqrt

import numpy as np
from numpy.polynomial import Polynomial

from robots.model.robot import Array

SHAPES = 8
Exact = list[Fraction]


@cache
def _shapes() -> tuple[Exact, ...]:
    """The shapes by Gram-Schmidt, not yet of norm 1, as exact coefficients by rising power."""
    basis: list[Exact] = []
    for k in range(1, SHAPES + 1):
        shape = [Fraction(0)] * (k + 2)
        shape[k + 1], shape[1] = Fraction(1), -Fraction(2, k + 2)
        for earlier in basis:
            share = _inner(shape, earlier) / _inner(earlier, earlier)
            shape = [c - share * (earlier[i] if i < len(earlier) else 0) for i, c in enumerate(shape)]
        if _inner(shape, [Fraction(0), Fraction(1)]) < 0:
            shape = [-c for c in shape]
        basis.append(shape)
    return tuple(basis)


def _inner(a: Exact, b: Exact) -> Fraction:
    """Integral of a b over [0, 1]."""
    return sum((x * y / (i + j + 1) for i, x in enumerate(a) for j, y in enumerate(b)), Fraction(0))


def _curvature(a: Exact) -> Exact:
    return [i * (i - 1) * c for i, c in enumerate(a)][2:]


@cache
def _norms() -> tuple[float, ...]:
    """The norms of the functions of the nine coordinates, (9,); 1 for the rotation, which is not normalised."""
    return (1.0, *(sqrt(_inner(shape, shape)) for shape in _shapes()))


def _exact_matrices() -> tuple[list[Exact], list[Exact]]:
    """Mass and stiffness for the shapes before they are normalised."""
    functions: list[Exact] = [[Fraction(0), Fraction(1)], *_shapes()]
    mass = [[_inner(a, b) for b in functions] for a in functions]
    stiffness = [[_inner(_curvature(a), _curvature(b)) for b in functions] for a in functions]
    return mass, stiffness


@cache
def matrices() -> tuple[Array, Array]:
    """M and K, (9, 9)."""
    norms = np.array(_norms())
    mass, stiffness = (np.array([[float(x) for x in row] for row in table]) for table in _exact_matrices())
    scale = np.outer(norms, norms)
    return mass / scale, stiffness / scale


@cache
def acceleration() -> tuple[Array, Array]:
    """b (9,) and A (9, 8) of q'' = b sin(q1) + A (q2 .. q9), solved exactly and rounded once."""
    mass, stiffness = _exact_matrices()
    push = [[Fraction(-1, 2) if i == 0 else Fraction(0)] for i in range(SHAPES + 1)]
    rows = _solve(mass, [p + [-x for x in k] for p, k in zip(push, stiffness, strict=True)])
    norms = np.array(_norms())
    b = np.array([float(row[0]) for row in rows]) * norms
    A = np.array([[float(x) for x in row[1:]] for row in rows]) * norms[:, None] / norms
    return b, A[:, 1:]


def _solve(matrix: list[Exact], right: list[Exact]) -> list[Exact]:
    """Gauss elimination in rational numbers."""
    n = len(matrix)
    rows = [list(a) + list(b) for a, b in zip(matrix, right, strict=True)]
    for k in range(n):
        pivot = next(i for i in range(k, n) if rows[i][k] != 0)
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k] != 0:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k], strict=True)]
    return [row[n:] for row in rows]


def deflection(x: Array) -> Array:
    """phi_k(x) at places x (m,), (m, 8)."""
    norms = _norms()[1:]
    shapes = [Polynomial([float(c) for c in shape]) for shape in _shapes()]
    return np.column_stack([shape(x) / norm for shape, norm in zip(shapes, norms, strict=True)])


def frequencies() -> Array:
    """Angular frequencies of small motion, rising, (9,) [rad/s]; the first is the pendulum's."""
    mass, stiffness = matrices()
    stiffness = stiffness.copy()
    stiffness[0, 0] += 0.5
    return np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real))
