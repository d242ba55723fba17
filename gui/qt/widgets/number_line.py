"""A line for a number: arrow keys, the wheel and a sideways drag change it, too; a pasted list is split."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QInputEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
    QWheelEvent,
)

from assets.fields import Value
from gui.app.units import Unit, numbers_in
from gui.qt.style.change import type_changed
from gui.qt.widgets.parts import NumberText
from gui.qt.window.commands.focus_frame import FOCUS_STAYS
from gui.qt.window.commands.tab_order import give_back

FINE = 0.1
"""With Shift everything moves by this fraction."""

PIXELS = 4.0
"""A drag by this much is one step [px]."""

BEGINS = 5
"""A press that moves sideways by this much drags the number [px]."""

KEYS = {Qt.Key.Key_Up: 1.0, Qt.Key.Key_Down: -1.0, Qt.Key.Key_PageUp: 10.0, Qt.Key.Key_PageDown: -10.0}


class NumberLine(NumberText):
    """A press on it without the focus begins a drag; without moving, it selects the number.

    Signals:
        nudged: (steps) a person wants the number that many steps higher than it is.
        dragged: (steps) the same, from where it was when the drag began.
        gesture: (began) a drag begins or ends.
        pasted: (texts) several numbers were pasted.
        room_changed: the line, or its type, has become larger or smaller, or the keys have come or gone.
    """

    nudged = Signal(float)
    dragged = Signal(float)
    gesture = Signal(bool)
    pasted = Signal(list)
    room_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("numeric", True)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._dragging = False
        self._held: QPointF | None = None
        self._steps = 0.0

    def show_value(self, unit: Unit, value: Value | None) -> str:
        """Write a value, and return the text: all of it with the keys in it, otherwise what there is room for."""
        text = unit.exact(value) if self.hasFocus() else unit.text(value, self.has_room)
        if text != self.text():
            self.setText(text)
            self.setCursorPosition(0)
        return text

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.room_changed.emit()  # before Qt selects all
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in FOCUS_STAYS:
            self.room_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.room_changed.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if type_changed(self, event):
            self.room_changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = KEYS.get(Qt.Key(event.key()))
        pastes = event.matches(QKeySequence.StandardKey.Paste)
        several = numbers_in(QGuiApplication.clipboard().text()) if pastes else []
        if steps is not None:
            self.nudged.emit(steps * fineness(event))
        elif several:
            self.pasted.emit(several)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            turned = event.angleDelta().y() or event.angleDelta().x()
            self.nudged.emit(turned / 120.0 * fineness(event))
            event.accept()
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._fresh and event.button() == Qt.MouseButton.LeftButton:
            self._held, self._steps = event.position(), 0.0
        else:
            super().mousePressEvent(event)
        self._fresh = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is None:
            super().mouseMoveEvent(event)
            return
        moved = event.position().x() - self._held.x()
        if not self._dragging and abs(moved) < BEGINS:
            return
        if not self._dragging:
            self._dragging = True
            self.setCursor(Qt.CursorShape.SizeHorCursor)
            self.gesture.emit(True)
        self._held = event.position()
        self._steps += moved / PIXELS * fineness(event)
        self.dragged.emit(self._steps)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        held, self._held = self._held, None
        if self._dragging:
            self._dragging = False
            self.unsetCursor()
            self.gesture.emit(False)
            give_back(self)
        elif held is not None:
            self.selectAll()
        else:
            super().mouseReleaseEvent(event)


def fineness(event: QInputEvent) -> float:
    """How much of a step an event moves."""
    return FINE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1.0
