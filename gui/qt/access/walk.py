"""Arrow keys go through the drawings of a chart, each of which says what it stands for, as it does to the pointer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QFocusEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from gui.qt.access.spoken import announce
from gui.qt.drawing.style import Style, pen
from gui.qt.widgets.quiet import scale
from gui.qt.window.commands.focus_frame import BY_KEYS
from robots.model.chart import Chart, Curve

ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Down: (0, -1),
    Qt.Key.Key_Up: (0, 1),
}

AROUND, ROUND = 9.0, 5.0
"""The frame of the chosen drawing [px in usual type]."""

STAYS_MS = 600_000
"""What keys have asked for stays until they leave."""


class Walk:
    """Left and Right go through a chart's drawings, Up and Down to the line above or below.

    Args:
        widget: shows the chart, and has the keys.
        about: what keys do here, for those who cannot see it.
        box: where a drawing is in the widget [px].
        redraw: draws the widget again.
    """

    def __init__(
        self, widget: QWidget, about: str, box: Callable[[Curve], QRectF], redraw: Callable[[], object]
    ) -> None:
        self.chosen: Curve | None = None
        self.drawings: list[Curve] = []
        self._widget, self._about, self._box, self._redraw = widget, about, box, redraw

    def show(self, chart: Chart) -> None:
        """Go through the drawings of this chart from now on; the one that is chosen stays so if it is there."""
        self.drawings = [one for one in chart.curves if one.tag and one.x.size] if chart.bare else []
        self._widget.setProperty("walked", bool(self.drawings))
        if self.chosen is not None:
            tag = self.chosen.tag
            self.chosen = next((one for one in self.drawings if one.tag == tag), None)
            if self.chosen is None:
                QToolTip.hideText()

    def choose(self, drawing: Curve | None) -> None:
        """Mark a drawing and say beside it what it stands for, or none."""
        if drawing is not self.chosen:
            self.chosen = drawing
            self._redraw()
            QAccessible.updateAccessibility(QAccessibleEvent(self._widget, QAccessible.Event.DescriptionChanged))
            if drawing is None:
                QToolTip.hideText()
        if drawing is not None:
            below = self._widget.mapToGlobal(self.frame_of(drawing).bottomLeft()).toPoint()
            QToolTip.showText(below, drawing.tag, self._widget, QRect(), STAYS_MS)
            announce(self._widget, drawing.tag)

    def frame_of(self, drawing: Curve) -> QRectF:
        """What is around a drawing, as far as the widget shows it [px]."""
        air = AROUND * scale(self._widget)
        return self._box(drawing).adjusted(-air, -air, air, air) & QRectF(self._widget.rect())

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

    def press(self, event: QKeyEvent, *, across_only: bool = False) -> bool:
        """Go where an arrow key leads; false for other keys, and where there is nothing to go through."""
        across, up = ARROWS.get(Qt.Key(event.key()), (0, 0))
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if not self.drawings or held or not (across or (up and not across_only)):
            return False
        if (there := self.neighbour(across, up)) is not None:
            self.choose(there)
        return True

    def come(self, event: QFocusEvent) -> None:
        """The keys are here: by keys, the first drawing speaks."""
        if event.reason() in BY_KEYS:
            self.choose(next(iter(self.drawings), None))

    def described(self, whole: str) -> str:
        """The chosen drawing in words; else those of the whole chart, and what keys do."""
        if self.chosen is not None:
            return self.chosen.tag
        return f"{whole} {self._about}".strip() if self.drawings else whole

    def paint(self, painter: QPainter, style: Style) -> None:
        """Draw the frame of what is chosen."""
        if self.chosen is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(pen(style.colour("accent"), width=1.5 * style.scale))
            painter.drawRoundedRect(self.frame_of(self.chosen), ROUND, ROUND)
