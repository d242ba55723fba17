"""The line above a chart that names its curves and gives their values at the playhead."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from gui.app.table.columns import LATER
from gui.charts.between import between_text, longest_change
from gui.charts.fit import longest_text, value_text
from gui.charts.shown import families_of
from gui.qt.drawing.marks import LINES, paint_mark
from gui.qt.drawing.style import Style, pen, sample_length, stroked_length
from robots.model.chart import TIME, Chart, Curve, CurveKey

GAP, SPACE = 9.0, 5.0
WIDTH = 2.0
"""Of a sample, in units."""

MOMENTS = 24
"""At so many times values are measured."""


MOST_NAMED = 8
"""Where the runs of a figure's chart have more curves than this, its legend names those of the first run alone."""


@dataclass(frozen=True, slots=True)
class CurveEntry:
    """One curve.

    Attributes:
        colour, dash: of its sample.
        name, value: what is written beside it: its name, and its value at the playhead. Of a curve that a person hid
            the value has its room and is not written: a click on its name leaves every name where it is.
        room: a text as long as its value at any time may be: whether a legend has names depends on no moment.
        sample: how long its sample is, in units: entries below each other have samples of one length. 0 is its own.
        goes_on: whether it goes on with the name of the entry above it: it has the room of a sample, and none is drawn.
        several: the curves of one joint in all runs, or of all joints in one run, if it stands for those.
        tip: its name in full.
        curve: which curve it is; empty for one that stands for several.
        off: whether a person hid it.
        mark: a mark on its sample.
        filled: whether the mark is solid.
    """

    colour: str
    dash: str
    name: str
    value: str = ""
    tip: str = ""
    curve: CurveKey = ("", "", "")
    off: bool = False
    mark: str = ""
    filled: bool = False
    room: str = ""
    sample: float = 0.0
    goes_on: bool = False
    several: tuple[CurveKey, ...] = ()

    @property
    def curves(self) -> tuple[CurveKey, ...]:
        """The curves that it stands for."""
        return self.several or (self.curve,)

    @property
    def length(self) -> float:
        """Of its sample, in units."""
        return self.sample or sample_length(self.dash, WIDTH)

    @property
    def said(self) -> str:
        """The value, or that the curve is hidden."""
        return "hidden" if self.off else self.value


Cell = tuple[CurveEntry, float, float]
Measure = Callable[[str], float]


def entries_of(
    chart: Chart,
    style: Style,
    t: float | None = None,
    *,
    runs: bool = True,
    ghosts: bool = False,
    hidden: Collection[CurveKey] = (),
    mark: float | None = None,
    every: bool = False,
) -> tuple[CurveEntry, ...]:
    """What a legend says of the chart's listed curves, with their values at the time `t` if one is given.

    Args:
        chart, style: what is drawn, and how.
        t: the playhead [s].
        runs: whether the legend names the runs; where another one does, each run's curve gets its value here.
        ghosts: whether the pinned runs' curves get their values too.
        hidden: what a person hid.
        mark: where the second cursor stands [s]: instead of values there are the changes since then.
        every: whether pinned runs' curves have names too, each with its run's where the legend names runs. There, where
            joints have the same colours in every run, joints and runs have one entry each.
    """
    there = _there(chart, t)
    if runs and every and (families := families_of(there)):
        return _keys(families, entries_of(chart, style, t, runs=False, hidden=hidden, mark=mark), hidden, style)
    alone = len({curve.run for curve in there if curve.joined}) < 2
    curves = tuple(curve for curve in there if curve.listed)
    if ghosts or (not runs and len(curves) < 2):
        everyone = [curve for curve in there if curve.joined and (curve.awaited or not curve.faded)]
        curves = (*curves, *_of_ghosts(curves, everyone)) if ghosts else tuple(everyone)
    made = []
    for curve in curves:
        off = curve.key in hidden
        value = room = ""
        if t is not None and chart.x == TIME and curve.t is None and curve.joined:
            known = ", ".join(filter(None, (value_text(chart.y, curve.at(t, chart.y)), curve.remark)))
            value = known if mark is None else between_text(chart.y, curve, mark, t)
            value = LATER if curve.awaited else value
            room = longest_change(chart.y) if mark is not None else longest_text(chart.y, curve)
            room = ", ".join(filter(None, (room, curve.remark if mark is None else "")))
        own = curve.name != curve.run
        bare = curve.name.startswith(curve.run) or (curve.listed and (alone or not (runs and every)))
        full = curve.name if bare else f"{curve.run}, {curve.name}"
        name = curve.name if (runs and (curve.listed or own)) or (curve.listed and own) else ""
        if every:
            name = full if runs else curve.name if own else ""
        if name or value or off or (ghosts and curve.listed):
            colour = style.curve_colour(replace(curve, faded=False)).name()
            dash, shape = style.dash(curve.colour, curve.dash), curve.mark or style.mark(curve.tint or curve.colour)
            shape = "" if shape in LINES else "circle" if shape == "dot" else shape
            made.append(CurveEntry(colour, dash, name, value, full, curve.key, off, shape, curve.filled, room))
    return tuple(made)


