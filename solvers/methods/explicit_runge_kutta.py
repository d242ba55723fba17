"""Explicit Runge-Kutta methods: every data file of `assets/tableaux`, with step control where it has an estimate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from solvers.control import Control, FixedStep, Tolerance
from solvers.interpolation import locate
from solvers.method import Method, Rows, Stepper, Tally, first_slope, uniform_steps
from solvers.options import CUSTOMISED, Value
from solvers.problem import Array, OdeProblem
from solvers.stability import Stability, rational, runge_kutta_polynomial
from solvers.tableau import Coefficients, Tableau, coefficients, keys, load

# Where the family stands in lists.
PLACE = 0


@dataclass(frozen=True, kw_only=True)
class ExplicitRungeKutta(Method):
    """A method given by its tableau."""

    tableau: Tableau

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with fixed step or with step control."""
        if options.get("customised"):
            from solvers.customised_steppers import runge_kutta

            return runge_kutta(self.tableau, problem, control)
        if isinstance(control, FixedStep):
            return FixedRungeKutta(self.tableau, problem, control)
        return AdaptiveRungeKutta(self.tableau, problem, control)

    def sample(
        self, problem: OdeProblem, options: Mapping[str, Value], t: Array, y: Array, substeps: int, times: Array
    ) -> Array:
        """A shorter step of the method from the kept state before each time: of the method's own order."""
        from solvers.kernels import explicit_runge_kutta as kernels
        from solvers.kernels.calls import addresses

        d, table = problem.dimension, SparseTableau.of(self.tableau)
        interval, ceilings = locate(t, times, problem.breaks)
        out = np.empty((len(times), d))
        scratch = np.empty(d), np.empty((self.stages, d)), np.empty(d), np.empty(d)
        rows = table.starts, table.columns, table.weights
        kernels.sample(
            *addresses(problem),
            problem.params.copy(),
            ceilings,
            table.c,
            *rows,
            t,
            y,
            interval,
            substeps,
            times,
            *scratch,
            out,
        )
        return out

    def principal_error_norm(self) -> float:
        """Over the rooted trees of order p + 1."""
        from solvers.order_conditions import leading_error

        return leading_error(self.tableau)

    def stability(self) -> Stability:
        """R(z), a polynomial."""
        numbers = coefficients(self.tableau)
        return rational(runge_kutta_polynomial(numbers.A, numbers.b, self.order), np.ones(1))


@dataclass(frozen=True, slots=True, eq=False)
class SparseTableau:
    """The tableau as the kernels take it: rows of A, then b, b - b_error, b - b_error2, without their zeros."""

    c: Array
    starts: np.ndarray
    columns: np.ndarray
    weights: Array

    @classmethod
    @cache
    def of(cls, tableau: Tableau) -> SparseTableau:
        """From exact coefficients, each rounded once; nobody writes to its arrays."""
        numbers: Coefficients = coefficients(tableau)
        dense = np.vstack([numbers.A, numbers.b, numbers.e, numbers.e2])
        rows, columns = np.nonzero(dense)
        starts = np.searchsorted(rows, np.arange(len(dense) + 1))
        return cls(numbers.c.copy(), starts.astype(np.int64), columns.astype(np.int64), dense[rows, columns])


