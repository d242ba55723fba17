"""A row of a form for free text."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit

from assets.fields import Field, Value
from gui.qt.widgets.fields import FieldRow


class TextRow(FieldRow):
    """Free text on one line."""

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        self.line = QLineEdit()
        self.line.editingFinished.connect(self._commit)
        self._name_control(self.line)
        self.grid.addWidget(self.line, 0, 1, 1, 3)
        self.set_value(field.default)

    def set_value(self, value: Value | None) -> None:
        super().set_value(value)
        if not self.line.isModified():
            self.line.setText("" if value is None else str(value))

    def restore(self) -> None:
        self.line.setModified(False)
        self.set_value(self.value)
        super().restore()

    def _commit(self) -> None:
        if self.line.isModified():
            self.line.setModified(False)
            self.enter(self.line.text())
