"""A map as a chart: one readout of many runs over one or two fields of the scenario."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gui.app.desks.maps import label_of, number_name, number_unit, spread, unit_of
from gui.charts.plot import NOT_COMPUTED
from robots.model.chart import Array, Axis, Chart, ColourField, Curve
from robots.sweeps.sweep import STATUSES, SweepResult
from solvers.status import Status

FINISHED = STATUSES.index(Status.FINISHED)


def map_chart(result: SweepResult, name: str) -> Chart:
    """The readout `name` of all runs: a curve over one field, colours over two. Failed runs are hatched.

    Cells that are not computed yet have the colour of the nearest coarser one.
    """
    sweep = result.sweep
    values = result.numbers[:, sweep.show.index(name)].reshape(sweep.shape)
    shown = np.where((result.status >= 0).reshape(sweep.shape), values, np.nan)
    number = Axis(number_name(name, sweep.scenario), number_unit(name, sweep.scenario), scale=spread(shown), whole=True)
    if len(sweep.axes) == 1:
        x, finished = _shown(result, 0), result.status == FINISHED
        line = Curve(x, np.where(finished, values, np.nan), listed=False)
        failed = Curve(x[~finished], values[~finished], joined=False, mark="cross", listed=False)
        return Chart(x=axis_of(result, 0), y=number, curves=(line, failed), empty=NOT_COMPUTED)
    known = (result.status >= 0).reshape(sweep.shape)
    failed = (known & (result.status != FINISHED).reshape(sweep.shape)).T
    (left, right), (low, high) = edges(result, 0), edges(result, 1)
    field = ColourField(filled(shown, known).T, failed, left, right, low, high, number)
    return Chart(
        x=axis_of(result, 0),
        y=axis_of(result, 1),
        colours=field,
        view=(*_values(axis_of(result, 0), left, right), *_values(axis_of(result, 1), low, high)),
        empty=NOT_COMPUTED,
    )


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
