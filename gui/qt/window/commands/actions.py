"""The table of commands as QActions in menus, shared by menus, buttons and palette."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from gui.qt.style.icons import set_icon
from gui.qt.window.commands.command import Command
from gui.qt.window.commands.keys import MENUS


class Actions:
    """One QAction per command.

    Args:
        window: where the shortcuts work.
        commands: the table.
        handlers: what each command does, by its key; a command that can be ticked is given the tick.
    """

    def __init__(
        self, window: QMainWindow, commands: tuple[Command, ...], handlers: Mapping[str, Callable[..., object]]
    ) -> None:
        self.commands = {command.key: command for command in commands}
        self._actions = {key: _action(window, command, handlers[key]) for key, command in self.commands.items()}
        self.menus: dict[str, QMenu] = {name: window.menuBar().addMenu(text) for name, text in MENUS.items()}
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
        self.commands[command.key] = command
        self._actions[command.key] = _action(window, command, handler)
        self.menu(command.menu).addAction(self._actions[command.key])

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


def _action(window: QMainWindow, command: Command, handler: Callable[..., object]) -> QAction:
    action = QAction(command.text, window)
    action.setObjectName(command.key)
    action.setShortcuts([QKeySequence(key) for key in command.keys])
    action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
    key = shown_key(command)
    action.setToolTip(f"{command.tip} ({key})" if key else command.tip)
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
