"""Plots on the screen after their runs or their room have changed: they look as if drawn for the first time."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.qt.panels.plots import PlotsPanel
from gui.qt.plots.plot import PlotWidget
from gui.qt.window.main_window import MainWindow
from robots.model.chart import Chart
from tests.window.hands import PATIENCE


def plots_of(window: MainWindow, qtbot: QtBot) -> list[PlotWidget]:
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "plots")
    assert isinstance(panel, PlotsPanel)
    plots = [panel.plots[key] for key in panel.shown]
    qtbot.waitUntil(lambda: all(plot.isVisible() and plot.settled for plot in plots), timeout=PATIENCE)
    QApplication.processEvents()
    return plots


def on_screen(plot: PlotWidget) -> np.ndarray:
    """The pixels that a person sees: `grab` would paint them anew."""
    window, at = plot.window(), plot.mapTo(plot.window(), QPoint(0, 0))
    shot = window.screen().grabWindow(window.winId(), at.x(), at.y(), plot.width(), plot.height())
    image = shot.toImage().convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)[..., :3].copy()


def test_no_curve_stays_behind_when_runs_change_their_order(shared_window: MainWindow, qtbot: QtBot) -> None:
    session = shared_window.session
    session.comparisons.pin()
    session.edit("method", "rkf45")
    session.edit("rtol", 1e-6)
    session.edit("mass1", 2.0)
    session.comparisons.pin()
    qtbot.waitUntil(lambda: all(row.reference_state == "done" for row in session.runs.all), timeout=PATIENCE)
    session.playback.pause()
    session.playback.seek(1.0)
    plots_of(shared_window, qtbot)
    first = session.runs.all[1].id
    for act in (lambda: session.comparisons.move(first, 1), session.history.undo):
        act()
        for plot in plots_of(shared_window, qtbot):
            qtbot.waitUntil(lambda plot=plot: at_rest(plot), timeout=10_000)
            seen = on_screen(plot)
            draw_anew(plot)
            assert (on_screen(plot) == seen).all(), plot.plot.key


def at_rest(plot: PlotWidget) -> bool:
    """Whether nothing is left to paint."""
    seen = on_screen(plot)
    for _ in range(5):
        QApplication.processEvents()
    now = on_screen(plot)
    return seen.shape == now.shape and bool((seen == now).all())


def draw_anew(plot: PlotWidget) -> None:
    """Paint all curves, without the pixels that Qt has kept of them."""
    for item in plot.items:
        kept = item.cacheMode()
        item.setCacheMode(item.CacheMode.NoCache)
        item.setCacheMode(kept)
    plot.widget.viewport().repaint()
    QApplication.processEvents()


def test_what_is_said_in_place_of_curves_lies_above_the_numbers_of_the_time(
    shared_window: MainWindow, qtbot: QtBot
) -> None:
    plot = plots_of(shared_window, qtbot)[-1]
    plot.message.setText("The run has ended; its steps are being judged")
    plot._place_message()
    axis = plot.across_axis
    numbers = plot.widget.mapFromScene(axis.mapRectToScene(axis.boundingRect())).boundingRect()
    assert numbers.height() > 10
    assert not QRect(plot.message.geometry()).intersects(numbers.adjusted(0, 1, 0, 0))


def test_no_line_of_the_axes_runs_through_what_is_said_in_place_of_curves(
    shared_window: MainWindow, qtbot: QtBot
) -> None:
    """Also where it needs the room of the value axis; what remains without its words is the ground alone."""
    plot = plots_of(shared_window, qtbot)[-1]

    def seen(words: str) -> set[int]:
        """The colours behind words in place of curves."""
        plot.message.setText(words)
        plot._place_message()
        plot.message.setText("\u00a0")
        image = plot.widget.grab(plot.message.geometry()).toImage()
        return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}

    long = "Dampers, friction, motors or a hand change the energy of this arm, so the change is not an error. " * 4
    assert len(seen(long)) > 1
    shown = plot.chart
    plot.chart = Chart(empty=long)
    plot.draw()
    assert len(seen(long)) == 1
    assert plot.message.geometry().left() < plot.value_axis.width(), "over the line of the axis"
    seen("Short.")
    assert plot.value_axis.opacity() == 1.0, "beside the axis there is room"
    plot.chart = shown
    plot.draw()
    seen(long)
    assert plot.value_axis.opacity() == 1.0, "curves have their axes"
