"""The table of commands as QActions in menus, shared by menus, buttons and palette."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QMenuBar

from gui.app.session.preferences import Preferences
from gui.qt.style.icons import set_icon
from gui.qt.window.commands.command import Command
from gui.qt.window.commands.keys import MENUS, with_keys


class Actions:
    """One QAction per command.

    Args:
        window: where the shortcuts work.
        commands: the table.
        handlers: what each command does, by its key; a command that can be ticked is given the tick.
        preferences: the keys that a person has chosen.

    Attributes:
        usual: every command with its usual keys.
        commands: every command with its present keys.
    """

    def __init__(
        self,
        window: QMainWindow,
        commands: tuple[Command, ...],
        handlers: Mapping[str, Callable[..., object]],
        preferences: Preferences,
    ) -> None:
        self._preferences = preferences
        self.usual = {command.key: command for command in commands}
        self.commands = {key: with_keys(command, preferences) for key, command in self.usual.items()}
        self._actions = {key: _action(window, command, handlers[key]) for key, command in self.commands.items()}
        self.menus: dict[str, QMenu] = {name: window.menuBar().addMenu(text) for name, text in MENUS.items()}
        bar = window.menuBar()
        for menu in self.menus.values():
            # The next menu, or what was chosen, comes first.
            menu.aboutToHide.connect(lambda: QTimer.singleShot(0, bar, lambda: _leave_menus(bar)))
        self._fill()

    def __getitem__(self, key: str) -> QAction:
        return self._actions[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._actions)

    def menu(self, path: str) -> QMenu:
        """The menu `Menu` or `Menu/Submenu`; a submenu is made when first asked for."""
        if path not in self.menus:
            parent, name = path.rsplit("/", 1)
            self.menus[path] = self.menu(parent).addMenu(name)
        return self.menus[path]

    def add(self, window: QMainWindow, command: Command, handler: Callable[..., object]) -> None:
        """Add a command to its menu, after those of the table."""
        self.usual[command.key] = command
        self.commands[command.key] = with_keys(command, self._preferences)
        self._actions[command.key] = _action(window, self.commands[command.key], handler)
        self.menu(command.menu).addAction(self._actions[command.key])

    def take_keys(self) -> None:
        """Use the keys that the person has chosen."""
        for key, command in self.usual.items():
            self.commands[key] = with_keys(command, self._preferences)
            _show_keys(self._actions[key], self.commands[key])

    def _fill(self) -> None:
        groups: dict[str, int] = {}
        for key, command in self.commands.items():
            known = command.menu in self.menus
            menu = self.menu(command.menu)
            if known and groups.get(command.menu, command.group) != command.group:
                menu.addSeparator()
            groups[command.menu] = command.group
            menu.addAction(self._actions[key])


def shown_key(command: Command) -> str:
    """The command's first shortcut as this system writes it; empty if it has none."""
    return QKeySequence(command.keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if command.keys else ""


def _leave_menus(bar: QMenuBar) -> None:
    """One Esc in a menu gives the keys back to what had them: after Alt and a letter Qt leaves them with the bar."""
    if bar.hasFocus() and QApplication.activePopupWidget() is None:
        escape = Qt.Key.Key_Escape
        QApplication.sendEvent(bar, QKeyEvent(QEvent.Type.KeyPress, escape, Qt.KeyboardModifier.NoModifier))


def _action(window: QMainWindow, command: Command, handler: Callable[..., object]) -> QAction:
    action = QAction(command.text, window)
    action.setObjectName(command.key)
    _show_keys(action, command)
    action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
    action.setStatusTip(command.tip)
    action.setMenuRole(QAction.MenuRole.QuitRole if command.key == "file.quit" else QAction.MenuRole.NoRole)
    if command.icon:
        set_icon(action, command.icon)
        action.setIconVisibleInMenu(False)
    if command.checkable:
        action.setCheckable(True)
        action.triggered.connect(lambda ticked: handler(ticked))
    else:
        action.triggered.connect(lambda _=False: handler())
    window.addAction(action)
    return action


def _show_keys(action: QAction, command: Command) -> None:
    action.setShortcuts([QKeySequence(key) for key in command.keys])
    key = shown_key(command)
    action.setToolTip(f"{command.tip} ({key})" if key else command.tip)
