"""A specialised kernel without coefficients to write out: a copy of the generic one, made for one problem.

The copy knows the number of components and has the right-hand side written out in it, so that the compiler unrolls
its loops and nothing is called by an address. It serves methods whose formula stands in their kernel already: step
doubling, Adams, the symplectic ones.
"""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from types import ModuleType
from typing import TypeGuard

from solvers.codegen.generated import closed_form, module
from solvers.codegen.straight_line import imports, slope_function
from solvers.codegen.tape import Tape
from solvers.kernel_stepper import Kernel, KernelStepper
from solvers.kernels import loop
from solvers.kernels.parts import classical
from solvers.problem import OdeProblem

CALL, WRITTEN_OUT = "call_rhs", "right_hand_side"
# The modules that call f for kernels of others.
CALLERS = loop, classical


def copied_kernel(stepper: KernelStepper) -> tuple[Kernel, bool]:
    """A copy of a Stepper's kernel, made for its problem; and whether f is written into it."""
    problem, kernel = stepper.problem, stepper.kernel
    assert isinstance(problem, OdeProblem)
    tape = closed_form(problem)
    return _compiled(sys.modules[kernel.py_func.__module__], problem.dimension, tape), tape is not None


@cache
def _compiled(kernels: ModuleType, dimension: int, tape: Tape | None) -> Kernel:
    """The copy for these; a tape is known by its identity."""
    return module(copy_source(kernels, dimension, tape)).run


def copy_source(kernels: ModuleType, dimension: int, tape: Tape | None) -> str:
    """The text of `kernels` for `dimension` components, with the right-hand side of `tape` unless that is None.

    Only compiled functions are copied; types and constants are those of the originals.
    """
    own = ast.parse(inspect.getsource(kernels)).body[1:]
    taken = {one.module for one in own if isinstance(one, ast.ImportFrom)}
    copier, needed, functions = _Copy(dimension, tape is not None), [], []
    for one in (*(caller for caller in CALLERS if caller.__name__ in taken), kernels):
        statements = ast.parse(inspect.getsource(one)).body[1:]
        functions += [copier.visit(part) for part in statements if _is_compiled(part) and part.name != "sample"]
        needed += [part for part in statements if _is_import(part)]
        names = [ast.alias(name) for part in statements for name in _names(part)]
        needed += [ast.ImportFrom(one.__name__, names, 0)] if names else []
    written = slope_function(tape, WRITTEN_OUT) if tape is not None else []
    return "\n".join(
        [
            f'"""Made by Armstep from {kernels.__name__} for {dimension} components."""',
            *dict.fromkeys(map(ast.unparse, needed)),
            *imports(tape),
            *written,
            *("\n\n" + ast.unparse(one) for one in functions),
            "",
        ]
    )


def _is_compiled(statement: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    return isinstance(statement, ast.FunctionDef) and bool(statement.decorator_list)


def _is_import(statement: ast.stmt) -> bool:
    """Whether it is an import, other than of what is copied."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module not in [caller.__name__ for caller in CALLERS]
    return isinstance(statement, ast.Import)


def _names(statement: ast.stmt) -> list[str]:
    """The names that a statement gives to what is not copied."""
    if isinstance(statement, ast.ClassDef) or (isinstance(statement, ast.FunctionDef) and not _is_compiled(statement)):
        return [statement.name]
    if not isinstance(statement, ast.Assign):
        return []
    return [node.id for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name)]


class _Copy(ast.NodeTransformer):
    """Sizes become numbers; the copy calls its own right-hand side."""

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
