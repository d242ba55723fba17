"""The rows of the export sheets' forms: a file, choices, numbers and lengths that can be typed."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QCompleter,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QWidget,
)

from assets.errors import BadInput, Range
from assets.expressions import quantity
from gui.qt.dialogs.ask_file import ask_file
from gui.qt.style.theme import set_state
from gui.qt.widgets.parts import NumberText, bare, push_button, side_by_side
from gui.qt.widgets.quiet import QuietComboBox
from gui.qt.widgets.segmented import Segmented
from scene.format import Format

Chosen = str | bool


class ExportRows(QWidget):
    """A form whose rows say when something was chosen, and can be kept for the next time.

    Signals:
        changed: something was chosen.

    Attributes:
        kept: the rows that are kept from one export to the next, by name.
        own: the rows that belong to the scenario, by name: they are kept as long as it stays the same.
    """

    changed = Signal()

    def __init__(self, file: Path, span: tuple[float, float], offered: list[Format]) -> None:
        super().__init__()
        self.span, self.offered = span, offered
        self.suggest: Callable[[str], Path] = file.with_suffix
        self._suggested = str(file)
        self.kept: dict[str, QWidget] = {}
        self.own: dict[str, QWidget] = {}
        self.form = bare(QFormLayout(self))
        self.form.setVerticalSpacing(8)
        self.form.setHorizontalSpacing(14)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.format = self._choice("Format", {format.suffix: format.label for format in offered}, "The kind of file")
        self.file = QLineEdit(str(file))
        self._file_row()

    def remembered(self) -> dict[str, Chosen]:
        """The choices to remember for the next time, as JSON values."""
        return {name: value_of(widget) for name, widget in self.kept.items()}

    def restore(self, kept: dict[str, Chosen]) -> None:
        """Restore earlier choices that are still available."""
        for name, widget in self.kept.items():
            if name in kept:
                show_value(widget, kept[name])

    def draft(self) -> dict[str, Chosen]:
        """What a person chose for this scenario."""
        values = {name: value_of(widget) for name, widget in self.own.items() if not widget.property("refused")}
        return {name: value for name, value in values.items() if value != self._first[name]}

    def resume(self, draft: dict[str, Chosen]) -> None:
        """Begin with an earlier draft; called once, with all rows in place."""
        self._first = {name: value_of(widget) for name, widget in self.own.items()}
        for name, value in draft.items():
            show_value(self.own[name], value)

    # -- rows ----------------------------------------------------------------------------------------------------------

    def _span_row(self) -> None:
        """From and to."""
        self.start, self.end = NumberText(f"{self.span[0]:g}"), NumberText(f"{self.span[1]:g}")
        for field, name in ((self.start, "From"), (self.end, "To")):
            field.setAccessibleName(f"{name} [s]")
            field.setToolTip(f"The {'first' if name == 'From' else 'last'} time that is shown")
            field.textChanged.connect(lambda _, field=field, name=name: self._span_typed(name, field))
        self._row("From", side_by_side(self.start, QLabel("to"), self.end, QLabel("s")))

    def _span_typed(self, name: str, field: NumberText) -> None:
        """A time that cannot be read keeps the keys in its field."""
        try:
            number(name, field.text(), "s")
        except BadInput:
            set_state(field, "refused", True)
        else:
            set_state(field, "refused", False)
        self.changed.emit()

    def _typed_span(self) -> tuple[float | None, float | None]:
        """From and to [s], None where it was not changed: the fields show six digits of theirs.

        Raises:
            BadInput: for no number.
        """
        first, last = self.span
        start = None if self.start.text() == f"{first:g}" else number("From", self.start.text(), "s")
        return start, None if self.end.text() == f"{last:g}" else number("To", self.end.text(), "s")

    def _file_row(self) -> None:
        browse = push_button("Choose…", "Choose the folder and the name", self._browse)
        self.file.setAccessibleName("File")
        self.file.setToolTip("Where it is saved; the suffix sets the format")
        self._row("File", side_by_side(self.file, browse))

    def _row(self, label: str, field: QWidget, tip: str = "") -> None:
        self.form.addRow(QLabel(label), field)
        if label and not field.accessibleName():
            field.setAccessibleName(label)
        if tip:
            field.setAccessibleDescription(tip)
            field.setToolTip(tip)

    def _choice(self, label: str, choices: dict[str, str], tip: str) -> QuietComboBox:
        box = QuietComboBox()
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        box.offer((text, key) for key, text in choices.items())
        box.activated.connect(self.changed)
        self._row(label, box, tip)
        return box

    def _words(self, label: str, choices: dict[str, str], first: str, unit: str, tip: str) -> QuietComboBox:
        """A number (or a size) that can be typed, with common values to choose from."""
        box = QuietComboBox()
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.setCompleter(QCompleter([], box))  # one that knows the entries would make 10 to 1080 × 1080
        for text, meaning in choices.items():
            box.addItem(text)
            box.setItemData(box.count() - 1, meaning, Qt.ItemDataRole.ToolTipRole)
        show_value(box, first)
        box.currentTextChanged.connect(self.changed)
        box.setAccessibleName(f"{label} [{unit}]" if unit else label)
        box.setAccessibleDescription(tip)
        self._row(label, side_by_side(box, QLabel(unit)), tip)
        return box

    def _segments(self, label: str, choices: dict[str, str], first: str, tip: str) -> Segmented:
        segments = Segmented(choices, label, tip, first)
        segments.chosen.connect(self.changed)
        self._row(label, segments)
        return segments

    def _show_format(self, suffix: str) -> None:
        """Choose the format of this suffix, if it is offered, without a signal."""
        with QSignalBlocker(self.format):
            show_value(self.format, suffix)

    def _format_chosen(self) -> None:
        suffix = self.format.currentData()
        if self.file.text() == self._suggested:
            self._suggested = str(self.suggest(suffix))
            self.file.setText(self._suggested)
            return
        path = self.file.text().strip().rstrip("/")
        stem = path[: -len(Path(path).suffix)] if Path(path).suffix else path
        self.file.setText(stem + suffix)

    def _browse(self) -> None:
        wanted = [format for format in self.offered if format.suffix == self.format.currentData()]
        ask_file(self, "Export to", Path(self.file.text()), wanted, lambda file: self.file.setText(str(file)))


def value_of(widget: QWidget) -> Chosen:
    """What is chosen in a row, as a JSON value."""
    if isinstance(widget, Segmented):
        return widget.choice()
    if isinstance(widget, QCheckBox):
        return widget.isChecked()
    if isinstance(widget, QComboBox):
        return widget.currentText() if widget.isEditable() else str(widget.currentData())
    assert isinstance(widget, QLineEdit)
    return widget.text()


def show_value(widget: QWidget, value: Chosen) -> None:
    """Choose it, where it is still available."""
    if isinstance(widget, Segmented):
        if value in widget.buttons:
            widget.show_choice(str(value))
    elif isinstance(widget, QCheckBox):
        widget.setChecked(value is True)
    elif isinstance(widget, QComboBox) and not widget.isEditable():
        if widget.findData(value) >= 0:
            widget.setCurrentIndex(widget.findData(value))
    elif isinstance(widget, QComboBox):
        # A text alone would be chosen from the list once more when the focus passes by.
        with QSignalBlocker(widget):
            widget.setCurrentIndex(widget.findText(str(value)))
            widget.setCurrentText(str(value))
        widget.currentTextChanged.emit(str(value))
    elif isinstance(widget, QLineEdit):
        widget.setText(str(value))


def default_file(folder: str, name: str, suffix: str) -> Path:
    """An unused name in `folder`: arm.mp4, arm-2.mp4, ..."""
    stem = "".join(c if c.isalnum() or c in "-_ " else "-" for c in name).strip() or "armstep"
    for count in range(1, 1000):
        file = Path(folder) / f"{stem}{'' if count == 1 else f'-{count}'}{suffix}"
        if not os.path.lexists(file):
            return file
    return Path(folder) / f"{stem}{suffix}"


def number(what: str, text: str, unit: str = "") -> float:
    """The SI value of the number or expression in `text`, with or without units. Raises BadInput naming `what`."""
    try:
        found = float(quantity(text.strip().rstrip("×"), unit))
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise BadInput(what, text, Range(unit=unit))
    return found


def whole(what: str, text: str) -> int:
    """The whole number in `text`. Raises BadInput naming `what`."""
    try:
        return int(text.strip())
    except ValueError:
        raise BadInput(what, text, Range(whole=True)) from None
