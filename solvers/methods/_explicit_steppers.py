"""Explicit Runge-Kutta methods at work; imported when a run begins, since the kernels take a while to load."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from solvers.control import FixedStep, Tolerance
from solvers.first_step import first_step
from solvers.kernels.calls import addresses
from solvers.kernels.controllers import NUMBERS
from solvers.kernels.explicit_runge_kutta import adaptive, fixed
from solvers.method import Rows, Stepper, Tally, first_slope, uniform_steps
from solvers.problem import Array, OdeProblem
from solvers.tableaux.tableau import Coefficients, Tableau, coefficients


class SparseTableau(NamedTuple):
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
        self.addresses = addresses(problem)
        self.problem, self.step = problem, control.step
        self.kernel: Any = fixed
        self.stages, self.fsal = tableau.stages, tableau.fsal and problem.begin_step is None
        self.table: tuple[Any, ...] = int(self.fsal), *SparseTableau.of(tableau)
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
        packed = self.kernel(
            *(*self.addresses, self.problem.params, self.t0, self.h, self.done, self.total, self.end, self.ceiling),
            *(*self.table, self.y, self.k, self.work, self.after, attempts, rows.t, rows.y, rows.log),
        )
        accepted, code = divmod(packed, 8)
        tried = accepted + (code > 1)
        self.done += accepted
        self.tally.rhs_evaluations += tried * (self.stages - self.fsal)
        return accepted, tried, code


class AdaptiveRungeKutta(Stepper):
    """Step control. A rejected step costs s - 1 evaluations, since its first stage is kept."""

    def __init__(self, tableau: Tableau, problem: OdeProblem, control: Tolerance) -> None:
        self.addresses = addresses(problem)
        assert tableau.error_order is not None
        self.problem, self.control = problem, control
        self.kernel: Any = adaptive
        self.fsal = tableau.fsal and problem.begin_step is None
        self.table: tuple[Any, ...] = int(self.fsal), *SparseTableau.of(tableau)
        self.rule = NUMBERS[control.controller]
        self.error_power = tableau.estimate_power
        p, q = tableau.order, tableau.error_order
        self.exponent = 1.0 / (max(p, q) + 1) if control.controller == "paper" else 1.0 / self.error_power
        d = problem.dimension
        self.k, self.work, self.after, self.y = np.empty((tableau.stages, d)), np.empty(d), np.empty(d), np.empty(d)
        self.state, self.memory, self.done = np.zeros(2), np.zeros(2), np.zeros(3, dtype=np.int64)
        self.tally = Tally()

    def start(self, t: float, y: Array, end: float, ceiling: float) -> None:
        """See Stepper; a restart never begins with a longer step than the last one."""
        problem, tally = self.problem, self.tally
        self.end, self.ceiling = end, ceiling
        self.y[:] = y
        first_slope(problem, t, self.y, ceiling, self.k[0])
        tally.rhs_evaluations += 1
        h, calls = first_step(problem, self.control, t, self.y, self.k[0], end, ceiling, self.error_power)
        tally.rhs_evaluations += calls
        self.state[0], self.state[1] = t, h
        self.memory[0], self.memory[1] = 1e-4, 0.0
        self.longest = min(self.control.max_step or math.inf, abs(problem.t1 - problem.t0))

    def advance(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """See Stepper."""
        control = self.control
        self.done[2] = 0
        code = self.kernel(
            *(*self.addresses, self.problem.params, self.rule, control.rtol, control.atol, self.exponent),
            *(self.longest, self.end, self.ceiling, *self.table, self.state, self.y, self.k, self.work, self.after),
            *(self.memory, attempts, rows.t, rows.y, rows.log, self.done),
        )
        accepted, tried, calls = self.done.tolist()
        self.tally.rhs_evaluations += calls
        return accepted, tried, code
