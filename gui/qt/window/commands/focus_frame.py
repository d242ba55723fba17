"""A frame within the widget that Tab has come to, the same for every kind of widget and in every theme.

It outlasts a menu, and another window: with these the focus comes back to the widget.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from gui.qt.style.theme import look

BY_KEYS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
FOCUS_STAYS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
WIDTH, ROUND, AROUND = 2.0, 5.0, 7


class FocusFrame(QWidget):
    """Lies over a widget until the focus leaves it; around one that Tab never comes to, such as a section of a panel.

    Controls have room within their borders, the texts of a section begin at its edge.
    """

    def __init__(self, focused: QWidget) -> None:
        around = focused.parentWidget() if focused.focusPolicy() == Qt.FocusPolicy.NoFocus else None
        super().__init__(around or focused)
        self.focused, self._around = focused, around is not None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._place()
        focused.installEventFilter(self)
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        elif isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() not in FOCUS_STAYS:
            self.end()
        return False

    def end(self) -> None:
        """Go away. The widget may be going too, with the sheet that it was on: nothing is asked of it."""
        self.hide()
        self.deleteLater()

    def _place(self) -> None:
        room = self.focused.geometry().adjusted(-AROUND, -AROUND, AROUND, AROUND)
        self.setGeometry(room if self._around else self.focused.rect())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = look().theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for colour, inset, width in (("surface", WIDTH + 0.5, 1.0), ("accent", WIDTH / 2, WIDTH)):
            painter.setPen(QPen(theme.colour(colour), width))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), ROUND, ROUND)
        painter.end()


def is_framed(widget: QWidget) -> bool:
    """Whether the frame is around this widget itself, and not around something within it."""
    frames = widget.findChildren(FocusFrame, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return any(frame.focused is widget and frame.isVisible() for frame in frames)


class OneFrame:
    """The frame that is shown, if there is one."""

    def __init__(self) -> None:
        self._frame: FocusFrame | None = None

    def show(self, focused: QWidget) -> None:
        """Show it within or around that widget, and nowhere else."""
        self._end()
        self._frame = FocusFrame(focused)

    def follow(self, now: QWidget) -> None:
        """The focus has come to `now`: from a menu it may go elsewhere than back."""
        frame = self._frame
        if frame is not None and isValid(frame) and now is not frame.focused and now.window() is frame.window():
            self._end()

    def _end(self) -> None:
        if self._frame is not None and isValid(self._frame):
            self._frame.end()
        self._frame = None
