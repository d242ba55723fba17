"""What the Steppers of implicit Runge-Kutta and Rosenbrock methods share: settings, start, counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.control import Control, FixedStep
from solvers.method import Rows, Stepper, Tally, first_slope, uniform_steps
from solvers.problem import Array, OdeProblem


class LinearisedStepper(Stepper):
    """A kernel that linearises f, with a fixed step or with step control.

    Args:
        kernels: the module, whose `state` and `settings` begin as in `solvers.kernels.step_control`.
        problem, control: of the run.
        orders: of the solution that is advanced and of the one that it is compared with.
        table, scratch: what the kernel takes.
        settings: what the kernel's settings hold besides, in order.
    """

    def __init__(
        self,
        kernels: Any,
        problem: OdeProblem,
        control: Control,
        orders: tuple[int, int],
        table: tuple[Any, ...],
        scratch: tuple[Any, ...],
        settings: tuple[float, ...],
    ) -> None:
        from solvers.kernels import step_control
        from solvers.kernels.calls import addresses, jacobian_address
        from solvers.kernels.controllers import NUMBERS

        self.kernels, self.functions = kernels, (*addresses(problem), jacobian_address(problem))
        self.problem, self.control, self.power = problem, control, min(orders) + 1
        self.table, self.scratch = table, scratch
        d = problem.dimension
        self.y, self.after = np.empty(d), np.empty(d)
        self.state, self.memory, self.done = np.zeros(5), np.zeros(2), np.zeros(6, dtype=np.int64)
        longest = abs(problem.t1 - problem.t0)
        if isinstance(control, FixedStep):
            common = 0.0, 0.0, 0.0, 0.0, longest, control.step
        else:
            exponent = 1.0 / ((max(orders) if control.controller == "paper" else min(orders)) + 1)
            longest = min(longest, control.max_step or np.inf)
            common = NUMBERS[control.controller], control.rtol, control.atol, exponent, longest, 0.0
        assert len(common) == step_control.FIXED + 1
        self.settings = np.array([*common, *settings])
        self.tally = Tally()

    def start(self, t: float, y: Array, end: float, ceiling: float) -> None:
        """See Stepper."""
        from solvers.first_step import first_step
        from solvers.kernels.step_control import STEP, TIME

        control = self.control
        self.t0, self.end, self.ceiling, self.total = t, end, ceiling, 0
        self.y[:] = y
        self.state[:] = 0.0
        self.memory[:] = 1e-4, 0.0
        if isinstance(control, FixedStep):
            self.total = uniform_steps(end - t, control.step)
            h = float(np.copysign(control.step, end - t))
        else:
            slope, calls = np.empty_like(self.y), 0
            if control.first_step is None:
                first_slope(self.problem, t, self.y, ceiling, slope)
                calls = 1
            h, more = first_step(self.problem, control, t, self.y, slope, end, ceiling, self.power)
            self.tally.rhs_evaluations += calls + more
        self.state[TIME], self.state[STEP] = t, h

    def advance(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """See Stepper."""
        self.done[:] = 0
        code = self.kernels.run(
            *(*self.functions, self.problem.params, self.t0, self.end, self.ceiling, self.total, self.settings),
            *(self.state, self.memory, self.y, self.table, self.scratch, self.after, attempts),
            *(rows.t, rows.y, rows.log, rows.work, self.done),
        )
        accepted, tried, calls, jacobians, iterations, factorisations = self.done.tolist()
        self.tally.rhs_evaluations += calls
        self.tally.jacobian_evaluations += jacobians
        self.tally.newton_iterations += iterations
        self.tally.factorisations += factorisations
        return accepted, tried, code
