"""Two pictures of one sheet, each as large as the room allows."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from gui.qt.widgets.quiet import scale

BOTH, SECOND = 450, 150
"""The least height of a pair whose pictures stand above each other, and the second one's then [px, in usual type]."""


class Pair(QWidget):
    """The second picture stands below the first one; in a low sheet beside it, where both keep their height.

    Args:
        first: the picture itself.
        second: what belongs to it; it may be hidden.
    """

    def __init__(self, first: QWidget, second: QWidget) -> None:
        super().__init__()
        self.first, self.second = first, second
        self._row = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(14)
        self._row.addWidget(first, 3)
        self._row.addWidget(second, 2)

    def minimumSizeHint(self) -> QSize:
        return self.first.minimumSizeHint().expandedTo(self.first.minimumSize())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        low = self.height() < BOTH * scale(self)
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.LeftToRight if low else ways.TopToBottom)
        self.second.setMaximumHeight(self.height() if low else round(SECOND * scale(self)))
