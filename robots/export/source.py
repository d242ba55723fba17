"""The text of the functions and classes that a script uses, directly or indirectly.

Methods and loops are written in `robots.export.parts`. Equations stand in the robot's own modules and in those that
these import; a script has them as they are, without the decorators that compile them, and without the branches that
its settings never take.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PARTS = Path(__file__).with_name("parts")
FILES = ("stepping", "explicit", "taylor", "implicit")
"""In the order in which they appear in a script."""
LIBRARIES = {
    "math": ("math", "atan2", "pi"),
    "types": ("SimpleNamespace",),
    "numpy": ("cos", "sin", "sqrt"),
    "scipy.integrate": ("solve_ivp",),
    "scipy.linalg": ("lu_factor", "lu_solve"),
}
"""What scripts import from where; numpy itself is `np`. Its sine takes power series too."""

_OPERATIONS: dict[type, Callable[..., object]] = {
    **{ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv},
    **{ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le},
    **{ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Not: operator.not_, ast.USub: operator.neg},
}
Definition = ast.FunctionDef | ast.ClassDef | ast.Assign


@dataclass(frozen=True)
class Source:
    """Where a script has its equations from.

    Attributes:
        modules: those that define them.
        settings: by a parameter's name, the entries that stay as they are: place to number.
        replaced: names of their functions for which those of the same name in the parts stand.
    """

    modules: tuple[str, ...]
    settings: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    replaced: frozenset[str] = frozenset()

    def with_others(self, other: Source) -> Source:
        """The source for another phase of the run, too: with only those settings that both have."""
        shared = {name: dict(values.items() & other.settings[name].items()) for name, values in self.settings.items()}
        return Source(self.modules, shared, self.replaced | other.replaced)


def source_of(main: str, equations: Source) -> str:
    """Imports and definitions for a script whose own lines are `main`."""
    known: dict[str, tuple[str, frozenset[str]]] = {}
    constants: dict[str, object] = {"int": int, "range": range}
    for text, node in definitions(*equations.modules):
        if isinstance(node, ast.Assign):
            names = tuple(one.id for one in ast.walk(node.targets[0]) if isinstance(one, ast.Name))
            constants |= _values(node, constants)
            known |= dict.fromkeys(names, (ast.get_source_segment(text, node) or "", names_in(node.value)))
            continue
        if node.name in known and node.name in equations.replaced:
            continue
        if isinstance(node, ast.FunctionDef):
            known[node.name] = _Settled({**constants, **equations.settings}).settle(text, node)
        else:
            known[node.name] = ast.get_source_segment(text, node) or "", names_in(node)
    waiting, used = set(names_in(ast.parse(main))), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in used:
            used.add(name)
            waiting |= known[name][1] if name in known else frozenset()
    texts = dict.fromkeys(text for name, (text, _) in known.items() if name in used)
    return "\n\n".join(_imports(used - known.keys())) + "\n\n\n" + _joined(list(texts))


@cache
def definitions(*modules: str) -> tuple[tuple[str, Definition], ...]:
    """Functions, classes and constants of the parts and of modules with their imports, each with its file's text."""
    found = [one for name in FILES for one in _defined(PARTS / f"{name}.py")]
    for file in dict.fromkeys(file for module in modules for file in _imported(module)):
        found += _defined(file)
    return tuple(found)


def names_in(node: ast.AST) -> frozenset[str]:
    """The names that a piece of code takes from outside itself."""
    names = [item for item in ast.walk(node) if isinstance(item, ast.Name)]
    own = {item.arg for item in ast.walk(node) if isinstance(item, ast.arg)}
    if isinstance(node, ast.FunctionDef):
        own |= {item.id for item in names if isinstance(item.ctx, ast.Store)}
    return frozenset(item.id for item in names) - own


def _file(module: str) -> Path:
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin)


def _imported(module: str) -> list[Path]:
    """The files of a module and of the robots' modules that it imports, each after those that it needs."""
    file, found = _file(module), []
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("robots."):
            found += _imported(node.module or "")
    return list(dict.fromkeys([*found, file]))


def _defined(file: Path) -> list[tuple[str, Definition]]:
    text = file.read_text(encoding="utf-8")
    return [(text, node) for node in ast.parse(text).body if isinstance(node, Definition)]


