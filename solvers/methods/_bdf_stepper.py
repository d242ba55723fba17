"""Backward differentiation formulas at work; imported when a run begins, with the kernels."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assets.errors import BadInput
from assets.fields import Value
from solvers.codes import LANDED, RUNNING
from solvers.control import FixedStep, Tolerance
from solvers.dae_problem import DaeProblem
from solvers.kernel_stepper import KernelStepper
from solvers.kernels.calls import system_address
from solvers.kernels.loop import DONE, TIME
from solvers.kernels.multistep.bdf import Formula, Scratch, run
from solvers.method_registry import find_method
from solvers.problem import Array, OdeProblem
from solvers.stepper import Rows, Slice


class BdfStepper(KernelStepper):
    """Newton in every step, on the DAE itself or on y' - f = 0."""

    def __init__(
        self, weights: Array, problem: OdeProblem | DaeProblem, control: FixedStep, options: Mapping[str, Value]
    ) -> None:
        d, k = problem.dimension, len(weights) - 1
        powers = problem.powers if isinstance(problem, DaeProblem) and options["scaling"] else np.zeros(d)
        newton = float(options["newton_tolerance"]), int(options["newton_limit"])
        formula = Formula(system_address(problem), weights, np.array(powers, dtype=float), *newton)
        vectors = np.empty(d), np.empty(d), np.empty(d)
        matrix = np.empty((d, d)), np.empty(d, dtype=np.int64), np.empty(d), np.empty(2 * d)
        scratch = Scratch(np.empty((k, d)), np.empty((2, d)), *vectors, *matrix)
        super().__init__(run, problem, control, formula, scratch, uniform=True)
        self.history = scratch.history
        self.radau: KernelStepper | None = None
        self.k, self.starting = k, 0
        algebraic = problem if isinstance(problem, DaeProblem) else None
        ode = algebraic.underlying if algebraic else problem
        self.unknowns = algebraic.unknowns if algebraic else None
        if isinstance(ode, OdeProblem) and k > 1:
            radau = find_method("radau5")
            stepper = radau.stepper(ode, Tolerance(1e-12, 1e-12), radau.complete_options({}))
            assert isinstance(stepper, KernelStepper)
            # Its work is added to ours.
            stepper.state = stepper.state._replace(tally=self.state.tally)
            self.radau = stepper
            self.radau_rows, self.ode_start = Rows.empty(512, ode.dimension), ode.initial

    def start(self, t: float, y: Array, end: float, ceiling: float) -> None:
        """See Stepper. Radau IIA makes the first k - 1 steps at 1e-12, or a DAE without an ODE was at rest before."""
        if end < t and isinstance(self.problem, DaeProblem):
            raise BadInput("duration", end - t, "above 0: a DAE is at rest before its start, so it runs forwards only")
        super().start(t, y, end, ceiling)
        self.history[:] = y
        if self.radau:
            self.reached = np.array(self.ode_start if self.unknowns else y)
        self.starting = min(self.k - 1, self.task.total) if self.radau else 0

    def advance(self, attempts: int, rows: Rows) -> Slice:
        """See Stepper."""
        done = int(self.state.clock[DONE])
        if done < self.starting:
            return self._begin(done, min(attempts, self.starting - done), rows)
        return super().advance(attempts, rows)

    def _begin(self, done: int, attempts: int, rows: Rows) -> Slice:
        """The next of the first k - 1 steps, by Radau IIA; each row of the log has all the work of its step."""
        task, state, history = self.task, self.state, self.history
        for row in range(attempts):
            t, done = float(state.clock[TIME]), done + 1
            later = task.end if done == task.total else task.t0 + done * task.step
            work, code = self._reach(t, later)
            rows.log[row] = t, later - t, np.nan, float(code == LANDED)
            rows.work[row] = *work, 0.0
            if code != LANDED:
                return Slice(row, row + 1, code)
            history[1:] = history[:-1].copy()
            history[0] = state.y
            state.y[:] = self.unknowns(later, self.reached) if self.unknowns else self.reached
            rows.t[row], rows.y[row] = later, state.y
            state.clock[TIME], state.clock[DONE] = later, done
        return Slice(attempts, attempts, LANDED if done == task.total else RUNNING)

    def _reach(self, t: float, end: float) -> tuple[Array, int]:
        """Radau IIA from the state at t to `end`; its work, (Newton iterations, factorisations), and a code."""
        assert self.radau is not None
        stepper, rows, work, code = self.radau, self.radau_rows, np.zeros(2), RUNNING
        stepper.start(t, self.reached, end, self.task.ceiling)
        while code == RUNNING:
            accepted, tried, code = stepper.advance(len(rows.t), rows)
            work += rows.work[:tried, :2].sum(axis=0)
            self.reached = rows.y[accepted - 1].copy() if accepted else self.reached
        return work, code
