"""Fingers on a trackpad or on the screen, as what they mean: the same for the picture and for plots."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QInputDevice, QNativeGestureEvent, QTouchEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

TAP = 8.0
"""A finger that moves by less than this taps [px]."""


class Gestures(QObject):
    """Watches a widget. Places and distances are in its pixels.

    Args:
        widget: what the fingers are on.
        others: whether two fingers on a trackpad scroll something else, to which they are left.

    Signals:
        scrolled: (moved, at, modifiers) two fingers move on a trackpad.
        pinched: (factor, at) two fingers go apart (above 1) or together.
        dragged: (moved, at) one finger moves on the screen.
        carried: (moved) two fingers move on the screen.
        tapped: (at) one finger touched the screen and left it.
    """

    scrolled = Signal(QPointF, QPointF, object)
    pinched = Signal(float, QPointF)
    dragged = Signal(QPointF, QPointF)
    carried = Signal(QPointF)
    tapped = Signal(QPointF)

    def __init__(self, widget: QWidget, others: Callable[[QWheelEvent], bool] = lambda _: False) -> None:
        super().__init__(widget)
        self._widget = widget
        widget.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        widget.installEventFilter(self)
        self._others = others
        self._before: list[QPointF] = []
        self._start: QPointF | None = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QWheelEvent):
            return event.type() == QEvent.Type.Wheel and self._scroll(event)
        if isinstance(event, QNativeGestureEvent):
            return self._gesture(event)
        return isinstance(event, QTouchEvent) and self._touch(event)

    def _scroll(self, event: QWheelEvent) -> bool:
        """A wheel with notches is left to the widget."""
        moved, phase = event.pixelDelta(), event.phase()
        trackpad = event.device().type() == QInputDevice.DeviceType.TouchPad or phase != Qt.ScrollPhase.NoScrollPhase
        if not trackpad or moved.isNull() or self._others(event):
            return False
        self.scrolled.emit(QPointF(moved), event.position(), event.modifiers())
        event.accept()
        return True

    def _gesture(self, event: QNativeGestureEvent) -> bool:
        if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
            return False
        self.pinched.emit(max(1.0 + event.value(), 0.1), event.position())
        event.accept()
        return True

    def _touch(self, event: QTouchEvent) -> bool:
        event.accept()
        here = [self._widget.mapFromGlobal(point.globalPosition()) for point in event.points()]
        if event.type() == QEvent.Type.TouchBegin:
            self._start = here[0]
        elif event.type() == QEvent.Type.TouchUpdate and len(here) == len(self._before):
            self._follow(here)
        elif event.type() == QEvent.Type.TouchEnd and self._start is not None and len(here) == 1:
            self.tapped.emit(here[0])
        self._before = here
        if len(here) > 1 or event.type() in (QEvent.Type.TouchEnd, QEvent.Type.TouchCancel):
            self._start = None
        return True

    def _follow(self, here: list[QPointF]) -> None:
        before = self._before
        if len(here) == 1:
            if self._start is not None and _length(here[0] - self._start) < TAP:
                return
            self._start = None
            self.dragged.emit(here[0] - before[0], here[0])
        elif len(here) == 2:
            self.carried.emit((here[0] + here[1] - before[0] - before[1]) / 2.0)
            apart, was = _length(here[0] - here[1]), _length(before[0] - before[1])
            if apart > 0.0 and was > 0.0 and apart != was:
                self.pinched.emit(apart / was, (here[0] + here[1]) / 2.0)


def _length(way: QPointF) -> float:
    return math.hypot(way.x(), way.y())
