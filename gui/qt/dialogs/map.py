"""The sheet of maps: a readout over one or two fields; every cell opens its run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from assets.errors import BadInput
from gui.app import units
from gui.app.desks.maps import (
    ENDS,
    MapDesk,
    Proposal,
    first_range,
    label_of,
    number_name,
    number_unit,
    numeric_fields,
    run_numbers_of,
    unit_of,
)
from gui.charts.map import failures
from gui.qt.dialogs.result_sheet import ResultSheet
from gui.qt.widgets.map_diagram import MapDiagram
from gui.qt.widgets.quiet import QuietComboBox, RoleLabel
from gui.qt.window.bridge import subscribe
from robots.model.chart import HATCHES, Chart
from robots.scenario.scenario import Scenario
from robots.sweeps.axes import SweepAxis, checked
from robots.sweeps.files import SweepTable
from robots.sweeps.run_numbers import MORE_RUNS
from robots.sweeps.sweep import SweepResult

if TYPE_CHECKING:
    from gui.app.session.session import Session

COUNT = 48
NOTHING = ""
TIPS = {"from": "The first value", "to": "The last value", "count": "How many values"}


class MapSheet(ResultSheet[MapDesk]):
    """Fields and ranges at the left, the map at the right; a click on a cell opens that run, with Shift it is pinned.

    Args:
        window: the window to cover.
        session: whose scenario is run.
        proposal: what is filled in at first.
    """

    def __init__(self, window: QWidget, session: Session, proposal: Proposal | None = None) -> None:
        super().__init__(window, session, session.maps, "Map", "Compute")
        scenario = session.scenario
        fields = list(numeric_fields(scenario))
        self.across = AxisFields("Across", scenario, fields, "step" if "step" in fields else fields[0])
        second = next((path for path in fields if path.startswith(("robot.", "initial.", "task."))), NOTHING)
        self.up = AxisFields("Upward", scenario, [NOTHING, *fields], second)
        self.number, self.proposed = QuietComboBox(), ""
        self.number.setAccessibleName("Readout")
        self.number.setToolTip("The number of each run that is shown in colour")
        self.contours = QCheckBox("contours")
        self.contours.setToolTip("Lines through runs with the same number")
        self.contours.toggled.connect(lambda _: self.show_all())
        self.diagram = MapDiagram()
        side = self.across, self.up, RoleLabel("Colour", "section"), self.number, self.contours
        self.lay_out(side, None, (self.diagram,))
        self._offer()
        subscribe(self, session.runs.updated, lambda _: self._offer())
        self.number.chosen.connect(lambda _: self.show_all())
        self.diagram.pointed.connect(self._say)
        self.diagram.opened.connect(self.open_cell)
        self.desk.look()
        if proposal is not None:
            for fields, axis in zip((self.across, self.up), proposal.axes, strict=False):
                fields.propose(axis)
            self.proposed = proposal.show
            self._offer()
            self.number.show_data(proposal.show)
        self.show_all()

    def _offer(self) -> None:
        """List the readouts that the current run has."""
        row, chosen = self.session.runs.current, self.number.currentData()
        run = row.run
        found = run_numbers_of(row.scenario, list(run.final) if run else [], list(run.max_error) if run else [])
        if self.proposed:
            found = {self.proposed: number_name(self.proposed, row.scenario), **found}
        if list(found) != [self.number.itemData(k) for k in range(self.number.count())]:
            self.number.clear()
            for name, words in found.items():
                self.number.addItem(words, name)
            self.number.show_data(chosen if chosen in found else next(iter(found)))

    def begin(self, by_itself: bool = False) -> None:
        """Compute the map over the chosen axes."""
        scenario = self.session.scenario.without_segments()
        axes = [one for fields in (self.across, self.up) if (one := fields.axis(scenario))]
        names = [self.number.itemData(row) for row in range(self.number.count())]
        chosen = self.number.currentData()
        self.desk.begin(axes, [chosen, *(name for name in names if name not in (chosen, ENDS, *MORE_RUNS))], by_itself)

    def open_cell(self, number: int, pinned: bool) -> None:
        """Open run `number` of the map; if `pinned`, pin the current run first."""
        scenario = self.desk.scenario_at(number)
        if scenario is None:
            self.complain("These values do not go together: there is no run to open.")
            return
        if pinned:
            self.session.comparisons.pin()
        self.session.comparisons.take(scenario, "open a run of the map")
        if not pinned:
            self.dismiss()

    @property
    def _table(self) -> SweepTable | None:
        return None if self.desk.result is None else SweepTable(self.desk.result)

    @property
    def _chart(self) -> Chart:
        return self.diagram.chart

    def _show(self) -> None:
        result, name = self.desk.result, self.number.currentData()
        if result is not None and name not in (*result.sweep.show, ENDS):
            self.number.show_data(result.sweep.show[0])
            name = result.sweep.show[0]
        self.diagram.show_result(result, name, self.desk.border, contours=self.contours.isChecked())
        self._say(self.diagram.near)

    def _say(self, number: int | None) -> None:
        """The facts of a run below the map."""
        result = self.desk.result
        if result is None or number is None:
            parts = ["Click a cell to open its run; Shift pins the current run beside it.", _failures(result)]
            if result is not None and (differs := self.desk.differs(self.session.view.settings.degrees)):
                parts.append(f"Computed with other values: {', '.join(differs)}.")
            self.facts.setText(" ".join(filter(None, parts)))
            return
        places = np.unravel_index(number, result.sweep.shape)
        words = [
            f"{label_of(self.desk.scenario, one.field)} {self._quantity(one.field, float(one.values[place]))}"
            for one, place in zip(result.sweep.axes, places, strict=True)
        ]
        name, status = self.number.currentData(), result.statuses().ravel()[number]
        known = []
        if name in result.sweep.show:
            value = float(result.numbers[number, result.sweep.show.index(name)])
            known = [f"{self.number.currentText()} {units.reading(value, number_unit(name, self.desk.scenario))}"]
        self.facts.setText(" · ".join([*words, *([*known, status] if status else ["not computed yet"])]))

    def _quantity(self, path: str, value: float) -> str:
        unit = unit_of(self.desk.scenario, path)
        return units.with_unit(unit.text(value), unit.symbol)


def _failures(result: SweepResult | None) -> str:
    """The patterns of runs that failed, and how many have each; empty without any."""
    ends = failures(result) if result is not None else {}
    if not ends:
        return ""
    return (
        "Failed: "
        + ", ".join(f"{HATCHES[k % len(HATCHES)]} {word} {n}" for k, (word, n) in enumerate(ends.items()))
        + "."
    )


class AxisFields(QWidget):
    """`Across: step, from 0.001 to 0.1 s, 48 values, [x] logarithmic`.

    Args:
        name: of the axis.
        scenario: whose fields are offered.
        paths: of the fields; an empty one is no axis.
        first: what is chosen at first.
    """

    def __init__(self, name: str, scenario: Scenario, paths: list[str], first: str) -> None:
        super().__init__()
        self.name, self.scenario = name, scenario
        self.field = QuietComboBox()
        self.field.setAccessibleName(f"{name}: field")
        self.field.setToolTip("The field that changes along this axis")
        for path in paths:
            self.field.addItem(label_of(scenario, path) if path else "one field only", path)
        self.low, self.high, self.count = (QLineEdit() for _ in range(3))
        for line, what in ((self.low, "from"), (self.high, "to"), (self.count, "count")):
            line.setAccessibleName(f"{name}: {what}")
            line.setToolTip(TIPS[what])
        self.count.setText(str(COUNT))
        self.log = QCheckBox("logarithmic")
        self.log.setAccessibleName(f"{name}: logarithmic")
        self.log.setToolTip("Values with equal ratios instead of equal differences")
        ends, kind, column = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        self.unit = QLabel()
        for widget in (self.low, QLabel("to"), self.high, self.unit):
            ends.addWidget(widget, 1 if isinstance(widget, QLineEdit) else 0)
        for widget in (self.count, QLabel("values"), self.log):
            kind.addWidget(widget, 1 if isinstance(widget, QLineEdit) else 0)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(4)
        column.addWidget(RoleLabel(name, "section"))
        column.addWidget(self.field)
        column.addLayout(ends)
        column.addLayout(kind)
        self.field.show_data(first)
        self.field.chosen.connect(self.suggest)
        self.suggest(first)

    def suggest(self, path: str) -> None:
        """The range that suits a field."""
        for widget in (self.low, self.high, self.count, self.log):
            widget.setEnabled(bool(path))
        if path:
            low, high = first_range(self.scenario, path)
            field, unit = numeric_fields(self.scenario)[path], unit_of(self.scenario, path)
            self.low.setText(unit.text(low))
            self.high.setText(unit.text(high))
            self.log.setChecked(low > 0.0 and (field.log or high > 50.0 * low))
            self.unit.setText(unit.symbol)
            self.count.setText(str(round(high - low) + 1 if field.type is int else COUNT))

    def propose(self, axis: SweepAxis) -> None:
        """Fill in an axis."""
        self.field.show_data(axis.field)
        self.suggest(axis.field)
        unit = unit_of(self.scenario, axis.field)
        self.low.setText(unit.text(axis.low))
        self.high.setText(unit.text(axis.high))
        self.count.setText(str(axis.count))
        self.log.setChecked(axis.log)

    def axis(self, scenario: Scenario) -> SweepAxis | None:
        """The chosen axis; None if no field is chosen.

        Raises:
            BadInput: for a wrong range; names the axis.
        """
        path = self.field.currentData()
        if not path:
            return None
        unit, texts = unit_of(scenario, path), (self.low.text(), self.high.text())
        low, high = map(unit.read, texts)
        if low is None or high is None:
            raise BadInput(self.name, texts[low is not None], "a number")
        words = self.count.text().strip()
        count = int(words) if words.isascii() and words.isdigit() and len(words) < 7 else 0
        found = SweepAxis(path, float(low), float(high), count, self.log.isChecked())
        return checked(self.name, f"{' to '.join(texts)}, {words} values", found, scenario)
