"""Error against cost: a chart whose points are runs to open, and to drag along their curves."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication

from gui.charts.work_precision import WorkView, look_of, work_chart
from gui.qt.diagrams.run_diagram import RunDiagram
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.marks import paint_mark
from gui.qt.drawing.positions import position_at
from gui.qt.drawing.style import pen
from gui.qt.widgets.quiet import scale
from robots.sweeps.work_precision import Point

REACH = 14.0
ASIDE = 2.0
"""An arrow key counts distances beside its direction this many times."""


class WorkDiagram(RunDiagram[Point]):
    """Cost to the right, error upwards, or the other way round; the lower left is best.

    Signals:
        dragged: (Point, cost) a person drags that run to where it has this cost.
        dropped: a dragged run was let go.
    """

    dragged = Signal(object, float)
    dropped = Signal()

    def __init__(self) -> None:
        super().__init__("Work-precision diagram")
        self.view = WorkView()
        self.points: list[Point] = []
        self.trial: Point | None = None
        self._pressed: tuple[Point, QPointF] | None = None
        self._dragging = False
        self.setMinimumSize(360, 200)

    def show_points(self, view: WorkView, trial: Point | None) -> None:
        """Draw these points; `trial` is a run that is being dragged."""
        self.view, self.trial, self.near = view, trial, None
        self.points = [point for point in view.points if view.shows(point)]
        self.show_chart(work_chart(view))

    def place(self, point: Point, laid: ChartPainter | None = None) -> QPointF:
        """The position of a run in the widget."""
        laid = laid or self.laid_out()
        x, y = point.cost(self.view.cost) or 0.0, point.error(self.view.error) or 0.0
        if self.view.flipped:
            x, y = y, x
        return QPointF(float(laid.across(x)), float(laid.upward(y)))

    def nearest(self, spot: QPointF) -> Point | None:
        """The run within reach of `spot`."""
        laid = self.laid_out()
        ways = [self.place(point, laid) - spot for point in self.points]
        distance, k = min(((math.hypot(way.x(), way.y()), k) for k, way in enumerate(ways)), default=(math.inf, 0))
        return self.points[k] if distance <= REACH * scale(self) else None

    def neighbour(self, across: int, up: int) -> Point | None:
        """The nearest run on that side; what lies straight ahead counts as nearer than what lies beside."""
        if self.near is None:
            return next(iter(self.points), None)
        laid, found = self.laid_out(), []
        here = self.place(self.near, laid)
        for k, point in enumerate(self.points):
            way = self.place(point, laid) - here
            ahead, beside = across * way.x() - up * way.y(), across * way.y() + up * way.x()
            if ahead >= 1.0:
                found.append((math.hypot(ahead, ASIDE * beside), k))
        return self.points[min(found)[1]] if found else self.near

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = self.nearest(event.position())
        if point is not None and event.button() == Qt.MouseButton.LeftButton:
            self._pressed = point, event.position()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None:
            point, start = self._pressed
            far = (event.position() - start).manhattanLength() >= QApplication.startDragDistance()
            self._dragging = self._dragging or far
            if self._dragging:
                x, y = position_at(self.laid_out(), event.position())
                self.dragged.emit(point, self.chart.y.value(y) if self.view.flipped else self.chart.x.value(x))
            return
        self.point(self.nearest(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, dragged = self._pressed, self._dragging
        self._pressed, self._dragging = None, False
        if dragged:
            self.dropped.emit()
        elif pressed is not None and event.button() == Qt.MouseButton.LeftButton:
            self.open(pressed[0], event)

    def paint_over(self, painter: QPainter, laid: ChartPainter) -> None:
        """Draw the run under the pointer, or the one that is dragged, larger."""
        for point in (self.near, self.trial):
            if point is None or not self.view.shows(point):
                continue
            colour, shape = look_of(self.view.labels.index(point.label))
            tint = laid.style.run_colour(colour)
            painter.setPen(pen(tint, width=1.6))
            painter.setBrush(tint if point.pareto else laid.style.colour("surface"))
            paint_mark(painter, shape, self.place(point, laid), 6.3 * scale(self))
