"""Expressions of xacro: numbers, texts, truth values, lists and mappings; nothing else is ever evaluated."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from functools import partial

from assets.expressions import ARITHMETIC, COMPARISONS

MOST_CHARACTERS, LONGEST = 2_000, 10_000
Lookup = Callable[[str], object]

CONSTANTS: Mapping[str, object] = {
    "pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf, "true": True, "false": False,
}  # fmt: skip
_FUNCTIONS: Mapping[str, Callable[..., object]] = {
    name: getattr(math, name)
    for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "radians", "degrees", "floor", "ceil",
                 "exp", "log", "hypot", "fabs")
} | {"abs": abs, "min": min, "max": max, "round": round, "len": len, "int": int, "float": float, "str": str,
     "bool": bool, "list": list, "dict": dict, "sum": sum}  # fmt: skip
_METHODS: Mapping[type, tuple[str, ...]] = {
    str: ("split", "strip", "lower", "upper", "startswith", "endswith", "replace", "join"),
    dict: ("get", "keys", "values"),
    list: ("index", "count"),
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[object, object], object]] = COMPARISONS | {
    ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: _within(a, b), ast.NotIn: lambda a, b: not _within(a, b),
}  # fmt: skip
_WHOLE = {ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod}
_PROBLEMS = (
    SyntaxError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError, MemoryError,
)  # fmt: skip


def evaluate(text: str, lookup: Lookup, load: Callable[[str], object]) -> object:
    """The value of an expression.

    Args:
        text: the text between `${` and `}`.
        lookup: the value of a name; raises KeyError for an unknown one.
        load: what `load_yaml` returns for a file's name.

    Raises:
        ValueError: it is not an expression of this part of the language, or has no value.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"must be at most {MOST_CHARACTERS} characters long")
    try:
        return _Evaluator(lookup, load).value(ast.parse(text.strip(), mode="eval").body)
    except _PROBLEMS as problem:
        said = f"unknown name {problem.args[0]!r}" if isinstance(problem, KeyError) else str(problem)
        raise ValueError(said) from None


class _Evaluator:
    def __init__(self, lookup: Lookup, load: Callable[[str], object]) -> None:
        self._lookup, self._load = lookup, load

    def value(self, node: ast.expr) -> object:
        """The value of a node."""
        match node:
            case ast.Constant(value=bool() | int() | float() | str() | None as found):
                return found
            case ast.Name(id=name):
                return self._name(name)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return not self.value(inner)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
                number = _number(self.value(inner))
                return -number if isinstance(node.op, ast.USub) else number
            case ast.BinOp(left=left, op=op, right=right):
                return _sized(_combined(type(op), self.value(left), self.value(right)))
            case ast.BoolOp(op=op, values=parts):
                return self._chain(isinstance(op, ast.And), parts)
            case ast.Compare():
                return self._compared(node)
            case ast.IfExp(test=test, body=yes, orelse=no):
                return self.value(yes if self.value(test) else no)
            case ast.Subscript(value=inner, slice=at):
                return self._item(self.value(inner), at)
            case ast.Attribute(value=inner, attr=name):
                return self._attribute(self.value(inner), name)
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return [self.value(part) for part in parts]
            case ast.Dict(keys=keys, values=values):
                return {str(self.value(k)): self.value(v) for k, v in zip(keys, values, strict=True) if k}
            case ast.Call():
                return _sized(self._called(node))
        raise ValueError(f"{type(node).__name__} is not evaluated")

    def _name(self, name: str) -> object:
        try:
            return self._lookup(name)
        except KeyError:
            if name in CONSTANTS:
                return CONSTANTS[name]
            raise

    def _chain(self, all_: bool, parts: list[ast.expr]) -> object:
        found: object = None
        for part in parts:
            found = self.value(part)
            if bool(found) != all_:
                return found
        return found

    def _compared(self, node: ast.Compare) -> bool:
        left = self.value(node.left)
        for op, other in zip(node.ops, node.comparators, strict=True):
            right = self.value(other)
            if not _COMPARE[type(op)](left, right):
                return False
            left = right
        return True

    def _item(self, whole: object, at: ast.expr) -> object:
        if not isinstance(whole, dict | list | str):
            raise ValueError(f"{whole!r:.60} has no items")
        if isinstance(at, ast.Slice):
            low, high = (None if end is None else int(_number(self.value(end))) for end in (at.lower, at.upper))
            if at.step is not None or isinstance(whole, dict):
                raise ValueError("only plain slices are supported")
            return whole[low:high]
        return whole[self.value(at)]  # type: ignore[index, call-overload]

    def _attribute(self, whole: object, name: str) -> object:
        if not isinstance(whole, dict) or name not in whole:
            raise ValueError(f"there is no {name!r}")
        return whole[name]

    def _called(self, node: ast.Call) -> object:
        arguments = [self.value(one) for one in node.args]
        named = {one.arg: self.value(one.value) for one in node.keywords if one.arg}
        match node.func:
            case ast.Name(id="load_yaml") | ast.Attribute(value=ast.Name(id="xacro"), attr="load_yaml"):
                return self._load(*map(str, arguments))
            case ast.Attribute(value=ast.Name(id="xacro"), attr="warning" | "message" | "error"):
                return ""
            case ast.Attribute(value=ast.Name(id="math" | "xacro" | "python"), attr=name) if name in _FUNCTIONS:
                return _FUNCTIONS[name](*arguments, **named)
            case ast.Name(id=name) if name in _FUNCTIONS:
                return _FUNCTIONS[name](*arguments, **named)
            case ast.Attribute(value=inner, attr=name):
                whole = self.value(inner)
                if name in _METHODS.get(type(whole), ()):
                    found = partial(getattr(whole, name))(*arguments)
                    return found if isinstance(found, str | int | float | bool | list) else list(found)
        raise ValueError("only arithmetic and a few functions are supported")


def _within(value: object, whole: object) -> bool:
    if isinstance(whole, str):
        return isinstance(value, str) and value in whole
    return isinstance(whole, list | dict) and value in whole


def _combined(op: type[ast.operator], left: object, right: object) -> object:
    if isinstance(left, str) and isinstance(right, str) and op is ast.Add:
        return left + right
    if isinstance(left, list) and isinstance(right, list) and op is ast.Add:
        return [*left, *right]
    a, b = _number(left), _number(right)
    if op is ast.Pow or op is ast.Div:
        return ARITHMETIC[op](float(a), float(b))
    if op in _WHOLE:
        return _WHOLE[op](a, b)
    if op not in ARITHMETIC:
        raise ValueError(f"{op.__name__} is not evaluated")
    return ARITHMETIC[op](a, b)


def _number(value: object) -> float | int:
    if not isinstance(value, bool | int | float):
        raise ValueError(f"{value!r:.60} is not a number")
    if isinstance(value, int) and value.bit_length() > 64:
        raise ValueError("a whole number is too large")
    return value


def _sized(value: object) -> object:
    if isinstance(value, str | list | dict) and len(value) > LONGEST:
        raise ValueError(f"a value must have at most {LONGEST} characters or items")
    if isinstance(value, complex):
        raise ValueError("a number must be real")
    return value
