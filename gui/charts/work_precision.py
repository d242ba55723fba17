"""Error against cost as a chart on doubly logarithmic axes: the lower left is where one wants to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gui.app.formatting import error_title, error_unit
from gui.charts.colours import COLOURS, NEUTRAL
from robots.model.chart import Axis, Chart, Curve
from robots.scenario.scenario import Scenario
from robots.sweeps.work_precision import TOLERANCE, Point, WorkPrecision

COST_TITLES = {
    "rhs_evaluations": "evaluations of the right-hand side",
    "seconds": "computing time [s]",
    TOLERANCE: "tolerance",
}

SHAPES = ("circle", "square", "triangle", "diamond", "wedge")


def look_of(index: int) -> tuple[str, str]:
    """Colour and mark of the method number `index`: thirty different pairs."""
    return COLOURS[index % len(COLOURS)], SHAPES[(index + index // len(COLOURS)) % len(SHAPES)]


def work_chart(
    points: Sequence[Point],
    labels: Sequence[str],
    error: str,
    cost: str,
    titles: tuple[str, str],
    target: float | None = None,
) -> Chart:
    """A method's fixed steps joined by a full line, its tolerances by a dashed one.

    Pareto-optimal points are filled; those that are so within their family have a dot.

    Args:
        points: the runs.
        labels: the methods in the order of their colours.
        error, cost: the quantities on the axes.
        titles: of the axes across and up.
        target: an error that is asked for: a line across.
    """
    curves: list[Curve] = []
    named: set[str] = set()
    for index, label in enumerate(labels):
        mine = [point for point in points if point.label == label and point.cost(cost) and point.error(error)]
        for fixed in (True, False):
            some = [point for point in mine if (point.step is not None) is fixed]
            curves.append(curve_of(some, error, cost, index, dash="solid" if fixed else "dash"))
        shape = look_of(index)[1]
        best = [point for point in mine if point.best_of_family and not point.pareto]
        for mark, filled, some in (
            (shape, True, [point for point in mine if point.pareto]),
            ("dot", True, best),
            (shape, False, [point for point in mine if not point.pareto]),
        ):
            made = replace(curve_of(some, error, cost, index), joined=False, mark=mark, filled=filled)
            listed = bool(some) and mark == shape and label not in named
            named |= {label} if listed else set()
            curves.append(replace(made, name=label if listed else "", listed=listed))
    prices = [price for point in points if (price := point.cost(cost)) and point.error(error)]
    if target is not None and prices:
        ends = np.array([min(prices), max(prices)])
        curves.append(Curve(ends, np.full(2, target), colour=NEUTRAL, dash="dash-dot", width=0.8, listed=False))
    if cost == TOLERANCE and prices:
        ends = np.array([min(prices), max(prices)])
        curves.append(Curve(ends, ends, colour=NEUTRAL, dash="dash-dot", width=0.8, listed=False))
    across, up = titles
    drawn = sorted((curve for curve in curves if curve.x.size), key=lambda curve: curve.joined)
    x, y = Axis(across, scale="log", whole=True), Axis(up, scale="log", whole=True)
    return Chart(x=x, y=y, curves=tuple(drawn), empty="Nothing is measured yet")


def measured_chart(found: WorkPrecision, scenario: Scenario) -> Chart:
    """The work-precision diagram of all measured points."""
    labels = list(dict.fromkeys(point.label for point in found.points))
    titles = COST_TITLES[found.cost], largest_error(found.error, scenario)
    return work_chart(found.points, labels, found.error, found.cost, titles)


def largest_error(error: str, scenario: Scenario) -> str:
    """The name of the axis of an error."""
    if not error:
        return "error"
    unit = error_unit(error, scenario)
    return f"largest error, {error_title(error, scenario)}" + (f" [{unit}]" if unit else "")


def curve_of(points: Sequence[Point], error: str, cost: str, index: int, dash: str = "solid") -> Curve:
    """The line through some runs of the method number `index`."""
    x = np.array([point.cost(cost) or 0.0 for point in points])
    y = np.array([point.error(error) or 0.0 for point in points])
    return Curve(x, y, colour=look_of(index)[0], dash=dash, width=0.8, listed=False)
