"""Axes of one fixed width, so that stacked plots align, with the ticks that files have too."""

from __future__ import annotations

import math

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
        larger = max(1.0, LINE * QFontMetricsF(self._font).height() / PITCH["left"])
        self._texts = dict(ticks(self.kind, minVal, maxVal, max(2, int(size / (larger * PITCH[self.orientation])))))
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
        """What is drawn; a number at an end of an upright axis moves so far that it is whole.

        At the top that is below the frame of the focus.
        """
        specs = super().generateDrawSpecs(p)
        view = self.getViewWidget()
        if specs is None or view is None or self.orientation != "left":
            return specs
        room = self.mapRectFromScene(QRectF(view.rect()))
        for box, *_ in specs[2]:
            box.translate(0.0, max(room.top() + RISE - box.top(), 0.0) + min(room.bottom() - box.bottom(), 0.0))
        return specs

    @property
    def least_height(self) -> int:
        """The height in which the numbers below a line are whole [px]."""
        return math.ceil(QFontMetricsF(self._font).height() + TEXT_OFFSET - TICK_LENGTH)

    def crowded(self, low: float, high: float, size: float) -> bool:
        """Whether the numbers between two places, over so many pixels, would run into a title beside them."""
        self.tickValues(low, high, size)
        metrics = QFontMetricsF(self._font)
        widest = max(map(metrics.horizontalAdvance, self._texts.values()), default=0.0)
        return widest + TEXT_OFFSET - TICK_LENGTH + metrics.ascent() > self.width()

    def mouseClickEvent(self, event) -> None:
        if event.button() == Qt.MouseButton.LeftButton and not event.double():
            event.accept()
            self.clicked.emit()
        else:
            super().mouseClickEvent(event)
