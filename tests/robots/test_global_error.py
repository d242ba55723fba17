"""The error without a reference, against the true one: the efficiency index is near 1; and whether steps are stiff."""

from __future__ import annotations

import math
from itertools import count, pairwise
from math import nan
from pathlib import Path

import numpy as np
import pytest

from gui.app.computing.forecast import stiffness_so_far
from gui.app.runs import RunRow
from gui.charts.plots.estimated_error import PLOT as ESTIMATED
from gui.charts.plots.stiffness import PLOT as STIFFNESS
from gui.charts.shown import Shown
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.global_error import estimate, remember
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from robots.simulation.stability import stiff_from
from robots.sweeps.work_curves import straight_part
from robots.sweeps.work_precision import Point

SWING = find_preset("rr-swing").with_value("duration", 5.0)


def test_what_is_not_consistent_has_no_estimate():
    text = "tableau 1; name Half; A 1; b 1/4, 1/4"
    run = simulate(SWING.with_values({"method": "own", "options.tableau": text, "duration": 0.1}), repeat=False)
    assert run.status.ok
    assert estimate(run) is None


@pytest.mark.parametrize(
    "values",
    [
        {"method": "rk1", "step": 0.002},
        {"method": "rk4", "step": 0.01},
        {"method": "bdf4", "step": 0.005},
        {"method": "dopri5", "rtol": 1e-6, "atol": 1e-9},
        {"method": "dop853", "rtol": 1e-7, "atol": 1e-9},
        {"method": "radau5", "rtol": 1e-6, "atol": 1e-8},
    ],
)
def test_the_estimate_is_the_true_error_within_a_tenth(values: dict[str, float | str], tmp_path: Path):
    run = simulate(SWING.with_values(values), repeat=False)
    found, exact = estimate(run), reference(run.scenario)
    assert found is not None
    assert exact is not None
    true = compare_with_reference(run, exact)
    assert found.max["reference_q_rad"] / true.max["reference_q_rad"] == pytest.approx(1.0, abs=0.1)
    late = run.t > 1.0
    shares = found.errors["reference_q_rad"][late] / true.errors["reference_q_rad"][late]
    assert np.median(shares) == pytest.approx(1.0, abs=0.15)


@pytest.mark.parametrize("key", ["rr-stops", "rr-sampled", "pa10-circle", "e1"])
def test_every_kind_of_run_has_an_estimate(key: str):
    """Across impacts and samples, along paths, and where the reference has other states than the run."""
    shorter = {"duration": 2.0, "method": "rk4", "step": 0.01} if key == "pa10-circle" else {"duration": 0.3}
    scenario = find_preset(key).with_values({} if key == "rr-stops" else shorter)
    run = simulate(scenario, repeat=False)
    found, exact = estimate(run), reference(scenario)
    assert found is not None
    assert exact is not None
    true = compare_with_reference(run, exact).max["reference_q_rad"]
    assert found.max["reference_q_rad"] / true == pytest.approx(1.0, abs=0.2)


def test_a_run_that_failed_has_no_estimate():
    assert estimate(simulate(find_preset("rr-stiff"), repeat=False)) is None


@pytest.mark.parametrize(("key", "stiff"), [("xarm7-stiff", True), ("so101-reach", True), ("rr-swing", False)])
def test_an_explicit_method_notices_stiff_equations(key: str, stiff: bool):
    run = simulate(find_preset(key).with_values({"method": "dopri5", "rtol": 1e-5, "atol": 1e-7}), repeat=False)
    assert run.stability is not None
    start = stiff_from(run.stability)
    assert (start is not None) is stiff
    if start is None:
        return
    # Where accuracy limits them, order 5 takes 2.5 times as many steps at a hundredth of the tolerance.
    finer = simulate(run.scenario.with_values({"rtol": 1e-7, "atol": 1e-9}), repeat=False)
    ends = (1.0 - 0.5 * (1.0 - start / run.t_end)) * run.t_end
    counts = [np.count_nonzero(one.log.accepted & (one.log.t > ends)) for one in (run, finer)]
    assert counts[1] < 1.6 * counts[0]


def test_an_implicit_method_without_limit_is_never_stiff():
    implicit = {"method": "radau5", "rtol": 1e-5, "atol": 1e-7, "duration": 0.3}
    run = simulate(find_preset("xarm7-stiff").with_values(implicit), repeat=False)
    assert run.stability is not None
    assert stiff_from(run.stability) is None


def point(tolerance: float | None, error: float) -> Point:
    counts, errors = {"rhs_evaluations": 1}, {"e": error}
    return Point(SWING, "dopri5", "Runge-Kutta", None, tolerance, "finished", "", counts, nan, 1, errors, {})


