"""A frame within the widget that Tab has come to, the same for every kind of widget and in every theme."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.qt.style.theme import look

BY_KEYS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
WIDTH, ROUND = 2.0, 5.0


class FocusFrame(QWidget):
    """Lies over its parent until the focus leaves it."""

    def __init__(self, focused: QWidget) -> None:
        super().__init__(focused)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setGeometry(focused.rect())
        focused.installEventFilter(self)
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._focused().rect())
        elif event.type() == QEvent.Type.FocusOut:
            self._focused().removeEventFilter(self)
            self.hide()
            self.deleteLater()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = look().theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for colour, inset, width in (("surface", WIDTH + 0.5, 1.0), ("accent", WIDTH / 2, WIDTH)):
            painter.setPen(QPen(theme.colour(colour), width))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), ROUND, ROUND)
        painter.end()

    def _focused(self) -> QWidget:
        focused = self.parentWidget()
        assert focused is not None
        return focused
