"""The text of a specialised Taylor kernel for several runs at once: every number of `taylor_source` becomes lanes.

A lane makes the same operations in the same order as the kernel of one run, so it has the same bits. Only the sums'
partial results, in vector registers there, lie in memory here: one vector for each order that still needs them.
"""

from __future__ import annotations

from functools import lru_cache

from solvers.codegen.generated import module
from solvers.codegen.straight_line import fixed_numbers, indented
from solvers.codegen.tape import PARAMETER, Tape
from solvers.codegen.taylor_recurrences import FUNCTIONS, Recurrences
from solvers.codegen.taylor_source import (
    ATTEMPT,
    PLAN,
    PREPARE,
    Expansion,
    function,
    judged,
    last_terms,
    plan,
    polynomials,
)
from solvers.kernel_stepper import KernelStepper, LanesKernel


class SideBySide(Recurrences):
    """The lines for a tape, with sums and factors in the array `work`.

    Attributes:
        size: how many vectors `work` has.
    """

    def __init__(self, tape: Tape, degree: int) -> None:
        super().__init__(tape, degree)
        self.degree = degree
        self._summed = [n for n in self.nodes if self.sums(n)]
        self._sum_places = {n: degree * row for row, n in enumerate(self._summed)}
        first, names = degree * len(self._summed), [name for name, _, _ in self.factors()]
        self._factor_places = {name: first + self.count * row for row, name in enumerate(names)}
        self.size = first + self.count * len(names)

    def new_sum(self, n: int) -> list[str]:
        """The empty sum that is first added to when factors no longer grow; others begin with a product."""
        order = 2 * min(self.count, self.degree) - 1
        return [f"put(work, {self._sum_places[n] + order}, 0.0)"] if order < self.degree else []

    def new_factor(self, name: str, value: str) -> str:
        """See Recurrences."""
        return f"put(work, {self._factor_places[name]}, {value})"

    def head(self, n: int) -> str:
        """See Recurrences."""
        return f"at(work, {self._sum_places[n]} + k)"

    def kept(self, j: int, order: str, value: str) -> str:
        """See Recurrences."""
        return f"put(series, {j * (self.degree + 1)} + {order}, {value})"

    def update(self, kept: bool) -> list[str]:
        """See Recurrences."""
        lines = [f"put(work, {self._factor_places[name]} + k, {newest})" for name, newest, _ in self.factors() if kept]
        if not kept:
            return [*lines, f"for i in range(1, min(k, {self.degree} - k)):", *indented(self._products(kept, "i"))]
        # Two sums begin with the newest coefficients: those of orders k + (k - 1) and k + k.
        return [
            *lines,
            f"for i in range(1, min(k - 1, {self.degree} - k)):",
            *indented(self._products(kept, "i")),
            f"if 1 < k and k + k <= {self.degree}:",
            *indented(self._products(kept, "(k - 1)", begin=True)),
            f"if k + k < {self.degree}:",
            *indented(self._products(kept, "k", begin=True, count=1)),
        ]

    def _products(self, kept: bool, order: str, begin: bool = False, count: int = 2) -> list[str]:
        """The first `count` products of each node with coefficients of an order, added to the sum or its beginning."""
        lines = []
        for n in self._summed:
            (one, newest), (other, its_newest) = self.products(n)
            # While the factors grow, the first product is one of the longer factor.
            place = f"{self._sum_places[n]} + k + {order}"
            total = "0.0" if begin else f"at(work, {place})"
            for number, factor in ((newest, other), (its_newest, one))[:count]:
                total = f"fused({number}, at(work, {self._factor_places[factor]} + {order}), {total})"
            lines.append(f"put(work, {place}, {total})")
        return lines


def side_by_side(stepper: KernelStepper) -> tuple[LanesKernel, int]:
    """The kernel of `taylor_kernel` for several runs at once, and how many vectors of memory it needs."""
    return _compiled(Expansion.of(stepper))


@lru_cache(maxsize=16)
def _compiled(series: Expansion) -> tuple[LanesKernel, int]:
    """The kernel for these; a tape is known by its identity."""
    return module(lanes_source(series)).run, SideBySide(series.tape, series.degree).size


def lanes_source(series: Expansion) -> str:
    """A module like `taylor_source`'s, for several runs at once."""
    tape, body = series.tape, SideBySide(series.tape, series.degree)
    parameters = [
        int(left) for operation, left in zip(tape.operations, tape.left, strict=True) if operation == PARAMETER
    ]
    numbers = "".join(f"at(lanes.params, {place}), " for place in range(max(parameters, default=-1) + 1))

    def coefficient(j: int, order: int | str) -> str:
        return f"at(series, {j * (series.degree + 1)} + {order})"

    return "\n".join(
        [
            f'"""Made by Armstep: degrees {series.degree} and {series.velocity_degree}, of runs side by side."""',
            HEAD,
            "",
            "",
            "@lanes_function",
            "def expand(lanes):",
            *indented(
                [
                    "work, series, t = lanes.work, lanes.series, at(lanes.t, 0)",
                    f"params = ({numbers})",
                    *(f"y{j} = at(lanes.y, {j})" for j in series.components),
                    *fixed_numbers(tape, FUNCTIONS),
                    *body.expansion(series.degree),
                    "rtol, atol = at(lanes.tolerance, 0), at(lanes.tolerance, 1)",
                    *last_terms(series, coefficient),
                    "put(lanes.sizes, 0, last)",
                    "put(lanes.sizes, 1, before)",
                ],
            ),
            "",
            "",
            "@lanes_function",
            "def advance(lanes):",
            "    series, h = lanes.series, at(lanes.step, 0)",
            *indented(polynomials(series, coefficient)),
            *(f"    put(lanes.after, {j}, z{j})" for j in series.components),
            *function(PREPARE, f"state.tally[CALLS] += {series.evaluations}.0"),
            *function(PLAN, *plan(series.degree)),
            *function(
                ATTEMPT,
                "after = state.after",
                *(f"after[{j}] = scratch.after[{j}]" for j in series.components),
                *judged(series),
            ),
            "",
            "",
            "@lanes_kernel",
            "def run(task, rules, rows, cells, lanes, limits):",
            "    return integrate_lanes(",
            "        expand, advance, prepare, plan, attempt, task, rules, rows, cells, lanes, limits",
            "    )",
            "",
        ]
    )


HEAD = """
import math

from numba import njit

from solvers.batch.lane_kernels import integrate_lanes, lanes_function, lanes_kernel
from solvers.codes import BOUND
from solvers.kernels.loop import CALLS, next_step
from solvers.kernels.parts.lane_arithmetic import at, put
from solvers.kernels.parts.lanes import fused
from solvers.kernels.parts.sine_cosine import cosine, sine
from solvers.kernels.taylor import failed
"""
