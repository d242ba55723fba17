"""Buttons, lines, menus and layouts as sheets and panels have them."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintEvent,
    QPalette,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QMainWindow,
    QMenu,
    QPushButton,
    QStatusBar,
    QStyle,
    QStyleOptionFrame,
    QStylePainter,
    QToolButton,
    QToolTip,
    QWidget,
)

from gui.app.units import shortened
from gui.qt.style.icons import set_icon
from gui.qt.style.theme import enlarge_over_picture, role, set_state

L = TypeVar("L", bound=QLayout)

BESIDE_TEXT = 2
"""Qt leaves this free on either side of a line's text [px]."""

PRESENTATION_MENU = "presentation.menu"
"""The name of the menu of a presentation, as long as one goes on."""

APART = 24
"""Before each sentence of a status bar but the first [px]: some end without a mark."""


FLOAT_DIGITS = len(repr(-math.pi * 1e-300))
"""A number in more characters may have more digits than a float."""


class WrittenLine(QLineEdit):
    """A line of text.

    What there is no room for, in the line or in the part of it that is scrolled into sight, is drawn with an ellipsis
    until the keys come; the tooltip has all of it.
    """

    def has_room(self, text: str) -> bool:
        """Whether all of a text can be seen."""
        return self.fontMetrics().horizontalAdvance(text) <= self._place().width()

    def _frame(self) -> QStyleOptionFrame:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        return option

    def _place(self) -> QRect:
        """Where the text is."""
        place = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, self._frame(), self)
        return place.adjusted(BESIDE_TEXT, 0, -BESIDE_TEXT, 0)

    def _seen(self) -> QRect:
        """The part of the text's place that is scrolled into sight."""
        place, seen = self._place(), self.visibleRegion().boundingRect()
        return place.intersected(QRect(seen.left(), place.top(), seen.width(), place.height()))

    def shown_whole(self) -> bool:
        """Whether all of the text is drawn now, without the keys in it."""
        return self.fontMetrics().horizontalAdvance(self.text()) <= self._seen().width()

    def in_short(self) -> str:
        """What is drawn without the keys: as much as there is room for; what is no number ends with an ellipsis."""
        if self.shown_whole():
            return self.text()
        measure, room = self.fontMetrics().horizontalAdvance, self._seen().width()
        number, mark, power = self.text(), "", ""
        with suppress(ValueError):
            value = float(number)
            if len(number) <= FLOAT_DIGITS:
                number = shortened(value, lambda text: measure(text) <= room)
            else:  # a coefficient is exact, and has more digits than a float
                number, mark, power = number.partition("e")
        end = mark + power
        return self.fontMetrics().elidedText(number, Qt.TextElideMode.ElideRight, room - measure(end)) + end

    def paintEvent(self, event: QPaintEvent) -> None:
        in_sight = self._seen() == self._place() and self.shown_whole()
        if self.hasFocus() or not self.text() or in_sight:
            super().paintEvent(event)
            return
        painter = QStylePainter(self)
        painter.drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, self._frame())
        text, align, able = self.in_short(), self.alignment(), self.isEnabled()
        painter.drawItemText(self._seen(), align, self.palette(), able, text, QPalette.ColorRole.Text)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and not self.shown_whole():
            QToolTip.showText(event.globalPos(), f"{self.text()}\n{self.toolTip()}".rstrip(), self)
            return True
        return super().event(event)


class NumberText(WrittenLine):
    """A line for a number. The click that comes to it selects all, as Tab does: what is typed then replaces it.

    Signals:
        explained: (reason) what was typed is not possible, and why; empty when something else is typed.

    Attributes:
        reason: the present one.
    """

    explained = Signal(str)

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.reason = ""
        self.textChanged.connect(lambda _: self.refuse(""))
        self._fresh = False
        self._doubled = QElapsedTimer()

    def refuse(self, reason: str) -> None:
        """Mark what was typed as not possible, so that it keeps the keys; without a reason, as possible."""
        if reason != self.reason:
            self.reason = reason
            set_state(self, "refused", bool(reason))
            self.setAccessibleDescription(reason)
            self.explained.emit(reason)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._fresh = event.reason() == Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)
        if self.selectedText() == self.text():
            self.selectAll()

    def selectAll(self) -> None:
        """Select all; the beginning of a long number is what is seen."""
        size = len(self.text())
        if self.has_room(self.text()):
            super().selectAll()
        else:
            self.setSelection(size, -size)

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


def refused_in(root: QWidget) -> list[QWidget]:
    """The fields in it that are marked as refused, from the top, and from the left in one line."""
    found = [one for one in root.findChildren(QWidget) if one.property("refused") and one.isVisible()]
    return sorted(found, key=lambda one: one.mapTo(root, one.rect().topLeft()).toTuple()[::-1])


def go_to_refused(root: QWidget) -> bool:
    """Give the keys to the first refused field in it, unless one has them; returns whether there is one."""
    found = refused_in(root)
    if found and not any(one.hasFocus() for one in found):
        found[0].setFocus(Qt.FocusReason.TabFocusReason)
    return bool(found)


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
    """A menu that is gone once it closes; before an audience its type is as large as that in the picture.

    Whatever it is about, an audience's pages can be turned there, too.
    """
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.aboutToShow.connect(lambda: _add_presentation(menu))
    enlarge_over_picture(menu)
    return menu


def _add_presentation(menu: QMenu) -> None:
    """Add the menu of the presentation that goes on, if there is one, to a menu without its commands."""
    window = menu.window()
    while (beyond := window.parentWidget()) is not None:
        window = beyond.window()
    found = window.findChild(QMenu, PRESENTATION_MENU, Qt.FindChildOption.FindDirectChildrenOnly)
    if found is not None and set(menu.actions()).isdisjoint([found.menuAction(), *found.actions()]):
        menu.addSeparator()
        menu.addMenu(found)


def has_menu_around(widget: QWidget) -> bool:
    """Whether something around the widget has a menu for all that is in it, as during a presentation."""
    around = widget.parentWidget()
    while around is not None and around.contextMenuPolicy() != Qt.ContextMenuPolicy.ActionsContextMenu:
        around = around.parentWidget()
    return around is not None


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


class Escape(QObject):
    """Closes by Esc what lies over the view while it is shown, where no panel, field or sheet has the keys.

    Of two such things each press closes one.

    Args:
        shown: what lies over the view of a window, or in it.
        close: closes it.
    """

    def __init__(self, shown: QWidget, close: Callable[[], object]) -> None:
        super().__init__(shown)
        self._shown, self._close = shown, close
        self._keys: list[QShortcut] = []
        shown.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._offer(event.type() == QEvent.Type.Show)
        return False

    def _offer(self, offered: bool) -> None:
        window = self._shown.window()
        if not self._keys and isinstance(window, QMainWindow) and (centre := window.centralWidget()) is not None:
            within, alone = Qt.ShortcutContext.WidgetWithChildrenShortcut, Qt.ShortcutContext.WidgetShortcut
            self._keys = [self._key(centre, within), self._key(window, alone)]
        for key in self._keys:
            key.setEnabled(offered)

    def _key(self, owner: QWidget, context: Qt.ShortcutContext) -> QShortcut:
        key = QShortcut(QKeySequence(Qt.Key.Key_Escape), owner)
        key.setContext(context)
        key.activated.connect(self._close)
        key.activatedAmbiguously.connect(self._close)
        return key
