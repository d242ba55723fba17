"""A chart of several drawings, each of which stands for something: where the pointer rests, and by arrow keys."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent

from gui.charts.summary import summary
from gui.qt.access.spoken import Role, speak
from gui.qt.access.walk import Walk
from gui.qt.plots.chart_view import ChartView
from robots.model.chart import Chart, Curve


class TaggedView(ChartView):
    """Shows a bare chart; arrow keys go through its drawings, and Esc lets the chosen one go.

    Args:
        name: what it shows, for those who cannot see it, and in the names of files.
        size: what it would like [px].
        about: what keys do here, for those who cannot see it.
    """

    def __init__(self, name: str, size: QSize, about: str) -> None:
        super().__init__(name, size)
        self.walk = Walk(self, about, self._box, self.update)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        speak(self, Role.Chart, name, lambda: self.walk.described(summary(self.chart, self.t, self.sides)))

    def show_chart(self, chart: Chart) -> None:
        super().show_chart(chart)
        self.walk.show(chart)

    def _box(self, drawing: Curve) -> QRectF:
        laid = self.laid_out()
        x, y = laid.across(drawing.x), laid.upward(drawing.y)
        return QRectF(QPointF(float(x.min()), float(y.min())), QPointF(float(x.max()), float(y.max())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.walk.chosen is not None:
            self.walk.choose(None)
        elif not self.walk.press(event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        self.walk.paint(painter, self.style_now())
        painter.end()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.walk.come(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.walk.choose(None)
