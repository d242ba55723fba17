"""The lane of the timeline: the solver's accepted steps as ticks, others as crosses and squares, and the playhead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.charts.steps import HEIGHT
from gui.charts.ticks import linear_ticks
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.style import typed_style
from gui.qt.style.theme import font, look
from gui.qt.widgets.parts import passing_menu
from robots.model.chart import Chart

PADDING = 9.0
EMPTY = Chart()
SHORTEST_VIEW = 1e-6
"""The lane zooms in to this part of the span at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """What the lane shows.

    Attributes:
        start, end: the span [s].
        steps: the chart of the steps.
        computed: until when there is a run [s].
        failed: whether the run ended early because it failed.
        progress: computed part of the span 0 .. 1 while computing, else None.
        chosen: the part (from, to) that is played [s], or None for all of it.
        keys: the camera's key frames [s].
    """

    start: float = 0.0
    end: float = 1.0
    steps: Chart = EMPTY
    computed: float = 0.0
    failed: bool = False
    progress: float | None = None
    chosen: tuple[float, float] | None = None
    keys: tuple[float, ...] = ()


class StepsLane(QWidget):
    """Click or drag to seek; the wheel zooms; Shift+drag chooses what is played; a double click enlarges the steps."""

    sought = Signal(float)
    chosen = Signal(float, float)
    cleared = Signal()
    enlarge_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = Lane()
        self._shown = (0.0, 1.0)
        self._t = 0.0
        self._ground: QPixmap | None = None
        self._from: float | None = None
        self._before_click = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Timeline")
        self.setToolTip(
            f"Ticks: accepted steps. {HEIGHT}.\nCrosses: rejected steps. Squares: fixed steps that failed. "
            "Triangles: impacts on stops.\nGrey: the reference is not trusted there. "
            "Diamonds: camera key frames.\nDrag to move in time, wheel to zoom, Shift+drag to choose "
            "what is played, double-click to enlarge, right-click for a menu."
        )
        look().changed.connect(self.redraw)

    def sizeHint(self) -> QSize:
        return QSize(400, int(look().theme.sizes["caption"] * 1.5) + 32)

    def show_lane(self, lane: Lane) -> None:
        """Show these steps; the zoom stays unless the span changed."""
        if (lane.start, lane.end) != (self.content.start, self.content.end):
            self.content = lane
            self.show_whole()
        self.content = lane
        self.redraw()

    @property
    def shown(self) -> tuple[float, float]:
        """The part of the span that is shown [s]."""
        return self._shown

    def show_whole(self) -> None:
        """Show the whole span."""
        self._shown = (self.content.start, max(self.content.end, self.content.start + 1e-9))
        self.redraw()

    def show_time(self, t: float) -> None:
        """Move the playhead to `t` [s]; a zoomed lane turns the page when the playhead leaves it."""
        first, last = self._shown
        before, self._t = self._t, t
        if not first <= t <= last:
            length = last - first
            first = min(max(t - 0.05 * length, self.content.start), self.content.end - length)
            self._shown = (first, first + length)
            self.redraw()
            return
        for moment in (before, t):
            self.update(int(self._x(moment)) - 8, 0, 16, self.height())

    def redraw(self) -> None:
        """Paint everything again."""
        self._ground = None
        self.updateGeometry()
        self.update()

    def time_at(self, x: float) -> float:
        """The time at a horizontal position [s]."""
        first, last = self._shown
        part = (x - PADDING) / max(self.width() - 2 * PADDING, 1.0)
        return min(max(first + part * (last - first), self.content.start), self.content.end)

    def _x(self, t: float) -> float:
        first, last = self._shown
        return PADDING + (t - first) / (last - first) * (self.width() - 2 * PADDING)

    def _bar(self) -> QRectF:
        bottom = self.height() - look().theme.sizes["caption"] * 1.5
        return QRectF(PADDING, 6, self.width() - 2 * PADDING, bottom - 8)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._ground = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._from, self._before_click = None, self._t
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._from = self.time_at(event.position().x())
        else:
            self.sought.emit(self.time_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not event.buttons() & Qt.MouseButton.LeftButton:
            return
        here = self.time_at(event.position().x())
        if self._from is None:
            self.sought.emit(here)
        else:
            self.chosen.emit(min(self._from, here), max(self._from, here))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        # The first of the two clicks has moved the playhead.
        self.sought.emit(self._before_click)
        self.enlarge_asked.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = passing_menu(self)
        menu.addAction("Show and play all", self.show_all)
        menu.addAction("Enlarge the steps", self.enlarge_asked.emit)
        menu.popup(event.globalPos())

    def show_all(self) -> None:
        """Show the whole run, and play all of it."""
        self.show_whole()
        self.cleared.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        start, end = self.content.start, self.content.end
        here = self.time_at(event.position().x())
        first, last = self._shown
        factor = 0.8 ** (event.angleDelta().y() / 120)
        length = min(max((last - first) * factor, (end - start) * SHORTEST_VIEW), end - start)
        first = min(max(here - (here - first) * length / (last - first), start), end - length)
        self._shown = (first, first + length)
        self.redraw()
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._ground is None:
            self._ground = self._painted()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(0, 0, self._ground)
        bar, x = self._bar(), self._x(self._t)
        if bar.left() - 1 <= x <= bar.right() + 1:
            colour = look().theme.colour("playhead")
            painter.setPen(QPen(colour, 2))
            painter.drawLine(QPointF(x, bar.top()), QPointF(x, bar.bottom() + 1))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            top = bar.top() + 3
            painter.drawPolygon(QPolygonF([QPointF(x - 6, top - 9), QPointF(x + 6, top - 9), QPointF(x, top)]))

    def _painted(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        ground = QPixmap(int(self.width() * ratio), int(self.height() * ratio))
        ground.setDevicePixelRatio(ratio)
        ground.fill(Qt.GlobalColor.transparent)
        painter = QPainter(ground)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_bar(painter)
        self._paint_steps(painter)
        self._paint_times(painter)
        painter.end()
        return ground

    def _paint_bar(self, painter: QPainter) -> None:
        theme, lane, bar = look().theme, self.content, self._bar()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("lane"))
        painter.drawRoundedRect(bar, 4, 4)
        painter.setClipRect(bar)
        if lane.chosen is not None:
            painter.setBrush(theme.colour("accent_soft"))
            first, last = (self._x(bound) for bound in lane.chosen)
            painter.drawRect(QRectF(first, bar.top(), last - first, bar.height()))
        if lane.progress is not None:
            painter.setBrush(theme.colour("accent"))
            painter.drawRect(QRectF(bar.left(), bar.bottom() - 2, bar.width() * lane.progress, 2))
        painter.setClipping(False)

    def _paint_steps(self, painter: QPainter) -> None:
        theme, lane, bar = look().theme, self.content, self._bar()
        painter.setClipRect(bar)
        inside = bar.adjusted(0, 2, 0, -3)
        style = typed_style(theme.name, look().larger)
        steps = ChartPainter(lane.steps, bar, self._shown, style, area=inside)
        steps.paint_bands(painter)
        steps.paint_curves(painter)
        if lane.failed:
            painter.setPen(QPen(theme.colour("danger"), 2))
            x = self._x(lane.computed)
            painter.drawLine(QPointF(x, bar.top()), QPointF(x, bar.bottom()))
        painter.setClipping(False)
        painter.setPen(QPen(theme.colour("surface"), 1.5))
        painter.setBrush(theme.colour("accent"))
        y, arm = bar.center().y(), 6.0
        for x in map(self._x, lane.keys):
            if bar.left() - 1 <= x <= bar.right() + 1:
                painter.drawPolygon(
                    [QPointF(x - arm, y), QPointF(x, y - arm), QPointF(x + arm, y), QPointF(x, y + arm)]
                )

    def _paint_times(self, painter: QPainter) -> None:
        theme, bar = look().theme, self._bar()
        first, last = self._shown
        painter.setFont(font(theme, "caption"))
        metrics = painter.fontMetrics()
        times = linear_ticks(first, last, max(int(bar.width() / 90), 1))
        decimals = max(0, -int(np.floor(np.log10(times[1] - times[0])))) if len(times) > 1 else 1
        baseline = self.height() - 3
        for t in times:
            text, x = f"{t:.{decimals}f}", self._x(t)
            width = metrics.horizontalAdvance(text)
            painter.setPen(theme.colour("shadow"))
            painter.drawLine(QPointF(x, bar.bottom() + 1), QPointF(x, bar.bottom() + 4))
            painter.setPen(theme.colour("muted"))
            left = min(max(x - width / 2, 0.0), self.width() - width)
            painter.drawText(QPointF(left, baseline), text)
