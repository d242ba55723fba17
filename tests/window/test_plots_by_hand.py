"""What a person does to a plot with mouse and keys: axes, legend, second cursor, zoom, enlarging."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.app.session.session import Session
from gui.app.table.distinctions import in_brief, names
from gui.app.view import ViewSettings
from gui.charts.between import between_text, change_and_rate
from gui.charts.fit import value_text
from gui.charts.registry import charts_of
from gui.charts.steps import steps_chart
from gui.qt.drawing.legend import entries_of
from gui.qt.drawing.style import style_of
from gui.qt.panels.plots import PlotsPanel
from gui.qt.plots.items import kinds_of
from gui.qt.plots.plot import PlotWidget
from gui.qt.plots.time_plot import TimePlot
from gui.qt.window.commands.focus_frame import FocusFrame
from gui.qt.window.main_window import MainWindow
from robots.model.chart import Axis, Chart, Curve
from tests.window.hands import PATIENCE, press

QWIDGETSIZE_MAX = 2**24 - 1
LEFT, CTRL, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window_with_runs(shared_window: MainWindow, qtbot: QtBot) -> MainWindow:
    """Three methods, one of which diverges from the others."""
    session = shared_window.session
    session.edit("duration", 2.0)
    for method in ("rk2", "rk1"):
        session.comparisons.pin()
        session.edit("method", method)
    qtbot.waitUntil(lambda: all(row.reference_state == "done" for row in session.runs.all), timeout=60_000)
    session.playback.pause()
    session.playback.seek(1.0)
    return shared_window


def plots_of(window: MainWindow) -> PlotsPanel:
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "plots")
    assert isinstance(panel, PlotsPanel)
    return panel


def settled(plot: PlotWidget, qtbot: QtBot) -> PlotWidget:
    qtbot.waitUntil(lambda: plot.isVisible() and plot.settled, timeout=10_000)
    return plot


def spot(plot: PlotWidget, x: float) -> QPoint:
    """The point over `x` in the middle of the plot's height, in its viewport."""
    return plot.widget.mapFromScene(plot.area.mapViewToScene(QPointF(x, sum(plot.area.viewRange()[1]) / 2)))


def double_click(widget: QWidget, at: QPoint) -> None:
    """As Qt sends a double click: the second press is one."""
    for kind in (
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.MouseButtonRelease,
    ):
        down = LEFT if kind != QEvent.Type.MouseButtonRelease else Qt.MouseButton.NoButton
        where = QPointF(at), QPointF(widget.mapToGlobal(at))
        QApplication.sendEvent(widget, QMouseEvent(kind, *where, LEFT, down, PLAIN))


def entry_place(plot: PlotWidget, index: int, qtbot: QtBot) -> QPoint:
    qtbot.waitUntil(lambda: len(plot.legend.places) > index, timeout=10_000)
    return plot.legend.places[index][0].center().toPoint()


# -- arithmetic --------------------------------------------------------------------------------------------------------


def test_growth_between_two_cursors_is_that_of_the_exponential() -> None:
    t = np.linspace(0.0, 2.0, 4001)
    curve = Curve(t, 1e-6 * np.exp(3.5 * t))
    change, rate = change_and_rate(curve, 0.5, 1.5)
    assert rate == pytest.approx(3.5, rel=1e-5)
    assert change == pytest.approx(1e-6 * (np.exp(5.25) - np.exp(1.75)), rel=1e-5)
    assert change_and_rate(curve, 1.5, 0.5)[1] == pytest.approx(3.5, rel=1e-5)
    assert between_text(Axis("error", "m", "log"), curve, 0.5, 1.5).endswith("3.5\u00a0/s")
    assert between_text(Axis("error", "m"), curve, 0.5, 1.5).startswith("Δ 1.85·10⁻⁴\u00a0m")


