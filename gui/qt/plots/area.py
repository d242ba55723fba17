"""The drawing area of a plot: click or drag seeks, right- or middle-drag pans, the wheel zooms."""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal

from gui.qt.window.gestures import Gestures

BUTTON = Qt.MouseButton
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


class PlotArea(pg.ViewBox):
    """A ViewBox with Armstep's mouse.

    Signals:
        clicked: a click follows, which may become a double click.
        pointed: (x, y) a person clicked or dragged at this place, in the plot's coordinates.
        marked: (x) the same with Ctrl.
        dragging: (down) a drag that points begins or ends.
        menu_asked: (screen position) a right click.
        enlarge_asked: a double click.
        moved_by_hand: (x, y) which of the two ranges a person changed.
    """

    clicked = Signal()
    pointed = Signal(float, float)
    marked = Signal(float)
    dragging = Signal(bool)
    menu_asked = Signal(object)
    enlarge_asked = Signal()
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
            self.enlarge_asked.emit()
        elif ev.button() == BUTTON.LeftButton:
            self.clicked.emit()
            self._point(ev.pos(), ev.modifiers())

    def mouseDragEvent(self, ev, axis=None) -> None:
        if axis is not None:
            super().mouseDragEvent(ev, axis)
            return
        ev.accept()
        if ev.button() == BUTTON.LeftButton and not ev.modifiers() & SHIFT:
            if ev.isStart():
                self.dragging.emit(True)
            self._point(ev.pos(), ev.modifiers())
            if ev.isFinish():
                self.dragging.emit(False)
            return
        self._carry(ev.pos() - ev.lastPos())

    def wheelEvent(self, ev, axis=None) -> None:
        """Over an axis it zooms that one."""
        super().wheelEvent(ev, 0 if axis is None and not self.state["aspectLocked"] else axis)

    def follow(self, gestures: Gestures, scene_at: Callable[[QPointF], QPointF]) -> None:
        """Fingers move and zoom as the mouse does; one on the screen points. `scene_at` has a pixel's place."""
        none = Qt.KeyboardModifier.NoModifier

        def place(at: QPointF) -> QPointF:
            return self.mapFromScene(scene_at(at))

        gestures.scrolled.connect(lambda moved, *_: self._carry(moved))
        gestures.carried.connect(self._carry)
        gestures.pinched.connect(lambda factor, at: self._zoom(factor, self.mapToView(place(at))))
        gestures.dragged.connect(lambda _, at: self._point(place(at), none))
        gestures.tapped.connect(lambda at: self._point(place(at), none))

    def zoom(self, factor: float, across: float) -> None:
        """Zoom by `factor` around the place `across` on the horizontal axis, in a plane around the middle."""
        middle = self.viewRect().center()
        self._zoom(factor, middle if self.pans_upright else QPointF(across, middle.y()))

    def _carry(self, moved: QPointF) -> None:
        shift = self.mapToView(QPointF(0.0, 0.0)) - self.mapToView(moved)
        self.translateBy(x=shift.x(), y=shift.y() if self.pans_upright else None)
        self.moved_by_hand.emit(True, self.pans_upright)

    def _zoom(self, factor: float, centre: QPointF) -> None:
        both = bool(self.state["aspectLocked"])
        self.scaleBy(x=1.0 / factor, y=1.0 / factor if both else None, center=(centre.x(), centre.y()))
        self.moved_by_hand.emit(True, both)

    def _point(self, place: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        spot = self.mapToView(place)
        if modifiers & CTRL:
            self.marked.emit(spot.x())
        else:
            self.pointed.emit(spot.x(), spot.y())
