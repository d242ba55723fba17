"""Areas that scroll, the columns of widgets inside them, and rows that wrap: all is reachable in large type too."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLayout,
    QLayoutItem,
    QListView,
    QListWidget,
    QScrollArea,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from gui.qt.access.spoken import Role, speak
from gui.qt.widgets.parts import bare
from gui.qt.window.bridge import subscribe
from gui.qt.window.commands.tab_order import give_back

if TYPE_CHECKING:
    from gui.app.session.session import Session

PANEL_WIDTH, MOST_PANEL = 312, 576
"""How narrow a form may become, and how wide a form of large type may ask to be, so that a window of 1280 px has room
for it beside the 3D view and the plots [px]."""

SHORTER = 5.0
"""How long content may be shorter, as while a run is computed, and still come back to where a person had it [s]."""


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
        self._place: int | None = None
        self._shortened = -math.inf
        self._moving = False
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._keep_place)
        bar.valueChanged.connect(self._moved)

    def setWidget(self, widget: QWidget) -> None:
        self._place = None
        super().setWidget(widget)
        widget.setAutoFillBackground(False)  # Qt has it filled with the ground of a window

    def _keep_place(self, _: int, most: int) -> None:
        """Content that is shorter for a while, as while a run is computed, comes back to where a person had it."""
        bar = self.verticalScrollBar()
        if monotonic() - self._shortened > SHORTER:
            self._place = None
        if bar.value() > most:
            self._place, self._shortened = max(bar.value(), self._place or 0), monotonic()
            self._move(most)
        elif self._place is not None and most > bar.value():
            self._move(min(self._place, most))

    def _move(self, to: int) -> None:
        self._moving = True
        self.verticalScrollBar().setValue(to)
        self._moving = False
        if to == self._place:
            self._place = None

    def _moved(self, _: int) -> None:
        """A person has scrolled, or what has the focus was brought into view."""
        if not self._moving:
            self._place = None

    @property
    def scrolls(self) -> bool:
        """Whether there is more than is seen at once: then the wheel is for that."""
        return self.verticalScrollBar().maximum() > 0

    def scroll_to_top(self) -> None:
        """Show where the content begins; what is out of sight then has no keys."""
        self._place = None
        self.verticalScrollBar().setValue(0)
        focus = QApplication.focusWidget()
        if focus is not None and self.widget().isAncestorOf(focus) and focus.visibleRegion().isEmpty():
            give_back(focus)


class FormScroll(Scroll):
    """An area that is as wide as its content at the present text size; in very large type it scrolls sideways.

    Args:
        content: the form.
        name, text: what it is and holds, for those who cannot see it.
        most: how wide it may ask to be [px].
    """

    def __init__(self, content: QWidget, name: str, text: str, most: int = MOST_PANEL) -> None:
        super().__init__(name, text, sideways=True)
        self._least, self._most = QSize(), most
        self.setWidget(content)

    def minimumSizeHint(self) -> QSize:
        width = self.widget().minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(min(max(PANEL_WIDTH, width), self._most), super().minimumSizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Only another width concerns the window's layout: a text that is longer than before scrolls.
        if event.type() == QEvent.Type.LayoutRequest and self._least != (least := self.minimumSizeHint()):
            self._least = least
            self.updateGeometry()
        return super().eventFilter(watched, event)


class SidewaysScroll(Scroll):
    """Content as high as it is, which scrolls sideways where it is too wide, so that nothing around it has to.

    Args:
        content: such as a table.
        name: what it is, for those who cannot see it.
    """

    def __init__(self, content: QWidget, name: str) -> None:
        super().__init__(name, "The arrows scroll sideways", sideways=True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.horizontalScrollBar().rangeChanged.connect(self._take_keys)
        self.setWidget(content)

    def heightForWidth(self, width: int) -> int:
        least = self.widget().minimumSizeHint().width()
        bar = self.horizontalScrollBar().sizeHint().height() if least > width else 0
        return self._high(max(least, width)) + bar

    def sizeHint(self) -> QSize:
        wide = self.widget().sizeHint().width()
        return QSize(wide, self._high(wide))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The other arrows belong to the area around it."""
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Up and down scroll the area around it, too."""
        turned = event.angleDelta()
        if abs(turned.x()) > abs(turned.y()):
            super().wheelEvent(event)
        else:
            event.ignore()

    def _take_keys(self, _: int, most: int) -> None:
        """Tab comes to it only where it scrolls."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if most else Qt.FocusPolicy.NoFocus)

    def _high(self, width: int) -> int:
        content = self.widget()
        return content.heightForWidth(width) if content.hasHeightForWidth() else content.minimumSizeHint().height()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class SheetScroll(Scroll):
    """The body of a sheet: lists in it shrink first, and then it scrolls where the card is too small."""

    def __init__(self, title: str) -> None:
        super().__init__(title, "Page Up and Page Down scroll", sideways=True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.content = _AsHighAsNeeded()
        self.setWidget(self.content)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows belong to what is on the sheet."""
        if event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            super().keyPressEvent(event)
        else:
            event.ignore()


class _AsHighAsNeeded(QWidget):
    """Content that its area scrolls only below its least height, not already below its preferred height."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sheetBody")

    def heightForWidth(self, width: int) -> int:
        layout = self.layout()
        return layout.totalMinimumHeightForWidth(width) if layout is not None else -1


