"""Backward differentiation formulas of 1 to 6 steps with a fixed step, for ODEs and for F(t, x, x') = 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assets.errors import BadInput
from solvers.control import Control, FixedStep
from solvers.dae_problem import DaeProblem
from solvers.method import DIVERGED, Method, Rows, Stepper, Tally, uniform_steps
from solvers.options import Option, Value
from solvers.problem import Array, OdeProblem

if TYPE_CHECKING:
    from solvers.stability import Stability

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
    Option(
        "newton_tolerance",
        "Newton tolerance",
        1e-12,
        minimum=1e-15,
        maximum=1.0,
        slider=(1e-14, 1e-3),
        log=True,
        help="Newton's iteration stops when every correction, relative to 1 + |x|, is smaller.",
    ),
    Option("newton_limit", "Newton iterations at most", 20, minimum=1, maximum=1000, slider=(1, 50)),
    Option(
        "scaling",
        "scale constraints by the step",
        True,
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

    def stability(self) -> Stability:
        """|r| of the largest root of sum_l alpha_l r^(k-l) = z r^k."""
        from solvers.stability import multistep

        k = self.order
        return multistep(np.array(WEIGHTS[k][::-1]), np.array([0.0] * k + [1.0]))

    def sample(
        self, problem: OdeProblem, options: Mapping[str, Value], t: Array, y: Array, substeps: int, times: Array
    ) -> Array:
        """The polynomial through the k + 1 states that end at the step's end: of the method's order."""
        k = min(self.order, len(t) - 1)
        last = np.clip(np.searchsorted(t, times, side="left"), k, len(t) - 1)
        nodes = last[:, None] + np.arange(-k, 1)
        out = np.zeros((len(times), y.shape[1]))
        for j in range(k + 1):
            weight = np.ones(len(times))
            for m in range(k + 1):
                if m != j:
                    weight *= (times - t[nodes[:, m]]) / (t[nodes[:, j]] - t[nodes[:, m]])
            out += weight[:, None] * y[nodes[:, j]]
        return out


class FixedBdf(Stepper):
    """Newton in every step, on the DAE itself or on y' - f = 0."""

    def __init__(
        self, k: int, problem: OdeProblem | DaeProblem, control: FixedStep, options: Mapping[str, Value]
    ) -> None:
        from solvers.kernels import bdf as kernels

        self.k, self.problem, self.control, self.kernel = k, problem, control, kernels.fixed
        self.functions = equations(problem)
        d = problem.dimension
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
            raise BadInput("duration", end - t, "a span forwards in time: a DAE has stood still before its start")
        self.t0, self.end, self.done = t, end, 0
        self.total = uniform_steps(end - t, self.control.step)
        self.h = (end - t) / self.total
        self.history[:] = y
        self.prepared, self.starting = np.empty((0, len(y))), 0
        if isinstance(self.problem, OdeProblem) and self.k > 1:
            self.starting = min(self.k - 1, self.total)
            self.prepared = first_states(self.problem, t, y, self.h, self.starting, self.tally)

    def advance(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """See Stepper."""
        if self.done < len(self.prepared):
            return self._take_prepared(attempts, rows)
        if self.done < self.starting:
            rows.log[0] = self.t0 + self.done * self.h, self.h, np.nan, 0.0
            rows.work[0] = 0.0
            return 0, 1, DIVERGED
        x, rate, F, constant = self.vectors
        packed: int = self.kernel(  # pyright: ignore[reportCallIssue]
            *(*self.functions, self.problem.params, self.t0, self.h, self.done, self.total, self.end, self.k),
            *(self.weights, self.powers, self.history, self.tolerance, self.most, x, rate, F, constant),
            *(*self.matrix, attempts, rows.t, rows.y, rows.log, rows.work),
        )
        accepted, code = divmod(packed, 8)
        tried = accepted + (code > 1)
        self.done += accepted
        iterations, factors = rows.work[:tried, 0].sum(), rows.work[:tried, 1].sum()
        self.tally.newton_iterations += int(iterations)
        self.tally.factorisations += int(factors)
        self.tally.jacobian_evaluations += int(iterations)
        self.tally.rhs_evaluations += int(iterations)
        return accepted, tried, code

    def _take_prepared(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        count = min(len(self.prepared) - self.done, attempts)
        for row in range(count):
            n = self.done + row
            rows.t[row] = self.end if n + 1 == self.total else self.t0 + (n + 1) * self.h
            rows.y[row] = self.prepared[n]
            rows.log[row] = self.t0 + n * self.h, self.h, np.nan, 1.0
            rows.work[row] = 0.0
            self.history[1:] = self.history[:-1].copy()
            self.history[0] = self.prepared[n]
        self.done += count
        return count, count, 1 if self.done == self.total else 0


def equations(problem: OdeProblem | DaeProblem) -> tuple[object, ...]:
    """(kind, system, rhs, jacobian) as the kernel takes them; an ODE without a Jacobian gets forward differences."""
    from solvers.kernels import bdf as kernels

    if isinstance(problem, DaeProblem):
        return kernels.DAE, problem.system, kernels.no_rhs, kernels.no_jacobian
    if problem.jacobian is None:
        return kernels.ODE_BY_DIFFERENCES, kernels.no_system, problem.rhs, kernels.no_jacobian
    return kernels.ODE, kernels.no_system, problem.rhs, problem.jacobian


def first_states(problem: OdeProblem, t: float, y: Array, h: float, count: int, tally: Tally) -> Array:
    """The states after 1 .. count steps h from (t, y), by Radau IIA of order 5 at a tolerance of 1e-12, (count, d).

    There are fewer where the solution ends before.
    """
    from scipy.integrate import solve_ivp

    slope = np.empty_like(y)

    def rhs(time: float, state: Array) -> Array:
        problem.rhs(time, np.array(state), problem.params, slope)
        return slope.copy()

    times = t + h * np.arange(1, count + 1)
    try:
        found = solve_ivp(rhs, (t, times[-1]), y, method="Radau", rtol=1e-12, atol=1e-12, t_eval=times)
    except ValueError:  # scipy's way to say that a slope or a Jacobian is not finite
        return np.empty((0, y.size))
    tally.rhs_evaluations += int(found.nfev)
    tally.jacobian_evaluations += int(found.njev)
    tally.factorisations += int(found.nlu)
    return np.ascontiguousarray(found.y.T)


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
            notes=() if k == 1 else (started,),
        )
        for k in WEIGHTS
    ]
