"""A box to tick with the two ends of a range of numbers: the steps, or the tolerances, that are measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from assets.errors import BadInput, Range
from assets.expressions import quantity
from gui.app.units import Unit, number_text
from gui.qt.widgets.parts import NumberText, bare


class NumberEdit(NumberText):
    """A line with one positive number; nothing is allowed where it is optional."""

    def __init__(self, name: str, value: float | None = None, unit: str = "") -> None:
        super().__init__(Unit.of(unit, degrees=False).exact(value))
        self.name, self.unit = name, unit
        self.setAccessibleName(name)
        self.editingFinished.connect(self._judge)

    def value(self) -> float | None:
        """The number; None where nothing is written. Raises BadInput for anything but a positive number."""
        text = self.text().strip()
        if not text:
            return None
        try:
            number = quantity(text, self.unit)
        except ValueError:
            number = 0.0
        if not 0.0 < number < 1e300:
            raise BadInput(self.name, text, Range(0.0, above=True, unit=self.unit))
        return number

    def _judge(self) -> None:
        try:
            self.value()
        except BadInput as refusal:
            self.refuse(str(refusal))


class SpanFields(QWidget):
    """`[x] Fixed steps: 7  0.08 to 0.00125 s`.

    Signals:
        changed: something else stands in it.

    Args:
        name: what is measured.
        one: what one of them is called.
        ends: the first and the last number.
        unit: of both.
        between: the numbers from the first to the last.
    """

    changed = Signal()

    def __init__(
        self,
        name: str,
        one: str,
        ends: tuple[float, float],
        unit: str,
        between: Callable[[float, float], list[float]],
    ) -> None:
        super().__init__()
        self.name = name
        self.box = QCheckBox(name)
        self.box.setAccessibleName(name)
        self.box.setChecked(True)
        self.first = NumberEdit(f"First {one}", ends[0], unit)
        self.last = NumberEdit(f"Last {one}", ends[1], unit)
        for line, which in ((self.first, "largest"), (self.last, "smallest")):
            line.setToolTip(f"The {which} value that is measured")
        self._between = between
        row = QHBoxLayout()
        row.setSpacing(6)
        for widget in (self.first, QLabel("to"), self.last, QLabel(unit)):
            row.addWidget(widget, 1 if isinstance(widget, QLineEdit) else 0)
        column = bare(QVBoxLayout(self), 2)
        column.addWidget(self.box)
        column.addLayout(row)
        self.box.toggled.connect(self._allow)
        for line in (self.first, self.last):
            line.textChanged.connect(self._explain)
            line.textChanged.connect(lambda _: self.changed.emit())
        self.box.toggled.connect(lambda _: self.changed.emit())
        self._explain()

    def written(self) -> tuple[bool, str, str]:
        """Whether it is ticked, and both ends as they are written."""
        return self.box.isChecked(), self.first.text(), self.last.text()

    def write(self, ticked: bool, first: str, last: str) -> None:
        """Show what `written` returned."""
        self.box.setChecked(ticked)
        self.first.setText(first)
        self.last.setText(last)

    def numbers(self) -> Sequence[float]:
        """The numbers to measure, the largest first; none while the box is not ticked. Raises BadInput."""
        first, last = self.first.value(), self.last.value()
        if not self.box.isChecked() or first is None or last is None:
            return []
        return self._between(max(first, last), min(first, last))

    def _allow(self, on: bool) -> None:
        self.first.setEnabled(on)
        self.last.setEnabled(on)
        self._explain()

    def _explain(self) -> None:
        """Say how many numbers these are, and which ones."""
        numbers: Sequence[float] = ()
        try:
            numbers = self.numbers()
            self.box.setToolTip(", ".join(number_text(value, 3) for value in numbers))
        except BadInput as refusal:
            self.box.setToolTip(str(refusal))
        self.box.setText(f"{self.name}: {len(numbers)}" if numbers else self.name)