def _keys(
    families: Sequence[Sequence[Curve]],
    listed: Sequence[CurveEntry],
    hidden: Collection[CurveKey],
    style: Style,
) -> tuple[CurveEntry, ...]:
    """A key of the runs, by dash, and one of what all of them have, by colour: its values are those of the named run.

    Args:
        families: the curves of each run.
        listed: the entries of the run whose values are given.
    """

    def key(curves: Sequence[Curve], entry: CurveEntry) -> CurveEntry:
        keys = tuple(curve.key for curve in curves)
        return replace(entry, several=keys, off=all(one in hidden for one in keys))

    runs = []
    for family in families:
        colour, first = style.colour("text").name(), family[0]
        entry = CurveEntry(colour, style.dash(first.colour, first.dash), first.run, tip=first.run)
        runs.append(key(family, entry))
    known = {entry.curve: entry for entry in listed}
    place = next((place for place, family in enumerate(families) if family[0].listed), 0)
    members = [
        key(alike, known[alike[place].key]) for alike in zip(*families, strict=True) if alike[place].key in known
    ]
    return (runs[place], *members, *runs[:place], *runs[place + 1 :])


def entries_on_paper(chart: Chart, style: Style) -> tuple[CurveEntry, ...]:
    """Those of a figure, whose runs have a legend: every run's curves with their own names, where they are few.

    Colours that are the same in every run are named once.
    """
    entries = entries_of(chart, style, runs=False)
    if families_of(chart.curves):
        return entries
    every = entries_of(chart, style, runs=False, ghosts=True, every=True) if len(entries) > 1 else ()
    return every if 0 < len(every) <= MOST_NAMED else entries


def _there(chart: Chart, t: float | None) -> list[Curve]:
    """The curves of the chart; of those without points but with a live value the ones that have one at the time `t`.

    What is named of a run includes those: a mode that none of the drawn instants has.
    """
    named = {curve.run for curve in chart.listed}
    found = []
    for curve in chart.curves:
        if not curve.joined or curve.x.size or curve.live is None:
            found.append(curve)
        elif t is not None and curve.live(t) is not None:
            found.append(replace(curve, listed=curve.run in named))
    return found


def at_any_time(entries: Sequence[CurveEntry]) -> tuple[CurveEntry, ...]:
    """The entries with values as long as they may be; a longer one than usual has the room that it needs."""
    return tuple(replace(entry, value=max(entry.room, entry.value, key=len)) for entry in entries)


def room_of_values(chart: Chart, style: Style, span: tuple[float, float], *, runs: bool = False) -> float:
    """The most that `entries_of` of the chart need in one line at any time of `span` [px]."""
    measure, (start, end) = QFontMetricsF(style.font(12.0)).horizontalAdvance, span
    times = [start + k / MOMENTS * (end - start) for k in range(MOMENTS + 1)]
    lines = [entries_of(chart, style, t, runs=runs) for t in times]
    return max(sum(cell_of(entry, measure, style.scale)[1] for entry in line) for line in lines)


def _of_ghosts(listed: Sequence[Curve], curves: Sequence[Curve]) -> Iterator[Curve]:
    """Those curves of runs without a listed one that have a listed name, or all of a run that has no such name.

    Curves with the same name and looks are hidden together: they have one entry.
    """
    keys = {one.key for one in listed}
    names = {one.name for one in (*listed, *curves) if one.listed or not one.x.size}
    runs = {(one.run, one.colour, one.dash) for one in listed}
    alike = {(one.run, one.colour, one.dash) for one in curves if one.name in names}
    for one in curves:
        run = one.run, one.colour, one.dash
        if one.key not in keys and run not in runs and (one.name in names or run not in alike):
            yield one


