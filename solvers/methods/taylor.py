"""The Taylor method of paper 2: the solution's own power series, cut off at any degree from 1 to 30."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import factorial
from typing import Any

import numpy as np

from assets.errors import BadInput
from assets.fields import Field, Value
from solvers.codegen.tape import Tape
from solvers.control import Control, FixedStep
from solvers.interpolation.location import steps_to
from solvers.method import Family, Method, Rows, Stepper, Tally, uniform_steps
from solvers.options import CUSTOMISED
from solvers.problem import Array, OdeProblem
from solvers.tableaux.stability import Stability, rational

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
        help="order - 1 is the analytic method, since velocities are derivatives of positions; order is the paper's "
        "heuristic. 0 takes order - 1, and order for equations that are not of second order.",
    ),
    CUSTOMISED,
)


def degrees(problem: OdeProblem, options: Mapping[str, Value]) -> tuple[int, int, int]:
    """(degree, components that have it, degree of the others)."""
    degree, velocity = int(options["order"]), int(options["velocity_order"])
    if problem.positions == 0:
        return degree, problem.dimension, degree
    return degree, problem.positions, velocity or max(degree - 1, 1)


@dataclass(frozen=True, kw_only=True)
class Taylor(Method):
    """Series by recurrences from the operations that a robot's equations consist of.

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

    def accepts(self, problem: OdeProblem) -> bool:
        """Whether the equations are given as elementary operations."""
        return isinstance(getattr(problem, "taylor", None), Tape)

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with fixed step, or with the step that the last two terms allow."""
        if options.get("customised"):
            from solvers.codegen.steppers import taylor

            return taylor(problem, control, options)
        return TaylorStepper(problem, control, options)

    def sample(
        self, problem: OdeProblem, options: Mapping[str, Value], t: Array, y: Array, substeps: int, times: Array
    ) -> Array:
        """The series about the kept state before each time."""
        from solvers.kernels import taylor as kernels

        tape, nodes = arrays(problem)
        numbers = degrees(problem, options)
        memory = scratch(problem.dimension, nodes, max(numbers[0], numbers[2]))
        out, (_, *steps) = steps_to(times, t, y, substeps)
        kernels.sample(tape, problem.params, *numbers, *memory, *steps, out)  # pyright: ignore[reportCallIssue]
        return out

    def principal_error_norm(self) -> float | None:
        """The first term that is left out, y^(p+1) / (p + 1)!."""
        from solvers.tableaux.principal_error import multistep

        return multistep(1.0 / factorial(self.order + 1), self.order)

    def stability(self) -> Stability:
        """The exponential series up to the degree."""
        return rational(np.array([1 / factorial(k) for k in range(self.degree + 1)]), np.ones(1))


def arrays(problem: OdeProblem) -> tuple[tuple[np.ndarray, ...], int]:
    """The tape as the kernels take it, and its number of nodes."""
    tape = problem.taylor
    assert isinstance(tape, Tape)
    kept = (tape.operations, tape.left, tape.right, tape.values, tape.fixed, tape.outputs)
    return kept, len(tape.operations)


def scratch(d: int, nodes: int, degree: int) -> tuple[Array, ...]:
    """Working memory of the kernels: the nodes' coefficients, the solution's."""
    return np.empty((nodes, degree + 1)), np.empty((d, degree + 1))


class SeriesStepper(Stepper):
    """One series in a step. Each of its degrees evaluates the equations once, and is counted as one evaluation.

    Its kernel, called by `steps`, comes with the class derived from it.
    """

    def __init__(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> None:
        self.problem, self.control, self.degrees = problem, control, degrees(problem, options)
        self.sweeps, self.y = max(self.degrees[0], self.degrees[2]), np.empty(problem.dimension)
        self.state, self.counts, self.tally = np.zeros(2), np.zeros(2, dtype=np.int64), Tally()

    def start(self, t: float, y: Array, end: float, ceiling: float) -> None:
        """See Stepper."""
        control = self.control
        self.t0, self.end = t, end
        self.y[:] = y
        self.state[0], self.state[1] = t, 0.0
        if isinstance(control, FixedStep):
            self.settings: tuple[Any, ...] = control.step, 0.0, 0.0, 0.0, uniform_steps(end - t, control.step)
        else:
            longest = min(abs(self.problem.t1 - self.problem.t0), control.max_step or np.inf)
            self.settings = 0.0, control.rtol, control.atol, longest, 0

    def advance(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """See Stepper."""
        code = self.steps(attempts, rows)
        accepted, tried = self.counts.tolist()
        self.tally.rhs_evaluations += tried * self.sweeps
        return accepted, tried, code

    @abstractmethod
    def steps(self, attempts: int, rows: Rows) -> int:
        """Advance by at most so many attempts, counted in `counts`; how it ended."""


class TaylorStepper(SeriesStepper):
    """Series by reading the tape."""

    def __init__(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> None:
        from solvers.kernels import taylor as kernels

        super().__init__(problem, control, options)
        self.kernel, (self.tape, nodes) = kernels.run, arrays(problem)
        self.memory = np.empty(problem.dimension), *scratch(problem.dimension, nodes, self.sweeps)

    def steps(self, attempts: int, rows: Rows) -> int:
        """See SeriesStepper."""
        return self.kernel(  # pyright: ignore[reportCallIssue]
            *(self.tape, self.problem.params, self.t0, self.end, *self.settings, *self.degrees, self.state, self.y),
            *(*self.memory, attempts, rows.t, rows.y, rows.log, self.counts),
        )


@cache
def taylor(degree: int, order: int) -> Taylor:
    """The method with these facts."""
    return Taylor(
        key="taylor",
        name="Taylor series",
        family="Taylor",
        degree=degree,
        order=order,
        adaptive=True,
        options=OPTIONS,
        summary="The solution's own power series about each step's beginning, computed by recurrences. Any order "
        "for the asking: T(p, p-1) as derived, or the paper's heuristic T(p, p).",
        source="J. A. Tenreiro Machado, A. M. S. F. Galhano (1994), section 2.2",
        notes=(
            "For robots whose equations are given in elementary operations.",
            "T(p, p-1) has global order p - 1, T(p, p) order p with a larger constant than T(p+1, p).",
            "The stability region is that of T(p, p), whose series all have the same degree.",
            "Each degree of a series counts as one evaluation of f.",
            "With a tolerance the series' last two terms choose the step; the controller has no meaning for it.",
        ),
    )


def methods() -> list[Taylor]:
    """taylor."""
    return [taylor(DEFAULT, DEFAULT - 1)]


FAMILY = Family(methods, place=20)
