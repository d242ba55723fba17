"""A map as a chart: one readout of many runs over one or two fields of the scenario."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from assets.errors import BadInput
from assets.expressions import quantity
from gui.app import formatting, units
from gui.app.desks.readout_words import border_words, number_name, number_unit
from gui.app.formatting import label_of, unit_of
from gui.charts.fit import aired
from gui.charts.plot import NOT_COMPUTED
from gui.charts.ticks import ticks
from robots.model.chart import HATCHES, Array, Axis, Band, Chart, ColourField, Curve
from robots.model.endings import ending
from robots.sweeps.axes import TOLERANCE
from robots.sweeps.borders import Border, level_lines
from robots.sweeps.order import filled, log_suits
from robots.sweeps.run_numbers import REACHED, STATUS
from robots.sweeps.sweep import STATUSES, SweepResult
from solvers.method_registry import find_method
from solvers.status import Status

Number = TypeVar("Number", np.float64, np.int_, np.int8, np.bool_)

FINISHED = STATUSES.index(Status.FINISHED)

NO_LINES = np.zeros((0, 2, 2))
DETAIL = 512
"""The most cells that are drawn along a side on the screen; files show all of them."""

CONTOURS = 8
"""About how many contours a map has."""

METHOD = "method"
"""What stands for a field where methods go upwards."""

NO_NUMBER = "None of the computed runs has this number."

BLANK = "blank: no value"


@dataclass(frozen=True, slots=True, eq=False)
class MapSide:
    """What a map has along one of its axes.

    Attributes:
        axis: of the chart.
        places: where the centres of the cells are on it, evenly spaced, (n,).
    """

    axis: Axis
    places: Array

    @property
    def ends(self) -> tuple[float, float]:
        """The positions of the outer edges of the first and the last cell."""
        half = 0.5 * float(self.places[-1] - self.places[0]) / max(len(self.places) - 1, 1) or 0.5
        return float(self.places[0]) - half, float(self.places[-1]) + half

    def covered(self, part: slice) -> tuple[float, float]:
        """The ends if each of these cells is drawn over those that are left out after it."""
        low, high = self.ends
        step, count = part.step or 1, len(self.places)
        return low, low + (high - low) * step * math.ceil(count / step) / count

    @property
    def values(self) -> tuple[float, float]:
        """The values at the outer edges, in the unit that is shown."""
        low, high = self.ends
        return self.axis.value(low), self.axis.value(high)

    def index_at(self, place: float) -> int | None:
        """The cell at a position; None outside."""
        low, high = self.ends
        if not low <= place <= high:
            return None
        return min(int((place - low) / (high - low) * len(self.places)), len(self.places) - 1)


class MapGrid:
    """Which run is where in a map: the first field goes across; upwards goes the second one, or methods from the top.

    Args:
        result: the runs.

    Attributes:
        sides: across and, except in a map over one field, upwards.
    """

    def __init__(self, result: SweepResult) -> None:
        self.result, sweep = result, result.sweep
        self.sides = tuple(_side(result, k) for k in range(len(sweep.axes)))
        if sweep.methods:
            names = tuple(base.method for base in sweep.bases)
            self.sides = (
                self.sides[0],
                MapSide(Axis(METHOD, names=names), 0.5 - np.arange(len(names), dtype=float)[::-1]),
            )

    def cells(self, each: NDArray[Number]) -> NDArray[Number]:
        """One number for each run, (runs,), in the places of the map: (across,) or (across, upwards)."""
        shaped = each.reshape(self.result.sweep.shape)
        return shaped.T[:, ::-1] if self.result.sweep.methods else shaped

    def part(self, detail: int | None) -> tuple[slice, ...]:
        """Which cells to draw along each side if there should be at most `detail`: every second, every fourth.."""
        steps = (1 if detail is None else 2 ** max(0, math.ceil(math.log2(len(s.places) / detail))) for s in self.sides)
        return tuple(slice(None, None, step) for step in steps)

    def number(self, places: Sequence[int]) -> int:
        """The number of the run in a cell."""
        if self.result.sweep.methods:
            places = len(self.sides[1].places) - 1 - places[1], places[0]
        return int(np.ravel_multi_index(tuple(places), self.result.sweep.shape))

    def places(self, number: int) -> tuple[int, ...]:
        """The cell of a run: (across,) or (across, upwards)."""
        found = tuple(map(int, np.unravel_index(number, self.result.sweep.shape)))
        return (found[1], len(self.sides[1].places) - 1 - found[0]) if self.result.sweep.methods else found

    def number_at(self, x: float, y: float) -> int | None:
        """The run whose cell is at a position on the chart's axes; None outside the map."""
        places = [side.index_at(at) for side, at in zip(self.sides, (x, y), strict=False)]
        return None if None in places else self.number([place for place in places if place is not None])

    @property
    def flat(self) -> bool:
        """Whether the map has a range of values across only."""
        return len(self.result.sweep.axes) == 1

    def ranges(self, wanted: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """The first and the last value (SI) of each field, if the map shows what lies between positions on its axes."""
        found = []
        for side, axis, (low, high) in zip(self.sides, self.result.sweep.axes, wanted, strict=False):
            half = 0.5 * (high - low) / len(side.places)
            ends = np.array([low + half, high - half])
            first, last = side.axis.value(ends) / unit_of(self.result.sweep.scenario, axis.field).per_si
            found.append((float(first), float(last)))
        return found

    def cut(self, field: str, value: str) -> tuple[int, int]:
        """The line through the map where a field has one value: a run on it, and the side along which it lies.

        Args:
            field: of one of the axes, or `method`.
            value: as a person writes it; the line goes through the runs whose value is the nearest.

        Raises:
            BadInput: the map has no such line.
        """
        sweep, text = self.result.sweep, f"{field}={value}"
        if len(self.sides) < 2:
            raise BadInput("plots", text, "left out for a map over one field")
        names = [*(axis.field for axis in sweep.axes), *([METHOD] if sweep.methods else [])]
        if field not in names:
            raise BadInput("plots", field, choices=names)
        side, places = names.index(field), [0, 0]
        if field == METHOD:
            keys = [base.method for base in reversed(sweep.bases)]
            key = find_method(value).key
            if key not in keys:
                raise BadInput("plots", text, choices=[f"{METHOD}={one}" for one in keys])
            places[side] = keys.index(key)
        else:
            places[side] = self._nearest(side, text, value)
        return self.number(places), 1 - side

    def _nearest(self, side: int, text: str, value: str) -> int:
        """The cell along a side in which a written value lies."""
        axis, scenario = self.result.sweep.axes[side], self.result.sweep.scenario
        item = scenario.fields()["rtol" if axis.field == TOLERANCE else axis.field]
        try:
            wanted = float(quantity(value, item.unit)) * unit_of(scenario, axis.field).per_si
        except (ValueError, OverflowError):
            wanted = math.nan
        found = self.sides[side].index_at(float(self.sides[side].axis.place(wanted)))
        if found is None:
            unit = f" {item.unit}" if item.unit else ""
            raise BadInput("plots", text, f"{axis.field}= with a number from {axis.low:g} to {axis.high:g}{unit}")
        return found

    def facts(self, number: int) -> list[str]:
        """The values that a run has along the axes: `step = 0.02 s`."""
        words = []
        sweep, places = self.result.sweep, self.places(number)
        for axis, place in zip(sweep.axes, places, strict=False):
            unit = unit_of(sweep.scenario, axis.field)
            value = units.reading(float(axis.values[place]) * unit.per_si, unit.symbol, 6)
            words.append(f"{label_of(sweep.scenario, axis.field)} = {value}")
        return words + ([formatting.method_name(sweep.scenario_at(number))] if sweep.methods else [])


def _side(result: SweepResult, k: int) -> MapSide:
    """The side of the sweep's axis number `k`."""
    swept, scenario = result.sweep.axes[k], result.sweep.scenario
    unit = unit_of(scenario, swept.field)
    scale = "log" if swept.log else "linear"
    axis = Axis(label_of(scenario, swept.field), unit.symbol, scale=scale, whole=True)
    return MapSide(axis, axis.place(swept.values * unit.per_si))


def map_chart(
    result: SweepResult,
    name: str,
    border: Border | None = None,
    *,
    contours: bool = False,
    detail: int | None = None,
    scale: str = "",
) -> Chart:
    """The readout `name` of all runs: a curve over one field, colours over two. Failed runs are hatched.

    Cells that are not computed yet have the colour of the nearest coarser one.

    Args:
        result: the runs.
        name: of the readout, or `status`.
        border: where theory says that runs become unstable.
        contours: whether lines join cells of the same number.
        detail: about how many cells are drawn along each side; None for all.
        scale: `log` or `linear` for the readout; nothing for what suits its values.
    """
    if not result.begun:
        return Chart(empty=NOT_COMPUTED)
    grid = MapGrid(result)
    across, *others = grid.sides
    part = grid.part(detail if others else None)
    known = grid.cells(result.status)[part] >= 0
    values, number = cell_numbers(grid, name, scale)
    values = values[part]
    shown = np.where(known, values, np.nan)
    if not others:
        curves = _lines(across.axis.value(across.places), shown, result.status == FINISHED)
        chart = Chart(x=across.axis, y=number, curves=curves, empty=NOT_COMPUTED)
        if known.any() and not np.isfinite(number.place(shown)).any():
            y, view = replace(number, names=("",)), (*across.values, 0.0, 1.0)
            return replace(chart, y=y, note=NO_NUMBER, view=view)
        return replace(chart, bands=_band(result, border))
    up = others[0]
    every = contours and bool(known.all()) and not number.names and not up.axis.names
    field = ColourField(
        filled(shown, known).T,
        filled(hatches(grid, part), known).T,
        *across.covered(part[0]),
        *up.covered(part[1]),
        number,
        judged=_judged(name),
        contours=_contours(grid, values, number, part) if every else NO_LINES,
        border=NO_LINES if border is None else _border(grid, border),
    )
    return Chart(
        x=across.axis,
        y=up.axis,
        note=_note(field, known, values, border),
        colours=field if known.any() else None,
        view=(*across.values, *up.values),
        empty=NOT_COMPUTED,
    )


def section_chart(
    result: SweepResult, name: str, number: int, along: int, *, pointed: bool = True, scale: str = ""
) -> Chart:
    """A line through the map: the readout `name` along one of its sides.

    Args:
        result: the runs, over two fields or methods.
        name: of the readout, or `status`.
        number: of the run in whose row or column it lies.
        along: the side: 0 across, 1 upwards.
        pointed: whether a dot marks the run, and the note has the place of the axis's name.
        scale: `log` or `linear` for the readout; nothing for what suits its values.
    """
    grid = MapGrid(result)
    places, side = grid.places(number), grid.sides[along]
    cut = (slice(None), places[1]) if along == 0 else (places[0], slice(None))
    values, axis = cell_numbers(grid, name, scale)
    shown = np.where(grid.cells(result.status >= 0), values, np.nan)[cut]
    at = side.axis.value(side.places)
    finished = grid.cells(result.status == FINISHED)[cut]
    others = [fact for k, fact in enumerate(grid.facts(number)) if k != along]
    placed = np.isfinite(axis.place(shown))
    judged = placed & finished if (placed & finished).any() and not _judged(name) else placed
    positions = axis.place(shown[judged])
    ends = aired(float(positions.min()), float(positions.max()), axis) if positions.size else (0.0, 1.0)
    low, high = map(axis.value, ends)
    axis = axis if positions.size else replace(axis, names=("",))
    # A failed run may have blown up: its cross stands at the edge, and the line of the others keeps its shape.
    lines = _lines(at, np.where(finished, shown, np.clip(shown, min(low, high), max(low, high))), finished)
    where, view = f"at {', '.join(others)}", (*side.values, low, high)
    if not pointed:
        return Chart(x=side.axis, y=axis, curves=lines, note=where, view=view)
    here = Curve(at[places[along], None], shown[places[along], None], joined=False, mark="circle", filled=True)
    width = (side.ends[1] - side.ends[0]) / len(at)
    first, last = (side.axis.value(side.ends[0] + (places[along] + edge) * width) for edge in (0, 1))
    return Chart(
        x=side.axis,
        y=replace(axis, title="", unit=""),
        curves=(here, *lines),
        note=f"{where}: {axis.label}",
        bands=(Band(first, last),),
        view=view,
    )


def cell_numbers(grid: MapGrid, name: str, scale: str) -> tuple[Array, Axis]:
    """The numbers of a readout in their cells, whatever is known of them, and their axis, of this scale if any."""
    result, sweep = grid.result, grid.result.sweep
    if name == STATUS:
        values, axis = _categories(result)
        return grid.cells(values), axis
    unit, numbers = number_unit(name, sweep.scenario), result.numbers[:, sweep.show.index(name)]
    numbers, part = grid.cells(numbers if unit.per_si == 1.0 else numbers * unit.per_si), grid.part(DETAIL)
    suiting = "log" if log_suits(numbers[part][grid.cells(result.status)[part] >= 0]) else "linear"
    return numbers, Axis(number_name(name, sweep.scenario), unit.symbol, scale=scale or suiting, whole=True)


def _judged(name: str) -> bool:
    """Whether numbers of failed runs are of the scale, too: how they ended, and when."""
    return name in (STATUS, REACHED)


def _lines(x: Array, shown: Array, finished: NDArray[np.bool_]) -> tuple[Curve, Curve]:
    """A line through the runs that finished, and crosses for those that failed."""
    line = Curve(x, np.where(finished, shown, np.nan), listed=False)
    return line, Curve(x[~finished], shown[~finished], joined=False, mark="cross", listed=False)


def _band(result: SweepResult, border: Border | None) -> tuple[Band, ...]:
    """The values beyond the border of a map over one field."""
    if border is None:
        return ()
    per_si = unit_of(result.sweep.scenario, result.sweep.axes[0].field).per_si
    return (Band(float(border.x[0]) * per_si, tone="unstable"),)


def _categories(result: SweepResult) -> tuple[Array, Axis]:
    """How each run ended, (runs,), as the lanes of an axis with names."""
    ends = failures(result)
    names = (str(Status.FINISHED), *ends)
    lanes = np.full(len(STATUSES) + 1, np.nan)
    for lane, word in enumerate(names):
        lanes[STATUSES.index(word)] = 0.5 - lane
    return lanes[result.status], Axis("how it ended", names=tuple(map(ending, names)))


def failures(result: SweepResult) -> dict[str, int]:
    """How often runs failed, by status, the most frequent first."""
    if not result.begun:
        return {}
    ends = {word: int(np.count_nonzero(result.status == k)) for k, word in enumerate(STATUSES) if k != FINISHED}
    return dict(sorted(((word, n) for word, n in ends.items() if n), key=lambda item: -item[1]))


def _note(field: ColourField, known: NDArray[np.bool_], values: Array, border: Border | None) -> str:
    """What stands above a map: that no run has the number, that some have none, and what the dashes are."""
    if known.any() and not field.known.size:
        return NO_NUMBER
    blank = bool((known & np.isnan(values) & (field.hatched.T == 0)).any())
    dashes = border_words(border.where) if border is not None and len(field.border) else ""
    return ", ".join(filter(None, (BLANK if blank else "", dashes)))


def hatches(grid: MapGrid, part: tuple[slice, ...]) -> NDArray[np.int8]:
    """The pattern of each cell of a part: 0 for a run that finished, or is not computed."""
    patterns = np.zeros(len(STATUSES) + 1, np.int8)
    for k, word in enumerate(failures(grid.result)):
        patterns[STATUSES.index(word)] = 1 + k % len(HATCHES)
    return patterns[grid.cells(grid.result.status)[part]]


def _border(grid: MapGrid, border: Border) -> Array:
    """The pieces of the border, in positions on the axes."""
    columns, sweep = [], grid.result.sweep
    for side, swept, values in zip(grid.sides, sweep.axes, (border.x, border.y), strict=True):
        columns.append(side.axis.place(values * unit_of(sweep.scenario, swept.field).per_si))
    points = np.stack(columns, axis=1)
    pieces = np.stack([points[:-1], points[1:]], axis=1)
    return pieces[np.isfinite(pieces).all(axis=(1, 2))]


def _contours(grid: MapGrid, values: Array, number: Axis, part: tuple[slice, ...]) -> Array:
    """Lines through cells with the same number, at round numbers; none where runs failed."""
    good = np.where(grid.cells(grid.result.status)[part] == FINISHED, number.place(values), np.nan)
    inside = good[np.isfinite(good)]
    if inside.size == 0:
        return NO_LINES
    levels = [place for place, _ in ticks(number, float(inside.min()), float(inside.max()), CONTOURS)]
    lines = np.concatenate([NO_LINES, *(level_lines(good, level) for level in levels)])
    ends = [side.places[one] for side, one in zip(grid.sides, part, strict=True)]
    return np.stack([np.interp(lines[..., k], np.arange(len(one)), one) for k, one in enumerate(ends)], axis=-1)
