"""A chart in a sheet whose points or cells are runs that a person can choose."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.style import pen
from gui.qt.plots.chart_view import ChartView


class RunDiagram(ChartView):
    """A chart with its axes' names, and a frame while it has the keys.

    The sheet around it saves it; if files have a chart of their own (`whole`), its menu does.

    Args:
        name: what it shows, for those who cannot see it.
        height: what it would like [px].
    """

    def __init__(self, name: str, height: int = 460) -> None:
        super().__init__(name, QSize(640, height))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def laid_out(self) -> ChartPainter:
        return ChartPainter(self.chart, QRectF(self.rect()), None, self.style_now())

    def paint_over(self, painter: QPainter, laid: ChartPainter) -> None:
        """Draw what is chosen on top of the chart."""

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
