"""The text of a kernel that has no table to be written out: a copy of the generic one, made for one problem.

The copy knows the number of components and has the right-hand side written out in it, so that the compiler unrolls
its loops and nothing is called by an address. It serves methods whose formula stands in their kernel already: step
doubling, Adams, the symplectic ones.
"""

from __future__ import annotations

import ast
import inspect
from functools import cache
from types import ModuleType

from solvers.codegen.specialised import module
from solvers.codegen.straight_line import imports, slope_function
from solvers.codegen.tape import Tape
from solvers.kernels import classical

CALL, WRITTEN_OUT = "call_rhs", "right_hand_side"


def copy_source(kernels: ModuleType, dimension: int, tape: Tape | None) -> str:
    """The text of `kernels` for `dimension` components, with the right-hand side of `tape` unless that is None."""
    copier = _Copy(dimension, tape is not None)
    statements = [copier.visit(one) for one in _statements(kernels)]
    needed = [one for one in statements if isinstance(one, ast.Import | ast.ImportFrom)]
    others = [one for one in statements if one not in needed]
    written = slope_function(tape, WRITTEN_OUT) if tape is not None else []
    return "\n".join(
        [
            f'"""Made by Armstep from {kernels.__name__} for {dimension} components."""',
            *dict.fromkeys(map(ast.unparse, needed)),
            *imports(tape),
            *written,
            *("\n\n" + ast.unparse(one) for one in others),
            "",
        ]
    )


def _statements(kernels: ModuleType) -> list[ast.stmt]:
    """The statements of a module behind its docstring, after those of the classical step if it takes that."""
    found = ast.parse(inspect.getsource(kernels)).body[1:]
    taken = [one for one in found if isinstance(one, ast.ImportFrom) and one.module == classical.__name__]
    return [*(_statements(classical) if taken else []), *(one for one in found if one not in taken)]


class _Copy(ast.NodeTransformer):
    """Sizes become numbers; the right-hand side is called where it stands in the copy."""

    def __init__(self, dimension: int, written_out: bool) -> None:
        self.dimension, self.written_out = dimension, written_out

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """`y.size` is the number of components."""
        if node.attr == "size" and isinstance(node.value, ast.Name) and node.value.id == "y":
            return ast.Constant(self.dimension)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """`call_rhs(rhs, ...)` calls the function beside it; `call_rhs(begin, ...)` remains."""
        self.generic_visit(node)
        if not (self.written_out and isinstance(node.func, ast.Name) and node.func.id == CALL):
            return node
        first = node.args[0]
        if isinstance(first, ast.Name) and first.id == "rhs":
            return ast.Call(ast.Name(WRITTEN_OUT, ast.Load()), node.args[1:], [])
        return node


@cache
def copy_of(kernels: ModuleType, dimension: int, tape: Tape | None) -> ModuleType:
    """The compiled copy; a tape is known by its identity."""
    return module(copy_source(kernels, dimension, tape))
