"""Numbers as a person writes them: `2*pi/3`, `1/60`, `90 deg`, `5 ms`, `0,5`; nothing else is ever evaluated."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable

MOST_CHARACTERS = 100
TOO_LARGE = "It is too large to compute with."
NAMES = {"pi": math.pi, "e": math.e}
FUNCTIONS = {"sqrt": math.sqrt}
BEGINNINGS = frozenset("0123456789.,+-−(=") | {name[0] for name in (*NAMES, *FUNCTIONS)}
"""The characters that an expression can begin with."""

NUMBER_BEGINS = frozenset(one for one in BEGINNINGS if not one.isalpha())
"""Those of them that are no letters."""

PREFIXES = {"n": 1e-9, "u": 1e-6, "m": 1e-3, "c": 1e-2, "k": 1e3, "M": 1e6}
MASSES = {"mg": 1e-6, "g": 1e-3, "kg": 1.0, "t": 1e3}
BASES = ("s", "m", "rad", "kg", "J", "N", "W", "Hz", "N m")
"""The SI units whose parts and multiples have names that `in_si` knows."""

TURNS = {"rad": 1.0, "mrad": 1e-3, "deg": math.pi / 180.0}

_SPELLINGS = str.maketrans(
    {"−": "-", ",": ".", "·": "*", "×": "*", "µ": "u", "μ": "u", "°": "deg", "²": "2", "³": "3", "⁻": "-", "^": ""}
)
_COUNTED = r"((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|\b(?:pi|e)\b|\))\s*"
"""What a unit inside an expression follows."""

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


class OutOfRange(ValueError):
    """An expression that has no finite value.

    Attributes:
        why: a sentence.
    """

    def __init__(self, message: str, why: str) -> None:
        super().__init__(message)
        self.why = why


def evaluate(text: str) -> float | int:
    """The number that an expression of numbers, `pi`, `e`, `sqrt`, `+ - * / **` and brackets stands for.

    Arithmetic is that of floats, so that no power takes long. A whole number alone stays one.

    Raises:
        OutOfRange: for a result that is not finite.
        ValueError: for anything else.
    """
    expression = text.strip().removeprefix("=").strip()
    if len(expression) > MOST_CHARACTERS or not _TOKENS.fullmatch(expression):
        raise ValueError(f"{text[:MOST_CHARACTERS]!r} is not a number")
    if re.fullmatch(r"[+-]?\d+", expression):
        return int(expression)
    try:
        found = _value(ast.parse(expression, mode="eval").body)
    except ZeroDivisionError as problem:
        raise OutOfRange(f"{text!r} is not a number: {problem}", "It divides by zero.") from None
    except OverflowError as problem:
        raise OutOfRange(f"{text!r} is not a number: {problem}", TOO_LARGE) from None
    except (SyntaxError, ValueError, ArithmeticError, MemoryError, RecursionError) as problem:
        raise ValueError(f"{text!r} is not a number: {problem}") from None
    if isinstance(found, complex) or not math.isfinite(found):
        raise OutOfRange(f"{text!r} is not a finite number", TOO_LARGE)
    return found


def quantity(text: str, unit: str = "", plain: float = 1.0) -> float | int:
    """The SI value of a number or an expression: with a unit at the end or units inside it, such as `24.6 ms / 2`.

    Args:
        text: what a person wrote.
        unit: the SI unit of the quantity, such as `rad/s` or `kg m2`; empty for a pure number.
        plain: what one is without a unit, in SI units.

    Raises:
        ValueError: when it cannot be read.
    """
    written = " ".join(text.translate(_SPELLINGS).split()) if len(text) <= MOST_CHARACTERS else text
    known = factors(unit)
    for suffix, factor in sorted(known.items(), key=lambda pair: -len(pair[0])):
        if written.endswith(suffix) and _apart(written, suffix):
            try:
                return _times(float(evaluate(written.removesuffix(suffix))), factor)
            except OutOfRange:
                raise
            except ValueError:
                continue
    if known and (found := _with_units(written, known)) is not None:
        return found
    power = text.translate({**_SPELLINGS, ord("^"): "**"})
    return in_si_units(evaluate(power), plain)


def in_si_units(value: float, plain: float) -> float | int:
    """The SI value of a number without a unit, where one is `plain` SI units."""
    return value if plain == 1.0 else _times(value, plain)


def factors(unit: str) -> dict[str, float]:
    """The units that a quantity may be written in, each in SI units."""
    spelled = unit.translate(_SPELLINGS)
    if not spelled:
        return {"%": 0.01}
    first = re.match(r"[A-Za-z]*", spelled)
    name = first[0] if first else ""
    rest = spelled.removeprefix(name)
    known = TURNS if name == "rad" else MASSES if name == "kg" else {}
    if known:
        return {one + rest: factor for one, factor in known.items()}
    if spelled.startswith("1/"):
        return {spelled: 1.0, spelled[1:]: 1.0}
    times = {"min": 60.0} if spelled == "s" else {}
    return {spelled: 1.0, **{prefix + spelled: factor for prefix, factor in PREFIXES.items()}, **times}


def in_si(unit: str) -> tuple[str, float]:
    """The SI unit that one such as `ms` is a part or a multiple of, and how large it is in that; else itself."""
    return next(((one, known[unit]) for one in BASES if unit in (known := factors(one))), (unit, 1.0))


def _apart(written: str, suffix: str) -> bool:
    """Whether a unit such as `1/s` does not begin with the last digit of the number: 51/s are 51."""
    return not suffix[0].isdigit() or not written.removesuffix(suffix)[-1:].isdigit()


def _times(value: float, factor: float) -> float:
    """The product, rounded once where `factor` is a part such as a thousandth: 35.5 ms are 0.0355 s."""
    parts = _parts(factor)
    return value / parts if parts else value * factor


def _parts(factor: float) -> int:
    """How many times `factor` goes into one, if it is such a part; otherwise 0."""
    parts = round(1.0 / factor)
    return parts if parts > 1 and math.isclose(parts * factor, 1.0, rel_tol=1e-12) else 0


def _with_units(written: str, known: dict[str, float]) -> float | None:
    """The SI value of an expression with units inside it; None if it has none.

    Raises:
        ValueError: when it is not of that quantity, such as `5 ms + 1` or `5 ms * 2 ms`.
    """
    spelled = "|".join(re.escape(one) for one in sorted(known, key=len, reverse=True))
    inside = re.compile(rf"{_COUNTED}({spelled})(?![\w.])")
    if not inside.search(written):
        return None

    def value(size: int) -> float:
        """The value if every unit were `size` times as large."""

        def product(found: re.Match[str]) -> str:
            factor = known[found[2]]
            parts = _parts(factor)
            return f"{found[1]}{f'/{parts}' if parts else f'*{factor!r}'}*{size}"

        return float(evaluate(inside.sub(product, written)))

    once = value(1)
    if any(value(size) != size * once for size in (4, 16)):  # powers of two, with which nothing is rounded
        raise ValueError(f"{written!r} is not a number of one unit")
    return once


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
