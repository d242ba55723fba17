"""The paper desk: each paper's figures and claims beside what we get, computed on request, and its scenarios."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from assets.counting import capital, unbroken
from assets.errors import ArmstepError
from gui.qt.dialogs.ask_file import ask_folder
from gui.qt.dialogs.sheets import GOES_ON, Sheet
from gui.qt.dialogs.study_figures import FigureGrid, FigurePanel
from gui.qt.style.theme import role
from gui.qt.widgets.kept_results import KeptResultsBar
from gui.qt.widgets.parts import bare, push_button
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.widgets.scroll import RowsList, Scroll, SidewaysScroll, sheet_column
from gui.qt.window.bridge import subscribe
from robots.papers.finding import AGREES, DIFFERS, PARTLY

if TYPE_CHECKING:
    from gui.app.studies import StudyDesk, StudyEntry
    from robots.papers.finding import Finding
    from robots.papers.study import Table
    from robots.scenario.scenario import Scenario

COLUMNS = 4
LIST_WIDTH, BESIDE = 250, 170
"""Width of the list in usual type, and of all margins beside it and the right half [px]."""
LEAST_FINDINGS = 120
"""The height of the figures and findings [px]."""
HEADINGS = ("Where", "The paper says", "We get", "Why")
STRETCHES = (2, 6, 6, 6)
UNITS = {unit: unit for unit in ("s", "m", "mm", "rad", "Hz", "J")} | {"percent": "%"}
"""The units at the ends of the keys of tables' columns."""
MARKS = {AGREES: "✓  ", PARTLY: "≈  ", DIFFERS: "≠  "}