class FixedRungeKutta(Stepper):
    """Fixed step: s evaluations per step, s - 1 and one at the start when the last stage is the next step's first."""

    def __init__(self, tableau: Tableau, problem: OdeProblem, control: FixedStep) -> None:
        from solvers.kernels import explicit_runge_kutta as kernels
        from solvers.kernels.calls import addresses

        self.addresses = addresses(problem)
        self.kernel, self.problem, self.step = kernels.fixed, problem, control.step
        self.table, self.stages = SparseTableau.of(tableau), tableau.stages
        self.fsal = tableau.fsal and problem.begin_step is None
        d = problem.dimension
        self.k, self.work, self.after, self.y = np.empty((tableau.stages, d)), np.empty(d), np.empty(d), np.empty(d)
        self.tally = Tally()

    def start(self, t: float, y: Array, end: float, ceiling: float) -> None:
        """See Stepper."""
        self.t0, self.end, self.ceiling, self.done = t, end, ceiling, 0
        self.total = uniform_steps(end - t, self.step)
        self.h = self.step if end > t else -self.step
        self.y[:] = y
        if self.fsal:
            first_slope(self.problem, t, self.y, ceiling, self.k[0])
            self.tally.rhs_evaluations += 1

    def advance(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """See Stepper."""
        table = self.table
        packed = self.kernel(
            *(
                *self.addresses,
                self.problem.params,
                self.t0,
                self.h,
                self.done,
                self.total,
                self.end,
                self.ceiling,
            ),
            *(int(self.fsal), self.y, table.c, table.starts, table.columns, table.weights),
            *(self.k, self.work, self.after, attempts, rows.t, rows.y, rows.log),
        )
        accepted, code = divmod(packed, 8)
        tried = accepted + (code > 1)
        self.done += accepted
        self.tally.rhs_evaluations += tried * (self.stages - self.fsal)
        return accepted, tried, code


class AdaptiveRungeKutta(Stepper):
    """Step control. A rejected step costs s - 1 evaluations, since its first stage is kept."""

    def __init__(self, tableau: Tableau, problem: OdeProblem, control: Tolerance) -> None:
        from solvers.kernels import explicit_runge_kutta as kernels
        from solvers.kernels.calls import addresses
        from solvers.kernels.controllers import NUMBERS

        self.addresses = addresses(problem)
        assert tableau.error_order is not None
        self.kernel, self.problem, self.control = kernels.adaptive, problem, control
        self.table, self.fsal = SparseTableau.of(tableau), tableau.fsal and problem.begin_step is None
        self.rule = NUMBERS[control.controller]
        self.error_power = estimate_power(tableau)
        p, q = tableau.order, tableau.error_order
        self.exponent = 1.0 / (max(p, q) + 1) if control.controller == "paper" else 1.0 / self.error_power
        d = problem.dimension
        self.k, self.work, self.after, self.y = np.empty((tableau.stages, d)), np.empty(d), np.empty(d), np.empty(d)
        self.state, self.memory, self.done = np.zeros(2), np.zeros(2), np.zeros(3, dtype=np.int64)
        self.tally = Tally()

    def start(self, t: float, y: Array, end: float, ceiling: float) -> None:
        """See Stepper; a restart never begins with a longer step than the last one."""
        from solvers.first_step import first_step

        problem, tally = self.problem, self.tally
        self.end, self.ceiling = end, ceiling
        self.y[:] = y
        first_slope(problem, t, self.y, ceiling, self.k[0])
        tally.rhs_evaluations += 1
        h, calls = first_step(problem, self.control, t, self.y, self.k[0], end, ceiling, self.error_power)
        tally.rhs_evaluations += calls
        self.state[:] = t, h
        self.memory[:] = 1e-4, 0.0
        self.longest = min(self.control.max_step or np.inf, abs(problem.t1 - problem.t0))

    def advance(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """See Stepper."""
        table, control = self.table, self.control
        self.done[2] = 0
        code = self.kernel(
            *(*self.addresses, self.problem.params, self.rule, control.rtol, control.atol, self.exponent),
            *(self.longest, self.end, self.ceiling, int(self.fsal), self.state, self.y, table.c, table.starts),
            *(
                table.columns,
                table.weights,
                self.k,
                self.work,
                self.after,
                self.memory,
                attempts,
                rows.t,
                rows.y,
                rows.log,
                self.done,
            ),
        )
        accepted, tried, calls = (int(number) for number in self.done)
        self.tally.rhs_evaluations += calls
        return accepted, tried, code


def estimate_power(tableau: Tableau) -> int:
    """The power of h with which the error estimate falls: min(p, q) + 1; 8 for DOP853 with its two estimates."""
    assert tableau.error_order is not None
    return 8 if tableau.b_error2 else min(tableau.order, tableau.error_order) + 1


def summary(tableau: Tableau) -> str:
    """Two sentences for the card."""
    calls = tableau.stages - tableau.fsal
    evaluations = f"{calls} evaluation{'s' * (calls > 1)}"
    first = f"Explicit Runge-Kutta method of order {tableau.order}: {evaluations} of f in a step."
    if tableau.error_order is None:
        return first + " It has no error estimate, so the step is yours to choose."
    other = f"a comparison solution of order {tableau.error_order}"
    second = "two lower-order comparisons" if tableau.b_error2 else other
    kept = ", and its last evaluation is the next step's first" if tableau.fsal else ""
    return f"{first} An error estimate from {second} lets it choose the step{kept}."


def method(tableau: Tableau) -> ExplicitRungeKutta:
    """The Method of a tableau: of a data file, or of one that a person has typed."""
    return ExplicitRungeKutta(
        key=tableau.key,
        name=tableau.name,
        family=tableau.family,
        order=tableau.order,
        error_order=tableau.error_order,
        stages=tableau.stages,
        fsal=tableau.fsal,
        adaptive=tableau.b_error is not None,
        aliases=tableau.aliases,
        summary=summary(tableau),
        source=tableau.source,
        paper_label=tableau.paper_label,
        notes=tableau.notes,
        options=(CUSTOMISED,),
        tableau=tableau,
    )


def methods() -> list[ExplicitRungeKutta]:
    """One method per data file, ordered by family and order."""
    found = [method(load(key)) for key in keys()]
    return sorted(found, key=lambda one: (one.family != "Runge-Kutta", one.family, one.order, one.key))