def _imports(names: set[str]) -> list[str]:
    """The import statements for these names, the standard library's first."""
    groups: tuple[list[str], list[str]] = [], ["import numpy as np"] if "np" in names else []
    for library, offered in LIBRARIES.items():
        lines = groups[library not in ("math", "types")]
        if library in names:
            lines.append(f"import {library}")
        wanted = [name for name in offered if name in names and name != library]
        if wanted:
            lines.append(f"from {library} import {', '.join(wanted)}")
    return ["\n".join(group) for group in groups if group]


def _joined(texts: Sequence[str]) -> str:
    """Definitions below each other: two blank lines around functions and classes, none between constants."""
    lines = ""
    for before, text in zip(["", *texts], texts, strict=False):
        functions = any(one.startswith(("def ", "class ")) for one in (before, text))
        lines += ("\n\n\n" if functions else "\n") * bool(lines) + text
    return lines


def _values(node: ast.Assign, known: Mapping[str, object]) -> dict[str, object]:
    """What an assignment to names or to a tuple of names gives them, as far as that is known."""
    target = node.targets[0]
    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
        pairs = zip(target.elts, node.value.elts, strict=True)
        return {one.id: value for one, item in pairs if isinstance(one, ast.Name) for value in _value(item, known)}
    found = [*_value(node.value, known)]
    if isinstance(target, ast.Tuple):
        found = [*found[0]] if found and isinstance(found[0], range) else []
        return {one.id: value for one, value in zip(target.elts, found, strict=False) if isinstance(one, ast.Name)}
    return {target.id: found[0]} if found and isinstance(target, ast.Name) else {}


def _value(node: ast.expr, known: Mapping[str, object]) -> list[Any]:
    """The value of an expression as a list of one; empty where it is not known."""
    parts = [_value(part, known) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
    values = [part[0] for part in parts if part]
    if isinstance(node, ast.Constant):
        return [node.value]
    if isinstance(node, ast.Name):
        return [known[node.id]] if node.id in known else []
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) in map(bool, values):
        return [isinstance(node.op, ast.Or)]
    if len(values) < len(parts):
        return []
    if isinstance(node, ast.Subscript):
        table, place = values
        return [table[place]] if isinstance(table, Mapping) and place in table else []
    if isinstance(node, ast.BoolOp):
        return [isinstance(node.op, ast.And)]
    if isinstance(node, ast.BinOp | ast.UnaryOp) or (isinstance(node, ast.Compare) and len(node.ops) == 1):
        operation = node.ops[0] if isinstance(node, ast.Compare) else node.op
        return [_OPERATIONS[type(operation)](*values)] if type(operation) in _OPERATIONS else []
    if isinstance(node, ast.Call) and values[0] in (int, range):
        return [values[0](*values[1:])]
    return []


class _Settled(ast.NodeTransformer):
    """A function without the branches that it never takes."""

    def __init__(self, known: dict[str, object]) -> None:
        self.known, self.pruned = known, False

    def settle(self, text: str, node: ast.FunctionDef) -> tuple[str, frozenset[str]]:
        """The function's text, which keeps its layout where nothing is left out, and the names that it uses."""
        stored = [item.id for item in ast.walk(node) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)]
        for item in ast.walk(node):
            if isinstance(item, ast.Assign):
                once = {name: value for name, value in _values(item, self.known).items() if stored.count(name) == 1}
                self.known |= once
        plain = ast.parse(ast.get_source_segment(text, node) or "").body[0]
        found = self.visit(plain)
        return ast.unparse(found) if self.pruned else ast.get_source_segment(text, node) or "", names_in(found)

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        """The branch that is taken, where that is known."""
        value = _value(node.test, self.known)
        if not value:
            return self.generic_visit(node)
        self.pruned = True
        return [one for kept in (node.body if value[0] else node.orelse) for one in _listed(self.visit(kept))]

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Nothing follows a return, and no body is empty."""
        super().generic_visit(node)
        body = getattr(node, "body", None)
        if isinstance(body, list):
            ends = [k for k, one in enumerate(body) if isinstance(one, ast.Return | ast.Continue)]
            del body[ends[0] + 1 if ends else len(body) :]
            body += [] if body else [ast.Pass()]
        return node


def _listed(found: ast.AST | list[ast.stmt]) -> list[ast.stmt]:
    return found if isinstance(found, list) else [found]  # type: ignore[list-item]
