"""A map: a chart whose cells are runs, chosen with the mouse or the arrow keys."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from assets.counting import counted
from gui.charts.map import cell_at, edges, map_chart
from gui.charts.plot import NOT_COMPUTED
from gui.qt.access.spoken import Role, speak
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.positions import position_at
from gui.qt.drawing.style import pen, style_of
from gui.qt.style.theme import look
from gui.qt.widgets.quiet import scale
from robots.model.chart import Chart
from robots.sweeps.borders import Border
from robots.sweeps.sweep import SweepResult

ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Down: (0, -1),
    Qt.Key.Key_Up: (0, 1),
}


class MapDiagram(QWidget):
    """One readout of each run over one or two fields.

    Signals:
        pointed: (number or None) the pointer or the keys are at that run.
        opened: (number, pinned) a person chose that run; with Shift it is to be pinned.
    """

    pointed = Signal(object)
    opened = Signal(int, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.result: SweepResult | None = None
        self.chart = Chart(empty=NOT_COMPUTED)
        self.near: int | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(360, 280)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        speak(self, Role.Chart, "Map", self._in_words)

    def sizeHint(self) -> QSize:
        return QSize(640, 460)

    def show_result(
        self, result: SweepResult | None, name: str, border: Border | None = None, *, contours: bool = False
    ) -> None:
        """Draw the numbers called `name`; see `map_chart`."""
        if self.result is None or result is None or result.sweep is not self.result.sweep:
            self.near = None
        self.result = result
        self.chart = map_chart(result, name, border, contours=contours) if result else Chart(empty=NOT_COMPUTED)
        self.update()

    def _in_words(self) -> str:
        done = 0 if self.result is None else self.result.sweep.size - len(self.result.missing)
        return f"{counted(done, 'run')}, shown by {self.chart.y.label}" if done else "No runs"

    def painter(self) -> ChartPainter:
        """The chart laid out in the widget."""
        style = style_of(look().theme.name, (960.0 * scale(self), 960.0 * scale(self)))
        return ChartPainter(self.chart, QRectF(self.rect()), None, style)

    def cell(self, number: int) -> QRectF:
        """Where the run of that number is in the widget."""
        assert self.result is not None
        area, ranges = self.painter().area, [edges(self.result, k) for k in range(len(self.result.sweep.axes))]
        places = [int(index) for index in np.unravel_index(number, self.result.sweep.shape)]
        (left, right), count = self._span(), self.result.sweep.axes[0].count
        scale_x = area.width() / (right - left)
        width = (ranges[0][1] - ranges[0][0]) / count
        x = area.left() + (ranges[0][0] + places[0] * width - left) * scale_x
        if len(ranges) == 1:
            return QRectF(x, area.top(), width * scale_x, area.height())
        height = area.height() / self.result.sweep.axes[1].count
        return QRectF(x, area.bottom() - (places[1] + 1) * height, width * scale_x, height)

    def _span(self) -> tuple[float, float]:
        return self.painter().span

    def number_at(self, spot: QPointF) -> int | None:
        """The run whose cell is there."""
        if self.result is None:
            return None
        laid = self.painter()
        if not laid.area.contains(spot):
            return None
        return cell_at(self.result, *position_at(laid, spot))

    def point(self, number: int | None) -> None:
        """Show which run is meant."""
        if number != self.near:
            self.near = number
            self.setCursor(Qt.CursorShape.ArrowCursor if number is None else Qt.CursorShape.PointingHandCursor)
            self.pointed.emit(number)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.point(self.number_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self.number_at(event.position())
        if number is not None and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(number, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, shifted = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if self.result is not None and key in ARROWS:
            shape = self.result.sweep.shape
            place = [int(index) for index in np.unravel_index(self.near or 0, shape)]
            for axis, (by, count) in enumerate(zip(ARROWS[key], shape, strict=False)):
                place[axis] = min(max(place[axis] + by, 0), count - 1)
            self.point(int(np.ravel_multi_index(place, shape)))
        elif self.near is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit(self.near, shifted)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        laid, painter = self.painter(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.chart.blank:
            painter.setPen(laid.style.colour("muted"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.chart.empty)
        else:
            laid.paint_ground(painter)
            laid.paint_curves(painter)
            if self.near is not None:
                painter.setClipRect(laid.area)
                for colour, width in (("surface", 4.0), ("text", 2.0)):
                    painter.setPen(pen(laid.style.colour(colour), width=width * laid.style.scale))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawRect(self.cell(self.near))
                painter.setClipping(False)
        if self.hasFocus():
            painter.setPen(pen(laid.style.colour("accent"), width=2.0 * laid.style.scale))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(1, 1, -2, -2))
        painter.end()
