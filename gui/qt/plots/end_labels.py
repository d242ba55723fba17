"""Names of curves at their right ends, kept apart if curves end close together."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

HEIGHT = 12.0
RIM = 3.0
"""Of the ground's colour around the letters [px]: a curve behind them stays a curve, and they stay readable."""


class EndLabel(pg.TextItem):
    """A text whose letters have a rim."""

    def __init__(self) -> None:
        super().__init__(anchor=(1.0, 0.5))
        self.rim = QColor()

    def paint(self, p: QPainter, *args: object) -> None:
        super().paint(p, *args)
        font, text = self.textItem.font(), self.textItem
        margin = text.document().documentMargin()
        letters = QPainterPath()
        letters.addText(QPointF(margin, margin + QFontMetricsF(font).ascent()), font, text.toPlainText())
        pen = QPen(self.rim, RIM, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.strokePath(text.mapToParent(letters), pen)


class EndLabels:
    """Small texts inside a drawing area, reused from drawing to drawing."""

    def __init__(self, area: pg.ViewBox) -> None:
        self.area = area
        self.items: list[EndLabel] = []

    def show(self, labels: Sequence[tuple[float, float, str, QColor]], ground: QColor, font: QFont) -> None:
        """Write each (x, y, text, colour) left of its point."""
        while len(self.items) < len(labels):
            item = EndLabel()
            item.setZValue(70)
            self.area.addItem(item, ignoreBounds=True)
            self.items.append(item)
        pixel = self.area.viewPixelSize()[1] or 1.0
        low, high = self.area.viewRange()[1]
        places = spread([(y - low) / pixel for _, y, _, _ in labels], HEIGHT, (high - low) / pixel)
        for index, item in enumerate(self.items):
            item.setVisible(index < len(labels))
            if index < len(labels):
                x, _, text, colour = labels[index]
                item.rim = ground
                item.setFont(font)
                item.setText(text, colour)
                item.setPos(x, low + places[index] * pixel)


def spread(wanted: Sequence[float], gap: float, room: float) -> list[float]:
    """Positions near the wanted ones, in the same order from low to high, `gap` apart, within 0 .. `room`."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places = list(wanted)
    floor = gap / 2.0
    for index in order:
        places[index] = floor = max(places[index], floor)
        floor += gap
    ceiling = room - gap / 2.0
    for index in reversed(order):
        places[index] = ceiling = min(places[index], ceiling)
        ceiling -= gap
    return places
