"""The Taylor method of paper 2: the solution's own power series, cut off at any degree from 1 to 30."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from math import factorial
from typing import TYPE_CHECKING

import numpy as np

from assets.errors import BadInput
from assets.fields import Field, Value
from solvers.codegen.tape import recorded
from solvers.control import Control
from solvers.interpolation.location import KeptSteps
from solvers.method import Family, Method
from solvers.options import SPECIALISED
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper
from solvers.tableaux.stability import Stability, of_oscillator, rational

if TYPE_CHECKING:
    from solvers.kernels.taylor import Formula, Scratch

DEFAULT = 8
OPTIONS = (
    Field("order", "degree of the positions' series", default=DEFAULT, minimum=1, maximum=30, slider=(1, 30)),
    Field(
        "velocity_order",
        "degree of the velocities' series",
        default=0,
        minimum=0,
        maximum=30,
        slider=(0, 30),
        help="order - 1 is the analytic method, since velocities are derivatives of positions; order is the "
        "paper's heuristic. 0 uses order - 1, or order for equations that are not second-order.",
    ),
    SPECIALISED,
)


def degrees(problem: OdeProblem, options: Mapping[str, Value]) -> tuple[int, int, int]:
    """(degree, components that have it, degree of the others)."""
    degree, velocity = int(options["order"]), int(options["velocity_order"])
    if problem.positions == 0:
        return degree, problem.dimension, degree
    return degree, problem.positions, velocity or max(degree - 1, 1)


@dataclass(frozen=True, kw_only=True)
class Taylor(Method):
    """Series by recurrences, from the elementary operations of a robot's equations.

    Attributes:
        degree: of the positions' series, or of all where the equations are of first order.
    """

    degree: int = DEFAULT

    def complete_options(self, given: Mapping[str, object]) -> dict[str, Value]:
        """See Method; the two degrees must be a pair."""
        options = super().complete_options(given)
        degree, velocity = int(options["order"]), int(options["velocity_order"])
        if velocity not in (0, degree - 1, degree):
            allowed = [n for n in (degree - 1, degree) if n > 0]
            must = f"0, or {' or '.join(map(str, allowed))} with options.order = {degree}"
            raise BadInput("options.velocity_order", velocity, must)
        return options

    def configured(self, options: Mapping[str, Value]) -> Taylor:
        """With the degree that the options ask for, and the order that it gives a robot: the velocities' degree."""
        degree = int(options.get("order", DEFAULT))
        return taylor(degree, degree if int(options.get("velocity_order", 0)) == degree else max(degree - 1, 1))

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with fixed step, or with the step that the last two terms allow.

        One series in a step. Each of its degrees evaluates the equations once, and is counted as one evaluation.
        """
        from solvers.codegen.specialised import made
        from solvers.codegen.straight_line import INLINED
        from solvers.codegen.taylor_lanes import side_by_side
        from solvers.codegen.taylor_source import taylor_kernel
        from solvers.kernel_stepper import KernelStepper
        from solvers.kernels.taylor import run

        def make(problem: OdeProblem, control: Control) -> KernelStepper:
            series = formula(problem, options)
            return KernelStepper(run, problem, control, series, scratch(series, problem.dimension))

        stepper = made(make, taylor_kernel, problem, control, options)
        tape = recorded(problem.taylor)
        if stepper.written_out and tape is not None and len(tape.operations) <= INLINED:
            stepper.side_by_side = side_by_side
        return stepper

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """The series about the kept state before each time."""
        from solvers.kernel_stepper import resample
        from solvers.kernels.taylor import run

        series = formula(problem, options)
        return resample(run, problem, series, scratch(series, problem.dimension), kept, times)

    def principal_error_norm(self) -> float | None:
        """The first term that is left out, y^(p+1) / (p + 1)!."""
        from solvers.tableaux.principal_error import multistep

        return multistep(1.0 / factorial(self.order + 1), self.order)

    @cached_property
    def stability(self) -> Stability:
        """The exponential series up to the degree; on an oscillator where velocities have another degree."""
        if self.order == self.degree:
            return rational(np.array([1 / factorial(k) for k in range(self.degree + 1)]), np.ones(1))

        def step(damping: Array, stiffness: Array) -> tuple[Array, Array]:
            rows = []
            for first, degree in (((1.0, 0.0), self.degree), ((0.0, 1.0), self.order)):
                term = tuple(np.full_like(damping, value) for value in first)
                total = term
                for k in range(1, degree + 1):
                    # A row times [0, 1; -stiffness, damping] / k.
                    term = -stiffness * term[1] / k, (term[0] + damping * term[1]) / k
                    total = total[0] + term[0], total[1] + term[1]
                rows.append(total)
            (a, b), (c, d) = rows
            return a + d, a * d - b * c

        return of_oscillator(step)


def formula(problem: OdeProblem, options: Mapping[str, Value]) -> Formula:
    """The tape and the degrees as the kernel takes them."""
    from solvers.kernels.taylor import Formula, Instructions

    tape = recorded(problem.taylor)
    assert tape is not None
    kept = Instructions(tape.operations, tape.left, tape.right, tape.values, tape.fixed, tape.outputs)
    return Formula(kept, *degrees(problem, options))


def scratch(formula: Formula, d: int) -> Scratch:
    """Working memory of the kernel for d components."""
    from solvers.kernels.taylor import Scratch

    coefficients = max(formula.degree, formula.velocity_degree) + 1
    nodes = len(formula.tape.operations)
    return Scratch(np.empty((nodes, coefficients)), np.empty((d, coefficients)), np.empty(2))


@cache
def taylor(degree: int, order: int) -> Taylor:
    """The method with these facts."""
    return Taylor(
        key="taylor",
        controllable=False,
        name="Taylor series",
        family="Taylor",
        degree=degree,
        order=order,
        adaptive=True,
        problems=frozenset({"elementary"}),
        options=OPTIONS,
        summary="The solution's own power series about the start of each step, computed by recurrences. Any order "
        "you like: T(p, p-1) as derived, or the paper's heuristic T(p, p).",
        source="J. A. Tenreiro Machado, A. M. S. F. Galhano (1994), section 2.2",
        notes=(
            "For robots whose equations are given in elementary operations.",
            "T(p, p-1) has global order p - 1, T(p, p) order p with a larger constant than T(p+1, p).",
            "The stability region is that of the chosen degrees: T(8, 7) lets no oscillator grow while w h is below "
            "2.01, T(8, 8) while it is below 3.40.",
            "Each degree of a series counts as one evaluation of f.",
            "With a tolerance the series' last two terms choose the step; the controller does not apply.",
        ),
    )


def methods() -> list[Taylor]:
    """taylor."""
    return [taylor(DEFAULT, DEFAULT - 1)]


FAMILY = Family(methods, place=20)
