"""What shows when a run is compared with others beside it: its order of convergence, and how fast neighbours part."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assets.errors import BadInput
from robots.model.robot import Array, of_joint
from robots.scenario.scenario import Scenario
from robots.simulation.run import Run
from robots.simulation.simulate import simulate

APART = 1e-8
"""How far the neighbour starts away in each number of the initial state."""

CLOSE = 0.1
"""How far apart neighbours may be while their distance still grows as the tangent equations say."""

SURE = 0.05
"""How far rounding may shift an order that is given to a tenth. With half the step, the error of the shorter one is
then at least 1 / (0.05 ln 2) = 29 times rounding."""

STRAIGHT = 0.1
"""How far apart the powers between neighbours of a straight part may be: one that is given to a tenth claims that all
of that part has it, and a line that still bends has none."""

ALIKE = 0.5
"""How far apart two orders may be that halvings of neighbouring steps show: orders are whole numbers, and those further
apart say that the error is no power of such steps."""

CHANCE = 3.0
"""By how much more than one sample shows rounding may shift a result."""


def order_between(coarse: float, fine: float, ratio: float) -> float:
    """The order at which an error fell from `coarse` to `fine` when the step was divided by `ratio`.

    Source: Richardson (1911): the error falls by the factor ratio^p.
    """
    return math.log(coarse / fine) / math.log(ratio)


def sure_order(coarse: float, fine: float, ratio: float, coarse_level: float, fine_level: float) -> float | None:
    """`order_between` two errors with so much rounding in each; None where that may shift the order's first tenth.

    Rounding changes the logarithm of an error by at most about level / error.
    """
    blurred = coarse_level / coarse + fine_level / fine
    return order_between(coarse, fine, ratio) if blurred <= SURE * math.log(ratio) else None


def fitted_power(x: Sequence[float], y: Sequence[float]) -> float:
    """The power p of y = c x^p, by least squares of the logarithms; all numbers are above 0."""
    return float(np.polyfit(np.log10(x), np.log10(y), 1)[0])


def observed_order(run: Run) -> float:
    """The order of convergence, from the final coordinates with the steps h, h/2 and h/4; nan with step control.

    Where a robot has no joints, it is that of its outputs. nan also where rounding may shift the order's first tenth,
    and where that from 2 h, h and h/2 is another one: the error is no power of such steps.
    """
    scenario = run.scenario
    if scenario.step is None:
        return math.nan
    try:
        others = [scenario.with_value("step", scenario.step * by) for by in (2.0, 0.5, 0.25)]
    except BadInput:
        return math.nan
    longer, *shorter = (simulate(one, repeat=False) for one in others)
    runs = [longer, run, *shorter]
    if not all(one.status.ok for one in runs):
        return math.nan
    ends = [_state(one, "q", one.t_end) for one in runs]
    first, coarse, fine = (float(np.linalg.norm(b - a)) for a, b in pairwise(ends))
    if not (first > 0.0 and coarse > 0.0 and fine > 0.0):
        return math.nan
    levels = (_rounding(run) * math.sqrt(a.counts.steps + b.counts.steps) for a, b in pairwise(runs[1:]))
    order = sure_order(coarse, fine, 2.0, *levels)
    alike = order is not None and abs(order_between(first, coarse, 2.0) - order) <= ALIKE
    return order if order is not None and alike else math.nan


def _rounding(run: Run) -> float:
    """What rounding may come to in the final coordinates, for one step; it grows as the root of their number.

    A run that starts one unit in the last place beside it is rounded otherwise at every step.

    Source: P. Henrici, Discrete Variable Methods in Ordinary Differential Equations (1962), section 1.5.
    """
    last = float(np.spacing(np.abs(run.y[0]).max()))
    inward = {key: value - math.copysign(last, value) for key, value in _start(run.scenario).items() if value}
    beside = _neighbour(run.scenario, inward) if inward else run
    if not beside.status.ok:
        return math.inf
    apart = float(np.linalg.norm(_state(beside, "q", beside.t_end) - _state(run, "q", run.t_end)))
    return CHANCE * max(apart / math.sqrt(run.counts.steps), float(np.spacing(np.abs(run.y).max())))


def lyapunov_exponent(run: Run) -> float:
    """The largest Lyapunov exponent over the time of the run [1/s]: log(distance at the end / at the start) / time.

    The neighbour starts `APART` away in every number of the initial state. Distances are of coordinates and rates;
    where a robot has no joints, of its outputs, such as Euler parameters. nan if either run failed, or they meet.

    Source: E. Ott, Chaos in Dynamical Systems (2002), section 4.4.

    Raises:
        BadInput: nothing of the initial state can be moved.
    """
    scenario = run.scenario
    if not has_neighbour(scenario):
        raise BadInput("lyapunov", scenario.robot, "of a robot with numbers in its initial state")
    beside = _neighbour(scenario, {key: value + APART for key, value in _start(scenario).items()})
    if not (run.status.ok and beside.status.ok):
        return math.nan
    start, end = (
        float(np.linalg.norm(_state(beside, "qv", t) - _state(run, "qv", t))) for t in (float(run.t[0]), run.t_end)
    )
    return math.log(end / start) / run.t_end if min(start, end) > 0.0 else math.nan


def as_far_as_they_get(exponents: Array, times: Array) -> NDArray[np.bool_]:
    """Whether neighbours with these exponents [1/s] were no longer close at these times [s], (n,)."""
    return np.exp(np.minimum(exponents * times, 700.0)) * APART > CLOSE


def _neighbour(scenario: Scenario, moved: Mapping[str, float]) -> Run:
    """The run that starts with these numbers of the initial state."""
    return simulate(scenario.with_values({f"initial.{key}": value for key, value in moved.items()}), repeat=False)


def has_neighbour(scenario: Scenario) -> bool:
    """Whether a run can begin beside that of the scenario: its initial state has numbers."""
    return bool(_start(scenario))


def _start(scenario: Scenario) -> dict[str, float]:
    """The numbers of its initial state."""
    return {key: value for key, value in scenario.initial.items() if isinstance(value, float)}


def _state(run: Run, letters: str, t: float) -> Array:
    """The coordinates (`q`), or the rates (`v`) too, at time `t` [s]; all outputs of a robot without joints."""
    named = {name: float(values[0]) for name, values in run.columns(np.array([t])).items()}
    return np.array([value for name, value in named.items() if of_joint(name, letters)] or [*named.values()])