def test_rounding_is_no_change() -> None:
    """A fixed step of 10 ms changed by −2·10⁻¹⁶ s: its values are those between two points on a logarithmic axis."""
    t = np.linspace(0.0, 10.0, 1001)
    steps = Curve(t, 0.01 * (1.0 + 1e-14 * np.sin(t)))
    assert change_and_rate(steps, 2.613, 10.0) == (0.0, 0.0)
    assert between_text(Axis("step", "s", "log"), steps, 2.613, 10.0) == "Δ 0\u00a0s, 0\u00a0/s"
    assert between_text(Axis("step", "s", "log"), steps, 10.0, 2.613) == "Δ 0\u00a0s, 0\u00a0/s"
    assert change_and_rate(Curve(t, 0.01 + 1e-9 * t), 2.0, 3.0)[0] == pytest.approx(1e-9, rel=1e-3)


def test_there_is_no_growth_at_one_time_of_one_sign_or_outside() -> None:
    t = np.linspace(0.0, 1.0, 11)
    assert np.isnan(change_and_rate(Curve(t, t - 0.5), 0.2, 0.8)[1])
    assert np.isnan(change_and_rate(Curve(t, t + 1.0), 0.4, 0.4)[1])
    assert between_text(Axis(scale="log"), Curve(t, t), 0.4, 7.0) == "Δ –"


def test_the_legend_has_every_run_where_the_second_cursor_measures_nothing(
    window_with_runs: MainWindow, qtbot: QtBot
) -> None:
    panel = plots_of(window_with_runs)
    chart, style = settled(panel.plots["error"], qtbot).chart, style_of("light")
    usual, measured = (entries_of(chart, style, 1.0, runs=False, ghosts=True, mark=mark) for mark in (None, 99.0))
    assert [entry.curve for entry in measured] == [entry.curve for entry in usual]
    assert [entry.value for entry in measured] == ["Δ –"] * 3


def test_only_an_axis_with_positive_values_can_be_logarithmic() -> None:
    t = np.linspace(0.0, 1.0, 11)
    rising, falling = Chart(curves=(Curve(t, t),)), Chart(curves=(Curve(t, -t),))
    assert rising.scaled("log").y.log
    assert not rising.scaled("log").scaled("linear").y.log
    assert not falling.scaled("log").y.log
    assert not Chart(curves=(Curve(t, t),), equal=True).scaled("log").y.log


# -- one plot ----------------------------------------------------------------------------------------------------------


def test_a_click_on_the_axis_makes_it_linear_and_logarithmic_and_exports_follow(
    window_with_runs: MainWindow, qtbot: QtBot
) -> None:
    plot = settled(plots_of(window_with_runs).plots["error"], qtbot)
    session = window_with_runs.session
    place = plot.widget.mapFromScene(plot.value_axis.mapToScene(plot.value_axis.boundingRect().center()))
    assert plot.chart.y.log
    qtbot.mouseClick(plot.widget.viewport(), LEFT, pos=place)
    settled(plot, qtbot)
    assert not plot.chart.y.log
    assert session.view.settings.plots is not None
    assert not charts_of(session.runs.all, session.view.settings)[0].y.log
    qtbot.mouseClick(plot.widget.viewport(), LEFT, pos=place)
    assert settled(plot, qtbot).chart.y.log
    energy = plots_of(window_with_runs).plots["energy"]
    energy.choose(scale="log")
    energy.header.variants.chosen.emit("signed")
    assert not settled(energy, qtbot).chart.y.log, "values below zero are seen"
    energy.header.variants.chosen.emit("size")


def test_no_line_leads_over_negative_values_on_a_logarithmic_axis(window_with_runs: MainWindow, qtbot: QtBot) -> None:
    joints = plots_of(window_with_runs).plots["joints"]
    settled(joints, qtbot)
    joints.change_scale()
    qtbot.waitUntil(lambda: joints.chart.y.log and joints.settled)
    bottom, top = joints.area.viewRange()[1]
    assert top - bottom < 20.0, "the axis is that of the positive values"
    t = np.linspace(0.05, 1.95, 400)
    seen = 0
    for (index, _), item in zip(kinds_of(joints.chart), joints.items, strict=True):
        curve = joints.chart.curves[index]
        around = np.array([[curve.at(at + shift) for shift in (-0.02, 0.0, 0.02)] for at in t])
        negative = t[(around < 0.0).all(axis=1)]
        seen += negative.size
        assert (np.interp(negative, *item.getData()) < bottom).all(), curve.name
    assert seen > 100


