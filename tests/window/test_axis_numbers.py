"""Numbers along the axes of plots keep clear of each other and of the axis' name, in every theme."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from pytestqt.qtbot import QtBot

from gui.qt.plots.axis import PlotAxis
from gui.qt.plots.enlarged import plot_widget
from gui.qt.plots.plot import PlotWidget
from gui.qt.window.main_window import MainWindow


def numbers(axis: PlotAxis) -> list[tuple[str, QRectF]]:
    """The numbers that the axis writes, and where [px]."""
    image = QImage(8, 8, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    specs = axis.generateDrawSpecs(painter)
    painter.end()
    return [] if specs is None else [(text, box) for box, _, text in specs[2] if text]


def touching(plot: PlotWidget) -> list[str]:
    """What touches along the axes of a plot."""
    found = []
    for axis in (plot.value_axis, plot.across_axis):
        written = numbers(axis)
        boxes = list(written)
        if axis is plot.value_axis and axis.labelText and axis.label is not None:
            metrics = QFontMetricsF(axis.label.font())
            high, middle = metrics.horizontalAdvance(axis.labelText), 0.5 * axis.size().height()
            left = axis.label.pos().x() + axis.label.document().documentMargin()
            boxes.append((axis.labelText, QRectF(left, middle - 0.5 * high, metrics.height(), high)))
        found += [f"{one} {other}" for (one, a), (other, b) in combinations(boxes, 2) if a.intersects(b)]
    return found


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_numbers_touch_neither_each_other_nor_the_name_of_their_axis(
    shared_window: MainWindow, qtbot: QtBot, theme: str
) -> None:
    """On the symmetric-log axes of poles and zeros −1000 ran into −100, and "Im [1/s]" lay on −10."""
    session = shared_window.session
    session.files.new("e12-ringing")
    session.view.set(theme=theme)
    qtbot.waitUntil(lambda: session.runs.current.run is not None, timeout=60_000)
    for key in ("zeros", "error", "joints", "torque"):
        plot = plot_widget(session, key)
        qtbot.addWidget(plot)
        for width, height in ((330, 190), (470, 230), (900, 500)):
            plot.resize(width, height)
            plot.show()
            qtbot.waitUntil(lambda plot=plot: plot.settled and not plot.chart.blank, timeout=60_000)
            qtbot.waitUntil(lambda plot=plot: plot.value_axis.size().height() > 20.0)
            assert touching(plot) == [], (key, width)
            assert plot.whole.blank or len(numbers(plot.value_axis)) > 1
            if key == "zeros":
                assert plot.value_axis.labelText == "Im [1/s]"
        plot.hide()


def test_the_axis_of_a_plane_is_as_wide_as_its_numbers_once_nothing_moves(
    shared_window: MainWindow, qtbot: QtBot
) -> None:
    """It only ever became wider, until the plot was drawn again."""
    session = shared_window.session
    session.files.new("rr-swing")
    plot = plot_widget(session, "phase-plane")
    qtbot.addWidget(plot)
    plot.resize(470, 230)
    plot.show()
    qtbot.waitUntil(lambda: plot.settled and not plot.chart.blank, timeout=60_000)
    axis = plot.value_axis
    usual = axis.minimumWidth()
    plot.area.setYRange(1000.0, 1000.001, padding=0.0)
    plot.area.moved_by_hand.emit(False, True)
    wide = axis.minimumWidth()
    assert wide > usual, "long numbers have room at once"
    qtbot.waitUntil(lambda: not touching(plot))
    plot.area.setYRange(-1.0, 1.0, padding=0.0)
    plot.area.moved_by_hand.emit(False, True)
    assert axis.minimumWidth() == wide, "nothing flickers while a hand moves the plot"
    qtbot.waitUntil(lambda: axis.width() == usual)
    plot.hide()
