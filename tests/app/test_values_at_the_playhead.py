"""What legends say at the playhead is the run's own value where the curve is drawn from it, else one on the line."""

from __future__ import annotations

import gc
from math import pi

import numpy as np
import pytest

from gui.app.runs import RunRow
from gui.charts.fit import marks_at
from gui.charts.plots.error import ErrorPlot
from gui.charts.plots.joints import JointsPlot
from gui.charts.plots.phase_plane import PhasePlanePlot
from gui.charts.plots.tip_path import TipPathPlot
from gui.charts.registry import plots
from gui.charts.shown import Shown, columns, drawing_times
from robots.model.chart import Axis, Chart, Curve
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


# -- on the line that is drawn -----------------------------------------------------------------------------------------


def test_the_error_of_a_path_is_read_on_its_logarithmic_line() -> None:
    """Adams-Bashforth 4 has its error at step ends; between two of them the line is straight in its logarithm."""
    run = simulate(find_scenario("pa10-circle").with_values({"method": "ab4", "duration": "2"}))
    chart = ErrorPlot().chart(shown_of(run), "position_m")
    (curve,) = chart.curves
    right = 2 + int(np.argmax(np.abs(np.diff(np.log10(curve.y[1:])))))
    (left_t, right_t), ends = curve.x[right - 1 : right + 1], curve.y[right - 1 : right + 1]
    assert ends.max() > 1.2 * ends.min(), "a step on which a straight line of values is far from that of logarithms"
    for share in (0.0, 0.25, 0.5, 1.0):
        t = left_t + share * (right_t - left_t)
        assert curve.at(t, chart.y) == pytest.approx(ends[0] ** (1.0 - share) * ends[1] ** share, rel=1e-9)
        assert curve.when(t, chart.x, chart.y) == (t, curve.at(t, chart.y))
    assert curve.at(0.5 * (left_t + right_t)) > 1.003 * curve.at(0.5 * (left_t + right_t), chart.y)


def test_what_a_logarithm_cannot_show_is_read_as_on_a_plain_axis() -> None:
    falls = Curve(np.array([0.0, 1.0]), np.array([1.0, -1.0]))
    assert falls.at(0.25, Axis(scale="log")) == 0.5
    assert falls.at(1.0, Axis(scale="log")) == -1.0


def test_where_lines_join_the_steps_the_value_and_the_dot_are_on_them() -> None:
    """The dense output of this method is of a lower order: curves do not show it, so nothing is read from it."""
    run = simulate(find_scenario("rr-swing").with_values({"method": "cvode-adams", "rtol": "1e-4", "duration": "2"}))
    t, values = columns(run)
    assert drawing_times(run) is None
    assert 12 < len(t) < 200
    at = float(0.3 * t[9] + 0.7 * t[10])
    (angle, _) = JointsPlot().chart(shown_of(run), "q").curves
    assert angle.at(at) == pytest.approx(180.0 / pi * np.interp(at, t, values["q1"]), rel=1e-12)
    chart = PhasePlanePlot().chart(shown_of(run), "1")
    ((_, place),) = marks_at(Chart(x=chart.x, y=chart.y, curves=chart.curves), at)
    line = [180.0 / pi * np.interp(at, t, values[name]) for name in ("q1", "v1")]
    assert place == pytest.approx(line, rel=1e-12)
