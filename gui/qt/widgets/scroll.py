"""Areas that scroll, and the column of widgets inside them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gui.qt.access.spoken import Role, speak

PANEL_WIDTH = 312


class Scroll(QScrollArea):
    """A frameless area that makes its content as wide as it is, and scrolls up and down over what lies behind it.

    Args:
        name, text: what it is and holds, for those who cannot see it.
        role: what kind of thing it is.
        sideways: whether it also scrolls sideways.
    """

    def __init__(self, name: str, text: str, role: Role = Role.Pane, *, sideways: bool = False) -> None:
        super().__init__()
        speak(self, role, name, text)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        if not sideways:
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)


class FormScroll(Scroll):
    """An area that is never narrower than its content at the present text size."""

    def __init__(self, content: QWidget, name: str, text: str) -> None:
        super().__init__(name, text)
        self._least = QSize()
        self.setWidget(content)

    def minimumSizeHint(self) -> QSize:
        width = self.widget().minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(max(PANEL_WIDTH, width), super().minimumSizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Only another width concerns the window's layout: a text that is longer than before scrolls.
        if event.type() == QEvent.Type.LayoutRequest and self._least != (least := self.minimumSizeHint()):
            self._least = least
            self.updateGeometry()
        return super().eventFilter(watched, event)


def scrolled_column(panel: QWidget, title: str) -> QVBoxLayout:
    """A column for the sections of a panel called `title`, which it fills; it scrolls up and down only."""
    content = QWidget()
    content.setObjectName("dockBody")
    outer = QVBoxLayout(panel)
    outer.setContentsMargins(0, 0, 0, 0)
    outer.addWidget(FormScroll(content, title, "A form; the arrows scroll"))
    column = QVBoxLayout(content)
    column.setContentsMargins(12, 6, 12, 12)
    column.setSpacing(12)
    return column


def sheet_column(spacing: int, right: int = 10) -> tuple[QWidget, QVBoxLayout]:
    """The content of an area that scrolls in a sheet, and its column; `right` is the room beside the bar [px]."""
    content = QWidget()
    content.setObjectName("sheetBody")
    column = QVBoxLayout(content)
    column.setContentsMargins(2, 2, right, 2)
    column.setSpacing(spacing)
    return content, column
