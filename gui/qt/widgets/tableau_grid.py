"""A Butcher tableau to type in: nodes at the left, the matrix, the weights below."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSizePolicy, QWidget

from assets.counting import capital
from gui.qt.access.spoken import Role, speak
from gui.qt.style.theme import set_state
from gui.qt.widgets.parts import NumberText
from gui.qt.widgets.quiet import RoleLabel, scale
from solvers.tableaux.own_tableau import COMPARISON, Cells, cell_words

CELL, MOST = 58, 250
"""The least width of a cell [px], and the greatest in usual type; a longer coefficient is drawn with an ellipsis."""


class Cell(NumberText):
    """One coefficient."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        self.name = name
        self.setAccessibleName(capital(cell_words(name)))
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setCursorPosition(0)
        self.textChanged.connect(self.fit)
        self.fit()

    def fit(self) -> None:
        """As wide as its text, within limits."""
        needed = QFontMetrics(self.font()).horizontalAdvance(self.text()) + 26
        self.setMinimumWidth(int(min(max(CELL, needed), MOST * scale(self))))

    def mark(self, must: str) -> None:
        """Mark it as refused, with what it must be, or as accepted."""
        said = self.accessibleName()
        self.setToolTip(f"{said} must be {must}" if must else said)
        if self.property("refused") != bool(must):
            set_state(self, "refused", bool(must))


class HattedLabel(RoleLabel):
    """A letter with a hat, which stands above it: that of a font lies across the stem of a b."""

    def __init__(self, letter: str) -> None:
        super().__init__(letter, "hint")
        self.setWordWrap(False)
        self.setAccessibleName(f"{letter} hat")

    def sizeHint(self) -> QSize:
        """Room for the hat, and as much below, so that the letter stays in the middle."""
        usual = super().sizeHint()
        return QSize(usual.width(), usual.height() + 4 * round(self._high()))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        metrics, area, high = QFontMetricsF(self.font()), QRectF(self.contentsRect()), self._high()
        letter = metrics.tightBoundingRect(self.text())
        low = area.center().y() + 0.5 * (metrics.ascent() - metrics.descent()) + letter.top() - 0.75 * high
        middle = area.right() + 1.0 - metrics.horizontalAdvance(self.text()) + letter.center().x()
        wide = 0.5 * letter.width()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().windowText().color(), 0.1 * metrics.ascent()))
        painter.drawPolyline([QPointF(middle - wide, low), QPointF(middle, low - high), QPointF(middle + wide, low)])
        painter.end()

    def _high(self) -> float:
        return 0.22 * QFontMetricsF(self.font()).ascent()


class TableauGrid(QScrollArea):
    """The cells of a tableau.

    Signals:
        changed: a person has changed a cell.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.cells: dict[str, Cell] = {}
        self.sums: list[RoleLabel] = []
        self.shown = Cells(((),), ("1",))
        self.setWidgetResizable(True)
        # A coefficient that is half in sight ends with an ellipsis there.
        self.horizontalScrollBar().valueChanged.connect(lambda _: self.viewport().update())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        speak(self, Role.Grouping, "Butcher tableau", "The coefficients; Tab goes to the next one")

    def sizeHint(self) -> QSize:
        """All rows and columns that there are now, and the bars: Qt remembers the rows that were shown first."""
        content = self.widget()
        bars = QSize(self.verticalScrollBar().sizeHint().width(), self.horizontalScrollBar().sizeHint().height())
        return super().sizeHint() if content is None else content.sizeHint() + bars

    def show_cells(self, cells: Cells) -> None:
        """Show these cells; the grid is laid out again."""
        self.shown = cells
        content = QWidget()
        content.setObjectName("sheetBody")
        grid = QGridLayout(content)
        grid.setContentsMargins(0, 0, 8, 8)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(4)
        self.cells, self.sums = {}, []
        texts = cells.entries()
        for i in range(cells.stages):
            if cells.c is None:
                total = RoleLabel("", "hint")
                total.setWordWrap(False)
                total.setToolTip("Node: the sum of its row")
                total.setMinimumWidth(CELL)
                total.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.sums.append(total)
                grid.addWidget(total, i, 0)
            else:
                grid.addWidget(self._cell(f"c[{i + 1}]", texts), i, 0)
            for j in range(i):
                grid.addWidget(self._cell(f"A[{i + 1}][{j + 1}]", texts), i, 2 + j)
        self._lines(grid, cells)
        for row, (name, weights) in enumerate((("b", cells.b), ("b_error", cells.b_error)), cells.stages + 1):
            if weights is not None:
                label = RoleLabel("b", "hint") if name == "b" else HattedLabel("b")
                label.setToolTip(
                    "Weights" if name == "b" else f"{capital(COMPARISON)}: the difference estimates the error"
                )
                label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                grid.addWidget(label, row, 0)
                for j in range(cells.stages):
                    grid.addWidget(self._cell(f"{name}[{j + 1}]", texts), row, 2 + j)
        grid.setRowStretch(cells.stages + 3, 1)
        grid.setColumnStretch(cells.stages + 2, 1)
        self.setWidget(content)
        self.updateGeometry()
        self.viewport().setAutoFillBackground(False)

    def typed(self) -> Cells:
        """The content of the cells."""
        shown, stages = self.shown, self.shown.stages

        def row(name: str, length: int) -> tuple[str, ...]:
            return tuple(self.cells[f"{name}[{j + 1}]"].text().strip() for j in range(length))

        return Cells(
            A=tuple(row(f"A[{i + 1}]", i) for i in range(stages)),
            b=row("b", stages),
            b_error=None if shown.b_error is None else row("b_error", stages),
            c=None if shown.c is None else row("c", stages),
            name=shown.name,
        )

    def mark(self, problems: Mapping[str, str], sums: list[str]) -> None:
        """Mark the refused cells, and write the computed nodes."""
        for name, cell in self.cells.items():
            cell.mark(problems.get(name, ""))
        for label, text in zip(self.sums, sums, strict=False):
            label.setText(text)
            wide = QFontMetrics(label.font()).horizontalAdvance(text) + 4
            label.setMinimumWidth(max(CELL, wide))

    def _cell(self, name: str, texts: Mapping[str, str]) -> Cell:
        cell = Cell(name, texts[name])
        cell.textEdited.connect(lambda _: self.changed.emit())
        self.cells[name] = cell
        return cell

    def _lines(self, grid: QGridLayout, cells: Cells) -> None:
        """The two lines that make it a Butcher tableau."""
        upright, level = QFrame(), QFrame()
        for line, shape in ((upright, QFrame.Shape.VLine), (level, QFrame.Shape.HLine)):
            line.setFrameShape(shape)
            line.setFrameShadow(QFrame.Shadow.Plain)
        rows = cells.stages + (2 if cells.b_error is None else 3)
        grid.addWidget(upright, 0, 1, rows, 1)
        grid.addWidget(level, cells.stages, 0, 1, cells.stages + 2)
