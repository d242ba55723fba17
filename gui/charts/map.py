"""A map as a chart: one readout of many runs over one or two fields of the scenario."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gui.app.desks.maps import label_of, number_name, number_unit, spread, unit_of
from gui.charts.plot import NOT_COMPUTED
from gui.charts.ticks import ticks
from robots.model.chart import HATCHES, Array, Axis, Band, Chart, ColourField, Curve
from robots.sweeps.borders import Border, level_lines
from robots.sweeps.run_numbers import STATUS
from robots.sweeps.sweep import STATUSES, SweepResult
from solvers.status import Status

FINISHED = STATUSES.index(Status.FINISHED)


NO_LINES = np.zeros((0, 2, 2))
CONTOURS = 8
"""About how many contours a map has."""

BORDER = "dashed: where the linearised equations become unstable"


def map_chart(result: SweepResult, name: str, border: Border | None = None, *, contours: bool = False) -> Chart:
    """The readout `name` of all runs: a curve over one field, colours over two. Failed runs are hatched.

    Cells that are not computed yet have the colour of the nearest coarser one.

    Args:
        result: the runs.
        name: of the readout, or `status`.
        border: where theory says that runs become unstable.
        contours: whether lines join cells of the same number.
    """
    sweep = result.sweep
    known = (result.status >= 0).reshape(sweep.shape)
    if name == STATUS:
        values, number = _categories(result)
    else:
        values = result.numbers[:, sweep.show.index(name)].reshape(sweep.shape)
        scale = spread(np.where(known, values, np.nan))
        number = Axis(number_name(name, sweep.scenario), number_unit(name, sweep.scenario), scale=scale, whole=True)
    shown = np.where(known, values, np.nan)
    if len(sweep.axes) == 1:
        return _line(result, shown, number, border)
    (left, right), (low, high) = edges(result, 0), edges(result, 1)
    every = contours and bool(known.all()) and not number.names
    field = ColourField(
        filled(shown, known).T,
        hatches(result).T,
        left,
        right,
        low,
        high,
        number,
        contours=_contours(result, values, number) if every else NO_LINES,
        border=NO_LINES if border is None else _border(result, border),
    )
    return Chart(
        x=axis_of(result, 0),
        y=axis_of(result, 1),
        note=BORDER if len(field.border) else "",
        colours=field,
        view=(*_values(axis_of(result, 0), left, right), *_values(axis_of(result, 1), low, high)),
        empty=NOT_COMPUTED,
    )


def _line(result: SweepResult, shown: Array, number: Axis, border: Border | None) -> Chart:
    """The chart over one field: runs that failed are crosses, and the border is a band."""
    x, finished = _shown(result, 0), result.status == FINISHED
    line = Curve(x, np.where(finished, shown, np.nan), listed=False)
    failed = Curve(x[~finished], shown[~finished], joined=False, mark="cross", listed=False)
    per_si = unit_of(result.sweep.scenario, result.sweep.axes[0].field).per_si
    bands = (Band(float(border.x[0]) * per_si, tone="unstable"),) if border is not None else ()
    return Chart(x=axis_of(result, 0), y=number, curves=(line, failed), bands=bands, empty=NOT_COMPUTED)


def _categories(result: SweepResult) -> tuple[Array, Axis]:
    """How each run ended, as the lanes of an axis with names, in the sweep's shape."""
    ends = failures(result)
    names = (str(Status.FINISHED), *ends)
    lanes = np.full(len(STATUSES) + 1, np.nan)
    for lane, word in enumerate(names):
        lanes[STATUSES.index(word)] = 0.5 - lane
    return lanes[result.status].reshape(result.sweep.shape), Axis("how it ended", names=names)


def failures(result: SweepResult) -> dict[str, int]:
    """How often runs failed, by status, the most frequent first."""
    counts = np.bincount(result.status[result.status >= 0], minlength=len(STATUSES))
    ends = {word: int(count) for word, count in zip(STATUSES, counts, strict=True) if count and word != Status.FINISHED}
    return dict(sorted(ends.items(), key=lambda item: -item[1]))


