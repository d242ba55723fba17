"""One rule for the focus: which keys and wheels a widget gets, and how it gives the keys back to the window.

Enter commits what was chosen or typed and gives the keys back; Esc takes it back and gives them back, too; a text of
several lines stays as it was typed. Where there is nothing to take back, Esc closes the sheet. A wheel changes a value
only where the focus is. Letters are commands: only what a person types into takes them, text and numbers. What hides
with the focus in it, or is disabled, leaves the keys to the window, never to its neighbour; Tab goes on from there.
While a sheet covers a window, nothing behind it has keys. Whatever gets the keys is scrolled into sight, but for what a
mouse has found. The second click of a double click is for where the first one was: what has come or gone between them
gets no click that a person has not aimed at it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemDelegate,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollBar,
    QTabBar,
    QTextEdit,
    QToolButton,
    QTreeView,
    QWidget,
)

from assets.expressions import NUMBER_BEGINS
from gui.qt.access import menus
from gui.qt.access.second_click import SecondClick
from gui.qt.access.values import edited_view, put_back, row_of, value_of
from gui.qt.widgets.parts import NumberText, choose_beside, one_of_several
from gui.qt.window.commands import tab_order
from gui.qt.window.commands.focus_frame import BY_KEYS, FOCUS_STAYS, OneFrame, is_framed
from gui.qt.window.commands.tab_order import Home, cover_of, give_back, home_of

Key, Kind, Modifier = Qt.Key, QEvent.Type, Qt.KeyboardModifier

UP_DOWN = frozenset({Key.Key_Up, Key.Key_Down, Key.Key_PageUp, Key.Key_PageDown})
LEFT_RIGHT = frozenset({Key.Key_Left, Key.Key_Right})
STEPS = {Key.Key_Left: -1, Key.Key_Up: -1, Key.Key_Right: 1, Key.Key_Down: 1}
ENDS = frozenset({Key.Key_Home, Key.Key_End})
TABS = frozenset({Key.Key_Tab, Key.Key_Backtab})
ENTER = frozenset({Key.Key_Return, Key.Key_Enter})
PLAIN = Modifier.ShiftModifier | Modifier.KeypadModifier
"""With these a person begins to type a number in a cell, where a letter is a command."""

ONE_LINE = (QLineEdit, QAbstractSpinBox)
TEXT = (QPlainTextEdit, QTextEdit)
VALUES = (*ONE_LINE, *TEXT, QComboBox, QAbstractSlider)


@runtime_checkable
class Paged(Protocol):
    """A window or a sheet with pages that Left and Right turn, whatever in it has the focus and needs no arrows."""

    def turn(self, by: int) -> bool:
        """Turn so many pages; false where there is none to turn."""
        ...


class FocusRule(QObject):
    """Holds the rule for every widget of the application, as its event filter."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._entered: tuple[QWidget, str | int] | None = None
        self._frame = OneFrame()
        self._by_keys = False
        self._second_click = SecondClick(_place_of)
        self._handlers: dict[QEvent.Type, Callable[[QWidget, QEvent], bool]] = {
            Kind.ShortcutOverride: self._offer,
            Kind.KeyPress: self._press,
            Kind.MouseButtonPress: self._click,
            Kind.MouseButtonDblClick: self._second_click.comes,
            Kind.MouseButtonRelease: self._second_click.ends,
            Kind.Wheel: _wheel,
            Kind.FocusIn: self._enter,
            Kind.Polish: _polish,
            Kind.Show: self._show_menu,
            Kind.Hide: _hide,
        }

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        handler = self._handlers.get(event.type())
        return handler is not None and isinstance(watched, QWidget) and handler(watched, event)

    def _offer(self, widget: QWidget, event: QEvent) -> bool:
        """Whether a key is a command is asked of the widget with the focus alone, and of sheets.

        What pops up has all keys, and the list of a choice takes Enter when it is asked.
        """
        self._by_keys = True
        if cover_of(widget) is not None:
            event.accept()
            return True
        if widget is not QApplication.focusWidget() or isinstance(widget, Home) or not isinstance(event, QKeyEvent):
            return False
        if QApplication.activePopupWidget() is not None:
            return False
        event.setAccepted(uses(widget, event))
        return True

    def _show_menu(self, widget: QWidget, _: QEvent) -> bool:
        """A menu that is opened by keys has an entry that Enter takes."""
        if self._by_keys and isinstance(widget, QMenu) and not menus.is_within(widget):
            QTimer.singleShot(0, widget, lambda: menus.mark_first(widget))
        return False

    def _click(self, widget: QWidget, event: QEvent) -> bool:
        self._by_keys = False
        return self._second_click.begins(widget, event)

    def _press(self, widget: QWidget, event: QEvent) -> bool:
        self._by_keys = True
        focus = QApplication.focusWidget()
        if not isinstance(event, QKeyEvent):
            return False
        if QApplication.activePopupWidget() is not None:
            return isinstance(widget, QMenu) and menus.go_to_letter(widget, event)
        if focus is None or isinstance(focus.window(), QDialog):
            return False  # one of Qt's, such as that for files: Esc closes it and Enter takes it
        key, plain = Key(event.key()), not event.modifiers() & ~Modifier.KeypadModifier
        home = home_of(focus)
        if plain and key in LEFT_RIGHT and isinstance(home, Paged) and not uses(focus, event):
            return home.turn(1 if key == Key.Key_Right else -1)
        if key == Key.Key_F10 and event.modifiers() == Modifier.ShiftModifier:
            menus.ask_for_menu(focus)
            return True
        if widget is not focus:
            # The widget with the focus has no use for the key, so it is here now.
            return plain and widget.isAncestorOf(focus) and self._leave(focus, key)
        if _begins_nothing(widget, event):
            return True
        if key in TABS and isinstance(widget, QLineEdit | QComboBox) and _refused(widget):
            return True
        if plain and isinstance(widget, QAbstractButton) and (key in ENTER or _pressed_by_space(widget, key)):
            if not event.isAutoRepeat():
                _push(widget)
            return True
        if plain and key in STEPS and isinstance(widget, QPushButton) and one_of_several(widget):
            return choose_beside(widget, STEPS[key])
        if key in UP_DOWN and isinstance(widget, QPushButton) and not _in_sheet(widget):
            return True  # Qt would go to any button below, in another panel, too
        if key in ENTER and isinstance(widget, TEXT):
            commits = bool(event.modifiers() & Modifier.ControlModifier)
            return commits and give_back(widget)
        if isinstance(widget, QComboBox) and (key == Key.Key_Escape or not widget.isEditable()):
            return plain and self._leave(widget, key)
        view = edited_view(widget)
        if view is not None and plain and (key == Key.Key_Escape or key in ENTER):
            if key in ENTER:
                view.itemDelegate().commitData.emit(widget)
                if _stays(view):
                    return True
            elif (row := row_of(view)) is not None and row.refused:
                row.restore()
            view.itemDelegate().closeEditor.emit(widget, QAbstractItemDelegate.EndEditHint.RevertModelCache)
            if _has_cells(view):
                return give_back(view)
            view.setFocus()  # of what is a row the keys are there: name it, move it, remove it
            self._frame.show(view)
            return True
        return False

    def _leave(self, focus: QWidget, key: Qt.Key) -> bool:
        """Enter or Esc in `focus`: give the keys back, with Esc the former value too."""
        if (key not in ENTER and key != Key.Key_Escape) or (not isinstance(focus, VALUES) and _in_sheet(focus)):
            return False
        if (home := home_of(focus)) is not None and home.focusProxy() is focus:
            return False
        if key in ENTER and _stays(focus):
            return True
        if key == Key.Key_Escape:
            if _in_sheet(focus) and not (is_text(focus) and self._changed(focus)):
                return False  # what is chosen holds at once: nothing is being edited, and Esc closes the sheet
            self._revert(focus)
        return give_back(focus)

    def _enter(self, widget: QWidget, event: QEvent) -> bool:
        cover = cover_of(widget)
        if cover is not None:
            (cover.focusWidget() or cover).setFocus()
            return False
        self._frame.follow(widget)
        self._second_click.moves_focus(widget, event)
        if not isinstance(event, QFocusEvent) or event.reason() in FOCUS_STAYS:
            return False
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            tab_order.into_sight(widget)
        given = event.reason() == Qt.FocusReason.OtherFocusReason and isinstance(widget, QLineEdit)
        if event.reason() in BY_KEYS or (given and self._by_keys):
            self._frame.show(widget)  # a line that a key begins to type in looks as one that Tab has come to
        if isinstance(widget, VALUES):
            self._entered = (widget, "" if widget.property("search") else value_of(widget))
            row = row_of(widget)
            if row is not None:
                row.remember()
        return False

    def _changed(self, widget: QWidget) -> bool:
        """Whether a value is another one than when the focus came."""
        return self._entered is not None and self._entered[0] is widget and self._entered[1] != value_of(widget)

    def _revert(self, widget: QWidget) -> None:
        if isinstance(widget, TEXT):
            return  # paragraphs are too much to lose by one key; they can be undone
        row = row_of(widget)
        if row is not None:
            if isinstance(widget, VALUES) or row.refused:  # a button has changed nothing since the focus came to it
                row.restore()
        elif self._entered is not None and self._changed(widget):
            put_back(widget, self._entered[1])


