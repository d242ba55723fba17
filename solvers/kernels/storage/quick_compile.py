"""Makes numba's compiler faster, with the same result; `solvers.kernels` does this before the first kernel is compiled.

numba asks tens of thousands of times whether two sets of options are equal, what an operator makes of two numbers and
whether a function is data, optimises functions that a module only names, and copies a function twice, each of its
blocks with all of its variables, before it inlines it. Each answer here is numba's own. These functions replace private
ones of one version of numba.
"""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import CFUNCTYPE, c_void_p, cast
from types import BuiltinFunctionType, FunctionType, NoneType
from typing import Any

from llvmlite.binding import ffi
from numba import _dynfunc
from numba.core import base, inline_closurecall, ir, postproc, transforms, types
from numba.core.codegen import CPUCodeLibrary
from numba.core.cpu import CPUContext
from numba.core.targetconfig import TargetConfig
from numba.core.types.functions import BaseFunction
from numba.core.typing.context import BaseContext

PLAIN = {ir.Loc, str, int, bool, NoneType, BuiltinFunctionType}
"""Most of what instructions hold beside variables."""

CALLABLE = {BuiltinFunctionType, FunctionType}

NUMBERS = {types.Float, types.Integer, types.Boolean, types.IntegerLiteral, types.BooleanLiteral}


def use() -> None:
    """From now on numba compiles in this way."""
    options: Any = TargetConfig
    options.__eq__, options.__hash__ = _equal, _hash
    library: Any = CPUCodeLibrary
    library._optimize_functions = _optimise
    function: Any = BaseFunction
    statement: Any = ir.Stmt
    expression: Any = ir.Expr
    statement.list_vars = lambda self: _variables(self.__dict__.values())
    expression.list_vars = lambda self: _variables(self._kws.values())
    worker: Any = inline_closurecall.InlineWorker
    worker.inline_function = _inline
    processor: Any = postproc.PostProcessor
    process = processor.run
    processor.run = lambda self, *args, **options: _process(process, self, *args, **options)
    context: Any = CPUContext
    context.get_executable = _executable
    lock: Any = ffi.lib
    lock._lock._cblist.clear()  # nobody listens to who waits for LLVM
    find = function.get_call_type
    function.get_call_type = lambda self, context, args, kws: _call_type(find, self, context, args, kws)
    typing: Any = BaseContext
    look = typing.resolve_value_type
    typing.resolve_value_type = lambda self, value: _value_type(look, self, value)
    places: Any = base
    asked = places._has_loc
    places._has_loc = lambda function: _has_place(asked, function)


def _equal(one: Any, other: Any) -> bool:
    """Whether both have the same options; most often because both set the same ones."""
    if not isinstance(other, TargetConfig):
        return NotImplemented
    mine, theirs = one._values, other._values
    if type(one) is not type(other):
        return one.values() == other.values()
    return mine == theirs or all(getattr(one, k) == getattr(other, k) for k in {**mine, **theirs})


def _hash(one: Any) -> int:
    return hash(type(one))


def _optimise(library: Any, module: Any) -> None:
    """Optimise the functions that the module defines; the others have nothing to optimise."""
    module.data_layout = library._codegen._data_layout
    for function in module.functions:
        if not function.is_declaration:
            passes, builder = library._codegen._function_pass_manager()
            passes.run(function, builder)


def _variables(values: Iterable[Any]) -> list[Any]:
    """The variables among what an instruction holds."""
    found: list[Any] = []
    for value in values:
        kind = type(value)
        if kind in PLAIN:
            continue
        if isinstance(value, ir.Var):
            found.append(value)
        elif isinstance(value, ir.Inst):
            found += value.list_vars()
        elif isinstance(value, list | tuple):
            found += _variables(value)
        elif isinstance(value, dict):
            found += _variables(value.values())
    return found


class _Uncopied:
    """Stands in for the module `copy`."""

    @staticmethod
    def deepcopy(block: Any) -> Any:
        """The block itself."""
        return block


def _inline(worker: Any, caller: Any, block: Any, i: int, function: Any, arg_typs: Any = None) -> Any:
    """Inline a function at statement i of a block. What is inlined is made for this place and needs no copy."""
    made = worker.run_untyped_passes(function)
    module: Any = inline_closurecall
    copying = module.copy
    module.copy = _Uncopied
    try:
        return worker.inline_ir(caller, block, i, made, function.__code__.co_freevars, arg_typs=arg_typs)
    finally:
        module.copy = copying


_signatures: dict[tuple[Any, ...], Any] = {}
"""Of operators and `bool`, by their type, numba's context and the types of the numbers."""


def _call_type(find: Any, function: Any, context: Any, args: tuple[Any, ...], kws: Any) -> Any:
    """The signature of a call; that of an operator, or `bool`, on numbers is looked for once."""
    if kws or not all(map(_known, args)):
        return find(function, context, args, kws)
    found = _signatures.get((function, context, args))
    if found is None:
        _signatures[function, context, args] = found = find(function, context, args, kws)
    return found


def _value_type(look: Any, context: Any, value: Any) -> Any:
    """The type of a value that is named in a kernel; a function is looked for among those that numba knows at once."""
    found = context._get_global_type(value) if type(value) in CALLABLE else None
    return look(context, value) if found is None else found


def _has_place(asked: Any, function: Any) -> bool:
    """Whether a function takes the place in the source that it is compiled for."""
    if type(function) is not FunctionType or hasattr(function, "__wrapped__"):
        return asked(function)
    code = function.__code__
    return "loc" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


@CFUNCTYPE(c_void_p, c_void_p, c_void_p, c_void_p)
def _refuse(function: int, arguments: int, names: int) -> None:
    """Stands for the way in of a function that has none for Python: the caller gets a SystemError, not a crash."""


def _executable(context: Any, library: Any, description: Any, environment: Any) -> Any:
    """What Python calls."""
    way_in = library.get_pointer_to_function(description.llvm_cpython_wrapper_name)
    made = _dynfunc.make_function(
        description.lookup_module(),
        description.qualname.split(".")[-1],
        f"compiled wrapper for {description.qualname!r}",
        way_in or cast(_refuse, c_void_p).value,
        environment,
        (library,),
    )
    library.codegen.set_env(context.get_env_name(description), environment)
    return made


def _known(kind: Any) -> bool:
    """Whether this is a number, an array or a tuple of numbers, or a slice: nothing that a signature could change."""
    if isinstance(kind, types.Array):
        return type(kind) is types.Array and type(kind.dtype) in NUMBERS
    if isinstance(kind, types.BaseTuple):
        return all(map(_known, kind.types))
    return type(kind) in NUMBERS or isinstance(kind, types.SliceType)


def _process(process: Any, self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Bring a changed function in order; the variables that live where a block begins are found once, at the end."""
    function = self.func_ir
    if emit_dels or function.is_generator:
        process(self, emit_dels, extend_lifetimes)
        return
    function.blocks = transforms.canonicalize_cfg(function.blocks)
    function.variable_lifetime = postproc.VariableLifetime(function.blocks)
    function.generator_info = None
