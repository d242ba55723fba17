"""The sheet of maps: a readout over one or two fields, or over methods; every cell opens its run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSizePolicy, QWidget

from gui.app.desks.map_choices import ENDS, METHODS, Proposal, alike, first_field, numeric_fields, run_numbers_of
from gui.app.desks.map_pointer import MapPointer
from gui.app.desks.maps import MapDesk, Written
from gui.app.desks.readout_words import number_name, number_reading, parted
from gui.charts.map import MapGrid, failures, map_chart, section_chart
from gui.compose.kinematics import kinematics_of
from gui.qt.diagrams.map_blanks import blanks
from gui.qt.diagrams.map_diagram import MapDiagram, MapSection
from gui.qt.diagrams.pair import Pair
from gui.qt.dialogs._map_axis import AxisFields
from gui.qt.dialogs.result_sheet import ResultSheet
from gui.qt.viewport.arm_view import ArmView
from gui.qt.widgets.parts import bare, push_button
from gui.qt.widgets.quiet import QuietComboBox, RoleLabel
from gui.qt.widgets.scroll import SidewaysScroll, WrappedRow
from gui.qt.widgets.segmented import Segmented
from gui.qt.window.bridge import subscribe
from robots.model.chart import HATCHES, Chart
from robots.model.endings import ending
from robots.sweeps.files import SweepTable
from robots.sweeps.run_numbers import MORE_RUNS, run_number
from robots.sweeps.sweep import STATUSES, SweepResult
from solvers.status import Status

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from robots.simulation.run import Run
    from robots.sweeps.axes import SweepAxis

NOTHING = ""
SECTIONS = {"": "Map alone", "0": "Horizontal section", "1": "Vertical section"}
MOST_NUMBERS = 8
"""How many readouts of the run under the pointer stand below the map, if there is room for them."""

CROSS = "×"
"""Marks the runs that failed on a map over one field."""

HINT = "Click or Enter: open the run; with Shift: pin it. Arrows: the next one. Drag a frame, wheel, + and −: zoom."


class MapSheet(ResultSheet[MapDesk]):
    """Fields and ranges at the left, the map at the right; a click on a cell opens that run, with Shift it is pinned.

    Args:
        window: the window to cover.
        session: whose scenario is run.
        proposal: what is filled in at first.
    """

    what = "map"

    def __init__(self, window: QWidget, session: Session, proposal: Proposal | None = None) -> None:
        super().__init__(window, session, session.maps, "Compute")
        scenario = session.scenario
        fields = list(numeric_fields(scenario))
        self.across = AxisFields("Horizontal axis", scenario, fields, first_field(scenario))
        second = next((path for path in fields if path.startswith(("robot.", "initial.", "task."))), NOTHING)
        self.up = AxisFields(
            "Vertical axis", scenario, [NOTHING, METHODS, *fields], second, self.across.field.currentData
        )
        self.number = QuietComboBox("Readout", "Which number of each run is shown in colour")
        self.proposed = self._wanted = ""
        self._run: Run | None = None
        self._picked = proposal is not None
        self._cut: tuple[SweepResult | None, int | None] = None, None
        self._described: tuple[tuple[SweepAxis, ...], tuple[str, ...], str] | None = None
        self._has: tuple[Iterable[str], ...] = ((), (), ())
        self._filled: tuple[Written, Written] | None = None
        self.contours = QCheckBox("contours")
        self.contours.setToolTip("Lines through runs with the same number")
        self.diagram = MapDiagram()
        self.section = MapSection(self.diagram)
        self.sections = Segmented(SECTIONS, "Section", "The readout along a line through the cell under the pointer")
        self.out = push_button("Zoom out", "Back to the wider map (Backspace)", self.desk.back)
        self.race = push_button("Race", "Play the pinned runs of this map side by side", self.start_race)
        self.pointer = MapPointer(session.jobs, lambda run: kinematics_of(run).room)
        self.arm = ArmView(session, self.viewport, "The run under the pointer")
        self._arrange()
        self._offer()
        if proposal is not None:
            for fields, axis in zip((self.across, self.up), proposal.axes, strict=False):
                fields.propose(axis)
            self.proposed = proposal.show
            self._offer()
            self.number.show_data(proposal.show)
        elif self.desk.result is None and self.desk.left is not None:
            self._choose_again(*self.desk.left)
        self._opened = self._choices()
        self._connect()
        self.show_all()

    def begin(self, by_itself: bool = False) -> None:
        """Compute the map over the chosen axes, or what is missing of it where it is shown."""
        if self._goes_on:
            self.desk.go_on()
            return
        scenario = self.session.scenario.without_segments()
        axes = [one for fields in (self.across, self.up) if (one := fields.axis(scenario))]
        names = [self.number.itemData(row) for row in range(self.number.count())]
        chosen = self.number.currentData()
        others = [name for name in names if name not in (chosen, ENDS, *MORE_RUNS)]
        # A reference for each value costs far more than the runs: only whoever asks for an error against it gets it.
        show = [chosen, *(name for name in others if not run_number(name).needs_reference)]
        methods = self.up.methods()
        self._described, self._filled = (tuple(axes), methods, chosen), self._axes
        self.desk.begin(axes, show, methods, by_itself)

    def open_cell(self, number: int, pinned: bool) -> None:
        """Open run `number` of the map; if `pinned`, pin it, or remove its pin, and stay."""
        scenario = self.desk.scenario_at(number)
        if scenario is None:
            self.trouble.show_text("These values cannot be combined, so there is no run to open.")
            return
        if not pinned:
            self.session.comparisons.take(scenario, "open a run of the map")
            self.dismiss()
        elif number in (pins := self._pins()):
            self.session.comparisons.remove(pins[number])
        else:
            self.session.comparisons.pin_scenario(scenario)
        self._show_pins()

    def start_race(self) -> None:
        """Close the sheet and play the pinned runs of the map from the beginning; other runs are hidden."""
        racing = set(self._pins().values())
        for row in self.session.runs.all:
            self.session.runs.show(row.id, row.id in racing)
        self.dismiss()
        self.session.playback.seek(0.0)
        self.session.playback.play()

    def dismiss(self) -> None:
        """Go away, and open with the same choices the next time."""
        self.pointer.point(None)
        if (choices := self._choices()) != self._opened:
            self.desk.left = choices
        super().dismiss()

    def name_button(self) -> None:
        super().name_button()
        if self._goes_on:
            self.measure.setText("Go on")

    @property
    def _goes_on(self) -> bool:
        """Whether what is chosen is the map that is shown, and was stopped."""
        result, here = self.desk.result, self.session.scenario.without_segments()
        if result is None or not self.desk.unfinished or self._axes != self._filled:
            return False
        return self.number.currentData() in (*result.sweep.show, ENDS) and here.hash() == self.desk.scenario.hash()

    @property
    def _axes(self) -> tuple[Written, Written]:
        return self.across.written(), self.up.written()

    def _choices(self) -> tuple[Written, Written, str, bool]:
        return *self._axes, self.number.currentData(), self.contours.isChecked()

    def _choose_again(self, across: Written, up: Written, number: str, contours: bool) -> None:
        self.across.write(across)
        self.up.write(up)
        if self.number.findData(number) >= 0:
            self._picked, self._wanted = True, number
            self.number.show_data(number)
        self.contours.setChecked(contours)

    @property
    def _table(self) -> SweepTable | None:
        return None if self.desk.result is None else SweepTable(self.desk.result)

    @property
    def _chart(self) -> Chart:
        return self.diagram.chart

    @property
    def _whole_chart(self) -> Chart:
        assert self.desk.result is not None
        return map_chart(self.desk.result, self.readout, self.desk.border, contours=self.contours.isChecked())

    # -- showing -------------------------------------------------------------------------------------------------------

    @property
    def readout(self) -> str:
        """Which number of each run is shown: the chosen one, or the map's first while its runs do not have that."""
        chosen, result = self.number.currentData(), self.desk.result
        return chosen if result is None or chosen in (*result.sweep.show, ENDS) else result.sweep.show[0]

    def _offer(self) -> None:
        """List the readouts that the current run has, if it is one of the scenario that is mapped."""
        row, scenario, chosen = self.session.runs.current, self.session.scenario, self.number.currentData()
        run = row.run if row.run is not None and alike(row.run.scenario, scenario) else None
        if run is not self._run:
            self._run = run
            self._has = (run.final, run.max_error, run.readings(run.t_end)) if run else ((), (), ())
        exact = row.reference.max if row.reference is not None and run is not None else ()
        found = run_numbers_of(scenario, *self._has, exact)
        if self.proposed:
            found = {self.proposed: number_name(self.proposed, scenario), **found}
        if self.number.offer((words, name) for name, words in found.items()):
            self.number.show_data(chosen if chosen in found and self._picked else next(iter(found)))
        self.name_button()

    def _show(self) -> None:
        result = self.desk.result
        self._describe(result)
        if self.readout != (chosen := self.number.currentData()) and chosen != self._wanted:
            self.number.show_data(self.readout)
        self.diagram.show_result(result, self.readout, self.desk.border, contours=self.contours.isChecked())
        flat = self.diagram.result is None or len(MapGrid(self.diagram.result).sides) < 2
        self.sections.setEnabled(not flat)
        self.out.setEnabled(self.desk.zoomed)
        self._show_pins()

    def _choose(self) -> None:
        """Show the chosen readout; one that no run of the map has is there once a person computes it."""
        self._picked, self._wanted = True, self.number.currentData()
        self.desk.forgive()
        self.show_all()

    def _describe(self, result: SweepResult | None) -> None:
        """The form describes the map that is shown, when that is another one than before, and has its fields."""
        before, self._described = self._described, None
        if result is None:
            return
        sweep = result.sweep
        self._described = sweep.axes, sweep.methods, sweep.show[0]
        offered = all(self.across.offers(axis.field) for axis in sweep.axes)
        if self._described == before or not offered or not self.session.scenario.same_robot(sweep.scenario):
            return
        if before is None or before[2] != sweep.show[0]:
            self.proposed = sweep.show[0]
            self._offer()
            self.number.show_data(sweep.show[0])
        self.across.propose(sweep.axes[0])
        if sweep.methods:
            self.up.propose_methods(sweep.methods)
        else:
            self.up.propose(sweep.axes[1] if len(sweep.axes) > 1 else None)
        self._filled = self._axes

    def _pins(self) -> dict[int, int]:
        """The pinned runs that are cells of the map, by their numbers: the ids of their rows."""
        result = self.desk.result
        if result is None:
            return {}
        numbers = {result.sweep.number_of(row.scenario): row.id for row in self.session.runs.all if row.pinned}
        return {number: row_id for number, row_id in numbers.items() if number is not None}

    def _show_pins(self) -> None:
        pins, rows = self._pins(), self.session.runs
        colours = {number: row.colour for number, row_id in pins.items() if (row := rows.find(row_id))}
        self.diagram.show_pins(colours)
        self.race.setEnabled(len(pins) > 1)
        self._say(self.diagram.near)

    def _say(self, number: int | None) -> None:
        """The facts of a run below the map, its section, and its arm."""
        result = self.desk.result
        self._show_section(number)
        if result is None or number is None:
            stopped = f"Stopped: {left}." if (left := self.desk.unfinished) else ""
            wanted = self.number.currentText() if self.readout != self.number.currentData() else ""
            how = "" if self.desk.measuring else f": press {self.verb}"
            parts = [
                f"No run of this map has the readout “{wanted}” yet{how}." if wanted else "",
                stopped,
                HINT,
                _failures(result),
                blanks(result, self.readout) if result is not None else "",
                parted(result) if result is not None and self.readout == "lyapunov" else "",
            ]
            if result is not None and (differs := self.desk.differs(self.session.view.settings.degrees)):
                parts.append(f"Computed with {', '.join(differs)}.")
            self.facts.rest(" ".join(filter(None, parts)))
            self.pointer.point(None)
            return
        pinned = ["pinned"] if number in self.diagram.pins else []
        numbers = self._numbers(result, number)
        self.facts.say_most([*pinned, *MapGrid(result).facts(number), *numbers[:2]], numbers[2:])

    def _show_section(self, number: int | None) -> None:
        """The section through a run; without one, through the run of this map that was last pointed at."""
        if number is not None or self._cut[0] is not self.desk.result:
            self._cut = self.desk.result, number
        result, number = self._cut
        along = self.sections.choice()
        self.section.setVisible(bool(along) and self.sections.isEnabled())
        if self.section.isHidden() or result is None or number is None:
            self.section.whole = None
            self.section.show_chart(Chart(empty="Point at a cell"))
            return
        name = self.readout
        self.section.whole = section_chart(result, name, number, int(along), pointed=False)
        self.section.show_chart(section_chart(result, name, number, int(along)))

    def _numbers(self, result: SweepResult, number: int) -> list[str]:
        """How a run ended, and its readouts, the chosen one first; why it has none where there is none."""
        if result.status[number] < 0:
            return ["not computed yet"]
        chosen, scenario = self.readout, self.desk.scenario
        names = sorted(result.sweep.show, key=lambda name: name != chosen)
        values = dict(zip(result.sweep.show, result.numbers[number].tolist(), strict=True))
        end = STATUSES[result.status[number]]
        texts = [number_reading(name, values[name], scenario, finished=end == Status.FINISHED) for name in names]
        return [texts[0], ending(end), *texts[1:MOST_NUMBERS]]

    def _point(self, number: int | None) -> None:
        self._say(number)
        self.pointer.point(None if number is None else self.desk.scenario_at(number))

    def _show_arm(self) -> None:
        current, row = self.session.runs.current, self.pointer.row
        rows = () if row is None else (current, row) if current.run is not None else (row,)
        self.arm.show_rows(rows, row.scenario.duration if row else 0.0)

    # -- making --------------------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        for widget in (self.sections, self.out, self.race):
            widget.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        tools = QWidget()
        tools.setLayout(WrappedRow(8, self.sections))
        heading = QWidget()
        row = bare(QHBoxLayout(heading))
        row.addWidget(RoleLabel("Readout", "section"), 1)
        row.addWidget(self.contours)
        side = self.across, self.up, heading, self.number, self.arm
        both = Pair(self.diagram, self.section)
        self.lay_out(side, self.arm, (SidewaysScroll(tools, "Sections"), both), both, (self.out, self.race))

    def _connect(self) -> None:
        self.across.field.chosen.connect(lambda _: self.up.follow())
        for fields in (self.across, self.up):
            fields.changed.connect(self.choice_changed)
        subscribe(self, self.session.runs.updated, lambda _: self._offer())
        subscribe(self, self.session.runs.changed, self._show_pins)
        subscribe(self, self.pointer.changed, self._show_arm)
        self.number.chosen.connect(lambda _: self._choose())
        self.contours.toggled.connect(lambda _: self.show_all())
        self.sections.chosen.connect(lambda _: self._say(self.diagram.near))
        self.diagram.pointed.connect(self._point)
        self.diagram.opened.connect(self.open_cell)
        self.diagram.zoomed.connect(self.desk.zoom)
        self.diagram.back.connect(self.desk.back)


def _failures(result: SweepResult | None) -> str:
    """The marks of runs that failed, and how many have each: patterns, or crosses over one field; empty without any."""
    ends = failures(result) if result is not None else {}
    if not ends:
        return ""
    marks = CROSS if len(result.sweep.axes) == 1 else HATCHES
    return (
        "Failed: "
        + ", ".join(f"{marks[k % len(marks)]} {ending(word)} {n}" for k, (word, n) in enumerate(ends.items()))
        + "."
    )
