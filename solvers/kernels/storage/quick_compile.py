"""Makes numba's compiler faster, with the same result; `solvers.kernels` does this before the first kernel is compiled.

numba asks tens of thousands of times whether two sets of options are equal and what an operator makes of two numbers,
and optimises functions that a module only names. Each answer here is numba's own. A version of numba for which this is
not written compiles as it does.
"""

from __future__ import annotations

from typing import Any

from numba import __version__ as version
from numba.core import types
from numba.core.codegen import CPUCodeLibrary
from numba.core.targetconfig import TargetConfig
from numba.core.types.functions import BaseFunction

WRITTEN_FOR = "0.68."

NUMBERS = types.Float, types.Integer, types.Boolean


def use() -> None:
    """From now on numba compiles in this way."""
    if not version.startswith(WRITTEN_FOR):
        return
    options: Any = TargetConfig
    options.__eq__, options.__hash__ = _equal, _hash
    library: Any = CPUCodeLibrary
    library._optimize_functions = _optimise
    function: Any = BaseFunction
    find = function.get_call_type
    function.get_call_type = lambda self, context, args, kws: _call_type(find, self, context, args, kws)


def _equal(one: Any, other: Any) -> bool:
    """Whether both have the same options; most often because both set the same ones."""
    if not isinstance(other, TargetConfig):
        return NotImplemented
    return one is other or one._values == other._values or one.values() == other.values()


def _hash(one: Any) -> int:
    return hash(type(one))


def _optimise(library: Any, module: Any) -> None:
    """Optimise the functions that the module defines; the others have nothing to optimise."""
    module.data_layout = library._codegen._data_layout
    for function in module.functions:
        if not function.is_declaration:
            passes, builder = library._codegen._function_pass_manager()
            passes.run(function, builder)


def _call_type(find: Any, function: Any, context: Any, args: tuple[Any, ...], kws: Any) -> Any:
    """The signature of a call; that of an operator on numbers is looked for once."""
    if kws or getattr(function.typing_key, "__module__", "") != "_operator" or not {*map(type, args)} <= {*NUMBERS}:
        return find(function, context, args, kws)
    known = function.__dict__.setdefault("_known", {})
    found = known.get((context, args))
    if found is None:
        found = find(function, context, args, kws)
        # A signature from a list of cases depends on nothing else.
        if any(found in getattr(template, "cases", ()) for template in function.templates):
            known[context, args] = found
    return found
