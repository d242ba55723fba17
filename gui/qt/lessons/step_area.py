"""The area in which a step of a lesson scrolls: what is new comes into view, and no line is cut through its letters."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.qt.access.spoken import Role
from gui.qt.lessons.whole_lines import whole_from, whole_until
from gui.qt.style.theme import look
from gui.qt.widgets.scroll import Scroll

AIR = 12
"""Around what is brought into view [px]."""

MARGIN = 16
"""What is lower than this below the edge is read [px]: a card's margin is not."""

GAP = 8
"""Between the parts of the panel; below the area it has the arrow to what is below its edge [px]."""


class StepArea(Scroll):
    """Scrolls the texts, predictions and outcomes of a step.

    Attributes:
        more: stands below the area, and shows whether there is more of the step below its edge.
    """

    def __init__(self) -> None:
        super().__init__("Step of the lesson", "Text, predictions and outcomes; the arrow keys scroll", Role.Document)
        self._wanted: QWidget | None = None
        self.more = MoreBelow(self)
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self._wanted and self.bring(self._wanted))

    @property
    def has_more(self) -> bool:
        """Whether there is something to read or to press below the edge."""
        bar = self.verticalScrollBar()
        return bar.maximum() - bar.value() > MARGIN

    def forget(self) -> None:
        """What was brought into view goes."""
        self._wanted = None

    def bring(self, widget: QWidget) -> None:
        """Scroll to it, and again once the texts above have found their height."""
        self._wanted = widget
        bar, room = self.verticalScrollBar(), self.viewport().height()
        # ensureWidgetVisible would be content with the line of a text that has the cursor.
        inner = self.widget()
        if inner is None or not inner.isAncestorOf(widget):
            return
        top = widget.mapTo(inner, QPoint()).y()
        wanted = min(max(bar.value(), top + widget.height() + AIR - room), top - AIR)
        if wanted != bar.value():
            self._scroll_to(inner, wanted, top)

    def read_on(self) -> bool:
        """Scroll on by as much as was in view; False once the end is."""
        bar, room, inner = self.verticalScrollBar(), self.viewport().height(), self.widget()
        if inner is None or not self.has_more:
            return False
        self.forget()
        # What is higher than half of the view is read in parts.
        following = max(whole_until(inner, bar.value() + room), bar.value() + room // 2)
        self._scroll_to(inner, min(following, bar.maximum()), following)
        return True

    def read_back(self) -> bool:
        """Scroll back by as much as is in view; False once the beginning is."""
        bar, room, inner = self.verticalScrollBar(), self.viewport().height(), self.widget()
        if inner is None or bar.value() <= MARGIN:
            return False
        self.forget()
        # What is higher than half of the view is read in parts.
        before = min(whole_from(inner, max(bar.value() - room, 0)), bar.value() - room // 2)
        bar.setValue(before if before > MARGIN else 0)
        return True

    def _scroll_to(self, inner: QWidget, wanted: int, most: int) -> None:
        """Scroll to there, or as far below as `most` where a line would be cut through its letters."""
        room = self.viewport().height()
        whole = min(whole_from(inner, wanted), most)
        # The end scrolls further by what is left of the line that would be cut.
        high = max(inner.height(), inner.heightForWidth(inner.width()), inner.minimumSizeHint().height())
        self._make_room(min(whole + room - high, whole - wanted + AIR) if whole > wanted else 0)
        self.verticalScrollBar().setValue(max(wanted, whole))

    def _make_room(self, more: int) -> None:
        """Let the content end so much later."""
        inner = self.widget()
        if more > 0 and inner is not None and (column := inner.layout()) is not None:
            margins = column.contentsMargins()
            margins.setBottom(margins.bottom() + more)
            column.setContentsMargins(margins)
            inner.resize(inner.width(), inner.height() + more)


class MoreBelow(QWidget):
    """A line with an arrow below an area whose content goes on below its edge; a click scrolls on.

    Its room is always there: nothing moves for it.
    """

    def __init__(self, area: StepArea) -> None:
        super().__init__()
        self._area = area
        self.setFixedHeight(GAP)
        self.setToolTip("There is more below")
        for signal in (area.verticalScrollBar().rangeChanged, area.verticalScrollBar().valueChanged):
            signal.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.setEnabled(self._area.has_more)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._area.read_on()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._area.has_more:
            return
        painter, middle, half, colour = QPainter(self), self.width() / 2, GAP / 2, look().theme.colour("accent")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour, 2.0))
        painter.drawPolyline([QPointF(middle - GAP, 1.0), QPointF(middle, GAP - 1.0), QPointF(middle + GAP, 1.0)])
        painter.setPen(QPen(colour, 1.0))
        painter.drawLine(QLineF(0.0, half, middle - 2.0 * GAP, half))
        painter.drawLine(QLineF(middle + 2.0 * GAP, half, self.width(), half))
        painter.end()
