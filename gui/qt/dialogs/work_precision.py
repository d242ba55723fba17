"""The sheet that runs the current scenario with many methods: error against cost, every point a run to open."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, QSignalBlocker, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import QCheckBox, QLineEdit, QListWidgetItem, QWidget

from assets.errors import ArmstepError
from gui.app import formatting, run_texts, units
from gui.app.desks.desk import first_methods
from gui.app.desks.work_precision import (
    OWN,
    TOLERANCES,
    WorkChoices,
    WorkPrecisionDesk,
    halved,
    rounding,
    steps_around,
    tightened,
)
from gui.charts.work_precision import COST_TITLES, WorkView, bounded, largest_error, look_of
from gui.qt.diagrams.work_diagram import WorkDiagram
from gui.qt.dialogs._span_fields import NumberEdit, SpanFields
from gui.qt.dialogs.result_sheet import BETWEEN, ResultSheet
from gui.qt.drawing.marks import paint_mark
from gui.qt.drawing.style import style_of
from gui.qt.style.theme import look
from gui.qt.widgets.parts import search_line
from gui.qt.widgets.quiet import QuietComboBox, RoleLabel
from gui.qt.widgets.scroll import RowsList
from robots.model.chart import Chart
from robots.model.quantities import error_parts

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from robots.sweeps.work_precision import Point, WorkPrecision

KEY = Qt.ItemDataRole.UserRole
COSTS = {"rhs_evaluations": "Evaluations", "seconds": "Computing time", "steps": "Steps", "tolerance": "Tolerance"}
LINES = (
    "Solid line: fixed steps; its number is the order along the part where that is the same to a tenth, that of a "
    "point the order from the next longer step. Dashed: tolerances. Filled, joined by dots: Pareto-optimal, no run is "
    "cheaper and more accurate."
)
AGAINST_TOLERANCE = "Dashed: tolerances. On the rising straight line, the error is as large as its tolerance."


def open_work_precision(window: QWidget, session: Session) -> WorkPrecisionSheet:
    """Open the sheet over the window."""
    sheet = WorkPrecisionSheet(window, session)
    sheet.open()
    return sheet


class WorkPrecisionSheet(ResultSheet[WorkPrecisionDesk]):
    """Methods at the left, the diagram at the right; a click on a point opens that run.

    Args:
        window: the window to cover.
        session: whose scenario is run.
    """

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window, session, session.work_precision, "Measure")
        self.result: WorkPrecision | None = None
        tip = "List only methods whose name has this text; Enter ticks the marked one. What was ticked stays so"
        self.search = search_line("Search methods", self._filter, tip=tip)
        self.methods = RowsList()
        self.methods.setAccessibleName("Methods to measure")
        self.methods.setAccessibleDescription("Space ticks a method")
        self.search.installEventFilter(_EnterTicks(self.search, self._tick_found))
        self.methods.setSpacing(2)
        self.methods.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.fixed = SpanFields("Fixed steps", "step", steps_around(session.scenario), "s", halved)
        self.controlled = SpanFields("Tolerances", "tolerance", TOLERANCES, "", tightened)
        self.cost = QuietComboBox("Cost", "What a run costs: counted, timed, or the tolerance that was asked for")
        self.cost.offer((words, name) for name, words in COSTS.items())
        self.error = QuietComboBox("Error", "Which error is compared with the cost")
        self.flipped = QCheckBox("Swap the axes")
        self.flipped.setToolTip("Put the error on the horizontal axis and the cost on the vertical one")
        self.target = NumberEdit("Target error")
        self.target.setToolTip("Name the cheapest run whose error is at most this")
        self.target.setPlaceholderText("Target error, such as 1e-6")
        self.diagram = WorkDiagram()
        self.answer = RoleLabel("", "strong")
        self.answer.setWordWrap(True)
        self._arrange()
        self._list_methods()
        self._list_errors()
        if self.desk.choices is not None:
            self._choose(self.desk.choices)
        self._opened = self._choices()
        self._connect()
        self.show_all()

    # -- measuring -----------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Measure what is chosen."""
        self.desk.begin(self.chosen(), self.fixed.numbers(), self.controlled.numbers())

    def chosen(self) -> list[str]:
        """The keys of the methods that are ticked."""
        items = (self.methods.item(row) for row in range(self.methods.count()))
        return [item.data(KEY) for item in items if item.checkState() == Qt.CheckState.Checked]

    def dismiss(self) -> None:
        """Go away, and open with the same choices the next time."""
        if (choices := self._choices()) != self._opened:
            self.desk.remember(choices)
        super().dismiss()

    def _choices(self) -> WorkChoices:
        return WorkChoices(
            tuple(self.chosen()),
            self.fixed.written(),
            self.controlled.written(),
            self.cost.currentData(),
            self.error.currentData() or "",
            self.flipped.isChecked(),
            self.target.text(),
        )

    def _choose(self, choices: WorkChoices) -> None:
        for row in range(self.methods.count()):
            item = self.methods.item(row)
            ticked = item.data(KEY) in choices.methods
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        self.fixed.write(*choices.steps)
        self.controlled.write(*choices.tolerances)
        self.cost.show_data(choices.cost)
        if self.error.findData(choices.error) >= 0:
            self.error.show_data(choices.error)
        self.flipped.setChecked(choices.flipped)
        self.target.setText(choices.target)

    # -- showing -------------------------------------------------------------------------------------------------------

    def labels(self) -> list[str]:
        """The methods that have points, in the order of their colours."""
        return list(dict.fromkeys(point.label for point in self.desk.points))

    def _show(self) -> None:
        desk, cost = self.desk, self.cost.currentData()
        self._list_errors()
        # Only a cost can be compared with an error; a tolerance is what was asked for.
        priced = cost if cost in ("rhs_evaluations", "seconds") else "rhs_evaluations"
        self.result = desk.judged(priced, self.error.currentData() or "")
        error = self.result.error
        titles = (COST_TITLES[cost], largest_error(error, self.desk.scenario))
        target, flipped = self._target(), self.flipped.isChecked()
        points, awaited = bounded(self.result.points, error), self.result.awaited
        view = WorkView(points, self.labels(), error, cost, titles, target, flipped, awaited)
        self.diagram.show_points(view, desk.trial)
        asked = cost if cost == "tolerance" else priced
        said = desk.answer(self.result, target, asked) if target is not None and error else ""
        self.answer.show_text(f"{said} {desk.proportionality(self.result)}".strip() if cost == "tolerance" else said)
        with QSignalBlocker(self.methods):  # a mark beside a name is no other choice
            self._colour_methods()
        self._say(desk.trial)

    def _list_errors(self) -> None:
        """Offer the errors that the points have; before there are points, the largest one."""
        names, chosen = self.desk.errors() or [""], self.error.currentData()
        if names != [self.error.itemData(k) for k in range(self.error.count())]:
            self.error.clear()
            for name in names:
                self.error.addItem(formatting.error_title(name, self.desk.scenario) if name else "Largest error", name)
            first = self.desk.judged("rhs_evaluations").error
            self.error.show_data(chosen if chosen in names else first)
        self.error.setEnabled(len(names) > 1)

    def _target(self) -> float | None:
        if not self.result.error:
            return None
        self.target.unit = error_parts(self.result.error)[1]
        try:
            return self.target.value()
        except ArmstepError:
            return None

    def _follow_target(self) -> None:
        """A target is named as it is typed; what is half typed is not refused yet."""
        with suppress(ArmstepError):
            self.target.value()
            self.show_all()

    def _say(self, point: Point | None) -> None:
        """The facts of a run below the diagram."""
        if point is None:
            lost = sum(1 for one in self.desk.points if not one.finished)
            # What is far from the median may be near it once there are more points.
            settled = () if self.desk.measuring else self.desk.points
            wild = len(settled) - len(bounded(settled, self.error.currentData() or ""))
            gone = [f"{n} {what}" for n, what in ((lost, "did not finish"), (wild, "grew without bound")) if n]
            meaning = AGAINST_TOLERANCE if self.cost.currentData() == "tolerance" else LINES
            parts = [
                meaning if self.answer.isHidden() else "",  # beside an answer there is no room for it
                f"Left out: {', '.join(gone)}." if gone else "",
                self._rounding(),
                self._fixed_alone(),
                "Click a point, or press Enter, to open its run; arrows choose another, dragging tries another step.",
            ]
            if self.desk.points and (differs := self.desk.differs(self.session.view.settings.degrees)):
                parts.append(f"Measured with {', '.join(differs)}.")
            elif self.desk.points:
                parts.append(run_texts.trust(self.session.runs.current))
            if not self.desk.points:
                parts = ["Times are measured in a separate process."]
            self.facts.rest(" ".join(filter(None, parts)))
            return
        assert self.result is not None
        tolerance = point.tolerance or 0.0
        setting = (
            f"step {units.quantity(point.step, 's', None)}"
            if point.step
            else f"tolerance {units.number_text(tolerance)}"
        )
        error = point.error(self.result.error)
        words = [
            f"{self.desk.name_of(point.label)}, {setting}",
            units.count(int(point.counts["rhs_evaluations"]), "evaluation"),
            units.quantity(point.seconds, "s") if point.seconds else "",
            f"error {formatting.error_text(self.result.error, error, self.desk.scenario)}" if error else "",
            "mostly rounding" if point.rounded(self.result.error) else "",
            f"order {point.order:.1f} from the next longer step" if point.order is not None else "",
        ]
        self.facts.say(BETWEEN.join(word for word in words if word))

    def _rounding(self) -> str:
        """What pale marks stand for."""
        assert self.result is not None
        name, levels = self.result.error, rounding(self.result)
        least, most = (formatting.error_text(name, level, self.desk.scenario) for level in levels)
        few, many = (
            max((int(one.counts["steps"]) for one in self.result.points if one.level.get(name) == level), default=0)
            for level in levels
        )
        range_ = f"{least} with up to {units.count(few, 'step')} and {most} with {units.count(many)}"
        words = most if least == most or not levels[0] else range_
        return f"Pale: half of the error or more may be rounding, which comes to {words}." if levels[1] else ""

    def _fixed_alone(self) -> str:
        """Which methods an axis of tolerances lacks, and why."""
        if self.cost.currentData() != "tolerance":
            return ""
        controlled = {point.label for point in self.desk.points if point.tolerance}
        names = [self.desk.name_of(label) for label in self.labels() if label not in controlled]
        return f"Measured with fixed steps alone, so not here: {', '.join(names)}." if names else ""

    def open_point(self, point: Point) -> None:
        """Make the session's scenario that run."""
        self.session.comparisons.take(point.scenario, f"open {self.desk.name_of(point.label)}")
        self.dismiss()

    @property
    def _table(self) -> WorkPrecision | None:
        from robots.sweeps.work_curves import with_sure_orders

        return None if self.result is None else with_sure_orders(self.result)

    @property
    def _chart(self) -> Chart:
        return self.diagram.chart

    # -- making --------------------------------------------------------------------------------------------------------

    def _list_methods(self) -> None:
        from robots.scenario.method_selection import suitable_methods

        scenario = self.session.scenario
        suitable, first = suitable_methods(scenario), first_methods(scenario)
        for key, method in sorted(suitable.items(), key=lambda pair: pair[0] not in first):
            item = QListWidgetItem(method.name)
            item.setData(KEY, key)
            item.setToolTip(key)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable)
            item.setCheckState(Qt.CheckState.Checked if key in first else Qt.CheckState.Unchecked)
            self.methods.addItem(item)

    def _filter(self, text: str) -> None:
        words, first = text.lower().split(), None
        for row in range(self.methods.count()):
            item = self.methods.item(row)
            known = f"{item.text()} {item.data(KEY)}".lower()
            fits = all(word in known for word in words)
            item.setHidden(not fits)
            if fits and first is None and item.flags() & Qt.ItemFlag.ItemIsUserCheckable:
                first = row
        if words:
            # Space, or Enter in the search, ticks what was searched for.
            self.methods.setCurrentRow(-1 if first is None else first)

    def _tick_found(self) -> None:
        """Tick the method that was searched for, or take its tick away; what is typed next is another search."""
        if (item := self.methods.currentItem()) is not None:
            ticked = item.checkState() == Qt.CheckState.Checked
            item.setCheckState(Qt.CheckState.Unchecked if ticked else Qt.CheckState.Checked)
        self.search.selectAll()

    def _colour_methods(self) -> None:
        """The list is a legend, too: a method with points has its mark beside its name."""
        places: dict[str, int] = {}
        for row in reversed(range(self.methods.count())):
            if not self.methods.item(row).flags() & Qt.ItemFlag.ItemIsUserCheckable:
                self.methods.takeItem(row)
        listed = {self.methods.item(row).data(KEY): self.methods.item(row) for row in range(self.methods.count())}
        if OWN in listed:  # it has the name that was typed
            listed[OWN].setText(formatting.method_name(self.desk.scenario_with(OWN)))
        for index, label in enumerate(self.labels()):
            key, name = label.split(" ")[0], self.desk.name_of(label)
            if key in listed and (key != OWN or listed[key].text() == self.desk.method_of(label)):
                places[key] = index
            else:
                # A tableau of one's own that is measured no longer: its points are still there.
                item = QListWidgetItem(name)
                item.setData(KEY, label)
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                self.methods.insertItem(0, item)
                places[label] = index
        for row in range(self.methods.count()):
            item = self.methods.item(row)
            place = places.get(item.data(KEY))
            item.setIcon(QIcon() if place is None else _mark(place, self.devicePixelRatioF()))

    def _connect(self) -> None:
        self.methods.itemChanged.connect(lambda _: self.choice_changed())
        for span in (self.fixed, self.controlled):
            span.changed.connect(self.choice_changed)
        self.cost.chosen.connect(lambda _: self.show_all())
        self.error.chosen.connect(lambda _: self.show_all())
        self.flipped.toggled.connect(lambda _: self.show_all())
        self.target.editingFinished.connect(self.show_all)
        self.target.textEdited.connect(lambda _: self._follow_target())
        self.diagram.pointed.connect(self._say)
        self.diagram.opened.connect(lambda point, _: self.open_point(point))
        self.diagram.dragged.connect(lambda point, cost: self.desk.drag(point, self.diagram.view.cost, cost))
        self.diagram.dropped.connect(self.desk.drop)

    def _arrange(self) -> None:
        axes = RoleLabel("Axes", "section")
        side = (
            self.search,
            self.methods,
            self.fixed,
            self.controlled,
            axes,
            self.cost,
            self.error,
            self.flipped,
            self.target,
        )
        # A long answer scrolls, and what is pointed at is in sight.
        self.lay_out(side, self.methods, (self.diagram, self.facts, self.answer), self.diagram)


class _EnterTicks(QObject):
    """Enter after words in a search ticks what they found, and the keys stay there.

    Not the sheet's own filter: that hears the window's events too, and before the sheet has a search.
    """

    def __init__(self, search: QLineEdit, tick: Callable[[], object]) -> None:
        super().__init__(search)
        self._search, self._tick = search, tick

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        key = event.key() if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress else None
        if key not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or not self._search.text().split():
            return False
        self._tick()
        return True


def _mark(index: int, ratio: float) -> QIcon:
    pixmap = QPixmap(int(16 * ratio), int(16 * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    name, shape = look_of(index)
    colour = style_of(look().theme.name).run_colour(name)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(colour)
    painter.setBrush(colour)
    paint_mark(painter, shape, QPointF(8, 8), 4.5)
    painter.end()
    return QIcon(pixmap)
