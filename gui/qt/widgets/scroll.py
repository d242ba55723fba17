"""Areas that scroll, and the column of widgets inside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gui.qt.access.spoken import Role, speak
from gui.qt.window.bridge import subscribe

if TYPE_CHECKING:
    from gui.app.session.session import Session

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

    def scroll_to_top(self) -> None:
        """Show where the content begins."""
        self.verticalScrollBar().setValue(0)


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


def scrolled_column(panel: QWidget, title: str, session: Session) -> QVBoxLayout:
    """A column for the sections of a panel called `title`, which it fills; it scrolls up and down only.

    Where a person had scrolled to is forgotten when another scenario is opened.
    """
    content = QWidget()
    content.setObjectName("dockBody")
    outer = QVBoxLayout(panel)
    outer.setContentsMargins(0, 0, 0, 0)
    area = FormScroll(content, title, "A form; the arrows scroll")
    subscribe(area, session.files.opened, area.scroll_to_top)
    outer.addWidget(area)
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
