"""Rows of a form for a line of text, and for the text of a file."""

from __future__ import annotations

from PySide6.QtCore import Signal

from assets.fields import Field, Value
from gui.app.formatting import field_value
from gui.qt.widgets.fields import FieldRow
from gui.qt.widgets.parts import WrittenLine, push_button


class TextRow(FieldRow):
    """Free text on one line."""

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        self.line = WrittenLine()
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


class FileRow(FieldRow):
    """The text of a file: how long it is, and a button that asks for another.

    Signals:
        asked: a person wants to choose a file.
    """

    asked = Signal()

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        self.load = push_button("", field.help, lambda: self.asked.emit())
        self._name_control(self.load)
        self.grid.addWidget(self.load, 0, 1, 1, 3)
        self.set_value(field.default)

    def set_value(self, value: Value | None) -> None:
        super().set_value(value)
        self.load.setText(f"{self.text_of(value)}; load…" if value else "Load…")

    def text_of(self, value: Value | None) -> str:
        return field_value(self.field, value)
