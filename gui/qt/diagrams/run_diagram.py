"""A chart in a sheet whose points or cells are runs that a person can choose, with the mouse or with keys."""

from __future__ import annotations

from typing import Generic, TypeVar

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from gui.qt.access.walk import ARROWS
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.style import Style, pen
from gui.qt.plots.chart_view import ChartView
from robots.model.chart import Chart

OPENS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)

R = TypeVar("R")
"""What stands for a run."""


class RunDiagram(ChartView, Generic[R]):
    """A chart with its axes' names, and a frame while it has the focus: arrow keys go from run to run, Enter opens one.

    The sheet around it saves it; if files have a chart of their own (`whole`), its menu does.

    Args:
        name: what it shows, for those who cannot see it.
        height: what it would like [px].

    Signals:
        pointed: (run or None) the run under the pointer, or the one that the arrow keys have reached.
        opened: (run, with Shift) a person chose that run.
    """

    pointed = Signal(object)
    opened = Signal(object, bool)

    def __init__(self, name: str, height: int = 460) -> None:
        super().__init__(name, QSize(640, height))
        self.near: R | None = None
        self._laid: tuple[object, ChartPainter] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_chart(self, chart: Chart) -> None:
        super().show_chart(chart)
        self._laid = None

    def laid_out(self) -> ChartPainter:
        """The chart laid out in the widget: once for what it shows, not again for each move of the mouse."""
        seen = self.size(), self.style_now()
        if self._laid is None or self._laid[0] != seen:
            self._laid = seen, self.lay_out(seen[1])
        return self._laid[1]

    def lay_out(self, style: Style) -> ChartPainter:
        """Lay the chart out in the widget as it is now."""
        return ChartPainter(self.chart, QRectF(self.rect()), None, style)

    def paint_over(self, painter: QPainter, laid: ChartPainter) -> None:
        """Draw what is chosen on top of the chart."""

    def neighbour(self, across: int, up: int) -> R | None:
        """The run that an arrow leads to; None where there is none."""
        return None

    def point(self, run: R | None) -> None:
        """Mark a run, or none."""
        if run != self.near:
            self.near = run
            self.setCursor(Qt.CursorShape.ArrowCursor if run is None else Qt.CursorShape.PointingHandCursor)
            self.pointed.emit(run)
            self.update()

    def open(self, run: R, event: QKeyEvent | QMouseEvent) -> None:
        """Report that a key or a click chose a run."""
        self.opened.emit(run, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in ARROWS and (run := self.neighbour(*ARROWS[key])) is not None:
            self.point(run)
        elif key in OPENS and self.near is not None:
            self.open(self.near, event)
        elif key in OPENS and (run := self.neighbour(0, 0)) is not None:
            self.point(run)  # none is chosen yet: Enter is not for the sheet
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        laid, painter = self.laid_out(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), laid.style.colour("surface"))
        if self.chart.blank:
            painter.setPen(laid.style.colour("muted"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.chart.empty)
        else:
            laid.paint_ground(painter)
            laid.paint_curves(painter)
            self.paint_over(painter, laid)
        if self.hasFocus():
            painter.setPen(pen(laid.style.colour("accent"), width=2.0 * laid.style.scale))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(1, 1, -2, -2))
        painter.end()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.whole is None:
            event.accept()
        else:
            super().contextMenuEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()
