"""Axes of one fixed width, so that stacked plots align, with the ticks that files have too."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF

from gui.app.formatting import initials
from gui.charts.ticks import ticks
from gui.qt.drawing.style import Style
from gui.qt.plots.legend import ELIDE
from robots.model.chart import PLAIN, Axis

AXIS_WIDTH, AXIS_HEIGHT = 56, 22
TICK_LENGTH, TEXT_OFFSET = -4, 4
PITCH = {"left": 22.0, "bottom": 48.0}
"""The least distance between two ticks in usual type [px]."""

BESIDE_NAMES = TEXT_OFFSET - 2 * TICK_LENGTH
"""How much wider an axis is than the names of its lanes [px]."""

RISE = 3.0
"""How much higher than pyqtgraph does the title below an axis stands [px]."""

GAP = 5.0
"""The least distance between two numbers beside each other [px]."""

BESIDE_TITLE = 1.0
"""How far numbers keep from a title beside them, with what pyqtgraph puts it outside the axis [px]."""

LINE = 1.2
"""The least distance between two numbers, one above the other, in their heights."""


class PlotAxis(pg.AxisItem):
    """An axis of a chart; what it is given are places on the axis, decimal logarithms where that is logarithmic.

    Signals:
        clicked: a person clicked the axis.
    """

    clicked = Signal()

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.kind: Axis = PLAIN
        self._texts: dict[float, str] = {}
        self._font = QFont()
        self.enableAutoSIPrefix(False)
        self.setStyle(tickLength=TICK_LENGTH, tickTextOffset=TEXT_OFFSET, autoExpandTextSpace=False)

    def invite(self, scalable: bool) -> None:
        """Show whether a click on the axis changes its scale."""
        self.setCursor(Qt.CursorShape.PointingHandCursor if scalable else Qt.CursorShape.ArrowCursor)
        other = "linear" if self.kind.log else "logarithmic"
        self.setToolTip(f"Click for a {other} axis" if scalable else "")

    def show_style(self, style: Style, font: QFont) -> None:
        """Take the theme's colours."""
        grid = style.between("surface", "text", 0.12)
        self.setPen(pg.mkPen(grid, width=1))
        self.setTickPen(pg.mkPen(grid, width=1))
        self.setTextPen(style.between("muted", "text", 0.35))
        self._font = font
        self.setStyle(tickFont=font)
        if self.label is not None:
            self.label.setFont(font)

    def resizeEvent(self, ev=None) -> None:
        """The title ends above the frame of the focus."""
        super().resizeEvent(ev)
        if self.orientation == "bottom" and self.label is not None:
            self.label.moveBy(0.0, -RISE)

    def tickValues(self, minVal: float, maxVal: float, size: float):
        metrics = QFontMetricsF(self._font)
        larger = max(1.0, LINE * metrics.height() / PITCH["left"])
        most = max(2, int(size / (larger * PITCH[self.orientation])))
        found = ticks(self.kind, minVal, maxVal, most)
        while most > 2 and self.orientation == "bottom" and not self.kind.names:
            widths = [metrics.horizontalAdvance(text) + GAP for _, text in found]
            room = [(there - here) / (maxVal - minVal) * size for (here, _), (there, _) in pairwise(found)]
            if all(left + right <= 2.0 * free for (left, right), free in zip(pairwise(widths), room, strict=True)):
                break
            most -= 1
            found = ticks(self.kind, minVal, maxVal, most)
        self._texts = dict(found)
        return [(1.0, list(self._texts))]

    def tickStrings(self, values, scale: float, spacing: float) -> list[str]:
        texts = [self._texts.get(value, "") for value in values]
        if not self.kind.names or self.orientation != "left":
            return texts
        # pyqtgraph leaves out what is wider than the axis.
        metrics, room = QFontMetricsF(self._font), self.room_of_names + 1.0
        fitting = [text if metrics.horizontalAdvance(text) <= room else initials(text) for text in texts]
        return [metrics.elidedText(text, ELIDE, room) for text in fitting]

    @property
    def room_of_names(self) -> float:
        """How long the names of lanes may be [px]."""
        return self.width() - BESIDE_NAMES

    def generateDrawSpecs(self, p):
        """What is drawn; a number at an end of an upright axis moves so far that it is whole, and no two touch.

        At the top that is below the frame of the focus.
        """
        specs = super().generateDrawSpecs(p)
        view = self.getViewWidget()
        if specs is None:
            return specs
        if view is not None and self.orientation == "left":
            room = self.mapRectFromScene(QRectF(view.rect()))
            for box, *_ in specs[2]:
                box.translate(0.0, max(room.top() + RISE - box.top(), 0.0) + min(room.bottom() - box.bottom(), 0.0))
        return (*specs[:2], specs[2] if self.kind.names else _clear(specs[2]))

    @property
    def least_height(self) -> int:
        """The height in which the numbers below a line are whole [px]."""
        return math.ceil(QFontMetricsF(self._font).height() + TEXT_OFFSET - TICK_LENGTH)

    def crowded(self, low: float, high: float, size: float, title: str) -> bool:
        """Whether numbers between two places, over so many pixels, would touch a title in the middle beside them."""
        self.tickValues(low, high, size)
        metrics = QFontMetricsF(self._font)
        reach = 0.5 * (metrics.horizontalAdvance(title) + metrics.height())
        near = [text for place, text in self._texts.items() if abs((place - low) / (high - low) - 0.5) * size < reach]
        return self._width_beside(near) > self.width()

    def width_for(self, low: float, high: float, size: float) -> float:
        """How wide the axis is with all the numbers between two places, over so many pixels, and a title [px]."""
        self.tickValues(low, high, size)
        return self._width_beside(self._texts.values())

    def _width_beside(self, texts: Iterable[str]) -> float:
        """How wide the axis is with these numbers and a title beside them [px]."""
        metrics = QFontMetricsF(self._font)
        widest = max(map(metrics.horizontalAdvance, texts), default=0.0)
        return widest + TEXT_OFFSET - TICK_LENGTH + metrics.height() + BESIDE_TITLE

    def mouseClickEvent(self, event) -> None:
        if event.button() == Qt.MouseButton.LeftButton and not event.double():
            event.accept()
            self.clicked.emit()
        else:
            super().mouseClickEvent(event)


def _clear(texts: list[tuple[QRectF, int, str]]) -> list[tuple[QRectF, int, str]]:
    """Those of some numbers that keep clear of each other; the outer ones stay first."""
    if not texts:
        return texts
    middle = (texts[0][0].center() + texts[-1][0].center()) * 0.5
    kept: list[tuple[QRectF, int, str]] = []
    for one in sorted(texts, key=lambda one: -(one[0].center() - middle).manhattanLength()):
        around = one[0].adjusted(-GAP, -1.0, GAP, 1.0)
        if not any(around.intersects(other) for other, *_ in kept):
            kept.append(one)
    return [one for one in texts if one in kept]
