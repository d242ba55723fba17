"""Buttons, lines, menus and layouts as sheets and panels have them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QStatusBar,
    QToolButton,
    QWidget,
)

from gui.qt.style.icons import set_icon
from gui.qt.style.theme import role

L = TypeVar("L", bound=QLayout)

APART = 24
"""Before each sentence of a status bar but the first [px]: some end without a mark."""


class NumberText(QLineEdit):
    """A line for a number. The click that comes to it selects all, as Tab does: what is typed then replaces it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._fresh = False
        self._doubled = QElapsedTimer()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._fresh = event.reason() == Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self._fresh and not self.hasSelectedText():
            self.selectAll()
        self._fresh = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The third click of a triple one leaves all selected."""
        if self._doubled.isValid() and self._doubled.elapsed() < QApplication.doubleClickInterval():
            self.selectAll()
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A number is one word: its point does not divide it."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._doubled.start()
            self.selectAll()
        else:
            super().mouseDoubleClickEvent(event)


def push_button(text: str, tip: str, act: Callable[[], object]) -> QPushButton:
    """A button with its tooltip, which calls `act`."""
    button = QPushButton(text)
    button.setToolTip(tip)
    button.clicked.connect(act)
    return button


def quiet_button(
    tip: str, act: Callable[[], object] | None = None, *, text: str = "", icon: str = "", name: str = ""
) -> QToolButton:
    """A flat button with a text or an icon, and its tooltip; without a text, `name` is what screen readers say."""
    button = role(QToolButton(text=text), "quiet")
    button.setToolTip(tip)
    button.setAccessibleName(name)
    if icon:
        set_icon(button, icon)
    if act is not None:
        button.clicked.connect(act)
    return button


def show_tick(button: QAbstractButton, ticked: bool) -> None:
    """Tick a button, or not, without a signal. A person's tick is `toggled`: screen readers make it without a click."""
    before = button.blockSignals(True)
    button.setChecked(ticked)
    button.blockSignals(before)


def search_line(name: str, act: Callable[[str], object], *, hint: str = "", tip: str = "") -> QLineEdit:
    """A line to search with; a button and Esc clear it; `act` gets the text. It shows `hint`, or its name."""
    line = QLineEdit()
    line.setProperty("search", True)
    line.setPlaceholderText(hint or name)
    line.setAccessibleName(name)
    line.setToolTip(tip)
    line.setClearButtonEnabled(True)
    line.textChanged.connect(act)
    return line


def passing_menu(parent: QWidget) -> QMenu:
    """A menu that is gone once it closes."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def add_menu_around(menu: QMenu, widget: QWidget) -> None:
    """Add the entries of the menu that something around the widget has, as during a presentation."""
    around = widget.parentWidget()
    while around is not None and around.contextMenuPolicy() != Qt.ContextMenuPolicy.ActionsContextMenu:
        around = around.parentWidget()
    if around is not None:
        menu.addSeparator()
        menu.addActions(around.actions())


class _StaysOpen(QObject):
    """Space ticks an entry of a menu that stays open, since people tick several; Enter closes it."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        menu = watched
        if not isinstance(menu, QMenu) or not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        action = menu.activeAction()
        if event.key() != Qt.Key.Key_Space or action is None or not (action.isCheckable() and action.isEnabled()):
            return False
        action.trigger()
        return True


def add_tick(menu: QMenu, text: str, ticked: bool, act: Callable[[bool], object], *, several: bool = False) -> QAction:
    """Add an entry that can be ticked to a menu; `act` gets whether it is.

    Args:
        menu: gets the entry.
        text: of the entry.
        ticked: whether it is ticked at first.
        act: called after each change.
        several: whether people tick several entries: then Space leaves the menu open.
    """
    if several and menu.findChild(_StaysOpen) is None:
        menu.installEventFilter(_StaysOpen(menu))
    action = menu.addAction(text)
    action.setCheckable(True)
    action.setChecked(ticked)
    # PySide would call a partial without the tick.
    action.triggered.connect(lambda now: act(now))
    return action


def bare(layout: L, spacing: int = -1) -> L:
    """A layout without margins, with `spacing` between its parts [px]; -1 is the style's."""
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    return layout


def side_by_side(*widgets: QWidget) -> QWidget:
    """Widgets in one row; lines and choices share the room that the others leave."""
    holder = QWidget()
    row = bare(QHBoxLayout(holder))
    for widget in widgets:
        row.addWidget(widget, 1 if isinstance(widget, QLineEdit | QComboBox) else 0)
    return holder


def clear(layout: QLayout) -> None:
    """Remove and delete the widgets of a layout."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()


def one_of_several(button: QAbstractButton) -> bool:
    """Whether exactly one button of its group is down."""
    group = button.group()
    return group is not None and group.exclusive()


def choose_beside(button: QAbstractButton, step: int) -> bool:
    """Press the button of its group that comes next, or before it; Qt looks for one in the arrow's direction only."""
    able = [one for one in button.group().buttons() if one.isEnabled() or one is button]
    chosen = able[(able.index(button) + step) % len(able)]
    chosen.setFocus(Qt.FocusReason.TabFocusReason)
    chosen.click()
    return True


def add_to_status(bar: QStatusBar, widget: QWidget) -> None:
    """Put a sentence at the right end of a status bar, apart from the one before it."""
    widget.setContentsMargins(APART, 0, 0, 0)
    bar.addPermanentWidget(widget)
