"""What the wheel and fingers do over a plot: they scroll the panel where it scrolls, and zoom to the runs at most."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

from gui.qt.panels.plots import PlotsPanel
from gui.qt.plots.time_plot import TimePlot
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE, turn_wheel

PLAIN, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
IN, OUT = 120, -120


def error_plot(window: MainWindow, qtbot: QtBot) -> tuple[PlotsPanel, TimePlot]:
    """The panel, and a plot of it that can be seen; nothing plays."""
    session = window.session
    qtbot.waitUntil(lambda: session.runs.current.state == "done", timeout=PATIENCE)
    session.playback.pause()
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "plots")
    assert isinstance(panel, PlotsPanel)
    qtbot.waitUntil(lambda: "error" in panel.plots and panel.plots["error"].settled, timeout=PATIENCE)
    plot = panel.plots["error"]
    assert isinstance(plot, TimePlot)
    return panel, plot


def middle(plot: TimePlot) -> QPointF:
    """Of the curves, in the plot's viewport."""
    return QPointF(plot.widget.mapFromScene(plot.area.mapToScene(plot.area.boundingRect().center())))


def turn(plot: TimePlot, angle: int, modifier: Qt.KeyboardModifier = PLAIN) -> None:
    """Turn the wheel over the middle of the curves."""
    turn_wheel(plot.widget.viewport(), middle(plot), angle, modifier)


def scroll(plot: TimePlot, across: int, down: int) -> None:
    """Two fingers on a trackpad, over the middle of the curves."""
    turn_wheel(plot.widget.viewport(), middle(plot), fingers=QPoint(across, down))


def shown(plot: TimePlot) -> tuple[float, float]:
    first, last = plot.area.viewRange()[0]
    return first, last


def test_the_wheel_scrolls_a_panel_that_scrolls(shared_window: MainWindow, qtbot: QtBot) -> None:
    """Who wanted to see the lower plots zoomed all of them out."""
    shared_window.resize(1280, 720)
    shared_window.session.files.new("pa10-circle")
    panel, plot = error_plot(shared_window, qtbot)
    bar, whole = panel.area.verticalScrollBar(), shown(plot)
    qtbot.waitUntil(lambda: bar.maximum() > 0, timeout=PATIENCE)
    turn(plot, OUT)
    assert bar.value() > 0
    bar.setValue(0)
    scroll(plot, 3, -20)
    assert bar.value() > 0, "two fingers on a trackpad"
    bar.setValue(0)
    turn(plot, IN)
    assert shown(plot) == whole, "nor does it zoom where the panel cannot scroll on"
    turn(plot, IN, CTRL)
    near = shown(plot)
    assert near[1] - near[0] < whole[1] - whole[0]
    scroll(plot, -20, 3)
    assert shown(plot)[0] > near[0], "fingers that move sideways move in time"
    assert bar.value() == 0
    plot.enlarge()
    [over] = [one for one in shared_window.findChildren(TimePlot) if one.header.roomy]
    qtbot.waitUntil(lambda: over.isVisible() and over.settled, timeout=PATIENCE)
    turn(over, OUT)
    assert shown(over)[1] - shown(over)[0] > near[1] - near[0]
    plot.enlarge()


@pytest.mark.parametrize("modifier", [PLAIN, CTRL])
def test_the_wheel_zooms_where_nothing_scrolls(
    shared_window: MainWindow, qtbot: QtBot, modifier: Qt.KeyboardModifier
) -> None:
    session = shared_window.session
    session.view.set(plots=["error", "joints"])
    panel, plot = error_plot(shared_window, qtbot)
    qtbot.waitUntil(lambda: not panel.area.scrolls, timeout=PATIENCE)
    whole = shown(plot)
    assert whole == (0.0, session.scenario.duration)
    for _ in range(4):
        turn(plot, IN, modifier)
    assert shown(plot)[1] - shown(plot)[0] < 0.6 * whole[1]
    assert not plot.header.reset.isHidden()
    for _ in range(9):
        turn(plot, OUT, modifier)
    assert shown(plot) == whole, "beyond the runs there is nothing"
    assert plot.header.reset.isHidden()


def test_time_goes_no_further_than_the_longest_run_and_grey_ends_with_the_run(
    shared_window: MainWindow, qtbot: QtBot
) -> None:
    """Grey from its end on looked as if the two references disagreed there."""
    session = shared_window.session
    session.edit("duration", 1.0)
    session.comparisons.pin_scenario(session.scenario.with_value("duration", 3.0))
    qtbot.waitUntil(lambda: all(row.reference_state == "done" for row in session.runs.all), timeout=PATIENCE)
    panel, plot = error_plot(shared_window, qtbot)
    session.runs.show(session.runs.all[1].id, False)
    for _ in range(3):
        turn(plot, OUT, CTRL)
    assert shown(plot) == (0.0, 1.0)
    session.runs.show(session.runs.all[1].id, True)
    qtbot.waitUntil(lambda: plot.settled and len(plot.chart.curves) > 1, timeout=PATIENCE)
    for _ in range(30):
        turn(plot, OUT, CTRL)
    assert shown(plot) == (0.0, 3.0)
    assert not plot.chart.bands, "both can be trusted to their ends"
    steps = next(one for key, one in panel.plots.items() if key != "error" and isinstance(one, TimePlot))
    assert shown(steps) == (0.0, 3.0)
    plot.header.reset.click()
    assert shown(plot) == (0.0, 1.0)


def test_who_moves_sideways_stays_at_the_runs(shared_window: MainWindow, qtbot: QtBot) -> None:
    _, plot = error_plot(shared_window, qtbot)
    end = shared_window.session.scenario.duration
    for _ in range(4):
        turn(plot, IN, CTRL)
    length = shown(plot)[1] - shown(plot)[0]
    for _ in range(40):
        scroll(plot, -60, 0)
    assert shown(plot) == pytest.approx((end - length, end))
    for _ in range(40):
        scroll(plot, 60, 0)
    assert shown(plot) == pytest.approx((0.0, length))
