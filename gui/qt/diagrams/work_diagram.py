"""Error against cost: a chart whose points are runs that can be clicked."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.charts.summary import summary
from gui.charts.work_precision import look_of, work_chart
from gui.qt.access.spoken import Role, speak
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.marks import paint_mark
from gui.qt.drawing.style import pen, style_of
from gui.qt.style.theme import look
from gui.qt.widgets.quiet import scale
from robots.model.chart import Chart
from robots.sweeps.work_precision import Point

REACH = 14.0


class WorkDiagram(QWidget):
    """Cost to the right, error upwards; the lower left is best.

    Signals:
        hovered: (Point or None) the pointer is near that run.
        clicked: (Point) a person clicked that run.
    """

    hovered = Signal(object)
    clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.points: list[Point] = []
        self.labels: list[str] = []
        self.near: Point | None = None
        self.error = self.cost = ""
        self.chart = Chart()
        self.setMouseTracking(True)
        self.setMinimumSize(360, 280)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        speak(self, Role.Chart, "Work-precision diagram", lambda: summary(self.chart))

    def sizeHint(self) -> QSize:
        return QSize(640, 460)

    def show_points(
        self,
        points: Sequence[Point],
        labels: Sequence[str],
        error: str,
        cost: str,
        titles: tuple[str, str],
        target: float | None = None,
    ) -> None:
        """Draw these points; `labels` are the methods in the order of their colours, `target` an error asked for."""
        self.labels, self.error, self.cost = list(labels), error, cost
        self.points = [one for one in points if one.cost(cost) and one.error(error) and one.label in self.labels]
        self.chart = work_chart(points, labels, error, cost, titles, target)
        self.near = None
        self.update()

    def painter(self) -> ChartPainter:
        """The chart laid out in the widget."""
        style = style_of(look().theme.name, (960.0 * scale(self), 960.0 * scale(self)))
        return ChartPainter(self.chart, QRectF(self.rect()), None, style)

    def place(self, point: Point, painter: ChartPainter | None = None) -> QPointF:
        """The position of a run in the widget."""
        laid = painter or self.painter()
        across, up = laid.across(point.cost(self.cost) or 0.0), laid.upward(point.error(self.error) or 0.0)
        return QPointF(float(across), float(up))

    def nearest(self, spot: QPointF) -> Point | None:
        """The run within reach of `spot`."""
        laid = self.painter()
        ways = [self.place(point, laid) - spot for point in self.points]
        distance, k = min(((math.hypot(way.x(), way.y()), k) for k, way in enumerate(ways)), default=(math.inf, 0))
        return self.points[k] if distance <= REACH * scale(self) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        near = self.nearest(event.position())
        if near is not self.near:
            self.near = near
            self.setCursor(Qt.CursorShape.PointingHandCursor if near else Qt.CursorShape.ArrowCursor)
            self.hovered.emit(near)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = self.nearest(event.position())
        if point is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(point)
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        laid, painter = self.painter(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        laid.paint_ground(painter)
        laid.paint_curves(painter)
        if self.near is not None:
            self._paint_near(painter, laid, self.near)
        painter.end()

    def _paint_near(self, painter: QPainter, laid: ChartPainter, point: Point) -> None:
        """Draw the run under the pointer larger, and a triangle whose slope is the observed order."""
        colour, shape = look_of(self.labels.index(point.label))
        tint = laid.style.run_colour(colour)
        painter.setPen(pen(tint, width=1.6))
        painter.setBrush(tint if point.pareto else laid.style.colour("surface"))
        paint_mark(painter, shape, self.place(point, laid), 6.3 * scale(self))
        longer = [one for one in self.points if one.label == point.label and (one.step or 0.0) > (point.step or 0.0)]
        if point.order is None or not longer:
            return
        before = min(longer, key=lambda one: one.step or 0.0)
        top, right = self.place(before, laid), self.place(point, laid)
        corner = QPointF(top.x(), right.y())
        painter.setPen(pen(laid.style.colour("muted"), width=1.2))
        painter.drawPolyline([top, corner, right])
        text, metrics = f"order {point.order:.2f}", painter.fontMetrics()
        left = corner.x() - metrics.horizontalAdvance(text) - 6
        painter.drawText(QPointF(left, (top.y() + corner.y()) / 2 + metrics.ascent() / 2), text)
