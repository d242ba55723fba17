"""The legend above a plot of the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.qt.drawing.legend import Entry, paint_entries
from gui.qt.drawing.style import style_of
from gui.qt.style.theme import look


class Legend(QWidget):
    """Entries, as fully as they fit, right-aligned. Painted by hand because it changes at every frame."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: tuple[Entry, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(80, self.fontMetrics().height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height() + 2)

    def show_entries(self, entries: tuple[Entry, ...]) -> None:
        """Show these; an equal set costs nothing."""
        if entries != self.entries:
            self.entries = entries
            self.setAccessibleName(", ".join(f"{entry.name} {entry.value}" for entry in entries))
            self.update()

    def event(self, event: QEvent) -> bool:
        """The tip has all values, those too that there is no room for."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = "\n".join(f"{entry.name}   {entry.value}".rstrip() for entry in self.entries)
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_entries(painter, self.entries, QRectF(self.rect()), style_of(look().theme.name))
        painter.end()
