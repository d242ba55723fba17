"""The letters of panels stand in line."""

from __future__ import annotations

from PySide6.QtGui import QImage, QPainter

from gui.qt.drawing.charts_page import TENTHS, ChartsPage, PagePanel
from tests.export.test_figures import page


def test_the_letter_of_a_picture_stands_in_line_with_those_of_charts(rows) -> None:
    """It stood at the edge of the page."""
    picture = QImage(100, 62, QImage.Format.Format_RGB32)
    picture.fill(0xFFFFFFFF)
    plain = page(rows, plots="error,joints", width=120.0, show="letters")
    panels = [PagePanel(plain.painters[0].chart, (0.0, 1.0)), PagePanel(picture=picture)]
    made = ChartsPage(panels, plain.figure)
    image = QImage(*(round(side) for side in made.size), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    made.paint(painter)
    painter.end()
    lefts = []
    for place in made.places:
        top = round((place.box.top() + 4.0 * made.style.scale) / TENTHS)
        line = range(top + 4, top + 18)
        inked = (x for x in range(image.width()) if any(image.pixelColor(x, y).lightness() < 128 for y in line))
        lefts.append(next(inked))
    assert abs(lefts[0] - lefts[1]) <= 1, lefts
    assert lefts[0] >= made.painters[0].area.left() / TENTHS
