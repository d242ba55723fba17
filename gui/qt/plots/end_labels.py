"""Names of curves at their right ends, kept apart if curves end close together."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from gui.qt.drawing.words import spread

BESIDE = 4.0
"""The gap between names side by side [px]."""

RIM = 3.0
"""Of the ground's colour around the letters [px]: a curve behind them stays a curve, and they stay readable."""

MOST_WIDE, MOST_BESIDE = 0.5, 0.2
"""How much of the width names may cover: one below the other, and side by side."""


class EndLabel(pg.TextItem):
    """A text whose letters have a rim."""

    def __init__(self) -> None:
        super().__init__(anchor=(1.0, 0.5))
        self.rim = QColor()

    def paint(self, p: QPainter, *args: object) -> None:
        super().paint(p, *args)
        font, text = self.textItem.font(), self.textItem
        margin = text.document().documentMargin()
        letters = letters_of(text.toPlainText(), font).translated(margin, margin)
        pen = QPen(self.rim, RIM, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.strokePath(text.mapToParent(letters), pen)


def letters_of(text: str, font: QFont) -> QPainterPath:
    """The outlines of a line of text whose upper left corner is the origin [px]."""
    letters = QPainterPath()
    letters.addText(QPointF(0.0, QFontMetricsF(font).ascent()), font, text)
    return letters


class EndLabels:
    """Small texts inside a drawing area, reused from drawing to drawing."""

    def __init__(self, area: pg.ViewBox) -> None:
        self.area = area
        self.items: list[EndLabel] = []

    def show(self, labels: Sequence[tuple[float, float, str, QColor]], ground: QColor, font: QFont) -> None:
        """Write each (x, y, text, colour) left of its point; texts too many for the height stand side by side.

        Where there is no room on the left, as of a run that was stopped early, they begin at the left edge.
        Where they would fill more than half of the width, or side by side a fifth, the legend alone has them.
        """
        while len(self.items) < len(labels):
            item = EndLabel()
            item.setZValue(70)
            self.area.addItem(item, ignoreBounds=True)
            self.items.append(item)
        across, pixel = (size or 1.0 for size in self.area.viewPixelSize())
        (left, right), (low, high) = self.area.viewRange()
        metrics = QFontMetricsF(font)
        wide = BESIDE + max((metrics.horizontalAdvance(text) for _, _, text, _ in labels), default=0.0)
        wanted = [(y - low) / pixel for _, y, _, _ in labels]
        # From the highest letter of any to the lowest index, and two rims: names that stand apart are seen to.
        tall = QRectF()
        for _, _, text, _ in labels:
            tall = tall.united(letters_of(text, font).boundingRect())
        places = arranged(wanted, tall.height() + 2.0 * RIM, (high - low) / pixel)
        columns = 1 + max((column for column, _ in places), default=0)
        if columns * wide * across > (MOST_WIDE if columns == 1 else MOST_BESIDE) * (right - left):
            labels = ()
        for index, item in enumerate(self.items):
            item.setVisible(index < len(labels))
            if index < len(labels):
                x, _, text, colour = labels[index]
                item.rim = ground
                item.setFont(font)
                item.setText(text, colour)
                column, height = places[index]
                end = max(x, left + columns * wide * across)
                item.setPos(end - column * wide * across, low + height * pixel)


def arranged(wanted: Sequence[float], gap: float, room: float) -> list[tuple[int, float]]:
    """Column and position of each name: neighbours take turns with the columns, of which there are as few as needed."""
    most = max(1, int(room / gap))
    columns = max(1, -(-len(wanted) // most))
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places = [(0, 0.0)] * len(wanted)
    for column in range(columns):
        mine = order[column::columns]
        for index, place in zip(mine, spread([wanted[index] for index in mine], gap, room), strict=True):
            places[index] = column, place
    return places
