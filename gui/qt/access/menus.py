"""Menus by keys: a letter goes to the entry that begins with it, and the menu key is there on every keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QCursor, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QWidget

NOTHING_HELD = Qt.KeyboardModifier.NoModifier


def go_to_letter(menu: QMenu, event: QKeyEvent) -> bool:
    """Go to the next entry that begins with the typed letter, after the last to the first; false if there is none.

    Where that opens a submenu, the first entry there is the chosen one.
    """
    letter = event.text().casefold()
    if not letter.isalnum() or event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
        return False
    entries = [entry for entry in menu.actions() if entry.isVisible() and not entry.isSeparator()]
    now = entries.index(menu.activeAction()) + 1 if menu.activeAction() in entries else 0
    for entry in entries[now:] + entries[:now]:
        if entry.isEnabled() and entry.text().casefold().replace("&", "").startswith(letter):
            menu.setActiveAction(entry)
            opened = QApplication.activePopupWidget()
            if isinstance(opened, QMenu) and opened is not menu:
                mark_first(opened)  # of its submenu
            return True
    return False


def mark_first(menu: QMenu) -> None:
    """Let Enter take the first entry, unless another one is marked: as the arrows do it, a submenu there stays shut."""
    if menu.isVisible() and menu.activeAction() is None:
        QApplication.sendEvent(menu, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Down, NOTHING_HELD))


def is_within(menu: QMenu) -> bool:
    """Whether it is a submenu of one that is open."""
    return any(isinstance(one, QMenu) and one.isVisible() for one in menu.menuAction().associatedObjects())


def ask_for_menu(widget: QWidget) -> None:
    """Open the menu of what has the focus, as the menu key does, which many keyboards lack."""
    cursor = widget.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)  # None in a plot
    place = QRectF(cursor or widget.rect()).center().toPoint()
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, asked)


def let_go_buttons(menu: QMenu) -> None:
    """Let buttons know that the mouse has left them: it did so while their menu had all its events."""
    for button in menu.menuAction().associatedObjects():
        if isinstance(button, QAbstractButton) and not button.rect().contains(button.mapFromGlobal(QCursor.pos())):
            QApplication.sendEvent(button, QEvent(QEvent.Type.Leave))
            button.update()
