"""Arithmetic with the numbers of several runs side by side in a vector register, a lane for each.

What numba compiles for a single number it compiles for lanes, too: operators, sine, cosine, root, absolute value. Each
is rounded as that of a single number, so a lane has the bits that its run has alone.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from solvers.kernels.parts.lanes import DOUBLE, INTEGER, Lanes, as_lanes, of_compiler
from solvers.kernels.parts.sine_cosine import cosine, sine

WIDTH = 8
"""How many runs stand side by side: what the widest registers of today's processors hold."""

LANES = Lanes(WIDTH)
_VECTOR = ir.VectorType(DOUBLE, WIDTH)
_NUMBERS = (types.Float, types.Integer)


def _place(context, builder, kind, array, number):
    """The address of lanes `number` of an array."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [builder.mul(number, INTEGER(WIDTH))]), _VECTOR.as_pointer())


def _at(typing, array, number):
    """Lanes `number` of an array, which holds one after the other."""

    def generate(context, builder, signature, arguments):
        found = builder.load(_place(context, builder, signature.args[0], *arguments))
        found.align = 8
        return found

    return LANES(array, types.int64), generate


def _put(typing, array, number, value):
    """Write lanes, or a number to all of them."""

    def generate(context, builder, signature, arguments):
        lanes = as_lanes(context, builder, value, arguments[2], WIDTH)
        stored = builder.store(lanes, _place(context, builder, signature.args[0], *arguments[:2]))
        stored.align = 8
        return context.get_dummy_value()

    return types.void(array, types.int64, value), generate


def _negative(typing, lanes):
    def generate(context, builder, signature, arguments):
        return builder.fneg(arguments[0])

    return lanes(lanes), generate


# The typing context, first in each definition, is supplied by numba.
at: Callable[..., Any] = cast(Any, intrinsic(_at))
put: Callable[..., Any] = cast(Any, intrinsic(_put))
_negated: Callable[..., Any] = cast(Any, intrinsic(_negative))


@overload(operator.neg)
def _minus(lanes):
    """-lanes."""
    return (lambda lanes: _negated(lanes)) if isinstance(lanes, Lanes) else None


def _operator(function: Callable[..., Any], instruction: str) -> None:
    """Teach numba an operator between lanes, or between lanes and a number."""

    def combined(typing, left, right):
        def generate(context, builder, signature, arguments):
            pairs = zip(signature.args, arguments, strict=True)
            sides = [as_lanes(context, builder, *pair, WIDTH) for pair in pairs]
            return getattr(builder, instruction)(*sides)

        return LANES(left, right), generate

    applied: Any = intrinsic(cast(Any, combined))

    @overload(function)
    def known(left, right):
        lanes = [isinstance(side, Lanes) for side in (left, right)]
        if any(lanes) and all(
            lane or isinstance(side, _NUMBERS) for lane, side in zip(lanes, (left, right), strict=True)
        ):
            return lambda left, right: applied(left, right)
        return None


def _function(function: Callable[..., Any], compute: Callable[..., Any]) -> None:
    """Teach numba a function of lanes: `compute(context, builder, lanes)`."""

    def applied_to(typing, lanes):
        def generate(context, builder, signature, arguments):
            return compute(context, builder, arguments[0])

        return lanes(lanes), generate

    applied: Any = intrinsic(cast(Any, applied_to))

    @overload(function)
    def known(value):
        return (lambda value: applied(value)) if isinstance(value, Lanes) else None


def _each(function: Callable[..., Any]) -> Callable[..., Any]:
    """One lane after the other."""

    def compute(context, builder, lanes):
        kind, found = types.float64(types.float64), lanes
        callee = context.typing_context.resolve_value_type(function)
        callee.get_call_type(context.typing_context, kind.args, {})
        single = context.get_function(callee, kind)
        for number in range(WIDTH):
            place = ir.IntType(32)(number)
            value = single(builder, [builder.extract_element(lanes, place)])
            found = builder.insert_element(found, value, place)
        return found

    return compute


def _direct(name: str) -> Callable[..., Any]:
    """All lanes at once, by an instruction."""
    return lambda context, builder, lanes: of_compiler(builder, name, [lanes])


for _symbol, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _operator(_symbol, _instruction)
# Where an angle is so large that `sine` and `cosine` do not compute all lanes at once.
_function(math.sin, _each(sine))
_function(math.cos, _each(cosine))
_function(math.sqrt, _direct("sqrt"))
_function(abs, _direct("fabs"))
