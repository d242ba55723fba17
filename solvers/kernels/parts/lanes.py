"""A few consecutive coefficients of a power series, held in the processor's vector registers.

A product's coefficients c_k = sum a_j b_(k-j) are not summed one by one, which would be a chain of dependent additions
for each. As soon as a_k and b_k are known they are multiplied with all coefficients known before, and added to those
sums c_k, c_(k+1), ... that will need them: one vector operation for a whole row of sums. Lane i of a sum belongs to
c_(k+i); after order k the lanes move down by one.

These are numba functions on a numba type of their own; none of them can be called from Python.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from functools import cache
from typing import Any, cast

from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

DOUBLE = ir.DoubleType()
INTEGER = ir.IntType(64)


class Lanes(types.Type):
    """`count` numbers side by side."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(name=f"Lanes({count})")


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    """The compiler's vector type."""

    def __init__(self, manager, lanes) -> None:
        super().__init__(manager, lanes, ir.VectorType(DOUBLE, lanes.count))


def everywhere(builder, value, count: int):
    """A value in every lane."""
    vector, mask = ir.VectorType(value.type, count), ir.VectorType(ir.IntType(32), count)
    single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.IntType(32)(0))
    return builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), ir.Constant(mask, [0] * count))


def _first(typing, value, count):
    """`value` in lane 0 of `count` lanes, zeros behind it."""
    lanes = Lanes(count.literal_value)

    def generate(context, builder, signature, arguments):
        zeros = ir.Constant(ir.VectorType(DOUBLE, lanes.count), [0.0] * lanes.count)
        return builder.insert_element(zeros, arguments[0], ir.IntType(32)(0))

    return lanes(types.float64, count), generate


def _head(typing, lanes):
    """Lane 0."""

    def generate(context, builder, signature, arguments):
        return builder.extract_element(arguments[0], ir.IntType(32)(0))

    return types.float64(lanes), generate


def _fused(typing, one, other, total):
    """one other + total, numbers or lanes, rounded once; twice where the processor has no such instruction."""
    lanes = [kind for kind in (one, other, total) if isinstance(kind, Lanes)]
    found, count = (lanes[0], lanes[0].count) if lanes else (types.float64, 0)

    def generate(context, builder, signature, arguments):
        pairs = zip(signature.args, arguments, strict=True)
        a, b, c = (as_lanes(context, builder, kind, value, count) for kind, value in pairs)
        if not has_fused():
            return builder.fadd(builder.fmul(a, b), c)
        return of_compiler(builder, "fma", [a, b, c])

    return found(one, other, total), generate


def _floor(typing, value):
    """The largest integer that is not above a number, or each of the lanes."""

    def generate(context, builder, signature, arguments):
        return of_compiler(builder, "floor", arguments)

    return value(value), generate


def _below(typing, value, limit):
    """Whether the absolute value of a number, or of all lanes, is below a limit."""

    def generate(context, builder, signature, arguments):
        size = of_compiler(builder, "fabs", arguments[:1])
        count = value.count if isinstance(value, Lanes) else 0
        good = builder.fcmp_ordered("<", size, as_lanes(context, builder, limit, arguments[1], count))
        if count:
            kind = ir.FunctionType(ir.IntType(1), [good.type])
            name = f"llvm.vector.reduce.and.v{count}i1"
            good = builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [good])
        return good

    return types.boolean(value, limit), generate


def of_compiler(builder, name: str, arguments):
    """A function that the compiler has for numbers and for vectors, of arguments of one kind."""
    kind = arguments[0].type
    suffix = f"v{kind.count}f64" if isinstance(kind, ir.VectorType) else "f64"
    function = ir.FunctionType(kind, [kind] * len(arguments))
    return builder.call(
        cgutils.get_or_insert_function(builder.module, function, f"llvm.{name}.{suffix}"), list(arguments)
    )


@cache
def has_fused() -> bool:
    """Whether the processor multiplies and adds in one instruction."""
    return bool(get_host_cpu_features().get("fma", platform.machine() in ("aarch64", "arm64")))


def as_lanes(context, builder, kind, value, count: int):
    """Lanes as they are; a number in each of `count` lanes, or as a number if there is none."""
    if isinstance(kind, Lanes):
        return value
    number = context.cast(builder, value, kind, types.float64)
    return everywhere(builder, number, count) if count else number


def _with_lane(typing, lanes, k, value):
    """The lanes with `value` in lane k, if there is such a lane."""

    def generate(context, builder, signature, arguments):
        row, place, number = arguments
        count = lanes.count
        numbers = ir.Constant(ir.VectorType(INTEGER, count), list(range(count)))
        here = builder.icmp_unsigned("==", numbers, everywhere(builder, place, count))
        return builder.select(here, everywhere(builder, number, count), row)

    return lanes(lanes, types.int64, types.float64), generate


def _moved(typing, lanes):
    """Move every number down one lane; the last lane becomes 0."""

    def generate(context, builder, signature, arguments):
        count = lanes.count
        zeros = ir.Constant(ir.VectorType(DOUBLE, count), [0.0] * count)
        order = ir.Constant(ir.VectorType(ir.IntType(32), count), list(range(1, count + 1)))
        return builder.shuffle_vector(arguments[0], zeros, order)

    return lanes(lanes), generate


# The typing context, first in each definition, is supplied by numba.
first: Callable[..., Any] = cast(Any, intrinsic(prefer_literal=True)(_first))
head: Callable[..., Any] = cast(Any, intrinsic(_head))
fused: Callable[..., Any] = cast(Any, intrinsic(_fused))
floor: Callable[..., Any] = cast(Any, intrinsic(_floor))
below: Callable[..., Any] = cast(Any, intrinsic(_below))
with_lane: Callable[..., Any] = cast(Any, intrinsic(_with_lane))
moved: Callable[..., Any] = cast(Any, intrinsic(_moved))
