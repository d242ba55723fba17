"""A drawing area with an axis on its left and one below, as a widget."""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QHelpEvent, QKeyEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsWidget, QSizePolicy, QToolTip

from gui.qt.access.spoken import Role, speak
from gui.qt.access.walk import Walk
from gui.qt.drawing.style import typed_style
from gui.qt.plots.axis import PlotAxis
from gui.qt.style.theme import look
from gui.qt.widgets.quiet import scale
from gui.qt.widgets.scroll import Scroll
from gui.qt.window.gestures import Gestures
from robots.model.chart import Curve

BY_KEYS = "Left and Right go from one to the next and say what it stands for; Esc lets go."

MARGINS = (1.0, 4.0, 15.0, 1.0)
"""What stays free on the left, above, on the right and below [px]."""

NOTCH = 1.25
ZOOMS: dict[int, float] = {Qt.Key.Key_Up: NOTCH, Qt.Key.Key_Down: 1.0 / NOTCH}
"""By what one press of a key enlarges."""


class AxesView(pg.GraphicsView):
    """Shows an area and its axes; pyqtgraph's own plot has 70 hidden controls besides, which no plot here uses.

    Args:
        area: where curves are drawn.
        left, below: its axes.

    Attributes:
        fingers: on a trackpad or the screen.
        menu_key: the key for menus was pressed; a right click belongs to the area and the axes.
        said_at: what there is to say at a place [px]; where that is nothing, the parts have their own tips.
        walk: by keys through drawings that say something.
        zooms: whether Up and Down zoom as the wheel does; elsewhere they scroll.
        zoom_key: (factor) one of these was pressed.
    """

    menu_key, zoom_key = Signal(), Signal(float)

    def __init__(self, area: pg.ViewBox, left: PlotAxis, below: PlotAxis) -> None:
        super().__init__()
        self.fingers = Gestures(self.viewport(), self.scrolls_around)
        self.said_at: Callable[[QPoint], str] = lambda _: ""
        self.zooms = False
        self._area = area
        self.walk = Walk(self, BY_KEYS, self._box, lambda: self.viewport().update())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        frame = QGraphicsWidget()
        grid = QGraphicsGridLayout(frame)
        grid.setContentsMargins(*MARGINS)
        grid.setSpacing(0)
        for part, row, column in ((area, 0, 1), (left, 0, 0), (below, 1, 1)):
            grid.addItem(part, row, column)
        for axis in (left, below):
            axis.linkToView(area)
        grid.setRowStretchFactor(0, 1)
        grid.setColumnStretchFactor(1, 1)
        self.setCentralItem(frame)

    def describe(self, name: str, whole: Callable[[], str]) -> None:
        """Say what it shows to those who cannot see it: all of it, or the drawing that is chosen."""
        for part in (self, self.viewport()):
            speak(part, Role.Chart, name, lambda: self.walk.described(whole()))

    def scrolls_around(self, event: QWheelEvent) -> bool:
        """Whether it moves what is around the plot up or down; with Ctrl, or where nothing scrolls, it is its own."""
        around = self.parentWidget()
        while around is not None and not isinstance(around, Scroll):
            around = around.parentWidget()
        turned = event.angleDelta() if event.pixelDelta().isNull() else event.pixelDelta()
        upright = abs(turned.y()) >= abs(turned.x())
        ours = around is None or not around.scrolls or event.modifiers() & Qt.KeyboardModifier.ControlModifier
        return upright and not ours

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.scrolls_around(event):
            event.ignore()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if self.zooms and plain and event.key() in ZOOMS:
            self.zoom_key.emit(ZOOMS[event.key()])
        elif not self.walk.press(event, across_only=True):
            event.ignore()

    def _box(self, drawing: Curve) -> QRectF:
        """Where a drawing is in the view [px]."""
        x, y = drawing.x, drawing.y
        lowest, highest = QPointF(float(x.min()), float(y.min())), QPointF(float(x.max()), float(y.max()))
        corners = (QPointF(self.mapFromScene(self._area.mapViewToScene(end))) for end in (lowest, highest))
        return QRectF(*corners).normalized()

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        super().drawForeground(painter, rect)
        painter.save()
        painter.resetTransform()
        self.walk.paint(painter, typed_style(look().theme.name, scale(self)))
        painter.restore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.walk.come(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.walk.choose(None)

    def viewportEvent(self, event: QEvent) -> bool:
        tip = event if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip else None
        if tip is not None and (said := self.said_at(tip.pos())):
            QToolTip.showText(tip.globalPos(), said, self)
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.menu_key.emit()
        else:
            super().contextMenuEvent(event)