def paint_entries(painter: QPainter, entries: Sequence[CurveEntry], place: QRectF, style: Style) -> None:
    """Draw entries right-aligned in `place` with the painter's font, as fully as they fit there together."""
    cells = fitting(entries, QFontMetricsF(painter.font()).horizontalAdvance, place.width(), style.scale)
    paint_cells(painter, cells, place, style)


def paint_cells(painter: QPainter, cells: Sequence[Cell], place: QRectF, style: Style) -> list[QRectF]:
    """Draw one line of cells right-aligned in `place`; returns where each of them is."""
    metrics, unit = QFontMetricsF(painter.font()), style.scale
    x = place.right() - sum(width for _, width, _ in cells) + (GAP * unit if cells else 0.0)
    base = place.center().y() + (metrics.ascent() - metrics.descent()) / 2.0
    places = []
    for entry, width, name_width in cells:
        places.append(QRectF(x, place.top(), width - GAP * unit, place.height()))
        colour = style.colour("disabled").name() if entry.off else entry.colour
        start = QPointF(x, place.center().y())
        inside = colour if entry.filled else style.colour("surface")
        length = entry.length * unit
        if not entry.goes_on:
            paint_sample(painter, start, colour, entry.dash, WIDTH * unit, length, entry.mark, inside)
        x += length + SPACE * unit
        for text, role, left in (
            (entry.name, "disabled" if entry.off else "muted", x),
            ("" if entry.off else entry.value, "text", x + name_width),
        ):
            painter.setPen(style.colour(role))
            painter.drawText(QPointF(left, base), text)
        if entry.off:
            painter.setPen(style.colour("disabled"))
            painter.drawLine(
                QPointF(places[-1].left(), place.center().y()), QPointF(x + name_width, place.center().y())
            )
        x += width - (entry.length + SPACE) * unit
    return places


def paint_sample(
    painter: QPainter,
    start: QPointF,
    colour: str | QColor,
    dash: str,
    width: float,
    length: float = 0.0,
    mark: str = "",
    inside: str | QColor = "",
) -> float:
    """A part of the line with its mark, filled with `inside`, from `start` to the right; returns where it ends."""
    length = length or sample_length(dash, width)
    painter.setPen(pen(colour, dash, width))
    painter.drawLine(start, start + QPointF(stroked_length(dash, width, length), 0.0))
    if mark:
        painter.setPen(pen(colour, width=0.6 * width))
        painter.setBrush(QColor(inside))
        paint_mark(painter, mark, start + QPointF(0.5 * length, 0.0), 1.5 * width)
        painter.setBrush(Qt.BrushStyle.NoBrush)
    return start.x() + length


def cell_of(entry: CurveEntry, measure: Measure, unit: float = 1.0) -> Cell:
    """An entry with its width and that of its name [px]; a value has at least the room of a usual one."""
    name = measure(entry.name) + SPACE * unit if entry.name else 0.0
    value = max(measure(entry.value), measure("−000.0°")) if entry.value else 0.0
    return entry, (entry.length + SPACE + GAP) * unit + name + value, name


def fitting(entries: Sequence[CurveEntry], measure: Measure, width: float, unit: float = 1.0) -> list[Cell]:
    """The cells of all entries: with names and values, else with names, with the names' first words, with values.

    A name says more than a value of nobody knows which curve; if even values are too long, there are as many as fit.

    Args:
        entries: what to show.
        measure: the width of a text [px].
        width: the room [px].
        unit: pixels per unit of the design.
    """
    tables = [[cell_of(entry, measure, unit) for entry in some] for some in _shorter(entries)]
    for cells in tables:
        if sum(one[1] for one in cells) <= width + GAP * unit:
            return cells
    cells = tables[0]
    while cells and sum(one[1] for one in cells) > width + GAP * unit:
        cells.pop()
    return cells


