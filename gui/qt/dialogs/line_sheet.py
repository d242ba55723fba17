"""One line to type, where its own field is not on the screen, as before an audience: nothing else moves."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from assets.errors import BadInput
from gui.qt.dialogs.sheets import Sheet
from gui.qt.style.theme import role, set_state
from gui.qt.widgets.quiet import RoleLabel


class LineSheet(Sheet):
    """A card with one line; Enter takes what was typed, Esc does not.

    Args:
        window: the window to cover.
        title: what is typed.
        text: what stands in the line at first, selected; what is shown while the line is empty.
        hint: below the line.
        take: is given what was typed. If it raises BadInput, the sheet says why and stays.
        does: what that does, on the button.
    """

    def __init__(
        self,
        window: QWidget,
        title: str,
        text: tuple[str, str],
        hint: str,
        take: Callable[[str], object],
        does: str = "Keep",
    ) -> None:
        super().__init__(window, title, QSize(420, 0), 0.3)
        self._use = take
        self.line, self.trouble = QLineEdit(text[0]), RoleLabel("", "error")
        self.line.setAccessibleName(title)
        self.line.setAccessibleDescription(hint)
        self.line.setPlaceholderText(text[1])
        self.body.addWidget(role(QLabel(title), "title"))
        self.body.addWidget(self.line)
        self.body.addWidget(RoleLabel(hint))
        self.body.addWidget(self.trouble)
        self.trouble.hide()
        self.add_answers(does, hint, self._take, "Everything stays as it is")
        self.first = self.line
        self.setFocusProxy(self.line)
        self.line.textChanged.connect(lambda _: set_state(self.line, "refused", False))

    def _take(self) -> None:
        try:
            self._use(self.line.text())
        except BadInput as refusal:
            self.trouble.show_text(str(refusal))
            set_state(self.line, "refused", True)
            self.line.selectAll()
            self.line.setFocus()
            self.place()
        else:
            self.dismiss()
