"""The ground of a list of choices, in the theme's colours."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from gui.qt.style.theme import look


class ListGround(QObject):
    """Paints what a list of choices stands on: Qt draws a dark line above and below, which no theme reaches."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Paint or not isinstance(watched, QWidget):
            return super().eventFilter(watched, event)
        painter, theme = QPainter(watched), look().theme
        painter.setPen(theme.colour("border"))
        painter.setBrush(theme.colour("surface"))
        painter.drawRect(watched.rect().adjusted(0, 0, -1, -1))
        painter.end()
        return True
