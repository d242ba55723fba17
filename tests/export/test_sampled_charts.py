"""The charts of sampled control: stairs, instants, the border."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from gui.app.runs import RunRow
from gui.app.verdict import verdict
from gui.charts.plots.held import PLOT as HELD
from gui.charts.plots.sampled_loop import PLOT as LOOP
from gui.charts.shown import Shown
from robots.model.registry import find_robot
from robots.scenario.presets import find_preset
from robots.simulation.simulate import simulate


def shown(*changes: Mapping[str, float | str]) -> Shown:
    base = find_preset("rr-sampled").with_value("duration", 1.0)
    rows = []
    for k, change in enumerate(changes):
        scenario = base.with_values(change)
        run = simulate(scenario, repeat=False)
        rows.append(RunRow(k, scenario, k, pinned=k > 0, run=run, state="done", progress=1.0))
    return Shown.of(rows)


def test_held_torques_are_stairs_with_their_instants() -> None:
    late: dict[str, float | str] = {"task.sampling_delay": 0.05, "task.sampling_loss": 0.4}
    chart = HELD.chart(shown(late), "")
    stairs = [curve for curve in chart.curves if curve.joined]
    dots, lost = ([curve for curve in chart.curves if curve.mark == mark] for mark in ("dot", "cross"))
    assert len(stairs) == len(dots) == len(lost) == 2
    run = simulate(find_preset("rr-sampled").with_values({"duration": 1.0, **late}), repeat=False)
    for time in (0.02, 0.06, 0.21, 0.93):
        known = run.columns(np.array([time]))
        assert stairs[0].at(time) == pytest.approx(known["u1"][0])
        assert stairs[1].at(time) == pytest.approx(known["u2"][0])
    assert stairs[0].at(0.02) == 0.0
    instants = 0.17 * np.arange(6)
    assert sorted([*dots[0].x, *lost[0].x]) == pytest.approx(instants)
    assert chart.note == "dots: samples; ×: 4 of 6 lost"


def test_the_border_lies_where_the_growth_passes_1() -> None:
    chart = LOOP.chart(shown({}, {"task.sampling_period": 0.1}), "growth")
    (band,) = chart.bands
    curve, own = chart.curves[:2]
    assert np.interp(band.low, curve.x, curve.y) == pytest.approx(1.0, abs=0.02)
    assert (own.x[0], own.mark) == (0.17, "circle")
    assert own.y[0] > 1.4
    assert "154\u00a0ms" in chart.note


def test_a_long_delay_shortens_the_longest_period() -> None:
    chart = LOOP.chart(shown({}), "delay")
    curve = chart.curves[0]
    assert curve.x[0] == 0.0
    assert curve.y[0] == pytest.approx(0.1547, abs=1e-4)
    # A short one lengthens it a little: the rate's feedback, which is too strong there, acts later.
    assert np.all(np.diff(curve.y[1:]) < 0.0)
    assert curve.y[-1] < 0.2 * curve.y[0]


def test_a_control_at_every_instant_has_nothing_to_show() -> None:
    for plot in (HELD, LOOP):
        chart = plot.drawn(shown({"task.sampling": "off"}))
        assert chart.blank
        assert chart.empty.startswith("The control acts at every instant.")
        assert plot.suits(find_robot("e1"))
        assert not plot.suits(find_robot("beam"))


def test_the_plot_and_the_status_line_have_one_limit() -> None:
    """The plot said 0.154 s, the status line 154.7 ms."""
    for period, limit in ((0.17, "154\u00a0ms"), (0.1548, "154.7\u00a0ms")):
        rows = shown({"task.sampling_period": period})
        (row,) = rows.rows
        assert str(verdict(replace(row, judged=True)).unstable).endswith(f"beyond the limit of {limit}.")
        assert LOOP.chart(rows, "growth").note.endswith(f"longest stable period: {limit}")