def _shorter(entries: Sequence[CurveEntry]) -> list[Sequence[CurveEntry]]:
    """The entries in full, and with less and less; a sample that says nothing is no entry."""
    # Of two numbers, a change and how fast it grows, the second gives way first.
    less = [replace(entry, value=entry.value.partition(", ")[0]) for entry in entries]
    bare = [replace(entry, name="") for entry in less]
    if len(entries) < 2:
        return [entries, less, bare]
    # The values of ghosts, which have no names here, give way before those of the current run.
    own = [entry for entry in entries if entry.name or entry.off]
    fewer = [own] if 0 < len(own) < len(entries) else []
    named = [replace(entry, value="") for entry in (own or entries)]
    first = [replace(entry, name=entry.name.partition(" ")[0]) for entry in (own or entries)]
    apart = len({entry.name for entry in first}) == len(first)
    brief = [[replace(entry, value="") for entry in first]] if apart else []
    tables = [entries, less, *fewer, *([first] if fewer and apart else []), named, *brief, bare]
    return [table for table in tables if all(entry.name or entry.value or entry.off for entry in table)] or [entries]


def flowing_in(
    entries: Sequence[CurveEntry], measure: Measure, width: float, most: int, limit: float = inf
) -> list[list[Cell]]:
    """The cells of all entries in at most that many lines, shorter if need be.

    Every name that has a value keeps it: where that needs more lines, there are more, up to `limit`. Where even that
    is too few, names have no values.
    """
    shorter = _shorter(entries)
    known = [sum(bool(entry.name and entry.value) for entry in some) for some in shorter]
    tables = [flowing(table, measure, width, most=most) for table in shorter]
    kept = [lines for lines, values in zip(tables, known, strict=True) if values == known[0]]
    names = [lines for lines, table in zip(tables, shorter, strict=True) if not any(entry.value for entry in table)]
    fitting_in = [lines for lines in kept if len(lines) <= most] + [lines for lines in kept if len(lines) <= limit]
    bare = [lines for lines in names if len(lines) <= limit] or names[-1:]
    return (fitting_in or bare or kept[-1:])[0] if limit < inf else (fitting_in or kept[-1:])[0]


def flowing(
    entries: Sequence[CurveEntry], measure: Measure, width: float, unit: float = 1.0, most: int = 0
) -> list[list[Cell]]:
    """The cells of all entries in full, line after line; the values of a run stay together.

    They do so where that takes no more lines, or one more of at most `most`. Where every run has names, pairs that
    fall apart are hard to find: they may take all of `most`.
    """
    lines: list[list[Cell]] = []
    left = 0.0
    for cell in (cell_of(entry, measure, unit) for entry in entries):
        if not lines or cell[1] > left + GAP * unit:
            lines.append([])
            left = width
        lines[-1].append(cell)
        left -= cell[1]
    named = all(entry.name for entry in entries)
    return _together(lines, width + GAP * unit, most if named else min(len(lines) + 1, most))


def _together(lines: list[list[Cell]], width: float, most: int) -> list[list[Cell]]:
    """Whole runs in each line, in no more lines or at most `most`: q₁ and q₂ of one arm, below them the next one's.

    Where that takes too many lines, what belongs together does: q₁ of every arm, then q₂, as many in a line as fit.
    """
    cells = [cell for line in lines for cell in line]
    own = _of_first_run([entry for entry, _, _ in cells])
    if not 1 < own < len(cells):
        return lines
    count = max(len(lines[0]) // own, 1) * own
    choices = [[cells[first : first + count] for first in range(0, len(cells), count)]]
    alike = [cells[place::own] for place in range(own)]
    for several in range(max(len(line) for line in lines) * own // len(cells) or 1, 0, -1):
        groups = [alike[first : first + several] for first in range(0, own, several)]
        choices.append([[cell for group in some for cell in group] for some in groups])
    for kept in choices:
        fits = all(sum(one[1] for one in line) <= width for line in kept)
        if fits and len(kept) <= max(len(lines), most):
            return kept
    return lines


def _of_first_run(entries: Sequence[CurveEntry]) -> int:
    """How many entries the first run has, if the others have as many of the same quantities; otherwise 0."""
    named = [bool(entry.name) for entry in entries]
    if all(named):
        looks = [entry.curve[:2] for entry in entries]
        own = next((place for place, look in enumerate(looks) if look != looks[0]), len(looks))
        known = [entry.curve[2] for entry in entries]
        alike = known == known[: own or 1] * (len(known) // (own or 1))
    else:
        own = sum(named)
        alike = all(named[:own]) and own > 0 and len(entries) % own == 0
    return own if alike else 0
