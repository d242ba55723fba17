"""The first step of an integration with step control; imported when a run begins, for its kernel."""

from __future__ import annotations

import math

import numpy as np

from solvers.control import Tolerance
from solvers.kernels.calls import addresses
from solvers.kernels.parts.first_step import guess
from solvers.problem import Array, OdeProblem


def first_step(
    problem: OdeProblem, control: Tolerance, t: float, y: Array, slope: Array, end: float, ceiling: float, power: int
) -> tuple[float, int]:
    """A first step, signed, and how many calls of the right-hand side it took.

    Args:
        problem, control: of the run; `control.first_step`, if given, is used unchanged.
        t, y, slope: where it begins, and f(t, y) there.
        end, ceiling: see `Stepper.start`.
        power: the power of h with which the method's error estimate falls.
    """
    longest = math.copysign(min(abs(end - t), control.max_step or math.inf), end - t)
    if control.first_step is not None:
        return math.copysign(min(control.first_step, abs(longest)), longest), 0
    rtol = 0.0 if control.controller == "paper" else control.rtol
    work, later = np.empty(len(y)), np.empty((1, len(y)))
    rhs = addresses(problem)[0]
    h = guess(rhs, problem.params, t, y, slope, longest, ceiling, rtol, control.atol, power, work, later)
    return h, 1
