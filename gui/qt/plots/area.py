"""The drawing area of a plot: click or drag seeks, right- or middle-drag pans, the wheel zooms."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal

BUTTON = Qt.MouseButton


class PlotArea(pg.ViewBox):
    """A ViewBox with Armstep's mouse.

    Signals:
        pointed: (x, y) a person clicked or dragged at this place, in the plot's coordinates.
        dragging: (down) a drag that points begins or ends.
        menu_asked: (screen position) a right click.
        whole_asked: a double click.
        moved_by_hand: (x, y) which of the two ranges a person changed.
    """

    pointed = Signal(float, float)
    dragging = Signal(bool)
    menu_asked = Signal(object)
    whole_asked = Signal()
    moved_by_hand = Signal(bool, bool)

    def __init__(self, *, pans_upright: bool = False) -> None:
        super().__init__(enableMenu=False, defaultPadding=0.0)
        self.pans_upright = pans_upright
        self.disableAutoRange()
        self.sigRangeChangedManually.connect(lambda mask: self.moved_by_hand.emit(bool(mask[0]), bool(mask[1])))

    def mouseClickEvent(self, ev) -> None:
        ev.accept()
        if ev.button() == BUTTON.RightButton:
            self.menu_asked.emit(ev.screenPos())
        elif ev.button() == BUTTON.LeftButton and ev.double():
            self.whole_asked.emit()
        elif ev.button() == BUTTON.LeftButton:
            self._point(ev.pos())

    def mouseDragEvent(self, ev, axis=None) -> None:
        if axis is not None:
            super().mouseDragEvent(ev, axis)
            return
        ev.accept()
        if ev.button() == BUTTON.LeftButton and not ev.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            if ev.isStart():
                self.dragging.emit(True)
            self._point(ev.pos())
            if ev.isFinish():
                self.dragging.emit(False)
            return
        shift = self.mapToView(ev.lastPos()) - self.mapToView(ev.pos())
        self.translateBy(x=shift.x(), y=shift.y() if self.pans_upright else None)
        self.moved_by_hand.emit(True, self.pans_upright)

    def wheelEvent(self, ev, axis=None) -> None:
        if axis is None and not self.state["aspectLocked"]:
            axis = 1 if ev.modifiers() & Qt.KeyboardModifier.ControlModifier else 0
        super().wheelEvent(ev, axis)

    def _point(self, place: QPointF) -> None:
        spot = self.mapToView(place)
        self.pointed.emit(spot.x(), spot.y())