def hatches(result: SweepResult) -> NDArray[np.int_]:
    """The pattern of each cell, in the sweep's shape: 0 for a run that finished, or is not computed."""
    patterns = np.zeros(len(STATUSES) + 1, dtype=int)
    for k, word in enumerate(failures(result)):
        patterns[STATUSES.index(word)] = 1 + k % len(HATCHES)
    return patterns[result.status].reshape(result.sweep.shape)


def _border(result: SweepResult, border: Border) -> Array:
    """The pieces of the border, in positions on the axes."""
    columns = []
    for k, values in enumerate((border.x, border.y)):
        columns.append(
            axis_of(result, k).place(values * unit_of(result.sweep.scenario, result.sweep.axes[k].field).per_si)
        )
    points = np.stack(columns, axis=1)
    pieces = np.stack([points[:-1], points[1:]], axis=1)
    return pieces[np.isfinite(pieces).all(axis=(1, 2))]


def _contours(result: SweepResult, values: Array, number: Axis) -> Array:
    """Lines through cells with the same number, at round numbers; none where runs failed."""
    good = np.where((result.status == FINISHED).reshape(values.shape), number.place(values), np.nan)
    inside = good[np.isfinite(good)]
    if inside.size == 0:
        return NO_LINES
    levels = [place for place, _ in ticks(number, float(inside.min()), float(inside.max()), CONTOURS)]
    lines = np.concatenate([NO_LINES, *(level_lines(good, level) for level in levels)])
    ends = [axis_of(result, k).place(_shown(result, k)) for k in (0, 1)]
    return np.stack([np.interp(lines[..., k], np.arange(len(one)), one) for k, one in enumerate(ends)], axis=-1)


def _values(axis: Axis, low: float, high: float) -> tuple[float, float]:
    """The values at two positions of an axis."""
    return (10.0**low, 10.0**high) if axis.log else (low, high)


def axis_of(result: SweepResult, k: int) -> Axis:
    """The chart's axis for the sweep's axis number `k`."""
    axis, scenario = result.sweep.axes[k], result.sweep.scenario
    unit = unit_of(scenario, axis.field).symbol
    return Axis(label_of(scenario, axis.field), unit, scale="log" if axis.log else "linear", whole=True)


def _shown(result: SweepResult, k: int) -> Array:
    """The values of the sweep's axis number `k` in the unit that is shown."""
    axis = result.sweep.axes[k]
    return axis.values * unit_of(result.sweep.scenario, axis.field).per_si


def edges(result: SweepResult, k: int) -> tuple[float, float]:
    """The positions of the outer edges of the first and the last cell along the axis number `k`."""
    places = axis_of(result, k).place(_shown(result, k))
    half = 0.5 * float(places[1] - places[0])
    return float(places[0]) - half, float(places[-1]) + half


def filled(values: Array, known: NDArray[np.bool_]) -> Array:
    """The values, (n, m), with cells that are not computed yet like the corner of their coarse block."""
    found = values.copy()
    if known.all() or not known.any():
        return found
    stride = 1
    missing = ~known
    while missing.any() and stride <= max(values.shape):
        stride *= 2
        rows, columns = (np.arange(n) // stride * stride for n in values.shape)
        there = known[np.ix_(rows, columns)] & missing
        found[there] = values[np.ix_(rows, columns)][there]
        missing &= ~there
    return found


def cell_at(result: SweepResult, x: float, y: float) -> int | None:
    """The number of the run whose cell is at a position on the chart's axes; None outside the map."""
    places = []
    for k, (axis, at) in enumerate(zip(result.sweep.axes, (x, y), strict=False)):
        low, high = edges(result, k)
        index = int((at - low) / (high - low) * axis.count)
        if not low <= at <= high:
            return None
        places.append(min(index, axis.count - 1))
    return int(np.ravel_multi_index(places, result.sweep.shape))
