"""The form of one axis of a map: a field over a range, or methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QVBoxLayout, QWidget

from assets.counting import words_of
from assets.errors import BadInput
from gui.app.desks.map_choices import METHODS, first_range, methods_beside, numeric_fields
from gui.app.desks.maps import Written
from gui.app.formatting import label_of, unit_of
from gui.qt.widgets.parts import NumberText, WrittenLine, bare, side_by_side
from gui.qt.widgets.quiet import QuietComboBox, RoleLabel
from gui.qt.widgets.scroll import WrappedRow
from robots.scenario.scenario import Scenario
from robots.sweeps.axes import SweepAxis, checked

COUNT = 48
TIPS = {"from": "The first value", "to": "The last value", "count": "How many values"}
QT_LETTERS, DIGITS = 17, 6
"""For so many letters Qt makes room in a line, and we for so many digits in that of a count."""

NO_FIELD = "one field only"


class CountText(NumberText):
    """A line for a number of few digits: with the words beside it, it has room in a narrow column."""

    def sizeHint(self) -> QSize:
        hint, measure = super().sizeHint(), self.fontMetrics().horizontalAdvance
        return QSize(hint.width() - QT_LETTERS * measure("x") + measure("0" * DIGITS), hint.height())


class AxisFields(QWidget):
    """`Horizontal axis: step, from 0.001 to 0.1 s, 48 values, [x] logarithmic`; or `Vertical axis: method, rk1, rk4`.

    Signals:
        changed: something else stands in it.

    Args:
        name: of the axis.
        scenario: whose fields are offered.
        paths: of the fields; an empty one is no axis.
        first: what is chosen at first.
        beside: the path of the other axis: methods that can have it are proposed.
    """

    changed = Signal()

    def __init__(
        self, name: str, scenario: Scenario, paths: list[str], first: str, beside: Callable[[], str] = lambda: ""
    ) -> None:
        super().__init__()
        self.name, self.scenario, self._beside = name, scenario, beside
        self.field = QuietComboBox(f"{name}: field", "What changes along this axis")
        self.field.offer((label_of(scenario, path) if path else NO_FIELD, path) for path in paths)
        self.low, self.high, self.count = NumberText(), NumberText(), CountText()
        self.keys = WrittenLine()
        for line, what in ((self.low, "from"), (self.high, "to"), (self.count, "count")):
            line.setAccessibleName(f"{name}: {what}")
            line.setToolTip(TIPS[what])
            line.editingFinished.connect(partial(self._judge, line))
        self.keys.setAccessibleName(f"{name}: methods")
        self.keys.setToolTip("Keys of methods, separated by commas, such as rk4, dopri5")
        self.count.setText(str(COUNT))
        self.log = QCheckBox("logarithmic")
        self.log.setAccessibleName(f"{name}: logarithmic")
        self.log.setToolTip("Values with equal ratios instead of equal differences")
        self.unit, self.range = QLabel(), QWidget()
        self._arrange()
        self.field.show_data(first)
        self.field.chosen.connect(self.suggest)
        self.suggest(first)
        self.field.chosen.connect(lambda _: self.changed.emit())
        self.log.toggled.connect(lambda _: self.changed.emit())
        for line in (self.low, self.high, self.count, self.keys):
            line.textChanged.connect(lambda _: self.changed.emit())

    def offers(self, path: str) -> bool:
        """Whether a field can be chosen: `tolerance` cannot where the scenario has a fixed step."""
        return self.field.findData(path) >= 0

    def suggest(self, path: str) -> None:
        """The range that suits a field."""
        self.keys.setVisible(path == METHODS)
        self.range.setVisible(path != METHODS)
        for widget in (self.low, self.high, self.count, self.log):
            widget.setEnabled(bool(path))
        if path == METHODS:
            self.keys.setText(", ".join(methods_beside(self.scenario, self._beside())))
        elif path:
            low, high = first_range(self.scenario, path)
            field = numeric_fields(self.scenario)[path]
            count = round(high - low) + 1 if field.type is int else COUNT
            self._fill(SweepAxis(path, low, high, count, low > 0.0 and (field.log or high > 50.0 * low)))

    def follow(self) -> None:
        """Another field is chosen beside it: it proposes methods for that, unless a person has typed some."""
        if self.field.currentData() == METHODS and not self.keys.isModified():
            self.suggest(METHODS)

    def propose(self, axis: SweepAxis | None) -> None:
        """Fill in an axis, or none."""
        path = "" if axis is None else axis.field
        self.field.show_data(path)
        self.suggest(path)
        if axis is not None:
            self._fill(axis)

    def propose_methods(self, keys: Sequence[str]) -> None:
        """Fill in methods."""
        self.field.show_data(METHODS)
        self.suggest(METHODS)
        self.keys.setText(", ".join(keys))

    def written(self) -> Written:
        """What stands in the fields, as typed."""
        texts = tuple(line.text() for line in (self.low, self.high, self.count, self.keys))
        return self.field.currentData(), self.log.isChecked(), texts

    def write(self, written: Written) -> None:
        """Fill in what stood in the fields of an earlier sheet, unless the scenario no longer has that field."""
        path, log, texts = written
        if not self.offers(path):
            return
        self.field.show_data(path)
        self.suggest(path)
        self.log.setChecked(log)
        for line, text in zip((self.low, self.high, self.count, self.keys), texts, strict=True):
            line.setText(text)

    def methods(self) -> tuple[str, ...]:
        """The methods; none if the axis is a field.

        Raises:
            BadInput: no methods are chosen.
        """
        if self.field.currentData() != METHODS:
            return ()
        keys = words_of(self.keys.text())
        if not keys:
            raise BadInput("Methods", self.keys.text(), "keys of methods separated by commas, such as rk4, dopri5")
        return keys

    def axis(self, scenario: Scenario) -> SweepAxis | None:
        """The chosen axis; None if no field is chosen.

        Raises:
            BadInput: for a wrong range; names the axis.
        """
        path = self.field.currentData()
        if path in ("", METHODS):
            return None
        unit, texts = unit_of(scenario, path), (self.low.text(), self.high.text())
        low, high = map(unit.read, texts)
        if low is None or high is None:
            raise BadInput(self.name, texts[low is not None], "a number")
        words = self.count.text().strip()
        count = int(words) if words.isascii() and words.isdigit() and len(words) < 7 else 0
        found = SweepAxis(path, float(low), float(high), count, self.log.isChecked())
        return checked(self.name, f"{' to '.join(texts)}, {words} values", found, scenario)

    def _judge(self, line: NumberText) -> None:
        """Refuse what cannot be read, in every line; where all can, what was typed into this one if it cannot be."""
        if not line.isModified():
            return
        unit, unread = unit_of(self.scenario, self.field.currentData()), []
        for one in (self.low, self.high, self.count):
            if unit.read(one.text()) is None:
                unread.append(one)
                one.refuse(str(BadInput(self.name, one.text(), "a number")))
            else:
                one.refuse("")
        try:
            self.axis(self.scenario)
        except BadInput as refusal:
            if not unread:
                line.refuse(str(refusal))

    def _fill(self, axis: SweepAxis) -> None:
        unit = unit_of(self.scenario, axis.field)
        self.low.setText(unit.exact(axis.low))
        self.high.setText(unit.exact(axis.high))
        self.unit.setText(unit.symbol)
        self.count.setText(str(axis.count))
        self.log.setChecked(axis.log)

    def _arrange(self) -> None:
        lines, column = bare(QVBoxLayout(self.range), 4), bare(QVBoxLayout(self), 4)
        column.setContentsMargins(0, 0, 0, 8)
        column.addWidget(RoleLabel(self.name, "section"))
        column.addWidget(self.field)
        lines.addWidget(side_by_side(self.low, QLabel("to"), self.high, self.unit))
        lines.addLayout(WrappedRow(6, side_by_side(self.count, QLabel("values")), self.log))
        column.addWidget(self.range)
        column.addWidget(self.keys)
