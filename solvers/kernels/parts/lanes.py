"""A few consecutive coefficients of a power series, held in the processor's vector registers.

A product's coefficients c_k = sum a_j b_(k-j) are not summed one by one, which would be a chain of dependent additions
for each. As soon as a_k and b_k are known they are multiplied with all coefficients known before, and added to those
sums c_k, c_(k+1), ... that will need them: one vector operation for a whole row of sums. Lane i of a sum belongs to
c_(k+i); after order k the lanes move down by one.

These are numba functions on a numba type of their own; none of them can be called from Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
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


def _added(typing, sums, factor, lanes):
    """sums + factor lanes."""

    def generate(context, builder, signature, arguments):
        total, number, row = arguments
        product = builder.fmul(everywhere(builder, number, lanes.count), row, flags=("contract",))
        return builder.fadd(total, product, flags=("contract",))

    return sums(sums, types.float64, lanes), generate


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
added: Callable[..., Any] = cast(Any, intrinsic(_added))
with_lane: Callable[..., Any] = cast(Any, intrinsic(_with_lane))
moved: Callable[..., Any] = cast(Any, intrinsic(_moved))