def _place_of(widget: QWidget) -> QWidget | None:
    """The window or sheet that a click on the widget is in."""
    return widget if isinstance(widget, Home) else home_of(widget)


def uses(widget: QWidget | None, event: QKeyEvent) -> bool:
    """Whether the widget with the focus needs this key itself, so that no command may take it.

    Text needs every key that is not held with Ctrl or Alt, a number what it is made of until something is typed; lists
    and choices need their arrows, sliders too, with what begins a number; choices with the property `numbered` need
    their numbers, and charts with the property `walked` the arrows that go through their drawings. Space presses the
    button that Tab has come to, as the frame around it shows. Everywhere else Space plays, and Home and End are times.
    """
    modifiers, key = event.modifiers(), Key(event.key())
    plain = not modifiers & ~PLAIN
    arrow = key in UP_DOWN or key in LEFT_RIGHT or key in ENDS
    if key == Key.Key_Escape:
        return isinstance(widget, VALUES)
    if Key.Key_F1 <= key <= Key.Key_F35:
        return False
    if is_text(widget):
        if isinstance(widget, QLineEdit) and not widget.isModified() and _undoes(event):
            return False
        moves = arrow and key not in (Key.Key_PageUp, Key.Key_PageDown)
        ends = key in ENTER and isinstance(widget, TEXT)
        held = bool(modifiers & Modifier.ControlModifier) and (moves or ends or _undoes(event))
        return held or (plain and not _begins_nothing(widget, event))
    if not plain:
        return False
    if _pressed_by_space(widget, key):
        return True
    if isinstance(widget, QAbstractSlider | QRadioButton):
        begins = bool(widget.property("numeric")) and event.text()[:1] in NUMBER_BEGINS
        group = widget.group() if isinstance(widget, QRadioButton) and widget.property("numbered") else None
        numbered = group is not None and any(one.text() == event.text() for one in group.buttons())
        return begins or numbered or key in UP_DOWN or key in LEFT_RIGHT
    if isinstance(widget, QPushButton) and one_of_several(widget):
        return key in STEPS
    if widget is not None and widget.property("walked"):
        return key in LEFT_RIGHT and not modifiers & Modifier.ShiftModifier
    if isinstance(widget, QTabBar):
        return key in LEFT_RIGHT
    if isinstance(widget, QComboBox):
        return key in UP_DOWN
    if isinstance(widget, QAbstractItemView):
        return key in UP_DOWN or (_has_cells(widget) and (key in LEFT_RIGHT or event.text()[:1] in NUMBER_BEGINS))
    return False


