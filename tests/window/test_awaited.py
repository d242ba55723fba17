"""While a person waits for a run, what is drawn of the previous run says so."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gui.app.run_texts import computing
from gui.qt.plots.time_plot import TimePlot
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE, wait_done


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    shared_window.session.files.new("rr-swing")
    return shared_window


def plot_of(window: MainWindow, key: str) -> TimePlot:
    return next(one for one in window.findChildren(TimePlot) if one.plot.key == key and one.isVisible())


def test_a_long_run_s_plots_are_pale_and_give_no_values_until_it_is_there(window: MainWindow, qtbot: QtBot) -> None:
    wait_done(qtbot, window)
    session, plot = window.session, plot_of(window, "joints")
    assert not any(curve.faded for curve in plot.chart.curves)
    session.edit("step", 1e-6)
    qtbot.waitUntil(lambda: session.runs.current.superseded, timeout=PATIENCE)
    qtbot.waitUntil(lambda: plot.settled)
    assert all(curve.awaited and curve.faded for curve in plot.chart.curves)
    assert plot.chart.note.startswith("pale: the previous run")
    assert "°" not in plot.legend.accessibleName()
    assert "…" in plot.legend.accessibleName()
    session.edit("step", 0.01)
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: plot.settled)
    assert not any(curve.faded for curve in plot.chart.curves)
    assert "°" in plot.legend.accessibleName()


def test_the_difference_of_equal_runs_is_said(window: MainWindow, qtbot: QtBot) -> None:
    wait_done(qtbot, window)
    session = window.session
    session.view.set(plots=["difference"])
    plot = plot_of(window, "difference")
    session.comparisons.pin()
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: plot.message.text() == "The runs are the same.")
    assert plot.message.isVisible()
    session.edit("step", 0.02)
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: not plot.message.isVisible())
    session.edit("robot", "double-pendulum")
    wait_done(qtbot, window)
    plot = plot_of(window, "difference")
    qtbot.waitUntil(lambda: plot.message.text() == "The pinned runs are of other robots.")


def test_a_computation_that_is_stopped_no_longer_says_how_long_it_will_take(window: MainWindow, qtbot: QtBot) -> None:
    wait_done(qtbot, window)
    session = window.session
    session.edit("step", 1e-7)
    qtbot.waitUntil(lambda: session.runs.current.seconds_left is not None, timeout=PATIENCE)
    session.computing.cancel()
    assert computing(session.runs.current) == "stopped, the plots are being prepared"
    qtbot.waitUntil(lambda: session.runs.current.state == "done", timeout=PATIENCE)
    assert session.runs.current.run is not None
    assert str(session.runs.current.run.status) == "cancelled"
    session.edit("step", 0.01)
    wait_done(qtbot, window)
