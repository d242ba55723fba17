"""Expressions over runs, such as `12 < max_error.energy_J(coarse) / max_error.energy_J(fine) < 20`."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from assets.errors import BadInput
from assets.expressions import ARITHMETIC, COMPARISONS
from assets.expressions import FUNCTIONS as PLAIN_FUNCTIONS
from solvers.status import Status

if TYPE_CHECKING:
    from robots.sweeps.run_numbers import RunNumber

MOST_CHARACTERS = 400
MOST_DEPTH = 40
PARTED = "parted"


def _earliest(*numbers: float) -> float:
    """The least number; what never happens is no number, and does not come first. nan if all of them are."""
    return min((number for number in numbers if not math.isnan(number)), default=math.nan)


def _latest(*numbers: float) -> float:
    """The largest number; nan if one of them is: it never happens."""
    return math.nan if any(map(math.isnan, numbers)) else max(numbers)


FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "abs": math.fabs,
    "min": _earliest,
    "max": _latest,
    "log10": math.log10,
    **PLAIN_FUNCTIONS,
}
_FORM = "an expression of numbers, + - * / **, comparisons, `and`, abs, min, max, log10, sqrt and READOUT(RUN)"
_PLAIN = re.compile(r"""[\w\s.,+\-*/()<>=!"']+""", re.ASCII)
_GLUED = re.compile(r"(?<![\w.])[\d.]+(?!e[-+]?\d)[A-Za-z_]")
"""A number that runs into a word: Python reads it, with a warning."""
_NUMBER, _CONDITION, _WORD = "a number", "a comparison", "a status"
_STRICT = ast.Lt | ast.Gt | ast.NotEq


@dataclass(frozen=True, slots=True)
class Use:
    """A number of a run, or of two, in an expression.

    Attributes:
        runs: the names of the runs.
        number: the readout; None for `parted`.
        apart: how far two tips have to be apart for `parted` [m].
    """

    runs: tuple[str, ...]
    number: RunNumber | None = None
    apart: float = 0.0


Value = float | str
Lookup = Callable[[Use], Value]


@dataclass(frozen=True, slots=True)
class RunExpression:
    """A number or a condition that is computed from runs.

    Attributes:
        text: as it stands in the file.
        condition: whether it is a condition, not a number.
        uses: what it reads of which runs.
    """

    text: str
    condition: bool
    uses: tuple[Use, ...]
    _tree: ast.expr = field(repr=False, compare=False)

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of its runs, each once."""
        return tuple(dict.fromkeys(name for use in self.uses for name in use.runs))

    @property
    def alone(self) -> Use | None:
        """The readout that it is, without any arithmetic; None if it is more than that."""
        tree = self._tree
        plain = isinstance(tree, ast.Call) and not (isinstance(tree.func, ast.Name) and tree.func.id in FUNCTIONS)
        return self.uses[0] if plain else None

    def number(self, lookup: Lookup) -> float:
        """The number; nan where there is none. `lookup` gives the value of each use."""
        return float(_value(self._tree, lookup))

    def holds(self, lookup: Lookup) -> bool:
        """Whether the condition holds."""
        return bool(_value(self._tree, lookup))

    def sides(self, lookup: Lookup) -> list[str]:
        """What each part of a condition that holds a run's number is, as `TEXT is VALUE`."""
        found: dict[str, str] = {}
        for node in ast.walk(self._tree):
            for part in (node.left, *node.comparators) if isinstance(node, ast.Compare) else ():
                if any(_uses(part)):
                    value = _value(part, lookup)
                    found[ast.unparse(part)] = value if isinstance(value, str) else f"{value:.4g}"
        return [f"{text} is {value}" for text, value in found.items()]


def expression(text: str, *, condition: bool | None = False) -> RunExpression:
    """The expression that is written as `text`.

    Args:
        text: one line.
        condition: whether a condition is wanted, not a number; None takes either.

    Raises:
        BadInput: for anything else, and for a condition that cannot be true whatever the runs are.
    """
    written = " ".join(text.split())
    if not written or len(written) > MOST_CHARACTERS or not _PLAIN.fullmatch(written) or _GLUED.search(written):
        raise BadInput("expression", written, f"{_FORM}, at most {MOST_CHARACTERS} characters long")
    try:
        tree = ast.parse(written, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise BadInput("expression", written, _FORM) from None
    kind = _checked(tree, 0)
    wanted = _CONDITION if condition else _NUMBER
    if condition is not None and kind != wanted:
        raise BadInput("expression", written, wanted)
    uses = tuple(dict.fromkeys(_uses(tree)))
    if not uses:
        raise BadInput("expression", written, "computed from at least one run, such as steps(RUN)")
    if kind == _CONDITION:
        _refuse_impossible(tree)
    return RunExpression(written, kind == _CONDITION, uses, tree)


# -- reading -----------------------------------------------------------------------------------------------------------


def _checked(node: ast.expr, depth: int) -> str:
    """What a node is: a number, a comparison or a status.

    Raises:
        BadInput: for a node that is not known.
    """
    if depth > MOST_DEPTH:
        raise BadInput("expression", ast.unparse(node)[:40], f"at most {MOST_DEPTH} brackets deep")
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool) and abs(number) < 1e300:
            return _NUMBER
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
            _want(_NUMBER, inner, depth)
            return _NUMBER
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            _want(_CONDITION, inner, depth)
            return _CONDITION
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            _want(_NUMBER, left, depth)
            _want(_NUMBER, right, depth)
            return _NUMBER
        case ast.BoolOp(values=parts):
            for part in parts:
                _want(_CONDITION, part, depth)
            return _CONDITION
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in COMPARISONS for op in ops):
            _check_comparison([left, *others], ops, depth)
            return _CONDITION
        case ast.Call(keywords=[]):
            return _check_call(node, depth)
    raise BadInput("expression", ast.unparse(node)[:60], _FORM)


