"""What shows when a run is compared with others beside it: its order of convergence, and how fast neighbours part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from robots.model.robot import Array, of_joint
from robots.simulation.run import Run
from robots.simulation.simulate import simulate

APART = 1e-8
"""How far the neighbour starts away in each coordinate and rate."""


def order_between(coarse: float, fine: float, ratio: float) -> float:
    """The order at which an error fell from `coarse` to `fine` when the step was divided by `ratio`.

    Source: Richardson (1911): the error falls by the factor ratio^p.
    """
    return math.log(coarse / fine) / math.log(ratio)


def fitted_power(x: Sequence[float], y: Sequence[float]) -> float:
    """The power p of y = c x^p, by least squares of the logarithms; all numbers are above 0."""
    return float(np.polyfit(np.log10(x), np.log10(y), 1)[0])


def observed_order(run: Run) -> float:
    """The order of convergence, from the final coordinates with the steps h, h/2 and h/4; nan with step control."""
    scenario = run.scenario
    if scenario.step is None:
        return math.nan
    runs = [run, *(simulate(scenario.with_value("step", scenario.step / by), repeat=False) for by in (2.0, 4.0))]
    if not all(one.status.ok for one in runs):
        return math.nan
    ends = [_end(one, "q") for one in runs]
    coarse, fine = (float(np.linalg.norm(b - a)) for a, b in pairwise(ends))
    return order_between(coarse, fine, 2.0) if coarse > 0.0 and fine > 0.0 else math.nan


def lyapunov_exponent(run: Run) -> float:
    """The largest Lyapunov exponent over the time of the run [1/s]: log(distance at the end / at the start) / time.

    The neighbour starts `APART` away in every coordinate and rate. nan if either run failed, or nothing can be moved.

    Source: E. Ott, Chaos in Dynamical Systems (2002), section 4.4.
    """
    scenario = run.scenario
    moved = {f"initial.{key}": value + APART for key, value in scenario.initial.items() if isinstance(value, float)}
    if not moved or not run.status.ok:
        return math.nan
    beside = simulate(scenario.with_values(moved), repeat=False)
    if not beside.status.ok:
        return math.nan
    distance = float(np.linalg.norm(_end(beside, "qv") - _end(run, "qv")))
    start = APART * math.sqrt(len(moved))
    return math.log(distance / start) / run.t_end if distance > 0.0 else math.nan


def _end(run: Run, letters: str) -> Array:
    """The final coordinates, or rates too."""
    return np.array([value for name, value in run.final.items() if of_joint(name, letters)])
