"""The current method as a button, which opens the list of all methods with a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from gui.qt.style import icons
from gui.qt.widgets.method_tree import MethodTree, short_facts
from gui.qt.widgets.parts import bare
from gui.qt.widgets.quiet import RoleLabel

if TYPE_CHECKING:
    from solvers.method import Method

LIST_SIZE = QSize(430, 460)
BESIDE_NAME = 56


class MethodPicker(QWidget):
    """Button and list, whose arrows try methods. Enter and clicks close it, Escape takes back what was tried, too.

    Up and Down on the button go to the previous and the next method without opening the list.

    Signals:
        chosen: (key) a person picked that method.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.button = QPushButton()
        self.button.setAccessibleName("Method")
        self.button.setToolTip("All methods by family, with search. Up and Down choose the previous and the next one.")
        self.button.setStyleSheet("QPushButton { text-align: left; }")
        self.button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        icons.set_icon(self.button, "down")
        self.button.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.button.clicked.connect(self.open)
        self.button.installEventFilter(self)
        self.list = QFrame(self, Qt.WindowType.Popup)
        self.list.setObjectName("sheet")
        self.list.installEventFilter(self)
        self._opened_with = ""
        self.methods = MethodTree(self.list)
        self.methods.chosen.connect(self.chosen)
        self.methods.finished.connect(self.list.hide)
        inner = QVBoxLayout(self.list)
        inner.setContentsMargins(12, 12, 12, 12)
        inner.addWidget(self.methods)
        self.name = ""
        self.facts = RoleLabel("", "hint")
        column = bare(QVBoxLayout(self), 4)
        column.addWidget(self.button)
        column.addWidget(self.facts)

    def show_method(self, method: Method) -> None:
        """Show the current method."""
        self.name = method.name
        self.facts.setText(short_facts(method))
        self._elide()
        self.methods.show_method(method.key)

    def forget_search(self) -> None:
        """Another scenario was opened: the list is whole again and closed."""
        self.list.hide()
        self.methods.search.clear()

    def open(self) -> None:
        """Show the list below the button if there is room; it does not cover what lies below the panel."""
        place = self.button.mapToGlobal(QPoint(0, self.button.height() + 4))
        room = self.button.screen().availableGeometry()
        bottom = min(room.bottom(), self._panel_bottom())
        high = min(LIST_SIZE.height(), bottom - room.top())
        place.setY(max(room.top(), min(place.y(), bottom - high)))
        inner = self.list.contentsMargins() + self.list.layout().contentsMargins()
        wanted = self.methods.wanted_width() + inner.left() + inner.right()
        wide = min(max(LIST_SIZE.width(), wanted), room.width())
        place.setX(max(room.left(), min(place.x(), room.right() - wide)))
        self.list.setGeometry(QRect(place, QSize(wide, high)))
        self.methods.search.clear()
        self._opened_with = self.methods.current
        self.list.show()
        self.methods.search.setFocus()

    def _panel_bottom(self) -> int:
        """Where the panel around the button ends on the screen [px]."""
        panel = self.parentWidget()
        while panel is not None and not isinstance(panel, QScrollArea):
            panel = panel.parentWidget()
        around = panel or self.window()
        return around.mapToGlobal(around.rect().bottomLeft()).y()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        """The name, shortened in its middle if the button is narrow."""
        room = self.button.width() - BESIDE_NAME
        metrics = self.button.fontMetrics()
        self.button.setText(metrics.elidedText(self.name, Qt.TextElideMode.ElideMiddle, max(40, room)))
        self.button.setAccessibleDescription(self.name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        pressed = event.key() if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress else None
        if watched is self.button and pressed in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.methods.go(1 if pressed == Qt.Key.Key_Down else -1)
            return True
        if watched is self.list and pressed == Qt.Key.Key_Escape:
            self.methods.pick(self._opened_with)
        return super().eventFilter(watched, event)
