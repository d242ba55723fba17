"""The sheet that runs the current scenario with many methods: error against cost, every point a run to open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
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
from gui.app.jobs import Jobs
from gui.charts.work_precision import look_of
from gui.qt.dialogs.sheets import Sheet
from gui.qt.drawing.marks import paint_mark
from gui.qt.drawing.page import HEIGHT, WIDTH, ChartPage
from gui.qt.drawing.style import style_of
from gui.qt.style.theme import look, role
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.widgets.segmented import Segmented
from gui.qt.widgets.work_diagram import WorkDiagram
from gui.qt.window.bridge import Dispatcher
from robots.sweeps.work_precision import Point, WorkPrecision, cases, judged, work_precision

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from robots.scenario.scenario import Scenario

KEY = Qt.ItemDataRole.UserRole
FIRST = ("rk1", "rk4", "rk8", "rkf45", "dopri5", "dop853")
LONGER, SHORTER = 3, 3
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11)
COSTS = {"rhs_evaluations": "Evaluations", "seconds": "Time"}
TITLES = {"rhs_evaluations": "evaluations of the right-hand side", "seconds": "computing time [s]"}


def open_work_precision(window: QWidget, session: Session) -> WorkPrecisionSheet:
    """Open the sheet over the window."""
    sheet = WorkPrecisionSheet(window, session)
    sheet.open()
    return sheet


def steps_around(scenario: Scenario) -> list[float]:
    """Fixed steps around the scenario's own, each half of the one before."""
    middle = scenario.step or scenario.duration / 1000.0
    return [h for k in range(LONGER, -SHORTER - 1, -1) if (h := middle * 2.0**k) <= scenario.duration / 2.0]