def _pressed_by_space(widget: QWidget | None, key: Qt.Key) -> bool:
    return key == Key.Key_Space and isinstance(widget, QAbstractButton) and is_framed(widget)


def is_text(widget: QWidget | None) -> bool:
    """Whether a person types into it."""
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    if isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit):
        return not widget.isReadOnly()
    return isinstance(widget, QAbstractSpinBox)


def leave_all() -> None:
    """Nothing keeps the focus, and what was half typed is gone: another scenario is there."""
    focus = QApplication.focusWidget()
    if not isinstance(focus, VALUES):
        tab_order.forget()
        return
    row = row_of(focus)
    if row is not None:
        row.restore()
    give_back(focus)
    tab_order.forget()


def _wheel(widget: QWidget, event: QEvent) -> bool:
    """A wheel over a value without the focus scrolls what is around it."""
    turned = isinstance(widget, QComboBox | QAbstractSpinBox | QTabBar | QAbstractSlider)
    if not turned or isinstance(widget, QScrollBar) or widget.hasFocus():
        return False
    event.ignore()
    return True


def _polish(widget: QWidget, _: QEvent) -> bool:
    if widget.focusPolicy() == Qt.FocusPolicy.WheelFocus:
        widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return False


def _hide(widget: QWidget, _: QEvent) -> bool:
    if widget.isWindow():
        if isinstance(widget, QMenu):
            menus.let_go_buttons(widget)
        holder = widget.parentWidget()
        popup = widget.windowType() == Qt.WindowType.Popup and not isinstance(widget, QMenu)
        if popup and holder is not None and not isinstance(holder.window(), QDialog):
            give_back(holder)
        return False
    focus = QApplication.focusWidget()
    if focus is not None and (focus is widget or widget.isAncestorOf(focus)):
        give_back(focus, widget)
    return False


