"""The rows of the export sheets' forms: a file, choices, numbers and lengths that can be typed."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from functools import partial
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

from assets.errors import ArmstepError, BadInput, Range
from assets.expressions import quantity
from gui.app.units import Unit
from gui.qt.dialogs.ask_file import ask_file
from gui.qt.export.format import NoFormat
from gui.qt.style.theme import set_state
from gui.qt.widgets.parts import NumberText, WrittenLine, bare, push_button, side_by_side
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
        judged: the fields that are typed in by the settings' names that a refusal has, with their names on the screen.
    """

    changed = Signal()

    def __init__(self, file: Path, span: tuple[float, float], offered: list[Format]) -> None:
        super().__init__()
        self.span, self.offered = span, offered
        self.suggest: Callable[[str], Path] = file.with_suffix
        self._suggested = str(file)
        self.kept: dict[str, QWidget] = {}
        self.own: dict[str, QWidget] = {}
        self.judged: dict[str, tuple[str, QWidget]] = {}
        self.form = bare(QFormLayout(self))
        self.form.setVerticalSpacing(8)
        self.form.setHorizontalSpacing(14)
        self.form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.format = self._choice("Format", {format.suffix: format.label for format in offered}, "The kind of file")
        self.file = WrittenLine(str(file))
        self._file_row()

    def remembered(self) -> dict[str, Chosen]:
        """The choices to remember for the next time, as JSON values; of what is refused, the former one stays."""
        return {name: value_of(widget) for name, widget in self.kept.items() if not widget.property("refused")}

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
        self.start, self.end = map(NumberText, map(Unit.of("s").exact, self.span))
        for field, name in ((self.start, "From"), (self.end, "To")):
            field.setAccessibleName(f"{name} [s]")
            field.setToolTip(f"The {'first' if name == 'From' else 'last'} time that is shown")
            field.textChanged.connect(self.changed)
            self.judged[name.lower()] = f"The {'start' if name == 'From' else 'end'}", field
        self._row("From", side_by_side(self.start, QLabel("to"), self.end, QLabel("s")))

    def alone(self) -> Iterator[Callable[[], object]]:
        """What reads and checks one field each, whatever stands in the others. Each raises BadInput."""
        raise NotImplementedError

    def _ends_alone(self) -> Iterator[Callable[[], object]]:
        for name, line in (("From", self.start), ("To", self.end)):
            yield partial(number, name, line.text(), "s")

    def mark(self, refusal: ArmstepError | None, *, each: bool = False) -> str:
        """Mark the field that a refusal is about: it keeps the keys. Returns why, with the field's name on the screen.

        None marks no field. With `each`, all fields that cannot be used are marked; said is why of the one with the
        keys, or else of the first.
        """
        found = [refusal, *(self._refusals() if each else ())]
        by_field: dict[QWidget, str] = {}
        for one in found:
            if isinstance(one, BadInput) and one.what.lower() in self.judged:
                label, field = self.judged[one.what.lower()]
                ends = one.in_a_sheet([format.suffix for format in self.offered]) if isinstance(one, NoFormat) else ""
                by_field.setdefault(field, ends or one.sentence(label))
        fields = dict.fromkeys(field for _, field in self.judged.values())
        for field in fields:
            if bool(field.property("refused")) != (field in by_field):
                set_state(field, "refused", field in by_field)
        refused = sorted((field for field in fields if field in by_field), key=lambda field: not field.hasFocus())
        return by_field[refused[0]] if refused else "" if refusal is None else str(refusal)

    def _refusals(self) -> list[BadInput]:
        found = []
        for check in self.alone():
            try:
                check()
            except BadInput as refusal:
                found.append(refusal)
        return found

    def mark_late(self, refusal: ArmstepError, typed: QWidget | None) -> str:
        """The same for a refusal that took a moment: if its field was the last to be `typed` in, the keys come back."""
        said = self.mark(refusal)
        if typed is not None and typed.property("refused") and not typed.hasFocus():
            typed.setFocus(Qt.FocusReason.TabFocusReason)
        return said

    def _typed_span(self) -> tuple[float | None, float | None]:
        """From and to [s], None where it was not changed.

        Raises:
            BadInput: for no number, and for a beginning after the end, while that is typed.
        """
        first, last = self.span
        shown = Unit.of("s").exact
        start = None if self.start.text() == shown(first) else number("from", self.start.text(), "s")
        end = None if self.end.text() == shown(last) else number("to", self.end.text(), "s")
        if start is not None and start > (until := last if end is None else end) and self.start.hasFocus():
            raise BadInput("from", start, Range(high=until, unit="s"))
        return start, end

    def _file_row(self) -> None:
        browse = push_button("Choose…", "Choose the folder and the name", self._browse)
        self.file.setAccessibleName("File")
        self.file.setToolTip("Where it is saved; the suffix sets the format")
        self.judged["file"] = "File", self.file
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

    def _words(
        self, label: str, choices: dict[str, str], first: str, unit: str, tip: str, *settings: str
    ) -> QuietComboBox:
        """A number (or a size) that can be typed, with common values to choose from; refusals name it as `settings`."""
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
        self.judged |= dict.fromkeys(settings, (label, box))
        self._row(label, side_by_side(box, QLabel(unit)), tip)
        return box

    def _segments(self, label: str, choices: dict[str, str], first: str, tip: str) -> Segmented:
        segments = Segmented(choices, label, tip, first, wraps=True)
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


def number_or(word: str, read: Callable[[str, str], float], what: str, text: str) -> float:
    """What `read` finds in a text, 0 for the word that can stand there too. Raises BadInput with that word."""
    if text.strip() in ("", word):
        return 0.0
    try:
        return read(what, text)
    except BadInput as refusal:
        must = refusal.must.phrase(noun=True) if isinstance(refusal.must, Range) else refusal.must
        raise BadInput(what, text, f"{word} or {must}") from None


def whole(what: str, text: str) -> int:
    """The whole number in `text`. Raises BadInput naming `what`."""
    try:
        return int(text.strip())
    except ValueError:
        raise BadInput(what, text, Range(whole=True)) from None
