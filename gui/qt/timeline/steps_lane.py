"""The lane of the timeline: the solver's accepted steps as ticks, its rejected ones as crosses, and the playhead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.charts.ticks import linear_ticks
from gui.qt.style.theme import font, look

Array = NDArray[np.float64]
PADDING = 9.0
CLOSEST_CROSSES = 6.0
DENSE = 0.3
"""Where more than this part of the columns has a step, steps are drawn as a density and no longer one by one."""

SHORTEST_VIEW = 1e-6
"""The lane zooms in to this part of the span at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """What the lane shows.

    Attributes:
        start, end: the span [s].
        accepted: when accepted steps ended, (n,) [s].
        rejected: when rejected steps would have ended, (m,) [s].
        computed: until when there is a run [s].
        trusted: until when the reference is trusted [s], or None.
        failed: whether the run ended early because it failed.
        progress: computed part of the span 0 .. 1 while computing, else None.
        chosen: the part (from, to) that is played [s], or None for all of it.
        keys: the camera's key frames [s].
    """

    start: float = 0.0
    end: float = 1.0
    accepted: Array | None = None
    rejected: Array | None = None
    computed: float = 0.0
    trusted: float | None = None
    failed: bool = False
    progress: float | None = None
    chosen: tuple[float, float] | None = None
    keys: tuple[float, ...] = ()


class StepsLane(QWidget):
    """Click or drag to seek; the wheel zooms, a double click shows everything; Shift+drag chooses the part to play."""

    sought = Signal(float)
    chosen = Signal(float, float)
    cleared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lane = Lane()
        self._shown = (0.0, 1.0)
        self._t = 0.0
        self._ground: QPixmap | None = None
        self._from: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Timeline")
        self.setToolTip(
            "Ticks: accepted steps. Crosses: rejected steps. Grey: the reference is not trusted there.\nDiamonds: "
            "camera key frames.\nDrag to move in time, wheel to zoom, double-click to reset the zoom, Shift+drag "
            "to choose what is played."
        )
        look().changed.connect(self.redraw)

    def sizeHint(self) -> QSize:
        return QSize(400, int(look().theme.sizes["caption"] * 1.5) + 32)

    def show_lane(self, lane: Lane) -> None:
        """Show other steps; the zoom stays unless the span changed."""
        if (lane.start, lane.end) != (self._lane.start, self._lane.end):
            self._shown = (lane.start, max(lane.end, lane.start + 1e-9))
        self._lane = lane
        self.redraw()

    def show_time(self, t: float) -> None:
        """Move the playhead to `t` [s]; a zoomed lane turns the page when the playhead leaves it."""
        first, last = self._shown
        before, self._t = self._t, t
        if not first <= t <= last:
            length = last - first
            first = min(max(t - 0.05 * length, self._lane.start), self._lane.end - length)
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
        return min(max(first + part * (last - first), self._lane.start), self._lane.end)

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
        self._from = None
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
        self._shown = (self._lane.start, max(self._lane.end, self._lane.start + 1e-9))
        self.cleared.emit()
        self.redraw()

    def wheelEvent(self, event: QWheelEvent) -> None:
        start, end = self._lane.start, self._lane.end
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
        theme, lane, bar = look().theme, self._lane, self._bar()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("lane"))
        painter.drawRoundedRect(bar, 4, 4)
        painter.setClipRect(bar)
        if lane.chosen is not None:
            painter.setBrush(theme.colour("accent_soft"))
            first, last = (self._x(bound) for bound in lane.chosen)
            painter.drawRect(QRectF(first, bar.top(), last - first, bar.height()))
        if lane.trusted is not None and lane.trusted < lane.end:
            painter.setBrush(theme.colour("untrusted"))
            x = self._x(lane.trusted)
            painter.drawRect(QRectF(x, bar.top(), bar.right() - x, bar.height()))
        if lane.progress is not None:
            painter.setBrush(theme.colour("accent"))
            painter.drawRect(QRectF(bar.left(), bar.bottom() - 2, bar.width() * lane.progress, 2))
        painter.setClipping(False)

    def _paint_steps(self, painter: QPainter) -> None:
        theme, lane, bar = look().theme, self._lane, self._bar()
        painter.setClipRect(bar)
        if lane.accepted is not None and len(lane.accepted):
            height = heights(self._columns(lane.accepted))
            columns = np.flatnonzero(height)
            length = height[columns] * (bar.height() - 8)
            painter.setPen(QPen(theme.colour("lane_step"), 1))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            bottom = bar.bottom() - 3
            painter.drawLines(
                [QLineF(x, bottom - tall, x, bottom) for x, tall in zip(columns.tolist(), length.tolist(), strict=True)]
            )
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if lane.rejected is not None and len(lane.rejected):
            painter.setPen(QPen(theme.colour("lane_rejected"), 1.5))
            y, arm, crosses = bar.top() + 6, 2.5, []
            for x in _thinned(np.flatnonzero(self._columns(lane.rejected))):
                crosses += [QLineF(x - arm, y - arm, x + arm, y + arm), QLineF(x - arm, y + arm, x + arm, y - arm)]
            painter.drawLines(crosses)
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

    def _columns(self, times: Array) -> NDArray[np.int64]:
        """How many of the times fall on each pixel, (width,)."""
        first, last = self._shown
        inside = times[(times >= first) & (times <= last)]
        at = np.rint(PADDING + (inside - first) / (last - first) * (self.width() - 2 * PADDING)).astype(np.int64)
        return np.bincount(np.clip(at, 0, self.width()), minlength=self.width() + 1)

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


def heights(counts: NDArray[np.int64]) -> Array:
    """Heights 0 .. 1 of the columns, (n,): lone steps are full ticks; dense ones grow with their number."""
    filled = np.flatnonzero(counts)
    if len(filled) == 0:
        return np.zeros(len(counts))
    extent = filled[-1] - filled[0] + 1
    if len(filled) < DENSE * extent:
        return (counts > 0).astype(float)
    # So wide a box that a constant step gives a constant height, and no pattern of ones and twos.
    box = np.ones(int(np.clip(24 * extent / counts.sum(), 9, 61)))
    smooth = np.convolve(counts, box, "same")[: len(counts)]
    inside = np.zeros(len(counts))
    inside[filled[0] : filled[-1] + 1] = 1.0
    smooth /= np.convolve(inside, box, "same")[: len(counts)].clip(1.0)
    smooth[: filled[0]] = smooth[filled[-1] + 1 :] = 0.0
    return np.where(smooth > 0, 0.25 + 0.6 * np.sqrt(smooth / smooth.max()), 0.0)


def _thinned(columns: NDArray[np.int64]) -> list[float]:
    """The columns without those that stand too close to the one before."""
    kept: list[float] = []
    for x in columns.tolist():
        if not kept or x - kept[-1] >= CLOSEST_CROSSES:
            kept.append(float(x))
    return kept
