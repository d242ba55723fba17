"""Backward differentiation formulas of 1 to 6 steps with a fixed step, for ODEs and for F(t, x, x') = 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assets.errors import BadInput
from assets.fields import Field, Value
from solvers.codes import LANDED, RUNNING
from solvers.control import Control, FixedStep, Tolerance
from solvers.dae_problem import DaeProblem
from solvers.interpolation.location import through_states
from solvers.method import Family, Method, Rows, Stepper, Tally, uniform_steps
from solvers.problem import Array, OdeProblem

if TYPE_CHECKING:
    from solvers.tableaux.stability import Stability

# Row k: alpha_0 .. alpha_k. Source: C. W. Gear (1971); paper 5's table after equation (35).
WEIGHTS = {
    1: (1.0, -1.0),
    2: (3 / 2, -2.0, 1 / 2),
    3: (11 / 6, -3.0, 3 / 2, -1 / 3),
    4: (25 / 12, -4.0, 3.0, -4 / 3, 1 / 4),
    5: (137 / 60, -5.0, 5.0, -10 / 3, 5 / 4, -1 / 5),
    6: (147 / 60, -6.0, 15 / 2, -20 / 3, 15 / 4, -6 / 5, 1 / 6),
}
ANGLES = {1: 90.0, 2: 90.0, 3: 86.03, 4: 73.35, 5: 51.84, 6: 17.84}

OPTIONS = (
    Field(
        "newton_tolerance",
        "Newton tolerance",
        default=1e-12,
        minimum=1e-15,
        maximum=1.0,
        slider=(1e-14, 1e-3),
        log=True,
        help="Newton's iteration stops when every correction, relative to 1 + |x|, is smaller.",
    ),
    Field("newton_limit", "Newton iterations at most", default=20, minimum=1, maximum=1000, slider=(1, 50)),
    Field(
        "scaling",
        "scale constraints by the step",
        default=True,
        help="Divides each algebraic row by a power of the step, which keeps the iteration matrix well conditioned.",
    ),
)


def derivative_weights(k: int, h: float) -> Array:
    """Weights of x_n, x_{n-1}, .. x_{n-k} in the formula's x'(t_n), (k + 1,) [1/s]."""
    return np.array(WEIGHTS[k]) / h


@dataclass(frozen=True, kw_only=True)
class Bdf(Method):
    """The k-step formula sum_l alpha_l x_{n-l} = h x'_n."""

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with fixed step."""
        assert isinstance(control, FixedStep)
        return FixedBdf(self.order, problem, control, options)

    def principal_error_norm(self) -> float | None:
        """The error constant of the k-step formula is 1 / (k + 1)."""
        from solvers.tableaux.principal_error import multistep

        return multistep(1.0 / (self.order + 1), self.order)

    def stability(self) -> Stability:
        """|r| of the largest root of sum_l alpha_l r^(k-l) = z r^k."""
        from solvers.tableaux.stability import multistep

        k = self.order
        return multistep(np.array(WEIGHTS[k][::-1]), np.array([0.0] * k + [1.0]))

    def sample(
        self, problem: OdeProblem, options: Mapping[str, Value], t: Array, y: Array, substeps: int, times: Array
    ) -> Array:
        """The polynomial through the k + 1 states that end at the step's end: of the method's order."""
        k = min(self.order, len(t) - 1)
        sign = 1 if t[-1] >= t[0] else -1
        last = np.clip(np.searchsorted(sign * t, sign * times, side="left"), k, len(t) - 1)
        return through_states(t, y, last - k, k + 1, times)


class FixedBdf(Stepper):
    """Newton in every step, on the DAE itself or on y' - f = 0."""

    def __init__(
        self, k: int, problem: OdeProblem | DaeProblem, control: FixedStep, options: Mapping[str, Value]
    ) -> None:
        from solvers.kernels import bdf as kernels

        self.k, self.problem, self.control, self.kernel = k, problem, control, kernels.fixed
        self.functions = equations(problem)
        d = problem.dimension
        # Of f in one iteration: differences for the Jacobian take one more per component.
        self.calls = 1 + d * (isinstance(problem, OdeProblem) and problem.jacobian is None)
        powers = problem.powers if isinstance(problem, DaeProblem) and options["scaling"] else np.zeros(d)
        self.powers = np.array(powers, dtype=float)
        self.tolerance, self.most = float(options["newton_tolerance"]), int(options["newton_limit"])
        self.weights, self.history = np.array(WEIGHTS[k]), np.empty((k, d))
        self.vectors = np.empty(d), np.empty(d), np.empty(d), np.empty(d)
        self.matrix = np.empty((d, d)), np.empty(d, dtype=np.int64), np.empty(d), np.empty(2 * d)
        self.tally = Tally()

    def start(self, t: float, y: Array, end: float, ceiling: float) -> None:
        """See Stepper. A DAE has stood still before; an ODE gets its first k - 1 steps from Radau IIA at 1e-12."""
        if end < t and isinstance(self.problem, DaeProblem):
            raise BadInput("duration", end - t, "above 0: a DAE is at rest before its start, so it runs forwards only")
        self.t0, self.end, self.ceiling, self.done = t, end, ceiling, 0
        self.total = uniform_steps(end - t, self.control.step)
        self.h = (end - t) / self.total
        self.history[:] = y
        self.radau, self.starting = None, 0
        if isinstance(self.problem, OdeProblem) and self.k > 1:
            self.radau, self.starting = Start(self.problem), min(self.k - 1, self.total)

    def advance(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """See Stepper."""
        if self.done < self.starting:
            return self._begin(min(attempts, self.starting - self.done), rows)
        x, rate, F, constant = self.vectors
        packed: int = self.kernel(  # pyright: ignore[reportCallIssue]
            *(*self.functions, self.problem.params, self.t0, self.h, self.done, self.total, self.end, self.ceiling),
            *(self.k, self.weights, self.powers, self.history, self.tolerance, self.most, x, rate, F, constant),
            *(*self.matrix, attempts, rows.t, rows.y, rows.log, rows.work),
        )
        accepted, code = divmod(packed, 8)
        tried = accepted + (code > 1)
        self.done += accepted
        iterations, factors = int(rows.work[:tried, 0].sum()), int(rows.work[:tried, 1].sum())
        self.tally.newton_iterations += iterations
        self.tally.factorisations += factors
        self.tally.jacobian_evaluations += iterations
        self.tally.rhs_evaluations += iterations * self.calls
        return accepted, tried, code

    def _begin(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """The next of the first k - 1 steps, by Radau IIA; each row of the log has all the work of its step."""
        assert self.radau is not None
        for row in range(attempts):
            t = self.t0 + self.done * self.h
            later = self.end if self.done + 1 == self.total else self.t0 + (self.done + 1) * self.h
            state, work, code = self.radau.reach(t, self.history[0], later, self.ceiling, self.tally)
            rows.log[row] = t, later - t, np.nan, float(code == LANDED)
            rows.work[row] = *work, 0.0
            if code != LANDED:
                return row, row + 1, code
            rows.t[row], rows.y[row] = later, state
            self.history[1:] = self.history[:-1].copy()
            self.history[0] = state
            self.done += 1
        return attempts, attempts, LANDED if self.done == self.total else RUNNING


def equations(problem: OdeProblem | DaeProblem) -> tuple[object, ...]:
    """(kind, system, rhs, jacobian, begin) as the kernel takes them; an ODE without a Jacobian gets differences."""
    from solvers.kernels import bdf as kernels

    if isinstance(problem, DaeProblem):
        return kernels.DAE, problem.system, kernels.no_rhs, kernels.no_jacobian, kernels.no_rhs
    begin = problem.begin_step or kernels.no_rhs
    if problem.jacobian is None:
        return kernels.ODE_BY_DIFFERENCES, kernels.no_system, problem.rhs, kernels.no_jacobian, begin
    return kernels.ODE, kernels.no_system, problem.rhs, problem.jacobian, begin


class Start:
    """Radau IIA of order 5 at a tolerance of 1e-12, for the states that a formula of more steps begins with."""

    def __init__(self, problem: OdeProblem) -> None:
        from solvers.method_registry import find_method

        method = find_method("radau5")
        self.stepper = method.stepper(problem, Tolerance(1e-12, 1e-12), method.complete_options({}))
        self.rows = Rows.empty(512, problem.dimension)

    def reach(self, t: float, y: Array, end: float, ceiling: float, tally: Tally) -> tuple[Array, Array, int]:
        """The state at `end`, (Newton iterations, factorisations) on the way, and a code; its work joins `tally`."""
        stepper, rows, work, code, state = self.stepper, self.rows, np.zeros(2), RUNNING, y
        stepper.tally = tally
        stepper.start(t, y, end, ceiling)
        while code == RUNNING:
            accepted, tried, code = stepper.advance(rows.capacity, rows)
            work += rows.work[:tried, :2].sum(axis=0)
            state = rows.y[accepted - 1].copy() if accepted else state
        return state, work, code


NOTE = (
    "Every iteration of Newton's evaluates and factorises the Jacobian anew; without an analytic one it takes forward "
    "differences, which are counted as calls of f."
)


def _summary(k: int) -> str:
    damped = "L-stable" if k <= 2 else f"stable within {ANGLES[k]:g} degrees of the negative real axis"
    return (
        f"The {k}-step backward differentiation formula: implicit, of order {k}, {damped}. It integrates stiff"
        " equations and differential-algebraic ones with a fixed step and Newton's method."
    )


def methods() -> list[Bdf]:
    """bdf1 to bdf6."""
    started = "An ordinary equation starts from Radau IIA values at 1e-12; a DAE from standing still."
    return [
        Bdf(
            key=f"bdf{k}",
            name=f"BDF {k}",
            family="BDF",
            order=k,
            summary=_summary(k),
            source="C. W. Gear, Numerical Initial Value Problems in Ordinary Differential Equations (1971)",
            implicit=True,
            problems=frozenset({"ode", "dae"}),
            options=OPTIONS,
            one_step=k == 1,
            stages=1,
            notes=(NOTE,) if k == 1 else (started, NOTE),
        )
        for k in WEIGHTS
    ]


FAMILY = Family(methods)
