"""The letters of the panels of a figure."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from gui.charts.colours import COLOURS
from gui.charts.figure_style import find_figure_style
from gui.qt.drawing.charts_page import TENTHS, ChartsPage, PagePanel
from robots.model.chart import Chart, Curve


def test_the_letter_of_a_picture_stands_below_those_of_charts(application: QApplication) -> None:
    figure = find_figure_style("web").changed({"show": ("letters",)})
    x = np.linspace(0.0, 1.0, 5)
    chart = PagePanel(Chart(curves=(Curve(x, x, colour=COLOURS[0]),)), (0.0, 1.0), (0.0, 1.0))
    picture = QImage(100, 62, QImage.Format.Format_RGB32)
    picture.fill(0xFFFFFF)
    made = ChartsPage([chart, PagePanel(picture=picture)], figure)
    image = QImage(*(round(side) for side in made.size), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    made.paint(painter)
    painter.end()
    begins = []
    for place in made.places:
        top, unit = place.box.top() / TENTHS, made.style.scale / TENTHS
        across, lines = range(image.width() // 2), range(round(top + 6.0 * unit), round(top + 22.0 * unit))
        begins.append(next(x for x in across if any(image.pixelColor(x, y).lightness() < 128 for y in lines)))
    assert begins[0] == pytest.approx(begins[1], abs=1.0)
