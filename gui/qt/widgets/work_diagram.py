"""Error against cost on doubly logarithmic paper: one line for each method, every point a run that can be clicked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.app.runs import COLOURS
from gui.qt.plots.axis import power_label
from gui.qt.plots.pens import grid_pen, on_ground, quiet_text
from gui.qt.widgets.quiet import scale
from robots.sweeps.work_precision import Point

LEFT, RIGHT, TOP, BOTTOM = 64, 16, 12, 44
REACH = 14.0
SHAPES = ("circle", "square", "triangle", "diamond", "wedge")


@dataclass(frozen=True, slots=True)
class Mark:
    """A point as it lies in the diagram: decimal logarithms of cost and error."""

    point: Point
    cost: float
    error: float


def style_of(index: int, palette: QPalette) -> tuple[QColor, str]:
    """Colour and shape of the method at this place: never the same pair twice among thirty."""
    return on_ground(COLOURS[index % len(COLOURS)], palette), SHAPES[(index + index // len(COLOURS)) % len(SHAPES)]


def paint_shape(painter: QPainter, shape: str, spot: QPointF, size: float) -> None:
    """Draw one of `SHAPES` around `spot`."""
    x, y = spot.x(), spot.y()
    if shape == "circle":
        painter.drawEllipse(spot, size, size)
    elif shape == "square":
        painter.drawRect(QRectF(x - 0.9 * size, y - 0.9 * size, 1.8 * size, 1.8 * size))
    elif shape == "triangle":
        painter.drawPolygon(
            QPolygonF(
                [QPointF(x, y - 1.2 * size), QPointF(x - size, y + 0.8 * size), QPointF(x + size, y + 0.8 * size)]
            )
        )
    elif shape == "diamond":
        r = 1.25 * size
        painter.drawPolygon(QPolygonF([QPointF(x, y - r), QPointF(x + r, y), QPointF(x, y + r), QPointF(x - r, y)]))
    else:
        corners = (QPointF(x, y + 1.2 * size), QPointF(x - size, y - 0.8 * size), QPointF(x + size, y - 0.8 * size))
        painter.drawPolygon(QPolygonF(list(corners)))


class WorkDiagram(QWidget):
    """Cost to the right, error upwards; the lower left is where one wants to be.

    Signals:
        hovered: (Point or None) the pointer is near that run.
        clicked: (Point) a person chose that run.
    """

    hovered = Signal(object)
    clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.marks: list[Mark] = []
        self.labels: list[str] = []
        self.near: Mark | None = None
        self.titles = ("", "")
        self.setMouseTracking(True)
        self.setMinimumSize(360, 280)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Work against precision")

    def sizeHint(self) -> QSize:
        return QSize(640, 460)

    def show_points(
        self, points: Sequence[Point], labels: Sequence[str], error: str, cost: str, titles: tuple[str, str]
    ) -> None:
        """Draw these points; `labels` are the methods in the order of their colours."""
        self.labels, self.titles = list(labels), titles
        self.marks = []
        for point in points:
            price, wrong = point.cost(cost), point.error(error)
            if price and wrong and point.label in self.labels:
                self.marks.append(Mark(point, math.log10(price), math.log10(wrong)))
        self.near = None
        self.setAccessibleDescription(f"{len(self.marks)} runs of {len(self.labels)} methods")
        self.update()

    # -- geometry ------------------------------------------------------------------------------------------------------

    def frame(self) -> QRectF:
        """Where the axes enclose the points."""
        s = scale(self)
        return QRectF(self.rect()).adjusted(LEFT * s, TOP * s, -RIGHT * s, -BOTTOM * s)

    def window_of(self) -> tuple[float, float, float, float]:
        """The shown logarithms: cost from and to, error from and to; at least a decade each."""
        if not self.marks:
            return 2.0, 5.0, -12.0, 0.0
        costs, errors = [mark.cost for mark in self.marks], [mark.error for mark in self.marks]
        spans = []
        for values in (costs, errors):
            low, high = min(values), max(values)
            spare = max(0.06 * (high - low), 0.5 * (1.0 - (high - low)), 0.1)
            spans += [low - spare, high + spare]
        return spans[0], spans[1], spans[2], spans[3]

    def place(self, cost: float, error: float) -> QPointF:
        """Where a pair of logarithms lies in the widget."""
        left, right, low, high = self.window_of()
        frame = self.frame()
        return QPointF(
            frame.left() + (cost - left) / (right - left) * frame.width(),
            frame.bottom() - (error - low) / (high - low) * frame.height(),
        )

    def nearest(self, spot: QPointF) -> Mark | None:
        """The mark within reach of `spot`."""
        reached = [
            (math.hypot(at.x() - spot.x(), at.y() - spot.y()), k)
            for k, mark in enumerate(self.marks)
            if (at := self.place(mark.cost, mark.error))
        ]
        distance, k = min(reached, default=(math.inf, 0))
        return self.marks[k] if distance <= REACH * scale(self) else None

    # -- events --------------------------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        near = self.nearest(event.position())
        if near is not self.near:
            self.near = near
            self.setCursor(Qt.CursorShape.PointingHandCursor if near else Qt.CursorShape.ArrowCursor)
            self.hovered.emit(near.point if near else None)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        mark = self.nearest(event.position())
        if mark is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(mark.point)
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_axes(painter)
        for index, label in enumerate(self.labels):
            self._paint_method(painter, index, [mark for mark in self.marks if mark.point.label == label])
        if self.near is not None:
            self._paint_slope(painter, self.near)
        painter.end()

    # -- painting ------------------------------------------------------------------------------------------------------

    def _paint_axes(self, painter: QPainter) -> None:
        frame, palette = self.frame(), self.palette()
        left, right, low, high = self.window_of()
        metrics = painter.fontMetrics()
        for exponent in range(math.ceil(left), math.floor(right) + 1):
            x = self.place(exponent, low).x()
            painter.setPen(grid_pen(palette))
            painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
            painter.setPen(quiet_text(palette))
            text = power_label(exponent)
            painter.drawText(QPointF(x - metrics.horizontalAdvance(text) / 2, frame.bottom() + metrics.height()), text)
        stride = max(1, math.ceil((high - low) / 8))
        for exponent in range(math.ceil(low), math.floor(high) + 1):
            if exponent % stride:
                continue
            y = self.place(left, exponent).y()
            painter.setPen(grid_pen(palette))
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
            painter.setPen(quiet_text(palette))
            text = power_label(exponent)
            painter.drawText(
                QPointF(frame.left() - metrics.horizontalAdvance(text) - 8, y + metrics.ascent() / 2.5), text
            )
        painter.setPen(quiet_text(palette))
        across, upwards = self.titles
        bottom = QRectF(frame.left(), self.height() - metrics.height() - 4, frame.width(), metrics.height())
        painter.drawText(bottom, Qt.AlignmentFlag.AlignCenter, across)
        painter.save()
        painter.translate(metrics.ascent(), frame.center().y())
        painter.rotate(-90)
        painter.drawText(QPointF(-metrics.horizontalAdvance(upwards) / 2, 0.0), upwards)
        painter.restore()

    def _paint_method(self, painter: QPainter, index: int, marks: list[Mark]) -> None:
        """Its fixed steps joined by a full line, its tolerances by a dashed one.

        What nothing beats is filled; what nothing of its family beats has a dot.
        """
        colour, shape = style_of(index, self.palette())
        size, base = 4.2 * scale(self), self.palette().color(QPalette.ColorRole.Base)
        for fixed in (True, False):
            chosen = [mark for mark in marks if (mark.point.step is not None) is fixed]
            pen = QPen(colour, 1.4)
            pen.setStyle(Qt.PenStyle.SolidLine if fixed else Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF([self.place(mark.cost, mark.error) for mark in chosen]))
        for mark in marks:
            painter.setPen(QPen(colour, 1.6))
            painter.setBrush(colour if mark.point.pareto else base)
            grown = size * (1.5 if mark is self.near else 1.0)
            spot = self.place(mark.cost, mark.error)
            paint_shape(painter, shape, spot, grown)
            if mark.point.best_of_family and not mark.point.pareto:
                painter.setBrush(colour)
                painter.drawEllipse(spot, 0.25 * size, 0.25 * size)

    def _paint_slope(self, painter: QPainter, mark: Mark) -> None:
        """The triangle whose sides are the observed order: to the method's next longer step."""
        if mark.point.order is None:
            return
        others = [
            one
            for one in self.marks
            if one.point.label == mark.point.label
            and one.point.step is not None
            and one.point.step > (mark.point.step or 0.0)
        ]
        if not others:
            return
        before = min(others, key=lambda one: one.point.step or 0.0)
        top, right = self.place(before.cost, before.error), self.place(mark.cost, mark.error)
        corner = QPointF(top.x(), right.y())
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.PlaceholderText), 1.2))
        painter.drawLine(top, corner)
        painter.drawLine(corner, right)
        text = f"order {mark.point.order:.2f}"
        metrics = painter.fontMetrics()
        painter.drawText(
            QPointF(
                corner.x() - metrics.horizontalAdvance(text) - 6, (top.y() + corner.y()) / 2 + metrics.ascent() / 2
            ),
            text,
        )