NESTED = 4
"""A table takes its usual margins whenever its viewport changes, ours included: we set them again within that."""


class WholeRows:
    """Shows no row of a list or table in part: what is below the last whole one stays empty.

    Args:
        view: scrolled by items, so that its first row is whole.
    """

    def __init__(self, view: QListView | QTableView) -> None:
        self._view, self._nested, self._most = view, 0, NESTED if isinstance(view, QTableView) else 1
        view.verticalScrollBar().valueChanged.connect(lambda _: self._crop())

    def update(self, usual: Callable[[], None]) -> None:
        """Give the view its usual geometry, and then room for whole rows."""
        usual()
        self._crop()

    def _crop(self) -> None:
        view, model = self._view, self._view.model()
        if self._nested == self._most or model is None:
            return
        self._nested += 1
        margins = view.viewportMargins()
        room = view.viewport().height() + margins.bottom()
        # The space of a list is above and below each of its rows, and no part of their places.
        air = view.spacing() if isinstance(view, QListView) else 0
        places = (view.visualRect(model.index(row, 0)) for row in range(model.rowCount()))
        rows = [place.adjusted(0, -air, 0, air) for place in places if place.height() > 0]
        margins.setBottom(room - _whole(rows, room))
        if margins != view.viewportMargins():
            view.setViewportMargins(margins)
        self._nested -= 1


def _whole(rows: list[QRect], room: int) -> int:
    """How much of the room whole rows need: of equal ones the same wherever a person has scrolled to."""
    heights = {row.height() for row in rows}
    if sum(row.height() for row in rows) <= room:
        return room
    if len(heights) == 1:
        return room - room % heights.pop() or room
    fitting = [row.bottom() + 1 for row in rows if row.bottom() < room]
    return room if len(fitting) == len(rows) else max(fitting, default=0) or room


class RowsList(QListWidget):
    """A list that shows whole entries only, however high it is."""

    _whole: WholeRows | None = None

    def updateGeometries(self) -> None:
        self._whole = self._whole or WholeRows(self)
        self._whole.update(super().updateGeometries)


class RowsTable(QTableView):
    """A table that shows whole rows only, however high it is."""

    _whole: WholeRows | None = None

    def height_of(self, most: int) -> int:
        """How high it is with all of its rows, or as many as `most` [px]."""
        rows = self.model().rowCount() if self.model() is not None else 0
        return self.horizontalHeader().sizeHint().height() + min(rows, most) * self.rowHeight(0) + 2 * self.frameWidth()

    def updateGeometries(self) -> None:
        self._whole = self._whole or WholeRows(self)
        self._whole.update(super().updateGeometries)


class WrappedRow(QLayout):
    """Widgets side by side, in as many lines as they need; those that expand share what is left of their line.

    Args:
        spacing: between neighbours, and between lines [px].
        widgets: from the left.
    """

    def __init__(self, spacing: int, *widgets: QWidget) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Sideways only: a form with room to spare would put it between such rows."""
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = self._lines(width)
        return sum(map(_high, lines)) + self.spacing() * (len(lines) - 1)

    def sizeHint(self) -> QSize:
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(size.width() for size in shown) + self.spacing() * (len(shown) - 1)
        return QSize(wide, max((size.height() for size in shown), default=0))

    def minimumSize(self) -> QSize:
        return reduce(QSize.expandedTo, (item.minimumSize() for item in self._items), QSize(0, 0))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        y = rect.y()
        for line in self._lines(rect.width()):
            x, high = rect.x(), _high(line)
            widths = [min(item.sizeHint().width(), rect.width()) for item in line]
            growing = [k for k, item in enumerate(line) if item.expandingDirections() & Qt.Orientation.Horizontal]
            left = rect.width() - sum(widths) - self.spacing() * (len(line) - 1)
            for k in growing:
                widths[k] += left // len(growing)
            for item, wide in zip(line, widths, strict=True):
                tall = min(high, item.sizeHint().height())
                item.setGeometry(QRect(x, y + (high - tall) // 2, wide, tall))
                x += wide + self.spacing()
            y += high + self.spacing()

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines, used = [], width + 1
        for item in self._items:
            if item.isEmpty():
                continue
            wide = item.sizeHint().width()
            if used + self.spacing() + wide > width:
                lines.append([])
                used = -self.spacing()
            lines[-1].append(item)
            used += self.spacing() + wide
        return lines


def _high(line: list[QLayoutItem]) -> int:
    return max(item.sizeHint().height() for item in line)


def scrolled_column(panel: QWidget, title: str, session: Session) -> QVBoxLayout:
    """A column for the sections of a panel called `title`, which it fills; it scrolls up and down only.

    Where a person had scrolled to is forgotten when another scenario is opened.
    """
    content = QWidget()
    content.setObjectName("dockBody")
    area = FormScroll(content, title, "A form; the arrows scroll")
    subscribe(area, session.files.opened, area.scroll_to_top)
    bare(QVBoxLayout(panel)).addWidget(area)
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
