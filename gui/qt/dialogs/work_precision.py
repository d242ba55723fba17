"""The sheet that runs the current scenario with many methods: error against cost, every point a run to open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from assets.errors import ArmstepError
from gui.app import formatting, units
from gui.app.session.results import WORK_PRECISION
from gui.app.session.work_precision import TOLERANCES, halved, steps_around, tightened
from gui.charts.work_precision import look_of
from gui.qt.dialogs._span_fields import NumberEdit, SpanFields
from gui.qt.dialogs.sheets import Sheet
from gui.qt.drawing.marks import paint_mark
from gui.qt.drawing.page import HEIGHT, WIDTH, ChartPage
from gui.qt.drawing.style import style_of
from gui.qt.style.theme import look, role
from gui.qt.widgets.quiet import QuietComboBox, RoleLabel
from gui.qt.widgets.segmented import Segmented
from gui.qt.widgets.work_diagram import WorkDiagram
from gui.qt.window.bridge import subscribe

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from robots.sweeps.work_precision import Point, WorkPrecision

KEY = Qt.ItemDataRole.UserRole
FIRST = ("rk1", "rk4", "rk8", "rkf45", "dopri5", "dop853")
COSTS = {"rhs_evaluations": "Evaluations", "seconds": "Time"}
TITLES = {"rhs_evaluations": "evaluations of the right-hand side", "seconds": "computing time [s]"}
NEW = "New measurement"
LINES = "Full line: fixed steps. Dashed: tolerances. Filled: Pareto-optimal, no run is both cheaper and more accurate."


def open_work_precision(window: QWidget, session: Session) -> WorkPrecisionSheet:
    """Open the sheet over the window."""
    sheet = WorkPrecisionSheet(window, session)
    sheet.open()
    return sheet


class WorkPrecisionSheet(Sheet):
    """Methods at the left, the diagram at the right; a click on a point opens that run.

    What was measured is a result of the document: it is there when the sheet is opened again, and in the file.

    Args:
        window: the window to cover.
        session: whose scenario is run.
    """

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window, "Work-precision diagram", QSize(1160, 740))
        self.session, self.desk = session, session.work_precision
        session.playback.pause()
        self.result: WorkPrecision | None = None
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search methods")
        self.search.setAccessibleName("Search methods")
        self.search.setClearButtonEnabled(True)
        self.methods = QListWidget()
        self.methods.setAccessibleName("Methods to measure")
        self.methods.setSpacing(2)
        self.methods.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.fixed = SpanFields("Fixed steps", steps_around(session.scenario), "s", halved)
        self.controlled = SpanFields("Tolerances", TOLERANCES, "", tightened)
        self.cost = Segmented(COSTS, "Cost")
        self.cost.show_choice("rhs_evaluations")
        self.target = NumberEdit("Target error")
        self.target.setPlaceholderText("Target error, such as 1e-6")
        self.kept = QuietComboBox()
        self.kept.setAccessibleName("Measurements of this scenario")
        self.name = QLineEdit()
        self.name.setAccessibleName("Name of this measurement")
        self.remove = QPushButton("Remove")
        self.diagram = WorkDiagram()
        self.answer, self.facts = RoleLabel("", "strong"), RoleLabel("", "hint")
        self.trouble = RoleLabel("", "error")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setRange(0, 1000)
        self.measure, self.save = QPushButton("Measure"), QPushButton("Save the table…")
        self._arrange()
        self._list_methods()
        self._connect()
        self.desk.look()
        self._show()

    # -- measuring -----------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Measure what is chosen; again stops it."""
        if self.desk.measuring:
            self.desk.stop()
            return
        try:
            self.desk.begin(self.chosen(), self.fixed.numbers(), self.controlled.numbers())
        except ArmstepError as refusal:
            self._complain(str(refusal))

    def chosen(self) -> list[str]:
        """The keys of the methods that are ticked."""
        items = (self.methods.item(row) for row in range(self.methods.count()))
        return [item.data(KEY) for item in items if item.checkState() == Qt.CheckState.Checked]

    # -- showing -------------------------------------------------------------------------------------------------------

    def labels(self) -> list[str]:
        """The methods that have points, in the order of their colours."""
        return list(dict.fromkeys(point.label for point in self.desk.points))

    def _error_title(self, error: str) -> str:
        unit = formatting.error_unit(error, self.desk.scenario)
        return f"largest error, {formatting.error_title(error, self.desk.scenario)}" + (f" [{unit}]" if unit else "")

    def _show(self) -> None:
        desk, cost = self.desk, self.cost.choice()
        self._complain(desk.trouble)
        self.result = desk.judged(cost)
        error = self.result.error
        titles = (TITLES[cost], self._error_title(error) if error else "error")
        target = self._target()
        self.diagram.show_points(self.result.points, self.labels(), error, cost, titles, target)
        self.answer.setText(desk.answer(target, cost) if target is not None and error else "")
        self.answer.setVisible(bool(self.answer.text()))
        self.progress.setVisible(desk.measuring)
        self.progress.setValue(int(1000 * desk.progress))
        self.measure.setText("Stop" if desk.measuring else "Measure")
        self.save.setEnabled(bool(desk.points) and not desk.measuring)
        self._list_kept()
        self._colour_methods()
        self._say(None)

    def _target(self) -> float | None:
        try:
            return self.target.value()
        except ArmstepError as refusal:
            self._complain(str(refusal))
            return None

    def _list_kept(self) -> None:
        names = [result.name for result in self.session.results.of(WORK_PRECISION)]
        shown = self.desk.kept
        self.kept.blockSignals(True)
        self.kept.clear()
        self.kept.addItem(NEW, None)
        for name in reversed(names):
            self.kept.addItem(name, name)
        self.kept.show_data(None if shown is None else shown.name)
        self.kept.blockSignals(False)
        self.kept.setEnabled(bool(names) and not self.desk.measuring)
        self.name.setText("" if shown is None else shown.name)
        for widget in (self.name, self.remove):
            widget.setEnabled(shown is not None)

    def _say(self, point: Point | None) -> None:
        """The facts of a run below the diagram."""
        if point is None:
            lost = sum(1 for one in self.desk.points if not one.finished)
            parts = [
                LINES,
                f"{lost} did not finish and are left out." if lost else "",
                "Click a point to open its run.",
            ]
            if self.desk.points and (differs := self.desk.differs):
                parts.append(f"Measured with {', '.join(differs)}.")
            if not self.desk.points:
                parts = ["Times are measured in a separate process."]
            self.facts.setText(" ".join(filter(None, parts)))
            return
        assert self.result is not None
        setting = f"step {units.quantity(point.step, 's')}" if point.step else f"tolerance {point.tolerance:g}"
        error = point.error(self.result.error)
        words = [
            f"{point.label}, {setting}",
            f"{point.counts['rhs_evaluations']} evaluations",
            units.quantity(point.seconds, "s") if point.seconds else "",
            f"error {formatting.error_text(self.result.error, error, self.desk.scenario)}" if error else "",
            f"observed order {point.order:.2f}" if point.order is not None else "",
        ]
        self.facts.setText(" · ".join(word for word in words if word))

    def open_point(self, point: Point) -> None:
        """Make the session's scenario that run."""
        self.session.comparisons.take(point.scenario, f"open {point.label}")
        self.dismiss()

    def save_table(self, path: Path) -> None:
        """Write what was measured as a table, or the diagram as a picture, as the suffix says."""
        from gui.qt.export.charts_file import write_page
        from gui.qt.export.format import DataFormat, find_format, key_of
        from gui.qt.export.tables import write_table

        assert self.result is not None
        try:
            if isinstance(find_format(key_of(path)), DataFormat):
                write_table(self.result, path)
            else:
                page = ChartPage(self.diagram.chart, style_of(look().theme.name), (WIDTH, HEIGHT))
                write_page(page, path)
        except ArmstepError as problem:
            self._complain(str(problem))

    def _ask_file(self) -> None:
        from gui.qt.dialogs.ask_file import ask_file
        from gui.qt.export.format import pictures_of_charts
        from gui.qt.export.tables import table_formats

        start = Path(f"{self.desk.scenario.name or 'armstep'}-work-precision.csv")
        ask_file(
            self, "Save the table or the diagram", start, [*table_formats(), *pictures_of_charts()], self.save_table
        )

    def _complain(self, sentence: str) -> None:
        self.trouble.setText(sentence)
        self.trouble.setVisible(bool(sentence))

    # -- making --------------------------------------------------------------------------------------------------------

    def _list_methods(self) -> None:
        from robots.scenario.method_selection import suitable_methods

        suitable = suitable_methods(self.session.scenario)
        first = {self.session.scenario.method, *FIRST}
        for key, method in sorted(suitable.items(), key=lambda pair: pair[0] not in first):
            item = QListWidgetItem(method.name)
            item.setData(KEY, key)
            item.setToolTip(key)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable)
            item.setCheckState(Qt.CheckState.Checked if key in first else Qt.CheckState.Unchecked)
            self.methods.addItem(item)

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        for row in range(self.methods.count()):
            item = self.methods.item(row)
            known = f"{item.text()} {item.data(KEY)}".lower()
            item.setHidden(not all(word in known for word in words))

    def _colour_methods(self) -> None:
        """The list is the legend: a method with points has its mark beside its name."""
        places = {label.split(" ")[0]: index for index, label in enumerate(self.labels())}
        for row in range(self.methods.count()):
            item = self.methods.item(row)
            place = places.get(item.data(KEY))
            item.setIcon(QIcon() if place is None else _mark(place, self.devicePixelRatioF()))

    def _connect(self) -> None:
        self.search.textChanged.connect(self._filter)
        self.measure.clicked.connect(self.begin)
        self.save.clicked.connect(self._ask_file)
        self.cost.chosen.connect(lambda _: self._show())
        self.target.editingFinished.connect(self._show)
        self.kept.chosen.connect(lambda name: self.desk.show(self.session.results.find(WORK_PRECISION, name)))
        self.name.editingFinished.connect(lambda: self.desk.rename(self.name.text()))
        self.remove.clicked.connect(self.desk.remove)
        self.diagram.hovered.connect(self._say)
        self.diagram.clicked.connect(self.open_point)
        subscribe(self, self.desk.changed, self._show)

    def _arrange(self) -> None:
        role(self.measure, "primary")
        left, right, top = QVBoxLayout(), QVBoxLayout(), QHBoxLayout()
        left.setSpacing(8)
        cost = RoleLabel("Cost", "section")
        for widget in (self.search, self.methods, self.fixed, self.controlled, cost, self.cost, self.target):
            left.addWidget(widget, 1 if widget is self.methods else 0)
        side = QWidget()
        side.setFixedWidth(270)
        side.setLayout(left)
        left.setContentsMargins(0, 0, 0, 0)
        for widget in (self.kept, self.name, self.remove):
            top.addWidget(widget, 0 if widget is self.remove else 1)
        right.addLayout(top)
        right.addWidget(self.diagram, 1)
        for widget in (self.answer, self.facts, self.trouble, self.progress):
            right.addWidget(widget)
        both = QHBoxLayout()
        both.setSpacing(24)
        both.addWidget(side)
        both.addLayout(right, 1)
        close = QPushButton("Close")
        close.clicked.connect(self.dismiss)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.save)
        buttons.addStretch(1)
        buttons.addWidget(close)
        buttons.addWidget(self.measure)
        self.body.addWidget(role(QLabel("Work-precision diagram"), "display"))
        self.body.addLayout(both, 1)
        self.body.addLayout(buttons)


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