def test_a_click_in_the_legend_hides_a_curve_and_brings_it_back(window_with_runs: MainWindow, qtbot: QtBot) -> None:
    plot = settled(plots_of(window_with_runs).plots["error"], qtbot)
    before = len(plot.chart.curves)
    values = {value_text(plot.chart.y, curve.at(1.0)) for curve in plot.chart.curves}

    def painted() -> bool:
        """Whether the legend was drawn with the values at the playhead."""
        plot.legend.repaint()
        drawn = [entry for _, entry in plot.legend.places]
        return len(drawn) == 3 and drawn == list(plot.legend.entries) and {entry.value for entry in drawn} <= values

    qtbot.waitUntil(painted, timeout=10_000)
    places = [place for place, _ in plot.legend.places]
    # Where its line begins, which the value was far from.
    at = QPoint(round(places[0].left()) + 2, round(places[0].center().y()))
    qtbot.mouseClick(plot.legend, LEFT, pos=at)
    settled(plot, qtbot)
    assert len(plot.chart.curves) < before
    assert [entry.off for entry in plot.legend.entries] == [True, False, False]
    plot.legend.repaint()
    assert [place for place, _ in plot.legend.places] == places, "every name is where it was, under the mouse, too"
    assert "hidden" in plot.legend.accessibleName()
    qtbot.mouseClick(plot.legend, LEFT, pos=at)
    assert len(settled(plot, qtbot).chart.curves) == before


def test_the_legend_has_the_values_of_every_run_and_loses_none_where_it_is_narrow(
    window_with_runs: MainWindow, qtbot: QtBot
) -> None:
    plot = settled(plots_of(window_with_runs).plots["error"], qtbot)
    values = [entry.value for entry in plot.legend.entries]
    rows = window_with_runs.session.runs.all
    assert len(values) == len(rows) == 3
    assert all(values)
    assert [entry.tip for entry in plot.legend.entries] == [row.label for row in rows]
    plot.setFixedWidth(300)
    qtbot.waitUntil(lambda: plot.width() == 300)

    def whole() -> bool:
        plot.legend.repaint()
        inside = all(
            place.left() >= 0.0 and place.right() <= plot.legend.width() + 1 for place, _ in plot.legend.places
        )
        return inside and [entry.value for _, entry in plot.legend.places] == values

    try:
        qtbot.waitUntil(whole, timeout=5000)
    finally:
        plot.setMinimumWidth(0)
        plot.setMaximumWidth(QWIDGETSIZE_MAX)


