"""Adams methods that choose order and step as they go, after Shampine and Gordon, with two evaluations in a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assets.fields import Field, Value
from solvers.control import Control, FixedStep
from solvers.interpolation.dense import joined_runge_kutta
from solvers.interpolation.location import locate
from solvers.method import Family, Method, Rows, Stepper, Tally, first_slope
from solvers.problem import Array, OdeProblem

HIGHEST = 12


@dataclass(frozen=True, kw_only=True)
class AdamsPece(Method):
    """Orders 1 to `max_order`, begun with order 1."""

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with step control; the rules for order and step are the method's own."""
        return PeceStepper(problem, control, int(options["max_order"]))

    def sample(
        self, problem: OdeProblem, options: Mapping[str, Value], t: Array, y: Array, substeps: int, times: Array
    ) -> Array:
        """The integral of the polynomial through the slopes at the last steps' ends, which are evaluated anew.

        Where steps are missing, or f changes in each, Runge-Kutta steps of order 8 from the kept states.
        """
        from solvers.kernels import adams_pece as kernels
        from solvers.kernels.calls import addresses

        if substeps > 1 or problem.begin_step is not None:
            return joined_runge_kutta("rk8", problem, t, y, substeps, times)
        d, (interval, ceilings) = problem.dimension, locate(t, times, problem.breaks)
        out, size = np.empty((len(times), d)), HIGHEST + 1
        kernels.sample(
            *(addresses(problem)[0], problem.params.copy(), ceilings, t, y, interval, times, np.empty(size)),
            *(np.empty((size, d)), np.empty(size), np.empty(size), np.empty(d, dtype=np.int64), np.empty(d), out),
        )
        return out


class PeceStepper(Stepper):
    """Two evaluations in an accepted step, one in a rejected one."""

    def __init__(self, problem: OdeProblem, control: Control, most: int) -> None:
        from solvers.kernels import adams_pece as kernels
        from solvers.kernels.calls import addresses
        from solvers.kernels.controllers import NUMBERS

        assert not isinstance(control, FixedStep)
        self.kernels, self.addresses = kernels, addresses(problem)
        self.problem, self.control, self.rule, self.most = problem, control, NUMBERS[control.controller], most
        d = problem.dimension
        self.state, self.past, self.table = np.zeros(8), np.zeros(HIGHEST + 1), np.zeros((4, HIGHEST + 1))
        self.phi, self.done = np.zeros((HIGHEST + 3, d)), np.zeros(3, dtype=np.int64)
        self.states = np.empty(d), np.empty(d), np.empty(d), np.empty(d), np.empty((3, d))
        self.longest = min(control.max_step or np.inf, abs(problem.t1 - problem.t0))
        self.tally = Tally()

    @property
    def order(self) -> int:
        """The order of the next step."""
        return int(self.state[self.kernels.ORDER])

    def start(self, t: float, y: Array, end: float, ceiling: float) -> None:
        """See Stepper; the history is forgotten."""
        from solvers.first_step import first_step

        kernels, problem, (state, *_, carry, _, _) = self.kernels, self.problem, self.states
        self.end, self.ceiling = end, ceiling
        state[:], carry[:] = y, 0.0
        self.phi[:], self.past[:] = 0.0, 0.0
        first_slope(problem, t, state, ceiling, self.phi[0])
        h, calls = first_step(problem, self.control, t, state, self.phi[0], end, ceiling, 2)
        self.tally.rhs_evaluations += 1 + calls
        self.state[:] = 0.0
        self.state[kernels.TIME], self.state[kernels.STEP] = t, h
        self.state[kernels.ORDER] = self.state[kernels.STARTING] = 1.0

    def advance(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """See Stepper."""
        control = self.control
        self.done[:] = 0
        code: int = self.kernels.run(  # pyright: ignore[reportCallIssue]
            *(*self.addresses, self.problem.params, self.rule, control.rtol, control.atol, self.longest, self.most),
            *(self.end, self.ceiling, self.state, self.past, self.table, self.phi, self.states, attempts),
            *(rows.t, rows.y, rows.log, self.done),
        )
        accepted, tried, calls = (int(number) for number in self.done)
        self.tally.rhs_evaluations += calls
        return accepted, tried, code


def methods() -> list[AdamsPece]:
    """adams-pece."""
    return [
        AdamsPece(
            key="adams-pece",
            name="Adams PECE 1-12",
            family="Adams",
            order=HIGHEST,
            stages=2,
            fixed_step=False,
            adaptive=True,
            one_step=False,
            options=(
                Field("max_order", "highest order", default=HIGHEST, minimum=1, maximum=HIGHEST, slider=(1, HIGHEST)),
            ),
            summary="Adams-Bashforth predictors of order 1 to 12 with Adams-Moulton correctors one order higher, which "
            "choose step and order as they go. Two evaluations of f in a step, whatever the order: paper 4's explicit "
            "method.",
            source="L. F. Shampine, M. K. Gordon, Computer Solution of Ordinary Differential Equations (1975)",
            notes=(
                "Our own code, from the published mathematics of DE/STEP, which is also that of DEABM.",
                "It starts with order 1 and doubles the step until it knows enough of the past.",
                "Its rules for step and order are its own; of the controller it takes only the norm.",
                "It has no customised kernel: order and step change on the way, so that nothing can be written out.",
            ),
        )
    ]


FAMILY = Family(methods, place=31)
