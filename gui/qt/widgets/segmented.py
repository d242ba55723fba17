"""A switch between a few visible words."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from gui.qt.widgets.parts import bare
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
        self.buttons: dict[str, QToolButton] = {}
        self.group = QButtonGroup(self)
        keys = list(choices)
        row = WrappedRow(0) if wraps else bare(QHBoxLayout(), 0)
        self.setLayout(row)
        for key, text in choices.items():
            button = QToolButton(text=text)
            button.setCheckable(True)
            button.setChecked(key == first)
            button.setProperty("role", "segment")
            button.setAccessibleName(f"{name}: {text}")
            button.setAccessibleDescription(tip)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.clicked.connect(lambda _=False, key=key: self.chosen.emit(key))
            if key in (keys[0], keys[-1]):
                button.setProperty("edge", "first" if key == keys[0] else "last")
            self.group.addButton(button)
            self.buttons[key] = button
            row.addWidget(button)

    def show_choice(self, key: str) -> None:
        """Press this button, without a signal."""
        self.buttons[key].setChecked(True)

    def choice(self) -> str:
        """The key of the button that is down."""
        return next((key for key, button in self.buttons.items() if button.isChecked()), "")

    def allow(self, key: str, reason_against: str) -> None:
        """Enable a button, or disable it for a reason, given in its tooltip."""
        self.buttons[key].setEnabled(not reason_against)
        self.buttons[key].setToolTip(reason_against)
