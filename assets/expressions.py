"""Numbers as a person writes them: `2*pi/3`, `1/60`, `90 deg`, `5 ms`, `0,5`; nothing else is ever evaluated."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable

MOST_CHARACTERS = 100
NAMES = {"pi": math.pi, "e": math.e}
FUNCTIONS = {"sqrt": math.sqrt}
BEGINNINGS = frozenset("0123456789.,+-−(=") | {name[0] for name in (*NAMES, *FUNCTIONS)}
"""The characters that an expression can begin with."""

PREFIXES = {"n": 1e-9, "u": 1e-6, "m": 1e-3, "c": 1e-2, "k": 1e3, "M": 1e6}
MASSES = {"mg": 1e-6, "g": 1e-3, "kg": 1.0, "t": 1e3}
TURNS = {"rad": 1.0, "mrad": 1e-3, "deg": math.pi / 180.0}

_SPELLINGS = str.maketrans(
    {"−": "-", ",": ".", "·": "*", "×": "*", "µ": "u", "μ": "u", "°": "deg", "²": "2", "³": "3", "⁻": "-", "^": ""}
)
_TOKENS = re.compile(r"(?:\s|[-+*/()]|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])|(?:pi|e)(?!\w)|sqrt(?=\())+")
ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[object, object], object]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # type: ignore[assignment] # fmt: skip


def evaluate(text: str) -> float | int:
    """The number that an expression of numbers, `pi`, `e`, `sqrt`, `+ - * / **` and brackets stands for.

    Arithmetic is that of floats, so that no power takes long. A whole number alone stays one.

    Raises:
        ValueError: for anything else, and for a result that is not finite.
    """
    expression = text.strip().removeprefix("=").strip()
    if len(expression) > MOST_CHARACTERS or not _TOKENS.fullmatch(expression):
        raise ValueError(f"{text[:MOST_CHARACTERS]!r} is not a number")
    if re.fullmatch(r"[+-]?\d+", expression):
        return int(expression)
    try:
        found = _value(ast.parse(expression, mode="eval").body)
    except (SyntaxError, ValueError, ArithmeticError, MemoryError, RecursionError) as problem:
        raise ValueError(f"{text!r} is not a number: {problem}") from None
    if isinstance(found, complex) or not math.isfinite(found):
        raise ValueError(f"{text!r} is not a finite number")
    return found


def quantity(text: str, unit: str = "", plain: float = 1.0) -> float | int:
    """The SI value of a number or an expression, which may end in a unit.

    Args:
        text: what a person wrote.
        unit: the SI unit of the quantity, such as `rad/s` or `kg m2`; empty for a pure number.
        plain: what one is without a unit, in SI units.

    Raises:
        ValueError: when it cannot be read.
    """
    written = " ".join(text.translate(_SPELLINGS).split()) if len(text) <= MOST_CHARACTERS else text
    for suffix, factor in sorted(factors(unit).items(), key=lambda pair: -len(pair[0])):
        if written.endswith(suffix):
            try:
                return _times(float(evaluate(written.removesuffix(suffix))), factor)
            except ValueError:
                continue
    power = text.translate({**_SPELLINGS, ord("^"): "**"})
    found = evaluate(power)
    return found if plain == 1.0 else found * plain


def factors(unit: str) -> dict[str, float]:
    """The units that a quantity may be written in, each in SI units."""
    spelled = unit.translate(_SPELLINGS)
    if not spelled:
        return {}
    first = re.match(r"[A-Za-z]*", spelled)
    name = first[0] if first else ""
    rest = spelled.removeprefix(name)
    known = TURNS if name == "rad" else MASSES if name == "kg" else {}
    if known:
        return {one + rest: factor for one, factor in known.items()}
    times = {"min": 60.0} if spelled == "s" else {}
    return {spelled: 1.0, **{prefix + spelled: factor for prefix, factor in PREFIXES.items()}, **times}


def _times(value: float, factor: float) -> float:
    """The product, rounded once where `factor` is a part such as a thousandth: 35.5 ms are 0.0355 s."""
    parts = round(1.0 / factor)
    return value / parts if parts > 1 and math.isclose(parts * factor, 1.0, rel_tol=1e-12) else value * factor


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.Name) and node.id in NAMES:
        return NAMES[node.id]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
        (argument,) = node.args
        return FUNCTIONS[node.func.id](_value(argument))
    if isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.UnaryOp):
        return _value(node.operand) if isinstance(node.op, ast.UAdd) else -_value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        return ARITHMETIC[type(node.op)](_value(node.left), _value(node.right))
    raise SyntaxError("only + - * / **, brackets, pi, e and sqrt are known")