class WorkPrecisionSheet(Sheet):
    """Methods at the left, the diagram at the right; a click on a point opens that run.

    Args:
        window: the window to cover.
        session: whose scenario is run.
    """

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window, "Work-precision diagram", QSize(1160, 700))
        self.session = session
        session.playback.pause()
        self.scenario = session.scenario.without_segments()
        self.dispatch = Dispatcher(self)
        self.jobs = Jobs(self.dispatch)
        self.dismissed.connect(self.jobs.close)
        self.points: list[Point] = []
        self.result: WorkPrecision | None = None
        self.measuring = False
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search methods")
        self.search.setAccessibleName("Search methods")
        self.search.setClearButtonEnabled(True)
        self.methods = QListWidget()
        self.methods.setAccessibleName("Methods to measure")
        self.methods.setSpacing(2)
        self.methods.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.fixed, self.controlled = QCheckBox("Fixed steps"), QCheckBox("Tolerances")
        self.cost = Segmented(COSTS, "Cost")
        self.cost.show_choice("rhs_evaluations")
        self.diagram = WorkDiagram()
        self.facts, self.trouble = RoleLabel("", "hint"), RoleLabel("", "error")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setRange(0, 1000)
        self.measure, self.save = QPushButton("Measure"), QPushButton("Save the table…")
        self._arrange()
        self._list_methods()
        self._connect()
        self._show()

    # -- measuring -----------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Measure what is chosen; called again, stop."""
        if self.measuring:
            self.jobs.stop("measure")
            return
        steps = steps_around(self.scenario) if self.fixed.isChecked() else []
        tolerances = TOLERANCES if self.controlled.isChecked() else ()
        try:
            asked = [one for key in self.chosen() for one in self._cases(key, steps, tolerances)]
        except ArmstepError as refusal:
            self._complain(str(refusal))
            return
        if not asked:
            self._complain("Choose methods, and fixed steps or tolerances that suit them.")
            return
        self.points, self.result, self.measuring = [], None, True
        self._complain("")

        def add(point: Point) -> None:
            self.dispatch(lambda: self._add(point))

        self.jobs.submit(
            lambda cancel, progress: work_precision(asked, cancel=cancel, progress=progress, on_point=add),
            key="measure",
            on_done=self._done,
            on_error=self._failed,
            on_progress=lambda share: self.progress.setValue(int(1000 * share)),
        )
        self._show()

    def _cases(self, key: str, steps: list[float], tolerances: tuple[float, ...]) -> list[Any]:
        from robots.scenario.method_selection import method_of

        method = method_of(self.scenario.with_value("method", key))
        mine = steps if method.fixed_step else []
        theirs = tolerances if method.adaptive else ()
        return cases(self.scenario, [key], mine, theirs) if mine or theirs else []

    def chosen(self) -> list[str]:
        """The keys of the methods that are ticked."""
        items = (self.methods.item(row) for row in range(self.methods.count()))
        return [item.data(KEY) for item in items if item.checkState() == Qt.CheckState.Checked]

    def _add(self, point: Point) -> None:
        if self.measuring:
            self.points.append(point)
            self._show()

    def _done(self, result: WorkPrecision) -> None:
        self.points, self.measuring = list(result.points), False
        self._show()

    def _failed(self, problem: BaseException) -> None:
        self.measuring = False
        self._complain(str(problem))
        self._show()

    # -- showing -------------------------------------------------------------------------------------------------------

    def labels(self) -> list[str]:
        """The methods that have points, in the order of their colours."""
        return list(dict.fromkeys(point.label for point in self.points))

    def _error_title(self, error: str) -> str:
        unit = formatting.error_unit(error, self.scenario)
        return f"largest error, {formatting.error_title(error, self.scenario)}" + (f" [{unit}]" if unit else "")

    def _show(self) -> None:
        cost = self.cost.choice()
        self.result = judged(self.points, None, cost)
        error = self.result.error
        titles = (
            TITLES[cost],
            self._error_title(error) if error else "error",
        )
        self.diagram.show_points(self.result.points, self.labels(), error, cost, titles)
        self.progress.setVisible(self.measuring)
        self.measure.setText("Stop" if self.measuring else "Measure")
        self.save.setEnabled(bool(self.points) and not self.measuring)
        self._colour_methods()
        self._tell(None)

    def _tell(self, point: Point | None) -> None:
        """The facts of a run below the diagram."""
        if point is None:
            lost = sum(1 for one in self.points if not one.finished)
            missing = f" {lost} did not finish and are left out." if lost else ""
            hint = (
                "Filled: Pareto-optimal, no run is both cheaper and more accurate. Dotted: Pareto-optimal within "
                "its family. Click a point to open that run."
            )
            self.facts.setText(f"{hint}{missing}" if self.points else "Times are measured in a separate process.")
            return
        assert self.result is not None
        setting = f"step {units.quantity(point.step, 's')}" if point.step else f"tolerance {point.tolerance:g}"
        error = point.error(self.result.error)
        parts = [
            f"{point.label}, {setting}",
            f"{point.counts['rhs_evaluations']} evaluations",
            units.quantity(point.seconds, "s") if point.seconds else "",
            f"error {formatting.error_text(self.result.error, error, self.scenario)}" if error else "",
            f"observed order {point.order:.2f}" if point.order is not None else "",
        ]
        self.facts.setText(" · ".join(part for part in parts if part))

    def open_point(self, point: Point) -> None:
        """Make the session's scenario that run."""
        changes: dict[str, Any] = {"method": point.method}
        changes |= {f"options.{key}": value for key, value in point.scenario.options.items()}
        if point.step is not None:
            changes["step"] = point.step
        else:
            changes |= {"rtol": point.scenario.rtol, "atol": point.scenario.atol}
        if self.session.edit_many(changes):
            self.dismiss()
        else:
            self._complain(self.session.messages.notice)

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

        start = Path(f"{self.scenario.name or 'armstep'}-work-precision.csv")
        ask_file(
            self, "Save the table or the diagram", start, [*table_formats(), *pictures_of_charts()], self.save_table
        )

    def _complain(self, sentence: str) -> None:
        self.trouble.setText(sentence)
        self.trouble.setVisible(bool(sentence))

    # -- making --------------------------------------------------------------------------------------------------------

    def _list_methods(self) -> None:
        from robots.scenario.method_selection import suitable_methods

        suitable = suitable_methods(self.scenario)
        first = {self.scenario.method, *FIRST}
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
        self.diagram.hovered.connect(self._tell)
        self.diagram.clicked.connect(self.open_point)

    def _arrange(self) -> None:
        for box in (self.fixed, self.controlled):
            box.setChecked(True)
        steps = ", ".join(units.quantity(h, "s") for h in steps_around(self.scenario))
        self.fixed.setToolTip(f"Steps of {steps}")
        self.controlled.setToolTip("rtol = atol = " + ", ".join(f"{tolerance:g}" for tolerance in TOLERANCES))
        role(self.measure, "primary")
        left, right = QVBoxLayout(), QVBoxLayout()
        left.setSpacing(8)
        for widget in (self.search, self.methods, self.fixed, self.controlled, RoleLabel("Cost", "section"), self.cost):
            left.addWidget(widget, 1 if widget is self.methods else 0)
        side = QWidget()
        side.setFixedWidth(270)
        side.setLayout(left)
        left.setContentsMargins(0, 0, 0, 0)
        right.addWidget(self.diagram, 1)
        for widget in (self.facts, self.trouble, self.progress):
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
