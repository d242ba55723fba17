"""The cost of an explicit method on a stiff constrained system: measured over milliseconds, then extrapolated.

Paper 4 calls it Algorithm 2: an Adams code of variable order and step (DEABM) on the reduced equations. Its step is
limited by stability, the same at every tolerance, so that a few milliseconds of motion give the cost of all of it.

Source: A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu, CSTR-01-06 (2001), section 5.2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from assets.counting import short
from assets.errors import BadInput
from robots.dynamics.multibody.reduction import MultibodyProblem, integrate_multibody, reduce
from robots.model.registry import robot_of
from solvers.control import Tolerance
from solvers.method_registry import find_method

if TYPE_CHECKING:
    from robots.model.setup import Setup

IMPLICIT = "rosenbrock-nystrom"
ADAMS = "adams-pece"
FINEST = 1e-6
"""The finest tolerance by which the implicit method, of order 4, goes to where the measurement begins."""

START, WINDOW = 0.52, 0.02
"""The part of the motion that is measured [s]: something should move in it, or nothing shows the stability limit.

At the stability limit rounding decides which steps are rejected, so the number of steps differs from one processor to
the next: by 8 % over 5 ms, by 5 % over 20 ms.
"""


@dataclass(frozen=True, slots=True)
class ExplicitEstimate:
    """The measurement.

    Attributes:
        method: key of the explicit method.
        start, window: which part of the motion [s].
        step: mean accepted step [s].
        calls: right-hand sides in the window.
        seconds_per_call: time of one right-hand side here, median [s].
    """

    method: str
    start: float
    window: float
    step: float
    calls: int
    seconds_per_call: float

    def rhs_evaluations(self, span: float) -> float:
        """Right-hand sides for a span [s] at this rate."""
        return self.calls * span / self.window

    def seconds(self, span: float) -> float:
        """Computing time for a span [s] at this rate, only the right-hand sides [s]."""
        return self.rhs_evaluations(span) * self.seconds_per_call

    def text(self, span: float) -> str:
        """What was measured and what is extrapolated from it; a clock says better how long it takes."""
        return (
            f"{find_method(self.method).name} took steps of {short(self.step)} s on average and {self.calls} "
            f"right-hand sides for {1e3 * self.window:g} ms of motion just after {self.start:g} s; extrapolated to "
            f"{span:g} s that is {short(self.rhs_evaluations(span))} right-hand sides."
        )


def explicit_estimate(scenario: Setup, method: str = ADAMS) -> ExplicitEstimate:
    """Measure `method` for `WINDOW` from `START` on, reached by the implicit method at its tolerances or `FINEST`.

    Args:
        scenario: of a robot whose problem is a constrained system.
        method: an explicit method with step control.

    Raises:
        BadInput: for a method without step control.
    """
    explicit = find_method(method)
    if not explicit.adaptive:
        raise BadInput("method", method, "an explicit method with step control")
    problem = robot_of(scenario).problem(scenario)
    assert isinstance(problem, MultibodyProblem)
    rtol, atol = scenario.rtol or 1e-3, scenario.atol or 1e-3
    tolerance = Tolerance(max(rtol, FINEST), max(atol, FINEST), first_step=1e-3)
    there = integrate_multibody(replace(problem, t1=START), find_method(IMPLICIT), tolerance)
    piece = replace(problem, initial=there.final, t0=START, t1=START + WINDOW)
    found = integrate_multibody(piece, explicit, Tolerance(rtol, atol, first_step=1e-6))
    steps = found.log.h[found.log.accepted.astype(bool)]
    return ExplicitEstimate(
        method,
        START,
        float(found.t[-1]) - START,
        float(np.mean(steps)),
        found.counts.rhs_evaluations,
        _seconds_per_call(piece),
    )


def _seconds_per_call(problem: MultibodyProblem) -> float:
    """Median time of a right-hand side at different states, so that none is cached [s]."""
    reduced = reduce(problem)
    slope, states = np.empty(len(reduced.initial)), [reduced.initial, reduced.initial * (1.0 + 1e-6)]
    times = []
    for k in range(101):
        began = perf_counter()
        reduced.rhs(problem.t0, states[k % 2], reduced.params, slope)
        times.append(perf_counter() - began)
    return float(np.median(times))
