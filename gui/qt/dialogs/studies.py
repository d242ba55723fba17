"""The paper desk: what each paper says beside what we get, computed on the spot, with its scenarios one click away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from assets.errors import ArmstepError
from gui.qt.bridge import subscribe
from gui.qt.sheets import Sheet
from gui.qt.theme import role
from gui.qt.widgets.quiet import RoleLabel

if TYPE_CHECKING:
    from gui.app.studies import Entry, StudyDesk
    from robots.scenario import Scenario
    from robots.study import Finding, StudyResult, Table

MOST_ROWS = 60
"""A longer table is saved, not shown."""

COLUMNS = 4
HEADINGS = ("Where", "The paper says", "We get", "Why")
STRETCHES = (2, 6, 6, 6)
MARKS = {"agrees": "✓  agrees", "differs": "≠  differs"}


class StudySheet(Sheet):
    """Studies to the left, the chosen one's findings and tables to the right.

    Args:
        window: the window to lie over.
        desk: the studies.
        open_scenario: opens a scenario in the window.
    """

    def __init__(self, window: QWidget, desk: StudyDesk, open_scenario: Callable[[Scenario], object]) -> None:
        super().__init__(window, "Paper desk", QSize(1240, 820), 0.45)
        self.desk, self._open_scenario = desk, open_scenario
        self.body.addWidget(role(QLabel("Paper desk"), "display"))
        self.body.addWidget(
            role(QLabel("What the papers say, computed again, with the reasons where we differ."), "hint")
        )
        self.list = QListWidget()
        self.list.setAccessibleName("Studies")
        self.list.setWordWrap(True)
        self.list.setSpacing(3)
        self.list.setFixedWidth(250)
        for entry in desk.entries:
            item = QListWidgetItem(f"{entry.study.title}\n{entry.study.paper}")
            item.setData(Qt.ItemDataRole.UserRole, entry.study.key)
            self.list.addItem(item)
        self.title, self.about = role(QLabel(), "title"), RoleLabel("", "hint")
        self.title.setWordWrap(True)
        self.compute, self.save = QPushButton("Compute"), QPushButton("Save the tables…")
        role(self.compute, "primary")
        self.compute.clicked.connect(self._compute_or_stop)
        self.save.clicked.connect(self.ask_folder)
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.complaint = RoleLabel("", "error")
        self.scenarios = QGridLayout()
        self.scenarios.setSpacing(6)
        self._lay_out()
        self._shown: tuple[str, object] = ("", None)
        self.list.currentRowChanged.connect(lambda _: self.refresh())
        subscribe(self, desk.changed, lambda _key: self.refresh())
        self.list.setCurrentRow(0)

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
        self.complaint.setText(entry.message)
        self.complaint.setVisible(bool(entry.message))
        if self._shown != (self.key, entry.result):
            self._shown = (self.key, entry.result)
            self.title.setText(entry.study.title)
            self.about.setText(f"{entry.study.paper}. {entry.study.summary}")
            self._offer_scenarios(entry)
            self.area.setWidget(findings_page(entry.result))

    def ask_folder(self) -> None:
        """Ask where the tables go and write them there."""
        dialog = QFileDialog(self.window(), "Save the tables in a folder")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self.save_tables)
        dialog.open()

    def save_tables(self, folder: str) -> None:
        """Write the study's page and its tables as CSV into a folder named after it."""
        from robots.study import write

        entry = self.desk.entry(self.key)
        if entry.result is None:
            return
        try:
            write(Path(folder) / entry.study.key, entry.study, entry.result)
        except ArmstepError as problem:
            self.complaint.setText(str(problem))
            self.complaint.show()

    def _compute_or_stop(self) -> None:
        if self.desk.entry(self.key).state == "computing":
            self.desk.stop(self.key)
        else:
            self.desk.compute(self.key)

    def _offer_scenarios(self, entry: Entry) -> None:
        while (item := self.scenarios.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for place, (label, scenario) in enumerate(entry.study.scenarios):
            button = QPushButton(label[:1].upper() + label[1:])
            button.setAccessibleName(f"Open {label} in the window")
            button.setToolTip(f"Open this in the window\n{scenario.notes}".strip())
            button.clicked.connect(lambda _=False, scenario=scenario: self._choose(scenario))
            self.scenarios.addWidget(button, place // COLUMNS, place % COLUMNS)

    def _choose(self, scenario: Scenario) -> None:
        self.dismiss()
        self._open_scenario(scenario)

    def _lay_out(self) -> None:
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.area.viewport().setAutoFillBackground(False)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.compute)
        buttons.addWidget(self.progress, 1)
        buttons.addStretch(1)
        buttons.addWidget(self.save)
        right = QVBoxLayout()
        right.setSpacing(8)
        for widget in (self.title, self.about):
            right.addWidget(widget)
        right.addWidget(role(QLabel("Open in the window"), "section"))
        right.addLayout(self.scenarios)
        right.addLayout(buttons)
        right.addWidget(self.complaint)
        right.addWidget(self.area, 1)
        row = QHBoxLayout()
        row.setSpacing(20)
        row.addWidget(self.list)
        row.addLayout(right, 1)
        self.body.addLayout(row, 1)
        close = QPushButton("Close")
        close.clicked.connect(self.dismiss)
        self.body.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)


def findings_page(result: StudyResult | None) -> QWidget:
    """Findings and tables of a study as a page to scroll."""
    page = QWidget()
    page.setObjectName("sheetBody")
    column = QVBoxLayout(page)
    column.setContentsMargins(2, 2, 12, 2)
    column.setSpacing(18)
    if result is None:
        column.addWidget(RoleLabel("Nothing is computed yet.", "hint"))
    else:
        column.addLayout(_findings(result.findings))
        for table in result.tables:
            column.addWidget(role(QLabel(table.name[:1].upper() + table.name[1:]), "section"))
            if len(table.rows) <= MOST_ROWS:
                column.addLayout(_table(table))
            else:
                text = f"{len(table.rows)} rows of {', '.join(table.columns)}: save the tables to see them."
                column.addWidget(RoleLabel(text, "hint"))
    column.addStretch(1)
    return page


def _findings(findings: tuple[Finding, ...]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(18)
    grid.setVerticalSpacing(10)
    for column, (heading, stretch) in enumerate(zip(HEADINGS, STRETCHES, strict=True)):
        grid.addWidget(role(QLabel(heading), "section"), 0, column)
        grid.setColumnStretch(column, stretch)
    for number, one in enumerate(findings, 1):
        where = f"{one.figure}\n{MARKS.get(one.verdict, one.verdict)}"
        for column, text in enumerate((where, one.paper, one.ours, one.why or "")):
            label = QLabel(text)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            grid.addWidget(label, number, column)
    return grid


def _table(table: Table) -> QGridLayout:
    from robots.study import cell_text

    grid = QGridLayout()
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(3)
    grid.setColumnStretch(len(table.columns), 1)
    for column, name in enumerate(table.columns):
        grid.addWidget(role(QLabel(name.replace("_", " ")), "hint"), 0, column)
    for number, row in enumerate(table.rows, 1):
        for column, cell in enumerate(row):
            label = QLabel(cell_text(cell))
            if not isinstance(cell, str):
                label.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(label, number, column)
    return grid