def _want(kind: str, node: ast.expr, depth: int) -> None:
    if _checked(node, depth + 1) != kind:
        raise BadInput("expression", ast.unparse(node), kind)


def _check_comparison(sides: list[ast.expr], ops: list[ast.cmpop], depth: int) -> None:
    """Numbers are compared with numbers, a status with a status in quotes."""
    words = [side.value for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, str)]
    if not words:
        for side in sides:
            _want(_NUMBER, side, depth)
        return
    if len(sides) != 2 or len(words) != 1 or not isinstance(ops[0], ast.Eq | ast.NotEq):
        raise BadInput("expression", words[0], 'compared as in status(RUN) == "finished"')
    other = next(side for side in sides if not isinstance(side, ast.Constant))
    _want(_WORD, other, depth)
    if words[0] not in list(map(str, Status)):
        raise BadInput("status", words[0], choices=map(str, Status))


def _check_call(node: ast.Call, depth: int) -> str:
    if isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
        name = node.func.id
        least, most = (2, 16) if name in ("min", "max") else (1, 1)
        if not least <= len(node.args) <= most:
            raise BadInput(name, len(node.args), f"called with {least if least == most else 'several'} numbers")
        for argument in node.args:
            _want(_NUMBER, argument, depth)
        return _NUMBER
    from robots.sweeps.run_numbers import STATUS

    return _WORD if (number := _use(node).number) and number.name == STATUS else _NUMBER


def _use(node: ast.Call) -> Use:
    """What `READOUT(RUN)` or `parted(RUN, RUN, DISTANCE)` reads.

    Raises:
        BadInput: for another form.
    """
    from robots.sweeps.run_numbers import run_number

    names = tuple(argument.id for argument in node.args if isinstance(argument, ast.Name))
    if isinstance(node.func, ast.Name) and node.func.id == PARTED:
        match node.args:
            case [ast.Name(), ast.Name(), ast.Constant(value=int() | float() as apart)] if 0.0 < apart < 1e6:
                return Use(names, None, float(apart))
        raise BadInput(PARTED, ast.unparse(node), "parted(RUN, RUN, DISTANCE in m)")
    if len(names) != len(node.args) or len(names) != 1:
        must = "READOUT(RUN), such as steps(fast), max_error.energy_J(fast) or value(q1, 2)(fast)"
        raise BadInput("expression", ast.unparse(node), must)
    return Use(names, run_number(ast.unparse(node.func)))


def _uses(node: ast.expr) -> Iterator[Use]:
    """Every use in a checked expression, in order."""
    if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS):
        yield _use(node)
        return
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.expr):
            yield from _uses(inner)


def _refuse_impossible(tree: ast.expr) -> None:
    """Refuse a comparison that no number can fulfil: `20 < x < 12`, `x < x`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            known = [(k, value) for k, side in enumerate(sides) if (value := _constant(side)) is not None]
            crossed = any(_is_crossed(a, node.ops[i:j], b) for (i, a), (j, b) in pairwise(known))
            pairs = zip(node.ops, pairwise(sides), strict=True)
            if crossed or any(isinstance(op, _STRICT) and ast.dump(a) == ast.dump(b) for op, (a, b) in pairs):
                raise BadInput("check", ast.unparse(node), "a comparison that can be true")


def _is_crossed(a: float, ops: Sequence[ast.cmpop], b: float) -> bool:
    """Whether no numbers can stand between the numbers a and b of a chain with these comparisons."""
    strict = a == b and any(isinstance(op, _STRICT) for op in ops)
    rises, falls = (all(isinstance(op, kinds) for op in ops) for kinds in (ast.Lt | ast.LtE, ast.Gt | ast.GtE))
    return (rises and (a > b or strict)) or (falls and (a < b or strict))


def _constant(node: ast.expr) -> float | None:
    """The value of an expression without runs."""
    if any(isinstance(inner, ast.Constant) and isinstance(inner.value, str) for inner in ast.walk(node)):
        return None
    return None if any(_uses(node)) else float(_value(node, lambda _: math.nan))


# -- computing ---------------------------------------------------------------------------------------------------------


def _value(node: ast.expr, lookup: Lookup) -> Value:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Constant(value=str() as word):
            return word
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return float(not _value(inner, lookup))
        case ast.UnaryOp(op=op, operand=inner):
            return float(_value(inner, lookup)) * (-1.0 if isinstance(op, ast.USub) else 1.0)
        case ast.BinOp(left=left, op=op, right=right):
            a, b = float(_value(left, lookup)), float(_value(right, lookup))
            return _real(ARITHMETIC[type(op)], a, b)
        case ast.BoolOp(op=op, values=parts):
            held = (bool(_value(part, lookup)) for part in parts)
            return float(all(held) if isinstance(op, ast.And) else any(held))
        case ast.Compare(left=left, ops=ops, comparators=others):
            sides = [_value(side, lookup) for side in (left, *others)]
            return float(all(COMPARISONS[type(op)](*pair) for op, pair in zip(ops, pairwise(sides), strict=True)))
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in FUNCTIONS:
            return _real(FUNCTIONS[name], *(float(_value(argument, lookup)) for argument in arguments))
        case ast.Call():
            return lookup(_use(node))
    raise AssertionError(f"{ast.unparse(node)} was not checked")


def _real(function: Callable[..., float], *numbers: float) -> float:
    """The function's value; nan where it has none that is real."""
    try:
        found = function(*numbers)
    except (ArithmeticError, ValueError):
        return math.nan
    return math.nan if isinstance(found, complex) else float(found)
