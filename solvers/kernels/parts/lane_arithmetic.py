"""Arithmetic with the numbers of several runs side by side in a vector register, a lane for each.

What numba compiles for a single number it compiles for lanes, too: operators, sine, cosine and root. Products and sums
may be fused where those of a single number may, so a lane has the bits that its run has alone.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from solvers.kernels.parts.lanes import DOUBLE, INTEGER, Lanes, everywhere

WIDTH = 8
"""How many runs stand side by side: what the widest registers of today's processors hold."""

LANES = Lanes(WIDTH)
_VECTOR = ir.VectorType(DOUBLE, WIDTH)
_NUMBERS = (types.Float, types.Integer)


def _place(context, builder, kind, array, number):
    """The address of lanes `number` of an array."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [builder.mul(number, INTEGER(WIDTH))]), _VECTOR.as_pointer())


def _as_lanes(context, builder, kind, value):
    """Lanes as they are; a number in every lane."""
    if isinstance(kind, Lanes):
        return value
    return everywhere(builder, context.cast(builder, value, kind, types.float64), WIDTH)


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
        lanes = _as_lanes(context, builder, value, arguments[2])
        stored = builder.store(lanes, _place(context, builder, signature.args[0], *arguments[:2]))
        stored.align = 8
        return context.get_dummy_value()

    return types.void(array, types.int64, value), generate


def _fused(typing, one, other, total):
    """one other + total, rounded once."""

    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
        function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{WIDTH}f64")
        pairs = zip(signature.args, arguments, strict=True)
        return builder.call(function, [_as_lanes(context, builder, *pair) for pair in pairs])

    return LANES(one, other, total), generate


def _negative(typing, lanes):
    def generate(context, builder, signature, arguments):
        return builder.fneg(arguments[0], flags=("contract",))

    return lanes(lanes), generate


# The typing context, first in each definition, is supplied by numba.
at: Callable[..., Any] = cast(Any, intrinsic(_at))
put: Callable[..., Any] = cast(Any, intrinsic(_put))
fused: Callable[..., Any] = cast(Any, intrinsic(_fused))
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
            sides = [_as_lanes(context, builder, *pair) for pair in pairs]
            return getattr(builder, instruction)(*sides, flags=("contract",))

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


def _function(function: Callable[[float], float]) -> None:
    """Teach numba a function of each lane, computed one after the other as for single numbers."""

    def each(typing, lanes):
        def generate(context, builder, signature, arguments):
            kind = types.float64(types.float64)
            callee = context.typing_context.resolve_value_type(function)
            callee.get_call_type(context.typing_context, kind.args, {})
            compute, found = context.get_function(callee, kind), arguments[0]
            for number in range(WIDTH):
                place = ir.IntType(32)(number)
                value = compute(builder, [builder.extract_element(arguments[0], place)])
                found = builder.insert_element(found, value, place)
            return found

        return lanes(lanes), generate

    applied: Any = intrinsic(cast(Any, each))

    @overload(function)
    def known(value):
        return (lambda value: applied(value)) if isinstance(value, Lanes) else None


for _symbol, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _operator(_symbol, _instruction)
for _one in (math.sin, math.cos, math.sqrt):
    _function(_one)
