"""The line above a plot that names its curves and gives their values at the playhead."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

SWATCH, GAP = 12, 8


@dataclass(frozen=True, slots=True)
class Entry:
    """One curve: its pen, its name, and its value at the playhead as text."""

    pen: QPen
    name: str
    value: str


class Legend(QWidget):
    """Entries, as fully as they fit, right-aligned. Painted by hand because it changes at every frame."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: tuple[Entry, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(80, self.fontMetrics().height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height() + 2)

    def show_entries(self, entries: tuple[Entry, ...]) -> None:
        """Show these; an equal set costs nothing."""
        if entries != self.entries:
            self.entries = entries
            self.setAccessibleName(", ".join(f"{entry.name} {entry.value}" for entry in entries))
            self.update()

    def event(self, event: QEvent) -> bool:
        """The tip tells all values, those too that there is no room for."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = "\n".join(f"{entry.name}   {entry.value}".rstrip() for entry in self.entries)
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_entries(painter, self.entries, self.width(), self.height(), self.palette())
        painter.end()


def paint_entries(
    painter: QPainter, entries: tuple[Entry, ...], width: float, height: float, palette: QPalette
) -> None:
    """Draw entries right-aligned in (0, 0, width, height), as fully as they fit there together."""
    metrics = QFontMetrics(painter.font())
    cells = fitting(entries, metrics, width)
    x = width - sum(cell[1] for cell in cells) + GAP
    base = (height + metrics.ascent() - metrics.descent()) / 2.0
    for entry, cell, name_width in cells:
        pen = QPen(entry.pen)
        pen.setWidthF(2.0)
        painter.setPen(pen)
        painter.drawLine(QPointF(x, height / 2.0), QPointF(x + SWATCH, height / 2.0))
        painter.setPen(_muted(palette))
        painter.drawText(QPointF(x + SWATCH + 5, base), entry.name)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        painter.drawText(QPointF(x + SWATCH + 5 + name_width, base), entry.value)
        x += cell
    painter.setPen(Qt.PenStyle.NoPen)


def fitting(entries: tuple[Entry, ...], metrics: QFontMetrics, width: float) -> list[tuple[Entry, float, float]]:
    """The cells of all entries: with names and values, else with values, else with names; else as many as fit.

    All curves are named before a value is told of some of them.
    """
    bare = tuple(replace(entry, name="") for entry in entries)
    named = tuple(replace(entry, value="") for entry in entries)
    attempts = (entries, bare, named) if len(entries) > 1 else (entries, bare)
    tables = [[(entry, *_cell_width(entry, metrics)) for entry in attempt] for attempt in attempts]
    for cells in tables:
        if sum(cell[1] for cell in cells) <= width + GAP:
            return cells
    cells = tables[0]
    while cells and sum(cell[1] for cell in cells) > width + GAP:
        cells.pop()
    return cells


def _cell_width(entry: Entry, metrics: QFontMetrics) -> tuple[float, float]:
    name = metrics.horizontalAdvance(entry.name) + 5 if entry.name else 0
    value = max(metrics.horizontalAdvance(entry.value), metrics.horizontalAdvance("−000.0°")) if entry.value else 0
    return SWATCH + 5 + name + value + GAP, name


def _muted(palette: QPalette) -> QColor:
    return palette.color(QPalette.ColorRole.PlaceholderText)
