"""The text of a specialised Taylor kernel for several runs at once: every number of `taylor_source` becomes lanes.

A lane makes the same operations in the same order as the kernel of one run, so it has the same bits. Only the sums'
partial results, in vector registers there, lie in memory here: one vector for each order that still needs them.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from solvers.codegen.generated import module
from solvers.codegen.straight_line import fixed_numbers, indented
from solvers.codegen.tape import PARAMETER, Tape, recorded
from solvers.codegen.taylor_source import Recurrences, function, step_functions
from solvers.kernel_stepper import KernelStepper, LanesKernel
from solvers.problem import OdeProblem


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

    def begin(self) -> list[str]:
        """Values, sums and factors of order 0."""
        return [f"for i in range({self.degree * len(self._summed)}):", "    put(work, i, 0.0)", *super().begin()]

    def new_sum(self, n: int) -> list[str]:
        """Nothing: all sums are emptied at once."""
        return []

    def new_factor(self, name: str, value: str) -> str:
        """Coefficients of a factor, the one of order 0 known."""
        return f"put(work, {self._factor_places[name]}, {value})"

    def head(self, n: int) -> str:
        """The node's sum of the current order."""
        return f"at(work, {self._sum_places[n]} + k)"

    def kept(self, j: int, order: str, value: str) -> str:
        """Keeps a coefficient of a component of the state."""
        return f"put(series, {j * (self.degree + 1)} + {order}, {value})"

    def update(self, kept: bool) -> list[str]:
        """What the newest coefficients contribute to all later ones; with `kept`, they join the factors too."""
        lines = [f"put(work, {self._factor_places[name]} + k, {newest})" for name, newest, _ in self.factors() if kept]
        lines += [f"for i in range(1, min(k, {self.degree} - k)):", *indented(self._added(kept, "i", 2), 1)]
        if kept:
            # The factors' newest coefficients with each other.
            lines += [f"if k + k < {self.degree}:", *indented(self._added(kept, "k", 1), 1)]
        return lines

    def _added(self, kept: bool, order: str, count: int) -> list[str]:
        """The first `count` products of each node with coefficients of an order.

        The compiler fuses a product and a sum unless the product is needed twice: so it is written.
        """
        pairs = {}
        for n in self._summed:
            (one, newest), (other, its_newest) = self.products(n)
            # While the factors grow, the first product is one of the longer factor.
            pairs[n] = (newest, other, kept), (its_newest, one, False)
        uses = Counter(product for pair in pairs.values() for product in pair)
        lines, known = list[str](), dict[tuple[str, str, bool], str]()
        for n, pair in pairs.items():
            place = f"{self._sum_places[n]} + k + {order}"
            total = f"at(work, {place})"
            for product in pair[:count]:
                factor = f"at(work, {self._factor_places[product[1]]} + {order})"
                if uses[product] == 1:
                    total = f"fused({product[0]}, {factor}, {total})"
                    continue
                if product not in known:
                    known[product] = f"product{len(known)}"
                    lines.append(f"{known[product]} = {product[0]} * {factor}")
                total = f"{total} + {known[product]}"
            lines.append(f"put(work, {place}, {total})")
        return lines


def side_by_side(stepper: KernelStepper) -> tuple[LanesKernel, int]:
    """The kernel of `taylor_kernel` for several runs at once, and how many vectors of memory it needs."""
    from solvers.kernels.taylor import Formula

    problem, formula = stepper.problem, stepper.formula
    assert isinstance(problem, OdeProblem)
    assert isinstance(formula, Formula)
    tape = recorded(problem.taylor)
    assert tape is not None
    return _compiled(tape, formula.degree, formula.positions, formula.velocity_degree)


@lru_cache(maxsize=16)
def _compiled(tape: Tape, degree: int, positions: int, velocity_degree: int) -> tuple[LanesKernel, int]:
    """The kernel for these; a tape is known by its identity."""
    return module(lanes_source(tape, degree, positions, velocity_degree)).run, SideBySide(tape, degree).size


def lanes_source(tape: Tape, degree: int, positions: int, velocity_degree: int) -> str:
    """A module like `taylor_source`'s, for several runs at once; the same arguments."""
    body, dimension = SideBySide(tape, degree), len(tape.outputs)
    parameters = [
        int(left) for operation, left in zip(tape.operations, tape.left, strict=True) if operation == PARAMETER
    ]
    numbers = "".join(f"at(lanes.params, {place}), " for place in range(max(parameters, default=-1) + 1))
    return "\n".join(
        [
            f'"""Made by Armstep: series of degree {degree} and {velocity_degree} of runs side by side."""',
            HEAD,
            "",
            "",
            "@lanes_function",
            "def expand(lanes):",
            *indented(
                [
                    "work, series, t = lanes.work, lanes.series, at(lanes.t, 0)",
                    f"params = ({numbers})",
                    *(f"y{j} = at(lanes.y, {j})" for j in range(dimension)),
                    *fixed_numbers(tape),
                    *body.expansion(degree),
                ],
                1,
            ),
            *function(
                "prepare(task, rules, state, formula, scratch, t)",
                f"state.tally[CALLS] += {max(degree, velocity_degree)}.0",
            ),
            *step_functions(dimension, degree, positions, velocity_degree),
            "",
            "",
            "@lanes_kernel",
            "def run(task, rules, rows, cells, lanes, limits):",
            "    return integrate_lanes(expand, prepare, plan, attempt, task, rules, rows, cells, lanes, limits)",
            "",
        ]
    )


HEAD = """
import math

from numba import njit

from solvers.batch.lane_kernels import integrate_lanes, lanes_function, lanes_kernel
from solvers.codes import BOUND
from solvers.kernels.loop import CALLS, next_step
from solvers.kernels.parts.lane_arithmetic import at, fused, put
from solvers.kernels.taylor import failed
"""
