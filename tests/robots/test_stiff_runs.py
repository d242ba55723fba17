"""Whether a run is called stiff, against runs at ten times and a tenth of its tolerance: at the limit all are alike."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from assets.fields import Value
from robots.scenario.presets import find_preset
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from robots.simulation.stability import stiff_from
from solvers.method_registry import find_method

DAMPED = {"task.torque": "viscous", "task.d1": 100.0, "task.d2": 100.0, "duration": 6.0}
MOTIONS: dict[str, tuple[str, dict[str, Value]]] = {
    "beam": ("beam", {"duration": 2.0}),
    "damped arm": ("rr-swing", {**DAMPED}),
    "small arm": ("so101-reach", {"duration": 1.0}),
    "stiff pendulum": ("double-pendulum", {"duration": 0.05}),
    "swing": ("rr-swing", {"duration": 5.0}),
}
ALIKE, APART = 0.25, 0.6
"""The order times the power with which steps grow as the tolerance falls: 0 if it does not count, 1 if only it does."""


def run_of(motion: str, method: str, tolerance: float) -> Run:
    preset, values = MOTIONS[motion]
    asked = {**values, "method": method, "step": None, "rtol": tolerance, "atol": tolerance}
    return simulate(find_preset(preset).with_values(asked), repeat=False)


@pytest.mark.parametrize(
    ("motion", "method", "tolerance", "stiff"),
    [
        ("beam", "dopri5", 1e-6, True),
        ("beam", "dopri5", 1e-9, False),
        ("beam", "dopri5", 5e-10, False),
        ("beam", "bs32", 1e-6, True),
        ("beam", "bs32", 5e-9, False),
        ("beam", "tsit5", 1e-9, False),
        ("damped arm", "dopri5", 1e-5, True),
        ("damped arm", "rkf45", 3e-9, False),
        ("damped arm", "dop853", 3e-9, False),
        ("small arm", "bs32", 1e-4, True),
        ("small arm", "dop853", 3e-7, False),
        ("stiff pendulum", "dopri5", 1e-6, True),
        ("stiff pendulum", "dop853", 1e-8, True),
        ("swing", "dopri5", 1e-6, False),
        ("swing", "bs32", 1e-6, False),
    ],
)
def test_a_run_is_called_stiff_where_the_tolerance_does_not_count(
    motion: str, method: str, tolerance: float, stiff: bool
) -> None:
    looser, run, stricter = (run_of(motion, method, factor * tolerance) for factor in (10.0, 1.0, 0.1))
    assert run.stability is not None
    start = stiff_from(run.stability)
    assert (start is not None) is stiff
    late = max(0.5 * run.t_end, start or 0.0)
    counts = [np.count_nonzero(one.log.accepted & (one.log.t > late)) for one in (looser, run, stricter)]
    order = find_method(method).order
    powers = [order * math.log10(more / less) for less, more in pairwise(counts)]
    assert min(powers) < ALIKE if stiff else max(powers) > APART
