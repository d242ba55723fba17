"""What an explicit method would cost on a stiff constrained system: measured over milliseconds, then extrapolated.

Paper 4 calls it Algorithm 2: an Adams code (DEABM) on the reduced equations. Its step is limited by stability, the same
at every tolerance, so that a few milliseconds of motion tell the price of all of it.

Source: A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu, CSTR-01-06 (2001), section 5.2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from assets.errors import ArmstepError
from robots.catalogue import find_robot
from robots.multibody.reduction import MultibodyProblem, integrate_multibody, reduce
from solvers.catalogue import find_method
from solvers.control import FixedStep, Tolerance
from solvers.method import Method
from solvers.solution import Solution
from solvers.status import Status

if TYPE_CHECKING:
    from robots.scenario import Scenario

IMPLICIT = "rosenbrock-nystrom"
ADAMS = "am4"
LONGEST, HALVINGS, REFINEMENTS = 1e-4, 8, 4
FAR = 1e-3


@dataclass(frozen=True, slots=True)
class ExplicitEstimate:
    """The measured piece.

    Attributes:
        method: key of the explicit method.
        start, window: which piece of the motion [s].
        step: median accepted step [s].
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
        """Right-hand sides for a span [s] at this pace."""
        return self.calls * span / self.window

    def seconds(self, span: float) -> float:
        """Computing time for a span [s] at this pace, its right-hand sides alone [s]."""
        return self.rhs_evaluations(span) * self.seconds_per_call

    def text(self, span: float) -> str:
        """What was measured and what is extrapolated from it."""
        return (
            f"{self.method} took steps of {self.step:.2g} s and {self.calls} right-hand sides over "
            f"{1e3 * self.window:g} ms of motion; extrapolated to {span:g} s that is {self.rhs_evaluations(span):.2g} "
            f"right-hand sides, about {self.seconds(span):.0f} s of computing here."
        )


def explicit_estimate(
    scenario: Scenario, method: str = ADAMS, start: float = 0.52, window: float = 5e-3
) -> ExplicitEstimate:
    """Measure `method` on [start, start + window], reached by the implicit method at the scenario's tolerances.

    A method with step control chooses its steps itself; of one without, the longest stable step is looked for.

    Args:
        scenario: of a robot whose problem is a constrained system.
        method: an explicit method.
        start, window: the piece [s]; on it something should move, since at rest nothing shows the limit of stability.
    """
    problem = find_robot(scenario.robot).problem(scenario)
    assert isinstance(problem, MultibodyProblem)
    rtol, atol = scenario.rtol or 1e-3, scenario.atol or 1e-3
    tolerance = Tolerance(rtol, atol, first_step=min(1e-3, start))
    there = integrate_multibody(replace(problem, t1=start), find_method(IMPLICIT), tolerance)
    piece = replace(problem, initial=there.final, t0=start, t1=start + window)
    if find_method(method).adaptive:
        found = integrate_multibody(piece, find_method(method), Tolerance(rtol, atol, first_step=1e-6))
    else:
        found = _longest_stable(piece, find_method(method))
    steps = found.log.h[found.log.accepted.astype(bool)]
    return ExplicitEstimate(
        method,
        start,
        float(found.t[-1]) - start,
        float(np.median(steps[len(steps) // 2 :])),
        found.counts.rhs_evaluations,
        _seconds_per_call(piece),
    )


def _longest_stable(problem: MultibodyProblem, method: Method) -> Solution:
    """The run with the longest fixed step, to a few per cent, that stays near the implicit solution."""
    exact = integrate_multibody(problem, find_method(IMPLICIT), Tolerance(1e-6, 1e-6)).final

    def attempt(step: float) -> Solution | None:
        found = integrate_multibody(problem, method, FixedStep(step))
        near = found.status is Status.FINISHED and float(np.abs(found.final - exact).max()) < FAR
        return found if near else None

    step, best = min(LONGEST, problem.t1 - problem.t0), None
    for _ in range(HALVINGS):
        best = attempt(step)
        if best is not None:
            break
        step *= 0.5
    if best is None:
        raise ArmstepError(f"{method.key} is unstable even with steps of {2.0 * step:.2g} s.")
    factor = 2.0**0.5
    for _ in range(REFINEMENTS):
        longer = attempt(step * factor)
        if longer is not None:
            step, best = step * factor, longer
        factor **= 0.5
    return best


def _seconds_per_call(problem: MultibodyProblem, repeats: int = 101) -> float:
    """Median time of a right-hand side at states that differ, so that none is remembered [s]."""
    reduced = reduce(problem)
    slope, states = np.empty(len(reduced.initial)), [reduced.initial, reduced.initial * (1.0 + 1e-6)]
    times = []
    for k in range(repeats):
        began = perf_counter()
        reduced.rhs(problem.t0, states[k % 2], reduced.params, slope)
        times.append(perf_counter() - began)
    return float(np.median(times))
