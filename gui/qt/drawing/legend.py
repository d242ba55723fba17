"""The line above a chart that names its curves and gives their values at the playhead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from gui.charts.fit import value_text
from gui.qt.drawing.style import Style, pen, sample_length
from robots.model.chart import Chart

GAP, SPACE = 9.0, 5.0
WIDTH = 2.0
"""Of a sample, in units."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One curve: colour and dash of its sample, its name, and its value at the playhead as text."""

    colour: str
    dash: str
    name: str
    value: str = ""


Cell = tuple[Entry, float, float]


def entries_of(chart: Chart, style: Style, t: float | None = None, *, runs: bool = True) -> tuple[Entry, ...]:
    """What a legend says of the chart's listed curves, with their values at the time `t` if one is given.

    Args:
        chart, style: what is drawn, and how.
        t: the playhead [s].
        runs: whether the legend names the runs; where another one does, each run's curve gets its value here.
    """
    curves = chart.listed
    if not runs and len(curves) < 2:
        curves = tuple(curve for curve in chart.curves if curve.joined and not curve.faded)
    made = []
    for curve in curves:
        value = value_text(chart.y, curve.at(t)) if t is not None and curve.t is None else ""
        name = curve.name if runs or curve.name != curve.run else ""
        if name or value:
            made.append(Entry(style.curve_colour(curve).name(), curve.dash, name, value))
    return tuple(made)


def paint_entries(painter: QPainter, entries: Sequence[Entry], place: QRectF, style: Style) -> None:
    """Draw entries right-aligned in `place` with the painter's font, as fully as they fit there together."""
    metrics = QFontMetricsF(painter.font())
    unit = style.scale
    cells = fitting(entries, metrics.horizontalAdvance, place.width(), unit)
    x = place.right() - sum(width for _, width, _ in cells) + (GAP * unit if cells else 0.0)
    base = place.center().y() + (metrics.ascent() - metrics.descent()) / 2.0
    for entry, width, name_width in cells:
        x = paint_sample(painter, QPointF(x, place.center().y()), entry.colour, entry.dash, WIDTH * unit) + SPACE * unit
        for text, role, left in ((entry.name, "muted", x), (entry.value, "text", x + name_width)):
            painter.setPen(style.colour(role))
            painter.drawText(QPointF(left, base), text)
        x += width - (sample_length(entry.dash, WIDTH) + SPACE) * unit


def paint_sample(
    painter: QPainter, start: QPointF, colour: str | QColor, dash: str, width: float, length: float = 0.0
) -> float:
    """A piece of the line, from `start` to the right; returns where it ends."""
    length = length or sample_length(dash, width)
    painter.setPen(pen(colour, dash, width))
    painter.drawLine(start, start + QPointF(length, 0.0))
    return start.x() + length


def fitting(entries: Sequence[Entry], measure: Callable[[str], float], width: float, unit: float = 1.0) -> list[Cell]:
    """The cells of all entries: with names and values, else with values, else with names; else as many as fit.

    All curves are named before some of them get a value.

    Args:
        entries: what to show.
        measure: the width of a text [px].
        width: the room [px].
        unit: pixels per unit of the design.
    """

    def cell(entry: Entry) -> Cell:
        name = measure(entry.name) + SPACE * unit if entry.name else 0.0
        value = max(measure(entry.value), measure("−000.0°")) if entry.value else 0.0
        return entry, (sample_length(entry.dash, WIDTH) + SPACE + GAP) * unit + name + value, name

    bare = [replace(entry, name="") for entry in entries]
    named = [replace(entry, value="") for entry in entries]
    tables = [
        [cell(entry) for entry in some] for some in ((entries, bare, named) if len(entries) > 1 else (entries, bare))
    ]
    for cells in tables:
        if sum(one[1] for one in cells) <= width + GAP * unit:
            return cells
    cells = tables[0]
    while cells and sum(one[1] for one in cells) > width + GAP * unit:
        cells.pop()
    return cells
