"""The sheet of settings: colours, size of type, motion, and the key of every command."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QListWidgetItem,
    QWidget,
)

from assets.errors import BadInput
from gui.app.session.preferences import TEXT_SIZES
from gui.app.session.session import Session
from gui.qt.access.spoken import Role, speak
from gui.qt.dialogs.sheets import Sheet
from gui.qt.style.theme import role
from gui.qt.widgets.parts import push_button, search_line, show_tick
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.widgets.scroll import RowsList
from gui.qt.widgets.segmented import Segmented
from gui.qt.window.bridge import subscribe
from gui.qt.window.commands.command import Command
from gui.qt.window.commands.local_keys import LOCAL

KEY_TIP = "Press the new key of the chosen command"
LEAVES = (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter)
NATIVE = QKeySequence.SequenceFormat.NativeText


class KeyField(QKeySequenceEdit):
    """A field that takes the next key; Enter and Esc leave it.

    Signals:
        left: Enter or Esc was pressed.
    """

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setMaximumSequenceLength(1)
        speak(self, Role.HotkeyField, "New key", KEY_TIP)
        for line in self.findChildren(QLineEdit):
            line.setAccessibleName("New key")
            line.setToolTip(KEY_TIP)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in LEAVES and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class PreferencesSheet(Sheet):
    """The settings; each takes effect at once.

    Args:
        window: the window to cover.
        session: whose preferences and theme are shown and changed.
        commands: the window's commands with their usual keys, by name.
    """

    def __init__(self, window: QWidget, session: Session, commands: Mapping[str, Command]) -> None:
        super().__init__(window, "Settings", QSize(620, 720), 0.4)
        self.session, self.preferences = session, session.preferences
        preferences = self.preferences
        themes = {str(command.value): command.text for command in commands.values() if command.view == "theme"}
        self.theme_choice = Segmented(themes, "Theme", "Colours of the window")
        self.theme_choice.chosen.connect(lambda theme: session.view.set(theme=theme))
        self.commands = {**commands, **{command.key: command for command in LOCAL}}
        self.size_choice = Segmented(
            {str(size): f"{size} %" for size in TEXT_SIZES}, "Text size", "The size of the window's type"
        )
        self.size_choice.chosen.connect(lambda size: preferences.set_text_size(int(size)))
        self.still = QCheckBox("Reduced motion")
        self.still.setToolTip("Scenarios wait for you to play them, and the camera jumps instead of flying")
        self.still.toggled.connect(preferences.set_still)
        self.letters = QCheckBox("Keys of a single letter, digit or sign")
        self.letters.setToolTip("Untick it if you dictate, or press keys by accident")
        self.letters.toggled.connect(preferences.set_letters)
        tip = "List only commands whose name has this text"
        self.search = search_line("Search commands", lambda _: self._list(), tip=tip)
        self.list = RowsList()
        self.list.setAccessibleName("Commands and their keys")
        self.list.setAccessibleDescription("The chosen command's key is changed below the list")
        self.list.currentRowChanged.connect(self._choose)
        self.typed = KeyField()
        self.typed.left.connect(self.list.setFocus)
        self.typed.editingFinished.connect(self._take)
        self.trouble = RoleLabel("", "error")
        self.trouble.setAccessibleName("Problem")
        self._lay_out()
        subscribe(self, preferences.changed, self.show_all)
        subscribe(self, session.view.changed, self._show_theme)
        self.show_all()

    def show_all(self) -> None:
        """Show the current settings."""
        self._show_theme()
        self.size_choice.show_choice(str(self.preferences.text_size))
        show_tick(self.still, self.preferences.still)
        show_tick(self.letters, self.preferences.letters)
        self._list()
        self.place()

    def _show_theme(self) -> None:
        self.theme_choice.show_choice(self.session.view.settings.theme)

    @property
    def chosen(self) -> str:
        """The name of the chosen command; empty without one."""
        item = self.list.currentItem()
        return "" if item is None else item.data(Qt.ItemDataRole.UserRole)

    def _lay_out(self) -> None:
        self.body.addWidget(role(QLabel("Settings"), "display"))
        looks, keys, end = QGridLayout(), QHBoxLayout(), QHBoxLayout()
        looks.setColumnStretch(1, 1)
        for line, choice in enumerate((self.theme_choice, self.size_choice)):
            looks.addWidget(QLabel(choice.accessibleName()), line, 0)
            looks.addWidget(choice, line, 1)
        for name, tip, act in (
            ("No key", "Remove the key of the chosen command", lambda: self._give(())),
            ("Default key", "Give the chosen command its default key", self._usual),
        ):
            keys.addWidget(push_button(name, tip, act))
        keys.insertWidget(0, QLabel("New key"))
        keys.insertWidget(1, self.typed, 1)
        tip = "Give every command its default key"
        end.addWidget(push_button("Reset all keys", tip, self.preferences.reset_keys))
        end.addStretch(1)
        end.addWidget(role(self.close_button(), "primary"))
        self.body.addLayout(looks)
        self.body.addWidget(self.still)
        self.body.addWidget(role(QLabel("Keys"), "section"))
        self.body.addWidget(self.letters)
        self.body.addWidget(self.search)
        self.body.addWidget(self.list, 1)
        self.body.addLayout(keys)
        self.body.addWidget(self.trouble)
        self.body.addLayout(end)

    def _list(self) -> None:
        chosen, wanted = self.chosen, self.search.text().casefold().split()
        self.list.blockSignals(True)
        self.list.clear()
        for name, command in self.commands.items():
            keys = self.preferences.keys_of(name, command.keys)
            words = _words(command)
            shown = ", ".join(QKeySequence(key).toString(NATIVE) for key in keys) or "no key"
            if all(word in words.casefold() for word in wanted):
                item = QListWidgetItem(f"{words}: {shown}")
                item.setData(Qt.ItemDataRole.UserRole, name)
                self.list.addItem(item)
                if name == chosen:
                    self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        self._choose()

    def _choose(self, *_: object) -> None:
        # The focus makes the first command the current one, but shows no choice.
        if (item := self.list.currentItem()) is not None:
            item.setSelected(True)
        self.typed.setEnabled(bool(self.chosen))
        self.trouble.show_text("")

    def _take(self) -> None:
        key = self.typed.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        self.typed.clear()
        if key:
            self._give((key,))

    def _usual(self) -> None:
        if self.chosen:
            self._give(self.commands[self.chosen].keys)

    def _give(self, keys: tuple[str, ...]) -> None:
        if not self.chosen:
            return
        usual = {name: one.keys for name, one in self.commands.items()}
        words = {name: _words(one) for name, one in self.commands.items()}
        try:
            self.preferences.set_keys(self.chosen, keys, usual, words)
        except BadInput as refusal:
            self.trouble.show_text(str(refusal))


def _words(command: Command) -> str:
    """Where a person finds a command, and its name."""
    return f"{command.menu.replace('/', ' › ')} › {command.text.rstrip('…')}"