def powers(errors: list[float]) -> list[float]:
    """Between tolerances of which each is a hundredth of the one before."""
    return [math.log10(a / b) / 2.0 for a, b in pairwise(errors)]


def falling(errors: list[float]) -> list[Point]:
    return [point(10.0 ** -(3 + 2 * k), error) for k, error in enumerate(errors)]


def test_the_power_of_the_tolerance_is_that_of_the_errors():
    tolerances = 10.0 ** -np.arange(3.0, 10.0)
    points = [point(one, 40.0 * one**0.8) for one in tolerances.tolist()]
    for given in (points, [point(None, 1.0), *points], points[::-1]):
        part = straight_part(given, "e", controlled=True)
        assert part is not None
        assert part.power == pytest.approx(0.8)
        assert part.error_at(1e-5) == pytest.approx(40.0 * 1e-5**0.8)
        assert straight_part(given, "e") is None, "it has no fixed steps"
    assert straight_part(points[:2], "e", controlled=True) is None


def test_the_power_of_the_tolerance_is_that_of_a_straight_part_only():
    """A line through all points, also through bends, gave Dormand-Prince 8(5,3) on the beam 0.7."""
    beam = [1.3e-5, 2.4e-7, 3.6e-8, 5.3e-10, 1.6e-11]
    assert powers(beam) == pytest.approx([0.87, 0.41, 0.92, 0.76], abs=0.01)
    assert straight_part(falling(beam), "e", controlled=True) is None
    fehlberg = [9.1e-3, 8.3e-3, 5.8e-5, 4.2e-7, 3.0e-9]
    assert powers(fehlberg) == pytest.approx([0.02, 1.08, 1.07, 1.07], abs=0.01)
    part = straight_part(falling(fehlberg), "e", controlled=True)
    assert part is not None
    assert [one.tolerance for one in part.points] == pytest.approx([1e-5, 1e-7, 1e-9, 1e-11])
    assert part.power == pytest.approx(np.mean(powers(fehlberg)[1:]), abs=0.01)
    slow = [1e-3, 1e-4, 1e-5, 1e-6]
    assert straight_part(falling(slow), "e", controlled=True) is not None, "as of order 1 with an error for each step"
    flat = [1e-3, 4e-4, 1.6e-4, 6.4e-5]
    assert straight_part(falling(flat), "e", controlled=True) is None


def row_of(scenario: Scenario) -> RunRow:
    run = simulate(scenario, repeat=False)
    remember(run)
    _ = run.stability
    return RunRow(0, scenario, 0, pinned=False, run=run, state="done", progress=1.0, judged=True)


def test_the_plots_show_estimate_and_stiffness():
    row = row_of(SWING.with_values({"method": "dopri5", "rtol": 1e-6, "atol": 1e-9}))
    shown = Shown.of([row])
    chart = ESTIMATED.drawn(shown)
    assert chart.curves[0].y.max() == pytest.approx(5.5e-5, rel=0.1)
    assert "a tenth of the tolerances" in chart.note
    assert "stiff" not in STIFFNESS.drawn(shown).note
    stiff = row_of(find_preset("xarm7-stiff").with_values({"method": "dopri5", "rtol": 1e-5, "atol": 1e-7}))
    chart = STIFFNESS.drawn(Shown.of([stiff]))
    assert chart.note.startswith("stiff for this method from t = 0.1")
    assert chart.curves[0].y[-12:-2] == pytest.approx(1.0, abs=0.1), "but for the last step, which the end cuts short"
    assert chart.curves[0].y[-1] < 0.9


def test_a_long_run_is_judged_while_it_is_computed():
    """By what there is of it; an implicit method and a fixed step are no news."""
    explicit = {"method": "dopri5", "rtol": 1e-5, "atol": 1e-5}
    stiff, friction = find_preset("double-pendulum"), {"task.torque": "viscous", "task.d1": 100.0, "task.d2": 100.0}
    heavy = SWING.with_values({**explicit, **friction, "rtol": 1e-3})
    for scenario in (stiff.with_values({**explicit, "duration": 100.0}), heavy):
        assert stiffness_so_far(begun(scenario)).startswith("Stiff: from t = ")
    for scenario in (SWING.with_values(explicit), stiff, SWING, heavy.with_value("method", "radau5")):
        assert stiffness_so_far(begun(scenario)) == ""


def begun(scenario: Scenario) -> Run:
    """A run after some slices."""
    slices = count()
    return simulate(scenario, cancel=lambda: next(slices) > 20, repeat=False)
