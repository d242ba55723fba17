"""What legends say at the playhead is the run's own value, not one of the line that is drawn."""

from __future__ import annotations

import gc
from math import pi

import numpy as np
import pytest

from gui.app.runs import RunRow
from gui.charts.plots.joints import JointsPlot
from gui.charts.plots.phase_plane import PhasePlanePlot
from gui.charts.plots.tip_path import TipPathPlot
from gui.charts.registry import plots
from gui.charts.shown import Shown, columns, drawing_times
from robots.scenario.presets import find_scenario
from robots.simulation.run import Run
from robots.simulation.simulate import simulate

TIMES = (0.123, 2.873, 3.557, 3.899, 4.583, 9.99)


@pytest.fixture(scope="module")
def run() -> Run:
    return simulate(find_scenario("rr-chaos"))


def shown_of(run: Run) -> Shown:
    row = RunRow(0, run.scenario, 0, pinned=False, run=run, state="done")
    return Shown.of([row])


@pytest.mark.parametrize("t", TIMES)
def test_joints_say_what_the_run_says(run: Run, t: float) -> None:
    angles, rates = (JointsPlot().chart(shown_of(run), variant).curves for variant in ("q", "v"))
    known = run.columns(np.array([t]))
    for curves, letter in ((angles, "q"), (rates, "v")):
        for index, curve in enumerate(curves, 1):
            assert curve.at(t) == pytest.approx(180.0 / pi * known[f"{letter}{index}"][0], rel=1e-13)


def test_lines_would_be_off_in_the_digit_that_is_shown(run: Run) -> None:
    """The preset has steps of 10 ms and more: its lines say 0.1 degrees too much or too little in places."""
    t, values = columns(run)
    assert drawing_times(run) is None or len(t) < 3000
    lines = np.interp(TIMES, t, values["q2"]) - run.columns(np.array(TIMES))["q2"]
    assert np.abs(180.0 / pi * lines).max() > 0.02


@pytest.mark.parametrize("t", TIMES)
def test_planes_have_the_point_of_the_run(run: Run, t: float) -> None:
    known, tip = run.columns(np.array([t])), run.tip(np.array([t]))[0]
    (plane,) = PhasePlanePlot().chart(shown_of(run), "1").curves
    assert plane.when(t) == pytest.approx((180.0 / pi * known["q1"][0], 180.0 / pi * known["v1"][0]), rel=1e-13)
    (path,) = TipPathPlot().chart(shown_of(run), "xz").curves
    assert path.when(t) == pytest.approx((tip[0], tip[2]), rel=1e-13)


def test_series_say_what_the_run_says() -> None:
    run = simulate(find_scenario("rr-pd"))
    plot = plots()["motion"]
    shown = shown_of(run)
    variant = next(iter(plot.variants(shown)))
    for index, curve in enumerate(plot.chart(shown, variant).curves):
        table = np.asarray(run.series(np.array([1.2345]))[variant].values).reshape(1, -1)
        assert curve.at(1.2345) == pytest.approx(table[0, index], rel=1e-12)


def test_a_curve_keeps_no_run() -> None:
    run = simulate(find_scenario("rr-swing").with_values({"duration": "1"}))
    curve = JointsPlot().chart(shown_of(run), "q").curves[0]
    exact = curve.at(0.5003)
    del run
    gc.collect()
    assert curve.at(0.7777) == pytest.approx(np.interp(0.7777, curve.x, curve.y))
    assert curve.at(0.5003) == pytest.approx(exact, rel=1e-3)
