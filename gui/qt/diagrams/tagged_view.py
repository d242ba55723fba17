"""A chart of several drawings, each of which stands for something: where the pointer rests, and by arrow keys."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip

from gui.charts.summary import summary
from gui.qt.access.spoken import Role, announce, speak
from gui.qt.diagrams.run_diagram import ARROWS
from gui.qt.drawing.style import pen
from gui.qt.plots.chart_view import ChartView
from gui.qt.window.commands.focus_frame import BY_KEYS
from robots.model.chart import Chart, Curve

AROUND, ROUND = 9.0, 5.0
"""The frame of the chosen drawing [px in usual type]."""

STAYS_MS = 600_000
"""What keys have asked for stays until they leave."""


class TaggedView(ChartView):
    """Shows a bare chart; Left and Right go through its drawings, Up and Down to the line above or below.

    Args:
        name: what it shows, for those who cannot see it, and in the names of files.
        size: what it would like [px].
        about: what keys do here, for those who cannot see it.
    """

    def __init__(self, name: str, size: QSize, about: str) -> None:
        super().__init__(name, size)
        self.chosen: Curve | None = None
        self._about = about
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        speak(self, Role.Chart, name, self._described)

    @property
    def drawings(self) -> list[Curve]:
        """What can be chosen, in the order of the chart."""
        return [curve for curve in self.chart.curves if curve.tag and curve.x.size]

    def show_chart(self, chart: Chart) -> None:
        super().show_chart(chart)
        self.choose(None)

    def choose(self, drawing: Curve | None) -> None:
        """Mark a drawing and say beside it what it stands for, or none."""
        if drawing is not self.chosen:
            self.chosen = drawing
            self.update()
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))
        if drawing is None:
            QToolTip.hideText()
        else:
            below = self.mapToGlobal(self.frame_of(drawing).bottomLeft()).toPoint()
            QToolTip.showText(below, drawing.tag, self, QRect(), STAYS_MS)
            announce(self, drawing.tag)

    def frame_of(self, drawing: Curve) -> QRectF:
        """What is around a drawing [px]."""
        laid = self.laid_out()
        x, y, air = laid.across(drawing.x), laid.upward(drawing.y), AROUND * laid.style.scale
        corners = QPointF(float(x.min()), float(y.min())), QPointF(float(x.max()), float(y.max()))
        return QRectF(*corners).adjusted(-air, -air, air, air)

    def neighbour(self, across: int, up: int) -> Curve | None:
        """The drawing that an arrow leads to; None where there is none."""
        drawings, here = self.drawings, self.chosen
        if here is None or not drawings:
            return next(iter(drawings), None)
        if across:
            place = next(place for place, one in enumerate(drawings) if one is here) + across
            return drawings[place] if 0 <= place < len(drawings) else None
        there = [one for one in drawings if up * (one.y[0] - here.y[0]) > 0.0]
        return min(there, key=lambda one: (abs(one.y[0] - here.y[0]), abs(one.x[0] - here.x[0])), default=None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in ARROWS:
            if (there := self.neighbour(*ARROWS[key])) is not None:
                self.choose(there)
        elif key == Qt.Key.Key_Escape and self.chosen is not None:
            self.choose(None)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.chosen is not None:
            painter, style = QPainter(self), self.style_now()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(pen(style.colour("accent"), width=1.5 * style.scale))
            painter.drawRoundedRect(self.frame_of(self.chosen), ROUND, ROUND)
            painter.end()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in BY_KEYS:
            self.choose(next(iter(self.drawings), None))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.choose(None)

    def _described(self) -> str:
        if self.chosen is not None:
            return self.chosen.tag
        return f"{summary(self.chart, self.t, self.sides)} {self._about}".strip()
