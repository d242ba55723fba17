"""The principal error norm: the size of a method's leading error, to compare formulas of one order.

A step's error is h^(p+1) times a sum over the rooted trees of order p + 1 of a coefficient times an elementary
differential of f; the norm is the root of the sum of the coefficients' squares. In double precision: accurate enough
for a norm, and fast enough for all trees of order 11.

Source: J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980) 19-26; E. Hairer, S. P. Norsett, G. Wanner, Solving
Ordinary Differential Equations I (1993), II.2, II.3 and III.2; E. Hairer, G. Wanner, II (1996), IV.7.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from solvers.problem import Array
from solvers.tableaux.order_conditions import Tree, density, symmetry, trees
from solvers.tableaux.tableau import Tableau, coefficients

# There are 1842 trees of order 11 and 4766 of order 12.
HIGHEST = 11


@cache
def of_tableau(tableau: Tableau) -> float:
    """Of an explicit Runge-Kutta method."""
    numbers = coefficients(tableau)
    return runge_kutta(numbers.A, numbers.b, tableau.order)


def runge_kutta(A: Array, b: Array, order: int, lone: Array | None = None) -> float:
    """Of the Runge-Kutta method A (s, s), b (s,).

    A Rosenbrock method has alpha for A, and alpha + gamma for `lone`, the matrix of a vertex with one branch.
    """
    inner: dict[tuple[Tree, bool], Array] = {}

    def phi(tree: Tree) -> Array:
        matrix = lone if lone is not None and len(tree) == 1 else A
        product = np.ones(len(b))
        for branch in tree:
            place = branch, matrix is A
            if place not in inner:
                inner[place] = matrix @ phi(branch)
            product = product * inner[place]
        return product

    terms = [(b @ phi(tree) - 1 / density(tree)) / symmetry(tree) for tree in trees(order + 1)]
    return float(np.sqrt(np.sum(np.square(terms))))


def multistep(constant: float, order: int) -> float | None:
    """Of a method whose step errs by constant h^(p+1) y^(p+1); None for orders with too many trees."""
    if order >= HIGHEST:
        return None
    squares = math.fsum((symmetry(tree) * density(tree)) ** -2 for tree in trees(order + 1))
    return abs(constant) * math.factorial(order + 1) * math.sqrt(squares)
