"""What is said of a run's steps: how many of which size, and of one that failed, which no method rejected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from assets.fields import Value
from gui.app import formatting
from gui.app.run_texts import news, status
from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.app.table.columns import COLUMNS, TableMoment
from gui.app.units import Unit
from gui.charts.fit import value_text
from gui.charts.registry import plots
from gui.charts.shown import Shown
from gui.charts.steps import FAILED, HEIGHT, REJECTED, steps_text
from gui.charts.summary import summary
from gui.commands.run import report
from gui.compose.picture import legend
from gui.front.runs import Run
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.charts_page import PagePanel
from gui.qt.drawing.style import style_of
from gui.qt.export.figure import caption_of
from gui.qt.plots.enlarged import plot_widget
from gui.qt.window.main_window import MainWindow
from robots.model.chart import Chart
from robots.model.segments import Segment
from robots.scenario.presets import find_scenario
from robots.simulation.simulate import simulate
from tests.inline_jobs import InlineJobs


def session_of(key: str, changes: Mapping[str, Value], folder: Path) -> Session:
    made = Session(InlineJobs(), Settings(folder), find_scenario(key).with_values(changes))
    made.start()
    return made


@pytest.mark.parametrize("changes", [{}, {"method": "rk4", "step": 0.1}])
def test_a_fixed_step_that_ends_in_infinity_is_not_rejected(changes: Mapping[str, Value], tmp_path: Path) -> None:
    session = session_of("rr-stiff", changes, tmp_path)
    row = session.runs.current
    run = row.run
    assert run is not None
    assert str(run.status) == "diverged"
    assert (run.counts.rejected, len(run.log.t) - run.counts.steps) == (0, 1), "only the log has it"
    assert np.flatnonzero(run.failed_attempts).tolist() == [len(run.log.t) - 1]
    column = next(column for column in COLUMNS if column.key == "rejected")
    assert column.text(row, TableMoment((row,))) == "0"
    assert "rejected" not in news(row)
    assert "0 rejected, 1 failed" in report(Run(run))
    for key in ("steps", "step-size"):
        chart = plots()[key].chart(Shown.of(session.runs.all), "")
        assert f"■ {FAILED}" in chart.note
        assert "×" not in chart.note
        marks = {curve.mark: curve.name.rpartition(", ")[2] for curve in chart.curves if curve.x.size}
        assert marks["square"] == FAILED
        assert "cross" not in marks, "a cross is a rejected step, and the table counts none"
        (square,) = [curve for curve in chart.curves if curve.mark == "square" and curve.x.size]
        assert square.x.tolist() == [run.t_end], "where the solution ends, in the lane as in the plot"
    assert "square" in column.tip


def test_a_rejected_step_is_at_one_place_in_the_lane_and_in_the_plot(tmp_path: Path) -> None:
    session = session_of("rr-swing", {"method": "dopri5", "rtol": 1e-6, "atol": 1e-8}, tmp_path)
    lane, plot = (
        next(curve.x for curve in plots()[key].chart(Shown.of(session.runs.all), "").curves if curve.mark == "cross")
        for key in ("steps", "step-size")
    )
    assert lane.size > 0
    assert np.array_equal(lane, np.sort(plot)), "where it began, and the next attempt does"


def test_what_an_estimate_rejects_still_counts() -> None:
    scenario = find_scenario("rr-swing").with_values({"method": "dopri5", "rtol": 1e-6, "atol": 1e-8})
    run = simulate(scenario)
    assert run.counts.rejected == np.count_nonzero(~run.log.accepted) > 0
    assert not run.failed_attempts.any()
    assert "failed" not in report(Run(run))


def test_after_a_change_of_method_only_the_fixed_part_fails() -> None:
    """Step control up to the switch rejects steps; the fixed step after it fails once."""
    switch = Segment(0.5, {"method": "rk1", "step": 0.1})
    control = {"method": "dopri5", "step": None, "rtol": 1e-6, "atol": 1e-8, "duration": 3.0}
    run = simulate(find_scenario("rr-stiff").with_values(control).with_segments(switch))
    assert str(run.status) == "diverged"
    lost = np.flatnonzero(~run.log.accepted)
    assert np.flatnonzero(run.failed_attempts).tolist() == [len(run.log.t) - 1]
    assert run.counts.rejected == len(lost) - 1 > 0
    assert run.log.t[lost[:-1]].max() < switch.at <= run.log.t[lost[-1]]
    assert f"{run.counts.rejected} rejected, 1 failed" in report(Run(run))


def test_a_lane_says_its_steps(tmp_path: Path) -> None:
    fixed = simulate(find_scenario("rr-swing").with_values({"duration": 10.0}))
    assert steps_text(fixed) == "1\u202f000 steps of 10\u00a0ms"
    cut = simulate(find_scenario("rr-swing").with_values({"duration": 0.095}))
    assert steps_text(cut) == "10 steps of 10\u00a0ms", "the last one is shorter"
    even = simulate(find_scenario("rr-swing").with_values({"method": "ab4", "step": 0.03, "duration": 1.0}))
    assert steps_text(even) == "34 steps of 29.4\u00a0ms", "a method of several steps divides the span evenly"
    control = simulate(find_scenario("rr-swing").with_values({"method": "dopri5", "rtol": 1e-6, "atol": 1e-8}))
    low, _, high = steps_text(control).rpartition(" to ")
    assert low.startswith(f"{control.counts.steps} steps of ")
    assert high.endswith("ms")
    session = session_of("rr-swing", {}, tmp_path)
    alone = plots()["steps"].chart(Shown.of(session.runs.all), "")
    height = HEIGHT[0].lower() + HEIGHT[1:]
    assert (alone.note, alone.details) == ("", f"1\u202f000 steps of 10\u00a0ms; {height}")
    session.comparisons.pin()
    session.edit("step", 0.02)
    both = plots()["steps"].chart(Shown.of(session.runs.all), "")
    titles = [curve.name for curve in both.listed]
    texts = "500 steps of 20\u00a0ms", "1\u202f000 steps of 10\u00a0ms"
    assert len(set(titles)) == 2
    lanes = [f"{title}: {text}" for title, text in zip(titles, texts, strict=True)]
    assert both.details == "; ".join([*lanes, height])
    few = session_of("rr-swing", {"duration": 0.05}, tmp_path / "few")
    assert HEIGHT[1:] not in plots()["steps"].chart(Shown.of(few.runs.all), "").details, "each has its own tick"
    assert both.note == ""


@pytest.mark.parametrize(("step", "said"), [("25.5 ms/2", "12.75\u00a0ms"), ("1/60", "16.7\u00a0ms")])
def test_a_step_that_was_typed_is_one_number_everywhere(window: MainWindow, qtbot: QtBot, step: str, said: str) -> None:
    session = window.session
    session.files.new("rr-swing")
    session.edit("duration", 5.0)
    session.edit("step", Unit.of("s").read(step))
    qtbot.waitUntil(lambda: session.runs.current.state == "done", timeout=20_000)
    row = session.runs.current
    assert row.run is not None
    shown = Shown.of(session.runs.all)
    sizes = plots()["step-size"].chart(shown, "")
    said_there = value_text(sizes.y, sizes.curves[0].at(1.0))
    assert float(said_there.partition("\u00a0")[0]) * 1000.0 == pytest.approx(float(said.partition("\u00a0")[0]))
    assert f"step {said}" in status(row)
    assert f"step {said}" in formatting.setting(row.scenario)
    assert steps_text(row.run).endswith(f"steps of {said}")
    assert f"step {said}" in legend(session.runs.all, 0.0)[0].setting


def test_the_steps_of_each_phase_are_said() -> None:
    """Up to each break the longest one; one that is cut short is not named, unless there is nothing else."""
    swing = find_scenario("rr-swing").with_values({"duration": 1.0})
    halved = swing.with_segments(Segment(0.5, {"step": 0.005}))
    assert steps_text(simulate(halved)) == "150 steps of 10\u00a0ms and 5\u00a0ms"
    same = swing.with_segments(Segment(0.5, {"method": "rk2"}))
    assert steps_text(simulate(same)) == "100 steps of 10\u00a0ms"
    between = swing.with_segments(Segment(0.5, {"method": "rk2"}), Segment(0.504, {"method": "rk4"}))
    assert steps_text(simulate(between)) == "101 steps of 10\u00a0ms", "4 ms between two breaks"
    short = swing.with_values({"duration": 0.016}).with_segments(Segment(0.008, {"method": "rk2"}))
    assert steps_text(simulate(short)) == "2 steps of 8\u00a0ms"
    three = swing.with_segments(Segment(0.25, {"step": 0.005}), Segment(0.5, {"step": 0.02}))
    assert steps_text(simulate(three)) == "100 steps of 5\u00a0ms to 20\u00a0ms"


def test_files_keep_the_short_note_and_readers_hear_the_rest(tmp_path: Path) -> None:
    """A long note made small figures lose all of it; "at the playhead" stood in figures without a playhead."""
    rejecting = {"method": "dopri5", "step": None, "rtol": 1e-6, "atol": 1e-8}
    session = session_of("rr-swing", rejecting, tmp_path)
    session.comparisons.pin()
    session.edit("rtol", 1e-5)
    shown = Shown.of(session.runs.all)
    for key, note in (("steps", f"× {REJECTED}"), ("stability", "|R(hλ)| ≤ 1")):
        chart = plots()[key].drawn(shown)
        assert chart.note == note
        assert chart.details
        assert chart.in_full == f"{note}; {chart.details}"
        assert chart.in_full in summary(chart, 0.0)
        caption = caption_of("Title", (), [PagePanel(chart)], lettered=False)
        assert note in caption
        assert chart.details not in caption
        assert "playhead" not in caption
        assert in_narrow_headings(chart) == in_narrow_headings(replace(chart, details=""))
    bare = Chart(note="against the reference")
    assert bare.in_full == bare.note


def in_narrow_headings(chart: Chart) -> QImage:
    """The heading of a small figure."""
    image = QImage(280, 200, QImage.Format.Format_RGB888)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    ChartPainter(chart, QRectF(0, 0, 280, 200), None, style_of("light")).paint_ground(painter)
    painter.end()
    return image


def test_the_enlarged_lane_says_it_too(window: MainWindow, qtbot: QtBot) -> None:
    window.session.view.set(enlarged="steps")
    assert window.enlarged is not None
    plot = window.enlarged.plot
    assert plot is not None
    qtbot.waitUntil(lambda: "steps of 10\u00a0ms" in plot.header.hint.text())
    said = plot.header.hint.shown_text() + window.enlarged.caption.text()
    assert "steps of 10\u00a0ms" in said
    assert HEIGHT[1:] in said, "blocks whose height no word explained"
    assert HEIGHT in window.timeline.lane.toolTip()
    small = plot_widget(window.session, "steps")
    qtbot.addWidget(small)
    small.update_now()
    assert small.chart.details
    assert small.header.hint.text() == "", "beside a small plot's name there is room for its note only"
    small.release()


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
@pytest.mark.parametrize("key", ["steps", "step-size"])
def test_the_sign_for_a_failed_step_has_the_colour_of_its_mark(
    window: MainWindow, qtbot: QtBot, key: str, theme: str
) -> None:
    """Beside the plot's name or below it, as there is room."""
    session = window.session
    session.files.new("rr-stiff")
    session.view.set(theme=theme, enlarged=key)
    assert window.enlarged is not None
    lies = window.enlarged
    qtbot.waitUntil(lambda: lies.plot is not None and lies.plot.settled and "■" in lies.plot.chart.note)
    assert lies.plot is not None
    drawn = next(curve for curve in lies.plot.chart.curves if curve.mark == "square")
    mark = style_of(theme).curve_colour(drawn)
    said = lies.caption if "■" in lies.caption.text() and lies.caption.isVisible() else lies.plot.header.hint
    seen = said.grab().toImage()
    colours = {seen.pixelColor(x, y).name() for x in range(seen.width()) for y in range(seen.height())}
    assert mark.name() in colours
