"""Error against cost: a chart whose points are runs to open, and to drag along their curves."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication

from gui.app.formatting import initials
from gui.charts.work_precision import WorkView, look_of, work_chart
from gui.qt.diagrams.run_diagram import RunDiagram
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.legend import Cell, entries_of, flowing, paint_cells
from gui.qt.drawing.marks import paint_mark
from gui.qt.drawing.positions import position_at
from gui.qt.drawing.style import Style, pen
from gui.qt.widgets.quiet import scale
from robots.sweeps.work_precision import Point

REACH = 14.0
ASIDE = 2.0
"""An arrow key counts distances beside its direction this many times."""

SHORTER = 0.9
"""Names of so many methods that they need more room are shortened by and by, the longest ones first: to initials."""

LINE, MOST, MARGIN = 20.0, 0.2, 8.0
"""The height of a line of the legend, in units, and the most that all of them take of the diagram's; at both sides."""


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
        self._key: list[list[Cell]] = []
        self.setMinimumSize(360, 200)

    def show_points(self, view: WorkView, trial: Point | None) -> None:
        """Draw these points; `trial` is a run that is being dragged."""
        self.view, self.trial, self.near = view, trial, None
        self.points = [point for point in view.points if view.shows(point)]
        self.show_chart(work_chart(view))

    def lay_out(self, style: Style) -> ChartPainter:
        self._key = self.key(style)
        room = QRectF(self.rect()).adjusted(0.0, LINE * style.scale * len(self._key), 0.0, 0.0)
        return ChartPainter(self.chart, room, None, style)

    def key(self, style: Style) -> list[list[Cell]]:
        """The lines above the chart that say which mark is which method's: all of them, in short where room is scarce.

        Args:
            style: what the diagram is painted with.
        """
        entries = [replace(entry, filled=True) for entry in entries_of(self.chart, style)]
        unit, metrics = style.scale, QFontMetricsF(style.font(12.0))
        width, most = self.width() - 2.0 * MARGIN * unit, max(1, int(MOST * self.height() / (LINE * unit)))
        lines = flowing(entries, metrics.horizontalAdvance, width, unit)
        if len(lines) > most:
            bare = [replace(entry, name=entry.name.partition(" (")[0]) for entry in entries]
            entries = bare if len({entry.name for entry in bare}) == len(bare) else entries
            lines = flowing(entries, metrics.horizontalAdvance, width, unit)
        room, whole = width, entries
        while len(lines) > most and room > LINE * unit:
            room *= SHORTER
            cut = _within([entry.name for entry in whole], metrics, room)
            entries = [replace(entry, name=name) for entry, name in zip(whole, cut, strict=True)]
            lines = flowing(entries, metrics.horizontalAdvance, width, unit)
        return lines

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
        """Draw the legend, and the run under the pointer, or the one that is dragged, larger."""
        painter.setFont(laid.style.font(12.0))
        line, edge = LINE * laid.style.scale, MARGIN * laid.style.scale
        for number, cells in enumerate(self._key):
            room = QRectF(edge, 0.5 * edge + number * line, self.width() - 2.0 * edge, line)
            paint_cells(painter, cells, room, laid.style)
        for point in (self.near, self.trial):
            if point is None or not self.view.shows(point):
                continue
            colour, shape = look_of(self.view.labels.index(point.label))
            tint = laid.style.run_colour(colour)
            painter.setPen(pen(tint, width=1.6))
            painter.setBrush(tint if point.pareto else laid.style.colour("surface"))
            paint_mark(painter, shape, self.place(point, laid), 6.3 * scale(self))


def _within(names: list[str], metrics: QFontMetricsF, room: float) -> list[str]:
    """The names: those that need more room with initials of people, and still wider ones without their middle."""
    short = [name if metrics.horizontalAdvance(name) <= room else initials(name) for name in names]
    known = short if len(set(short)) == len(set(names)) else names
    return [metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room) for name in known]
