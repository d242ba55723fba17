"""Exact numbers a + b sqrt(m) + ..., and how they are read from text without evaluating it as a program.

Coefficients are written as `-3/40`, `0.5233...`, `1e-3`, `(7+sqrt(21))/14`. Everything here is exact; `to_float` and
`to_decimal` round once, at the end.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache

from assets.errors import BadInput

NUMBER = "a whole number, decimal, fraction or root such as -3/40, 0.25 or (7+sqrt(21))/14"


@cache
def _split_square(number: int) -> tuple[int, int]:
    """(outside, inside) with number = outside^2 inside, inside without square factors."""
    outside, inside, factor = 1, number, 2
    while factor * factor <= inside:
        while inside % (factor * factor) == 0:
            inside //= factor * factor
            outside *= factor
        factor += 1
    return outside, inside


@dataclass(frozen=True, slots=True)
class Surd:
    """The sum of coefficient * sqrt(radicand) over its terms; the radicand 1 is the rational part."""

    terms: tuple[tuple[int, Fraction], ...]

    @classmethod
    def of(cls, terms: Mapping[int, Fraction]) -> Surd:
        """From radicands without square factors; zero terms are dropped."""
        return cls(tuple(sorted((radicand, value) for radicand, value in terms.items() if value)))

    @classmethod
    def rational(cls, value: Fraction | int) -> Surd:
        """A rational number."""
        return cls.of({1: Fraction(value)})

    def __add__(self, other: Surd) -> Surd:
        terms = dict(self.terms)
        for radicand, value in other.terms:
            terms[radicand] = terms.get(radicand, Fraction(0)) + value
        return Surd.of(terms)

    def __neg__(self) -> Surd:
        return Surd(tuple((radicand, -value) for radicand, value in self.terms))

    def __sub__(self, other: Surd) -> Surd:
        return self + -other

    def __mul__(self, other: Surd) -> Surd:
        terms: dict[int, Fraction] = {}
        for left, a in self.terms:
            for right, b in other.terms:
                outside, inside = _split_square(left * right)
                terms[inside] = terms.get(inside, Fraction(0)) + a * b * outside
        return Surd.of(terms)

    def __truediv__(self, other: Surd) -> Surd:
        if not other.terms:
            raise ZeroDivisionError("division by zero")
        numerator, denominator = self, other
        while any(radicand != 1 for radicand, _ in denominator.terms):
            prime = _a_prime_of(next(radicand for radicand, _ in denominator.terms if radicand != 1))
            conjugate = Surd(tuple((r, -v if r % prime == 0 else v) for r, v in denominator.terms))
            numerator, denominator = numerator * conjugate, denominator * conjugate
        ((_, divisor),) = denominator.terms
        return Surd(tuple((radicand, value / divisor) for radicand, value in numerator.terms))

    def __bool__(self) -> bool:
        return bool(self.terms)

    @property
    def is_rational(self) -> bool:
        """Whether it has no root in it."""
        return all(radicand == 1 for radicand, _ in self.terms)

    def to_decimal(self, digits: int) -> Decimal:
        """Its value to about `digits` digits."""
        context = Context(prec=digits + 10)
        total = Decimal(0)
        for radicand, value in self.terms:
            quotient = context.divide(Decimal(value.numerator), Decimal(value.denominator))
            total = context.add(total, context.multiply(quotient, context.sqrt(Decimal(radicand))))
        return total

    def __float__(self) -> float:
        if self.is_rational:
            return float(self.terms[0][1]) if self.terms else 0.0
        return float(self.to_decimal(60))


def _a_prime_of(number: int) -> int:
    factor = 2
    while factor * factor <= number:
        if number % factor == 0:
            return factor
        factor += 1
    return number


def parse(text: str, what: str = "coefficient") -> Surd:
    """The number that `text` writes; raises BadInput naming `what` when it is not of the form allowed."""
    try:
        if len(text) > 2000:
            raise ValueError("too long")
        return _value(ast.parse(text.strip(), mode="eval").body, text.strip())
    except ZeroDivisionError:
        raise BadInput(what, text, "a number without a division by zero") from None
    except _NotRealError:
        raise BadInput(what, text, "a real number: without the root of a negative one") from None
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise BadInput(what, text, NUMBER) from None


class _NotRealError(ValueError):
    """The root of a negative number."""


def _value(node: ast.expr, text: str) -> Surd:
    match node:
        case ast.Constant(value=bool()):
            raise ValueError("not a number")
        case ast.Constant(value=int() | float()):
            literal = ast.get_source_segment(text, node) or ""
            if len(literal.lower().partition("e")[2]) > 4:
                raise ValueError("exponent too large")
            return Surd.rational(Fraction(literal))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, text)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, text)
        case ast.BinOp(left=left, op=operator, right=right):
            a, b = _value(left, text), _value(right, text)
            match operator:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
                case ast.Div():
                    return a / b
        case ast.Call(func=ast.Name(id="sqrt"), args=[argument], keywords=[]):
            return _root(_value(argument, text))
    raise ValueError("not a number")


def _root(radicand: Surd) -> Surd:
    if not radicand.is_rational:
        raise ValueError("nested roots are not supported")
    value = radicand.terms[0][1] if radicand.terms else Fraction(0)
    product = value.numerator * value.denominator
    if product < 0:
        raise _NotRealError("root of a negative number")
    if product > 10**12:
        raise ValueError("root of a very large number")
    outside, inside = _split_square(product)
    return Surd.of({inside: Fraction(outside, value.denominator)})
