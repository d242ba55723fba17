"""A text field whose text is a table (way-points): a grid of numbers; rows are added, removed, or read from CSV."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
)

from assets.counting import counted
from assets.errors import BadInput
from assets.fields import Field, Value
from assets.reading import read_bounded
from gui.app.units import Unit
from gui.qt.dialogs.ask_file import ask_open
from gui.qt.style.theme import set_state
from gui.qt.widgets.fields import FieldRow
from gui.qt.widgets.quiet import scale

ROW_HEIGHT, MOST_ROWS = 26, 8
MOST_POINTS, MOST_BYTES = 2000, 2**20


class TableRow(FieldRow):
    """The table below its name. A cell that is not a number keeps its text, with the reason, until it is corrected."""

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        unit = f" [{field.unit}]" if field.unit else ""
        self.table = QTableWidget(0, len(field.table))
        self.table.setHorizontalHeaderLabels([name + unit for name in field.table])
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setMinimumSectionSize(30)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self._name_control(self.table)
        self.table.cellChanged.connect(lambda *_: self._commit())
        self.add = self._button("Add", "Add a row below the chosen one", self.add_row)
        self.drop = self._button("Remove", "Remove the chosen row", self.remove_row)
        self.load = self._button("Load CSV…", "Read the rows from a file of comma-separated numbers", self.ask_file)
        body = QVBoxLayout()
        body.setSpacing(4)
        body.addWidget(self.table)
        buttons = QHBoxLayout()
        buttons.setSpacing(4)
        for button in (self.add, self.drop, self.load):
            buttons.addWidget(button)
        buttons.addStretch(1)
        body.addLayout(buttons)
        self.grid.addLayout(body, 2, 0, 1, 4)
        self.grid.addWidget(self.complaint, 3, 0, 1, 4)
        self._text = ""
        self.value = ""
        self._refused = False
        self.set_value(field.default)

    # -- what is shown -------------------------------------------------------------------------------------------------

    def set_value(self, value: Value | None) -> None:
        text = "" if value is None else str(value)
        overtaken = value != self.value
        super().set_value(value)
        if text == self._text or (self._refused and not overtaken):
            return
        self._text = text
        self._show([row.replace(",", " ").split() for row in text.split(";") if row.strip()])

    def set_problem(self, message: str) -> None:
        trouble = self._first_trouble() if message else None
        super().set_problem(message if trouble is None else trouble[2])
        self._refused = bool(message)
        set_state(self.table, "refused", self._refused)

    def restore(self) -> None:
        """Take back what was refused, and what was chosen since the focus came."""
        if not self._refused:
            super().restore()
            return
        self.set_problem("")
        self._text = ""
        self.set_value(self.value)
        self.enter(self.value)

    def _first_trouble(self) -> tuple[int, int, str] | None:
        """The place of the first cell that is not a number, and a sentence on it; None if all are."""
        for row, cells in enumerate(self.rows()):
            for column, (name, cell) in enumerate(zip(self.field.table, cells, strict=True)):
                if self._read(cell) is None:
                    return row, column, BadInput(f"{name} of row {row + 1}", cell, "a number").sentence()
        return None

    def _read(self, cell: str) -> float | None:
        """The SI value of what is typed into a cell, as in every field; None for anything else."""
        found = Unit.of(self.field.unit, degrees=False).read(cell)
        return None if found is None or not math.isfinite(found) else float(found)

    def rows(self) -> list[list[str]]:
        """The cells' texts."""
        table = self.table

        def text(row: int, column: int) -> str:
            item = table.item(row, column)
            return item.text().strip() if item is not None else ""

        return [[text(row, column) for column in range(table.columnCount())] for row in range(table.rowCount())]

    def text(self) -> str:
        """The table as the field's text."""

        def one(cell: str) -> str:
            value = self._read(cell)
            return ("_".join(cell.split()) or "?") if value is None else Unit.of("").exact(value)

        return "; ".join(" ".join(map(one, row)) for row in self.rows())

    def _show(self, rows: list[list[str]]) -> None:
        table = self.table
        place = table.currentRow(), table.currentColumn()
        table.blockSignals(True)
        table.setRowCount(len(rows))
        for number, row in enumerate(rows):
            for column in range(table.columnCount()):
                item = QTableWidgetItem(row[column] if column < len(row) else "")
                item.setToolTip(item.text())
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                table.setItem(number, column, item)
        table.blockSignals(False)
        if 0 <= place[0] < len(rows):
            table.setCurrentCell(*place)
        self._fit()

    def _fit(self) -> None:
        high = round(ROW_HEIGHT * scale(self))
        self.table.verticalHeader().setDefaultSectionSize(high)
        shown = min(max(self.table.rowCount(), 2), MOST_ROWS)
        self.table.setFixedHeight(high * shown + self.table.horizontalHeader().sizeHint().height() + 4)

    # -- what a person does --------------------------------------------------------------------------------------------

    def add_row(self) -> None:
        """Add a row after the chosen one: halfway to the next, or as far on as the last two are apart."""
        rows = self.rows()
        at = self.table.currentRow() if self.table.currentRow() >= 0 else len(rows) - 1
        if (trouble := self._first_trouble()) is not None:
            self.table.setCurrentCell(*trouble[:2])
            self.table.setFocus()
            return
        points = [[self._read(cell) or 0.0 for cell in row] for row in rows]
        if not points:
            points, fresh = [], [0.0] * self.table.columnCount()
        elif at + 1 < len(points):
            fresh = [(a + b) / 2.0 for a, b in zip(points[at], points[at + 1], strict=True)]
        else:
            before = points[at - 1] if at > 0 else [x - 0.05 for x in points[at]]
            fresh = [2.0 * a - b for a, b in zip(points[at], before, strict=True)]
        rows.insert(at + 1, [f"{round(x, 4) + 0.0:g}" for x in fresh])
        self._show(rows)
        self.table.setCurrentCell(at + 1, 0)
        self._commit()

    def remove_row(self) -> None:
        """Remove the chosen row, or the last one."""
        rows = self.rows()
        if rows:
            rows.pop(self.table.currentRow() if self.table.currentRow() >= 0 else -1)
            self._show(rows)
            self._commit()

    def ask_file(self) -> None:
        """Ask for a CSV file and read it."""
        ask_open(
            self.window(), "Load way-points", "Comma-separated values (*.csv *.txt);;All files (*)", self.load_file
        )

    def load_file(self, file: str | Path) -> None:
        """Take the rows of a file; what is wrong with it appears below the table."""
        try:
            rows = read_csv(Path(file), self.table.columnCount())
        except BadInput as refusal:
            self.set_problem(str(refusal))
            return
        self._show([[Unit.of("").exact(x) for x in row] for row in rows])
        self._commit()

    def _commit(self) -> None:
        text = self.text()
        numbers = [row.split() for row in text.split("; ") if row]
        if self._first_trouble() is None and numbers != self.rows():
            self._show(numbers)
        if text != self._text:
            self._text = text
            self.enter(text)

    def _button(self, text: str, tip: str, act: Callable[[], object]) -> QToolButton:
        button = QToolButton(text=text)
        button.setToolTip(tip)
        button.setAccessibleName(f"{self.field.label}: {text.rstrip('…')}")
        button.clicked.connect(act)
        return button


def read_csv(file: Path, columns: int) -> list[list[float]]:
    """The rows of numbers in a file, separated by commas, semicolons, tabs or blanks; one line of names may come first.

    Raises:
        BadInput: the file cannot be read, or which line cannot be used.
    """
    try:
        text = read_bounded(file, "file", MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput("file", file.name, "text in UTF-8") from None
    rows: list[list[float]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        mark = next((mark for mark in (";", "\t", ",") if mark in line), " ")
        cells = next(csv.reader([line], delimiter=mark, skipinitialspace=True))
        cells = [cell.strip() for cell in cells if cell.strip()]
        if mark == ";":
            cells = [cell.replace(",", ".") for cell in cells]
        try:
            row = [float(cell) for cell in cells]
        except ValueError:
            if not rows and number <= 2:
                continue
            row = []
        if len(row) != columns or not all(math.isfinite(x) for x in row):
            raise BadInput(f"{file.name} line {number}", line.strip(), f"{columns} finite numbers")
        rows.append(row)
    if not 2 <= len(rows) <= MOST_POINTS:
        raise BadInput(file.name, counted(len(rows), "row"), f"2 to {MOST_POINTS} rows of numbers")
    return rows
