"""The first step of an integration with step control."""

from __future__ import annotations

import math

import numpy as np

from solvers.control import Tolerance
from solvers.problem import Array, OdeProblem


def first_step(
    problem: OdeProblem, control: Tolerance, t: float, y: Array, slope: Array, end: float, ceiling: float, power: int
) -> tuple[float, int]:
    """A first step, signed, and the number of calls of the right-hand side that it took.

    Args:
        problem, control: of the run; `control.first_step` is taken as it is.
        t, y, slope: where it begins, and f(t, y) there.
        end, ceiling: see `Stepper.start`.
        power: the power of h with which the method's error estimate falls.

    Source: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I (1993), II.4.
    """
    sign = 1.0 if end >= t else -1.0
    longest = min(abs(end - t), control.max_step or math.inf)
    if control.first_step is not None:
        return sign * min(control.first_step, longest), 0
    rtol = 0.0 if control.controller == "paper" else control.rtol
    scale = [max(control.atol + rtol * abs(value), 1e-300) for value in y.tolist()]
    size, speed = _rms(y.tolist(), scale), _rms(slope.tolist(), scale)
    h = 1e-6 if size < 1e-5 or speed < 1e-5 else 0.01 * size / speed
    h = min(h, longest)
    later = np.empty_like(y)
    problem.rhs(min(t + sign * h, ceiling), y + sign * h * slope, problem.params, later)
    bend = _rms((later - slope).tolist(), scale) / h if h > 0.0 else 0.0
    largest = max(speed, bend)
    proposal = max(1e-6, 1e-3 * h) if largest <= 1e-15 else (0.01 / largest) ** (1.0 / power)
    h = min(100.0 * h, proposal, longest)
    return sign * (h if math.isfinite(h) and h > 0.0 else 1e-6 * longest), 1


def _rms(vector: list[float], scale: list[float]) -> float:
    ratios = [value / unit for value, unit in zip(vector, scale, strict=True)]
    return math.sqrt(min(sum(ratio * ratio for ratio in ratios), 1e300) / len(ratios))