def test_a_second_cursor_measures_in_every_time_plot(window_with_runs: MainWindow, qtbot: QtBot) -> None:
    panel, session = plots_of(window_with_runs), window_with_runs.session
    plot = settled(panel.plots["error"], qtbot)
    qtbot.mouseClick(plot.widget.viewport(), LEFT, CTRL, spot(plot, 0.5))
    assert session.time_range.mark == pytest.approx(0.5, abs=0.02)
    assert session.playback.t == 1.0
    assert all(entry.value.startswith("Δ") and entry.value.endswith("/s") for entry in plot.legend.entries)
    assert plot.header.hint.text().startswith("Δt = 0.")
    other = settled(panel.plots["joints"], qtbot)
    assert isinstance(other, TimePlot)
    assert other.mark_line.isVisible()
    assert all("/s" not in entry.value for entry in other.legend.entries)
    press(qtbot, window_with_runs, Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
    assert session.time_range.mark is None
    assert not other.mark_line.isVisible()
    press(qtbot, window_with_runs, Qt.Key.Key_M)
    assert session.time_range.mark == 1.0


def test_a_range_chosen_by_hand_can_be_seen_and_goes_with_the_scenario(
    window_with_runs: MainWindow, qtbot: QtBot
) -> None:
    panel, session = plots_of(window_with_runs), window_with_runs.session
    plot = settled(panel.plots["error"], qtbot)
    assert isinstance(plot, TimePlot)
    assert plot.header.reset.isHidden()
    plot.area.setYRange(-30.0, -29.0)
    plot.area.sigRangeChangedManually.emit([False, True])
    assert not plot.header.reset.isHidden()
    qtbot.mouseClick(plot.header.reset, LEFT)
    assert plot.header.reset.isHidden()
    assert plot.area.viewRange()[1][1] > -20.0
    session.time_range.show(0.5, 1.0)
    assert not settled(panel.plots["joints"], qtbot).header.reset.isHidden()
    plot.own_values = True
    plot.hide_or_show(plot.legend.entries[0].curves)
    session.time_range.set_mark(0.7)
    assert session.files.new("rr-swing")
    assert session.time_range.whole
    assert session.time_range.mark is None
    assert not plot.own_values
    assert not plot.hidden
    assert plot.header.reset.isHidden()


# -- the whole middle --------------------------------------------------------------------------------------------------


def test_a_double_click_enlarges_a_plot_and_esc_gives_it_back(window_with_runs: MainWindow, qtbot: QtBot) -> None:
    window = window_with_runs
    small = settled(plots_of(window).plots["joints"], qtbot)
    double_click(small.widget.viewport(), spot(small, 1.5))
    enlarged = window.enlarged
    assert enlarged is not None
    assert enlarged.plot is not None
    large = settled(enlarged.plot, qtbot)
    assert enlarged.geometry() == window.centre.rect()
    assert large.width() > small.width()
    assert large.chart.title == small.chart.title
    qtbot.waitUntil(lambda: all(", q" in entry.tip for entry in large.legend.entries))
    tips = [entry.tip for entry in large.legend.entries]
    assert [entry.name for entry in large.legend.entries] in (tips, in_brief(tips)), "each tells whose it is"
    assert all(label in " ".join(tips) for label in names(window.session.runs.all))
    assert window.session.playback.t == 1.0  # the first of the two clicks leaves it where it was
    own = large.legend.entries[0].curve
    large.legend.toggled.emit((own,))
    assert large.hidden == {own}
    press(qtbot, window, Qt.Key.Key_Escape)
    assert enlarged.isHidden()
    qtbot.waitUntil(lambda: len(settled(small, qtbot).chart.curves) == len(small.whole.curves) - 1)
    small.legend.toggled.emit((own,))
    assert not small.hidden, "hidden in one, shown in the other"
    settled(small, qtbot)
    assert window.session.view.settings.enlarged == ""
    lane = window.timeline.lane
    double_click(lane, QPoint(lane.width() // 4, lane.height() // 3))
    assert window.session.view.settings.enlarged == "steps"
    steps = steps_chart(window.session.runs.all)
    assert [curve.name for curve in steps.listed] == names(window.session.runs.all), "a legend has room for methods"
    assert set(steps.y.names) == {"Runge-Kutta 4", "Runge-Kutta 2", "Runge-Kutta 1"}, "names, in little room"
    assert enlarged.plot is not None
    lanes = settled(enlarged.plot, qtbot)
    widest = max(map(QFontMetricsF(lanes.small_font()).horizontalAdvance, steps.y.names))
    qtbot.waitUntil(lambda: widest < lanes.value_axis.width() < 0.3 * lanes.width(), timeout=2000)
    assert window.session.playback.t == pytest.approx(1.0)
    press(qtbot, window, Qt.Key.Key_Escape)
    # Above the plot, too, also where the first click has just hidden a curve and moved the names.
    double_click(small.legend, entry_place(small, 1, qtbot))
    assert (window.session.view.settings.enlarged, small.hidden) == ("joints", set())
    press(qtbot, window, Qt.Key.Key_Escape)
    # What nobody sees keeps nothing of the runs, and shows the new ones later.
    small.hide()
    window.session.edit("duration", 1.0)
    qtbot.waitUntil(lambda: not small.chart.curves and not small.points, timeout=10_000)
    small.show()
    assert len(settled(small, qtbot).chart.curves) == 6


def test_keys_enlarge_the_plot_at_hand_and_walk_through_all(window_with_runs: MainWindow, qtbot: QtBot) -> None:
    window, view = window_with_runs, window_with_runs.session.view
    energy = settled(plots_of(window).plots["energy"], qtbot).widget
    press(qtbot, window, Qt.Key.Key_K, CTRL)
    qtbot.keyClicks(window.sheet.search, "plot energy")  # type: ignore[union-attr]
    press(qtbot, window, Qt.Key.Key_Return)
    qtbot.waitUntil(energy.hasFocus, timeout=5000)
    assert energy.findChild(FocusFrame) is not None, "the frame that Tab shows"
    settled(plots_of(window).plots["error"], qtbot).widget.setFocus()
    press(qtbot, window, Qt.Key.Key_Z)
    assert view.settings.enlarged
    seen = [view.settings.enlarged]
    for _ in range(3):
        press(qtbot, window, Qt.Key.Key_Z, Qt.KeyboardModifier.ShiftModifier)
        seen.append(view.settings.enlarged)
    assert sorted(seen) == ["energy", "error", "joints", "step-size"]
    window.resize(1000, 700)
    enlarged = window.enlarged
    assert enlarged is not None
    qtbot.waitUntil(lambda: enlarged.size() == window.centre.size())
    press(qtbot, window, Qt.Key.Key_Z)
    assert view.settings.enlarged == ""
    view.set(enlarged="error")
    assert window.session.files.new("rr-swing")
    assert view.settings.enlarged == ""


def test_what_is_shown_is_saved_with_the_scenario_and_stays_with_the_person(session: Session, tmp_path: Path) -> None:
    session.view.set(plots=["tip-path/xy", "error//linear", "nonsense"])
    assert session.files.save(tmp_path / "arm.json")
    assert session.files.new("rr-swing")
    assert session.view.settings.plots == ("tip-path", "error", "nonsense"), "which plots, but not their axes"
    session.view.set(plots=["joints"])
    assert session.files.open(tmp_path / "arm.json")
    assert [chart.title for chart in charts_of(session.runs.all, session.view.settings)] == ["Error", "Tip path"]
    assert charts_of(session.runs.all, session.view.settings)[1].variant == "xy"
    assert not session.view.set(plots="error")
    assert "view.plots must be" in session.messages.notice
    assert ViewSettings().with_mapping({"plots": [1]}).plots is None


# -- the difference of two runs ----------------------------------------------------------------------------------------


def test_the_difference_of_runs_is_that_of_their_states_and_its_growth_is_said(session: Session) -> None:
    session.view.set(plots=["difference"])
    assert charts_of(session.runs.all, session.view.settings) == []
    session.comparisons.pin()
    session.edit("step", 0.02)
    (chart,) = charts_of(session.runs.all, session.view.settings)
    (curve,) = chart.curves
    pinned, current = session.runs.all[1].run, session.runs.current.run
    assert pinned is not None
    assert current is not None
    ends = np.linalg.norm(pinned.tip(np.array([0.8])) - current.tip(np.array([0.8])))
    assert curve.at(0.8) == pytest.approx(float(ends), rel=1e-6)
    assert (chart.y.log, chart.y.unit, curve.run) == (True, "m", "step 10\u00a0ms")
    (entry,) = entries_of(chart, style_of("light"), 0.8, runs=False, ghosts=True)
    assert entry.value.endswith(curve.remark)
    assert not curve.remark, "a difference that begins at 0 and grows as a power of the time has no rate"
    session.edit("robot", "double-pendulum")
    assert charts_of(session.runs.all, session.view.settings) == [], "two robots have no difference"


def test_a_plot_without_data_names_no_curves(shared_window: MainWindow, qtbot: QtBot) -> None:
    window = shared_window
    plot = next(one for one in window.findChildren(TimePlot) if one.plot.key == "joints" and one.isVisible())
    qtbot.waitUntil(lambda: any(label.isVisible() for label in plot.ends.items), timeout=PATIENCE)
    window.session.runs.update(0, run=None)
    settled(plot, qtbot)
    assert plot.chart.blank
    assert not any(label.isVisible() for label in plot.ends.items)
