"""A switch between a few visible words."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from gui.qt.widgets.parts import bare, show_tick
from gui.qt.widgets.scroll import WrappedRow


class Segmented(QWidget):
    """Buttons side by side, exactly one of them down.

    Args:
        choices: key to word.
        name: what is chosen.
        tip: what the choice does.
        first: the key of the button that is down at first.
        wraps: whether the buttons may stand below each other where they have no room.

    Signals:
        chosen: (key) a person pressed that button.
    """

    chosen = Signal(str)

    def __init__(self, choices: dict[str, str], name: str, tip: str, first: str = "", *, wraps: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setAccessibleDescription(tip)
        self.buttons: dict[str, QPushButton] = {}
        self.group = QButtonGroup(self)
        keys = list(choices)
        row = WrappedRow(0) if wraps else bare(QHBoxLayout(), 0)
        self.setLayout(row)
        for key, text in choices.items():
            button = QPushButton(text)
            button.setCheckable(True)
            # The group excludes, too; this makes it a radio button for screen readers.
            button.setAutoExclusive(True)
            button.setAutoDefault(False)  # Enter presses the own button of a sheet
            button.setChecked(key == first)
            button.setProperty("role", "segment")
            button.setAccessibleName(f"{name}: {text}")
            button.setAccessibleDescription(tip)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.toggled.connect(lambda on, key=key: self.chosen.emit(key) if on else None)
            if key in (keys[0], keys[-1]):
                button.setProperty("edge", "first" if key == keys[0] else "last")
            self.group.addButton(button)
            self.buttons[key] = button
            row.addWidget(button)

    def show_choice(self, key: str) -> None:
        """Press this button, without a signal."""
        show_tick(self.buttons[key], True)

    def choice(self) -> str:
        """The key of the button that is down."""
        return next((key for key, button in self.buttons.items() if button.isChecked()), "")

    def allow(self, key: str, reason_against: str) -> None:
        """Enable a button, or disable it for a reason, given in its tooltip."""
        self.buttons[key].setEnabled(not reason_against)
        self.buttons[key].setToolTip(reason_against)