class StudySheet(Sheet):
    """Studies to the left, the chosen one's findings and tables to the right.

    Args:
        window: the window to cover.
        desk: the studies.
        open_scenario: opens a scenario in the window, and closes the sheet as it does.
    """

    enter_takes = False

    def __init__(self, window: QWidget, desk: StudyDesk, open_scenario: Callable[[Scenario], object]) -> None:
        super().__init__(window, "Paper desk", QSize(1480, 900), 0.45)
        self.desk, self.open_scenario = desk, open_scenario
        head = QHBoxLayout()
        head.setSpacing(20)
        hint = RoleLabel("The papers' results, recomputed, with the reason wherever ours differ.", "hint")
        head.addWidget(role(QLabel("Paper desk"), "display"))
        head.addWidget(hint, 1, Qt.AlignmentFlag.AlignBottom)
        head.addWidget(self.close_button(GOES_ON), 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(head)
        self.list = RowsList()
        self.list.setAccessibleName("Studies")
        self.list.setAccessibleDescription("The papers' studies; the chosen one is shown beside the list")
        self.list.setWordWrap(True)
        self.list.setSpacing(3)
        self.list.setFixedWidth(self.side_width(LIST_WIDTH))
        for entry in desk.entries:
            item = QListWidgetItem(f"{entry.study.title}\n{entry.study.paper}")
            item.setData(Qt.ItemDataRole.UserRole, entry.study.key)
            self.list.addItem(item)
        self.title, self.about = role(QLabel(), "title"), RoleLabel("", "hint")
        self.title.setWordWrap(True)
        tip = "Compute this study in the background; press again to stop"
        self.compute = role(push_button("Compute", tip, self._compute_or_stop), "primary")
        tip = "Save every figure and table in a folder"
        self.save = push_button("Save figures and tables…", tip, self.ask_folder)
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.complaint = RoleLabel("", "error")
        self.kept = KeptResultsBar("result of this study")
        self.kept.chosen.connect(self._show_kept)
        self.kept.renamed.connect(lambda name: self.desk.rename(self.key, name))
        self.kept.removed.connect(lambda: self.desk.remove(self.key))
        self.figure, self.pages, self.controls = FigurePanel(), QStackedWidget(), QWidget()
        self.figure.left.connect(self.leave_figure)
        self.figure.failed.connect(self.complaint.show_text)
        self.figure.wanted.connect(open_scenario)
        self._lay_out()
        self._shown: tuple[str, object] = ("", None)
        self.list.currentRowChanged.connect(lambda _: self._look())
        subscribe(self, desk.changed, lambda _key: self.refresh())
        keys = [entry.study.key for entry in desk.entries]
        self.list.setCurrentRow(keys.index(desk.chosen) if desk.chosen in keys else 0)
        self.first = self.list

    @property
    def key(self) -> str:
        """The key of the chosen study."""
        item = self.list.currentItem()
        return str(item.data(Qt.ItemDataRole.UserRole)) if item is not None else ""

    def refresh(self) -> None:
        """Show the chosen study."""
        if not self.key:
            return
        entry = self.desk.entry(self.key)
        busy = entry.state == "computing"
        self.compute.setText("Stop" if busy else "Compute again" if entry.result else "Compute")
        self.progress.setVisible(busy)
        self.progress.setValue(round(1000 * entry.progress))
        self.save.setEnabled(entry.result is not None)
        names, shown = [result.name for result in self.desk.kept(self.key)], entry.kept
        self.kept.show_names(names, None if shown is None else shown.name, enabled=not busy)
        self.kept.setVisible(bool(names))
        self.complaint.show_text(entry.message)
        if self._shown != (self.key, entry.result):
            same, self._shown = self._shown[0] == self.key, (self.key, entry.result)
            self._show_study(entry, same)

    def _show_study(self, entry: StudyEntry, same: bool) -> None:
        """Show another study, or another result of the same one: then a figure that is enlarged stays so."""
        figures, focus = () if entry.result is None else entry.result.figures, QApplication.focusWidget()
        reads = same and self.pages.currentWidget() is self.figure and self.figure.place < len(figures)
        self.title.setText(entry.study.title)
        self.about.setText(f"{entry.study.source}.\n{entry.study.paper}. {entry.study.summary}")
        if focus is not None and self.area.isAncestorOf(focus):
            self.list.setFocus()
        self.area.setWidget(self._findings_page(entry))
        if reads and entry.result is not None:
            self.figure.show_figure(entry.study, entry.result, self.figure.place)
        else:
            self.leave_figure()

    def _look(self) -> None:
        if self.key:
            self.desk.look(self.key)
        self.refresh()

    def _show_kept(self, name: str) -> None:
        kept = next((result for result in self.desk.kept(self.key) if result.name == name), None)
        if kept is not None:
            self.desk.show(self.key, kept)

    def show_figure(self, place: int) -> None:
        """Show one figure large, with its notes, in place of everything else."""
        entry = self.desk.entry(self.key)
        if entry.result is None:
            return
        self.figure.show_figure(entry.study, entry.result, place)
        self.pages.setCurrentWidget(self.figure)
        for widget in (self.list, self.controls, self.about):
            widget.hide()
        self.figure.back.setFocus()

    def leave_figure(self) -> None:
        """Back to all figures and findings; the keys go to the figure that was enlarged, if one was."""
        left = self.pages.currentWidget() is self.figure
        self.pages.setCurrentWidget(self.area)
        for widget in (self.list, self.controls, self.about):
            widget.show()
        if left and self.gallery is not None:
            self.gallery.buttons[self.figure.place].setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        one = self.pages.currentWidget() is self.figure
        if one and event.key() == Qt.Key.Key_Escape:
            self.leave_figure()
            event.accept()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.turn(1 if event.key() == Qt.Key.Key_Right else -1)
            event.accept()
        else:
            super().keyPressEvent(event)

    def turn(self, by: int) -> bool:
        """Show a neighbour of the figure that is enlarged; false if none is."""
        one = self.pages.currentWidget() is self.figure
        if one:
            self.figure.turn(by)
        return one

    def ask_folder(self) -> None:
        """Ask for a folder and write the study there."""
        ask_folder(self.window(), "Save figures and tables in a folder", self.save_study)

    def save_study(self, folder: Path) -> None:
        """Write the study's page, figures and tables into a folder named after it."""
        from gui.qt.export.charts_file import write_study
        from gui.qt.plots.save import window_style

        entry = self.desk.entry(self.key)
        if entry.result is None:
            return
        try:
            write_study(folder / entry.study.key, entry.study, entry.result, window_style())
        except ArmstepError as problem:
            self.complaint.show_text(str(problem))

    def _compute_or_stop(self) -> None:
        if self.desk.entry(self.key).state == "computing":
            self.desk.stop(self.key)
        else:
            self.desk.compute(self.key)

    def _scenarios(self, entry: StudyEntry) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(6)
        buttons = [QPushButton(capital(label)) for label, _ in entry.study.scenarios]
        widest = max((button.sizeHint().width() for button in buttons), default=1)
        columns = max(1, min(COLUMNS, (self._host().width() - self.list.width() - BESIDE) // widest))
        for place, (button, (label, scenario)) in enumerate(zip(buttons, entry.study.scenarios, strict=True)):
            button.setAccessibleName(f"Open {label} in the window")
            button.setToolTip(f"Open this in the window\n{scenario.notes}".strip())
            button.clicked.connect(lambda _=False, scenario=scenario: self.open_scenario(scenario))
            grid.addWidget(button, place // columns, place % columns)
        return grid

    def _findings_page(self, entry: StudyEntry) -> QWidget:
        """Scenarios, figures, findings and tables of a study as a page to scroll, so that each has the whole height."""
        (page, column), result = sheet_column(18, 12), entry.result
        self.gallery = None
        column.addWidget(role(QLabel("Open in the window"), "section"))
        column.addLayout(self._scenarios(entry))
        if result is None:
            column.addWidget(RoleLabel("Not computed yet.", "hint"))
        else:
            if result.figures:
                self.gallery = FigureGrid(result.figures)
                self.gallery.chosen.connect(self.show_figure)
                column.addWidget(self.gallery)
            column.addWidget(_findings(result.findings))
            for table in result.tables:
                column.addWidget(role(QLabel(capital(table.name)), "section"))
                column.addWidget(_table(table))
        column.addStretch(1)
        return page

    def _lay_out(self) -> None:
        self.gallery: FigureGrid | None = None
        self.area = Scroll("Figures and findings", "The chosen study; the arrows scroll", sideways=True)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.compute)
        buttons.addWidget(self.progress, 1)
        buttons.addStretch(1)
        buttons.addWidget(self.save)
        controls = bare(QVBoxLayout(self.controls), 8)
        controls.addLayout(buttons)
        controls.addWidget(self.kept)
        self.pages.addWidget(self.area)
        self.pages.addWidget(self.figure)
        # Without this the buttons above would have to leave room for the figure, which hides them where it is shown.
        self.pages.setMinimumHeight(LEAST_FINDINGS)
        right = QVBoxLayout()
        right.setSpacing(8)
        for widget in (self.title, self.about, self.controls, self.complaint):
            right.addWidget(widget)
        right.addWidget(self.pages, 1)
        row = QHBoxLayout()
        row.setSpacing(20)
        row.addWidget(self.list)
        row.addLayout(right, 1)
        self.body.addLayout(row, 1)


def _findings(findings: tuple[Finding, ...]) -> QWidget:
    """The claims, which fill the width; in very large type they scroll sideways by themselves."""
    content = QWidget()
    content.setObjectName("sheetBody")
    grid = bare(QGridLayout(content))
    grid.setHorizontalSpacing(18)
    grid.setVerticalSpacing(10)
    for column, (heading, stretch) in enumerate(zip(HEADINGS, STRETCHES, strict=True)):
        grid.addWidget(role(QLabel(heading), "section"), 0, column)
        grid.setColumnStretch(column, stretch)
    for number, one in enumerate(findings, 1):
        where = f"{one.figure}\n{MARKS.get(one.verdict, '')}{one.judged}"
        for column, text in enumerate((where, *one.printed)):
            label = QLabel(unbroken(text))
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            grid.addWidget(label, number, column)
    return SidewaysScroll(content, "Findings")


def _table(table: Table) -> QWidget:
    """A table that scrolls sideways by itself; a long one is only named."""
    from robots.papers.study import MOST_ROWS, cell_text

    names = [_heading(name) for name in table.columns]
    if len(table.rows) > MOST_ROWS:
        return RoleLabel(f"{len(table.rows)} rows of {', '.join(names)}: save the tables to see them.", "hint")
    content = QWidget()
    content.setObjectName("sheetBody")
    grid = bare(QGridLayout(content))
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(3)
    grid.setColumnStretch(len(table.columns), 1)
    for column, name in enumerate(names):
        grid.addWidget(role(QLabel(name), "hint"), 0, column)
    for number, row in enumerate(table.rows, 1):
        for column, cell in enumerate(row):
            label = QLabel(_named(table.columns[column], cell) if isinstance(cell, str) else cell_text(cell))
            if not isinstance(cell, str):
                label.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(label, number, column)
    return SidewaysScroll(content, capital(table.name))


def _heading(column: str) -> str:
    """A table's column in words: `step [s]` for `step_s`; in files it has its key."""
    name, _, unit = column.rpartition("_")
    if unit in UNITS and name and not name[-1].isdigit():
        return f"{name.replace('_', ' ')} [{UNITS[unit]}]"
    return column.replace("_", " ")


def _named(column: str, cell: str) -> str:
    """What a table has by its key, in words."""
    from robots.model.endings import ending
    from solvers.method_registry import find_method, is_method

    if column == "status":
        return ending(cell)
    return find_method(cell).name if column == "method" and is_method(cell) else cell
