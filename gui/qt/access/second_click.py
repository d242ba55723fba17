"""The second click of a double click is for where the first one was."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid


class SecondClick:
    """Keeps it from what has come under the mouse since the first one, or was behind what has gone.

    Args:
        place_of: the window or sheet that a widget is in.
    """

    def __init__(self, place_of: Callable[[QWidget], QWidget | None]) -> None:
        self._place_of = place_of
        self._first: tuple[QWidget | None, QPointF] | None = None
        self._astray = False
        self._had: QWidget | None = None
        self._has: QWidget | None = None

    def begins(self, widget: QWidget, event: QEvent) -> bool:
        """A first click."""
        self._astray = False
        if isinstance(event, QMouseEvent):
            self._first = self._place_of(widget), event.globalPosition()
        return False

    def comes(self, widget: QWidget, event: QEvent) -> bool:
        """A second click; whether it is kept from the widget.

        Qt gives the widget the focus before it asks: what had it gets it back.
        """
        if self._first is None or not isinstance(event, QMouseEvent):
            return False
        place, at = self._first
        moved = (event.globalPosition() - at).manhattanLength() > QApplication.startDragDistance()
        self._astray = place is not self._place_of(widget) and not moved
        if self._astray and self._has is widget and self._had is not None and isValid(self._had):
            self._had.setFocus()
        return self._astray

    def ends(self, *_: object) -> bool:
        """The button is let go; whether that belongs to a click that was kept from a widget."""
        astray, self._astray = self._astray, False
        return astray

    def moves_focus(self, widget: QWidget, event: QEvent) -> None:
        """The widget has the focus now."""
        by_mouse = isinstance(event, QFocusEvent) and event.reason() == Qt.FocusReason.MouseFocusReason
        self._had, self._has = self._has if by_mouse else None, widget
