"""Rooted trees and the order conditions of Runge-Kutta methods.

A method has order p when for every rooted tree with at most p vertices the elementary weight sum_i b_i phi_i(tree) is
1 / density(tree). (J. C. Butcher, The Numerical Analysis of Ordinary Differential Equations (1987), ch. 3.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

from solvers.tableaux.exact import Surd
from solvers.tableaux.tableau import ExactTableau

# A rooted tree is the sorted tuple of the subtrees that hang from its root.
Tree = tuple["Tree", ...]
Number = Fraction | Decimal
DIGITS = 75


@cache
def trees(vertices: int) -> tuple[Tree, ...]:
    """All rooted trees with this many vertices: 1, 1, 2, 4, 9, 20, 48, 115, 286, 719, 1842 ..."""
    return tuple(sorted(forests(vertices - 1, vertices - 1)))


def forests(vertices: int, largest: int) -> Iterator[Tree]:
    """All multisets of rooted trees with this many vertices together, none larger than `largest`."""
    if vertices == 0:
        yield ()
        return
    for size in range(min(largest, vertices), 0, -1):
        for count in range(1, vertices // size + 1):
            for rest in forests(vertices - count * size, size - 1):
                for same in combinations_with_replacement(trees(size), count):
                    yield tuple(sorted(same + rest))


@cache
def vertices(tree: Tree) -> int:
    """The number of vertices: the order of the tree."""
    return 1 + sum(vertices(branch) for branch in tree)


@cache
def density(tree: Tree) -> int:
    """The product over all vertices of the number of vertices above and including it."""
    product = vertices(tree)
    for branch in tree:
        product *= density(branch)
    return product


def brackets(tree: Tree) -> str:
    """The tree as text: a leaf is t, and [..] joins subtrees to a new root."""
    return "[" + "".join(brackets(branch) for branch in tree) + "]" if tree else "t"


class Weights:
    """The elementary weights of one tableau, exact for rational coefficients, else to `DIGITS` digits."""

    def __init__(self, numbers: ExactTableau) -> None:
        entries = [entry for row in numbers.A for entry in row] + [*numbers.b, *(numbers.b_error or ())]
        self.is_exact = all(entry.is_rational and _is_short(entry) for entry in entries)
        self.A = [[(j, self._number(entry)) for j, entry in enumerate(row) if entry] for row in numbers.A]
        self.stages = len(numbers.b)
        self._phi: dict[Tree, list[Number]] = {(): [self._number(Surd.rational(1))] * self.stages}
        self._inner: dict[Tree, list[Number]] = {}

    def _number(self, value: Surd) -> Number:
        if self.is_exact:
            return value.terms[0][1] if value else Fraction(0)
        return value.to_decimal(DIGITS)

    def phi(self, tree: Tree) -> list[Number]:
        """phi_i(tree), one per stage: the product over the branches of sum_j a_ij phi_j(branch)."""
        if tree not in self._phi:
            first, rest = self.inner(tree[0]), self.phi(tree[1:])
            self._phi[tree] = [a * b for a, b in zip(first, rest, strict=True)]  # type: ignore[operator]
        return self._phi[tree]

    def inner(self, branch: Tree) -> list[Number]:
        """sum_j a_ij phi_j(branch), one per stage."""
        if branch not in self._inner:
            phi = self.phi(branch)
            zero = self._number(Surd.rational(0))
            self._inner[branch] = [sum((a * phi[j] for j, a in row), zero) for row in self.A]  # type: ignore[operator, misc]
        return self._inner[branch]

    def residual(self, weights: Sequence[Surd], tree: Tree) -> Number:
        """How much sum_i b_i phi_i misses 1 / density."""
        with localcontext() as context:
            context.prec = DIGITS
            phi, one = self.phi(tree), self._number(Surd.rational(1))
            total = sum((self._number(b) * phi[i] for i, b in enumerate(weights) if b), 0 * one)  # type: ignore[operator]
            return total - one / density(tree)  # type: ignore[operator]


def _is_short(value: Surd) -> bool:
    """Whether the number is a fraction as published, not a long decimal."""
    return not value or value.terms[0][1].denominator < 10**40


@cache
def symmetry(tree: Tree) -> int:
    """The number of symmetries of the tree."""
    product = 1
    for branch in set(tree):
        count = tree.count(branch)
        product *= symmetry(branch) ** count
        for factor in range(2, count + 1):
            product *= factor
    return product