def _begins_nothing(widget: QWidget | None, event: QKeyEvent) -> bool:
    """Whether a key writes a letter into what is not text, or a space into a number that is not being typed."""
    text = event.text()
    if event.modifiers() & ~PLAIN or not text or not text.isprintable():
        return False
    if isinstance(widget, QLineEdit) and widget.property("numeric"):
        return not widget.isModified() and text == " "
    if isinstance(widget, QComboBox) or (isinstance(widget, QAbstractItemView) and not _has_cells(widget)):
        return not is_text(widget) and not _in_sheet(widget)
    return False


def _has_cells(view: QAbstractItemView) -> bool:
    """Whether Left and Right mean something in it: columns of cells to edit, or branches."""
    cells = view.editTriggers() & QAbstractItemView.EditTrigger.AnyKeyPressed
    return isinstance(view, QTreeView) or bool(
        cells and view.selectionBehavior() == QAbstractItemView.SelectionBehavior.SelectItems
    )


def _push(button: QAbstractButton) -> None:
    """Press a button, or open the menu that it is for."""
    if isinstance(button, QToolButton) and button.popupMode() == QToolButton.ToolButtonPopupMode.InstantPopup:
        button.showMenu()
    else:
        button.click()


def _undoes(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)


def _in_sheet(widget: QWidget) -> bool:
    """Whether the keys of the widget's surroundings are no commands."""
    home = home_of(widget)
    return home is not None and not home.isWindow()


def _refused(typed: QLineEdit | QComboBox) -> bool:
    """Commit what was typed before the focus goes on; what is not possible keeps it, and is selected."""
    if isinstance(typed, NumberText) or (isinstance(typed, QLineEdit) and row_of(typed) is not None):
        typed.editingFinished.emit()
    return _stays(typed)


def _stays(widget: QWidget) -> bool:
    """Whether it keeps the keys, all selected: its row or its property `refused` says that it cannot be used."""
    row = row_of(widget)
    refused = bool(widget.property("refused")) if row is None else row.refused
    line = widget.lineEdit() if isinstance(widget, QComboBox) else widget
    if refused and isinstance(line, QLineEdit):
        line.selectAll()
    return refused
