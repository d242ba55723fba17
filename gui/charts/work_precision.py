"""Error against cost as a chart on doubly logarithmic axes: the lower left is where one wants to be."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from gui.app.formatting import error_title, error_unit, point_name
from gui.charts.colours import METHODS, NEUTRAL
from robots.model.chart import Axis, Chart, ChartLabel, Curve
from robots.scenario.scenario import Scenario
from robots.sweeps.work_curves import straight_part
from robots.sweeps.work_precision import TOLERANCE, Point, WorkPrecision

COST_TITLES = {
    "rhs_evaluations": "evaluations of the right-hand side",
    "seconds": "computing time [s]",
    "steps": "steps",
    TOLERANCE: "tolerance",
}

FAR = 1e12
"""With an error of so many times the median one, a run has grown without bound: it would squash the diagram."""

NEAR = 0.04
"""Orders that are nearer to each other than this part of the diagram would be written one on the other."""

PALE = "pale: rounding decides"
"""What pale marks stand for."""

SHAPES = ("circle", "square", "triangle", "diamond", "wedge", "star")


def look_of(index: int) -> tuple[str, str]:
    """Colour and mark of the method number `index`: 60 different pairs, six marks for the first six."""
    return METHODS[index % len(METHODS)], SHAPES[(index + index // len(METHODS)) % len(SHAPES)]


@dataclass(frozen=True, slots=True)
class WorkView:
    """What a work-precision diagram shows.

    Attributes:
        points: the runs.
        labels: the methods in the order of their colours.
        error, cost: the quantities on the axes.
        titles: of the cost and of the error.
        target: an error that is asked for: a line.
        flipped: whether the error goes across and the cost upward.
        awaited: the labels of methods with points still to come, which have no order yet.
    """

    points: Sequence[Point] = ()
    labels: Sequence[str] = ()
    error: str = ""
    cost: str = ""
    titles: tuple[str, str] = ("", "")
    target: float | None = None
    flipped: bool = False
    awaited: Collection[str] = ()

    def shows(self, point: Point) -> bool:
        """Whether a run has a place in the diagram."""
        return point.label in self.labels and bool(point.cost(self.cost) and point.error(self.error))


def bounded(points: Sequence[Point], error: str) -> tuple[Point, ...]:
    """The points without the runs that came to their end, but grew without bound."""
    known = [value for point in points if (value := point.error(error))]
    most = FAR * float(np.median(known)) if known else math.inf
    return tuple(point for point in points if not (value := point.error(error)) or value <= most)


def work_chart(view: WorkView) -> Chart:
    """A method's fixed steps joined by a solid line, its tolerances by a dashed one.

    Pareto-optimal points are filled and joined; those that are so within their family have a dot. A triangle along each
    line of fixed steps has the order as its slope that fits the straight part of that line. Pale ones are chance.
    """
    points, error, cost = view.points, view.error, view.cost
    curves: list[Curve] = []
    signs: list[ChartLabel] = []
    named: set[str] = set()
    for index, label in enumerate(view.labels):
        mine = [point for point in points if point.label == label and view.shows(point)]
        for fixed in (True, False):
            some = [point for point in mine if (point.step is not None) is fixed]
            curves.append(curve_of(some, error, cost, index, dash="solid" if fixed else "dash"))
        if cost != TOLERANCE and label not in view.awaited:
            slopes, sign = _triangle(mine, error, cost, index, partial(_clear, signs, _spans(points, error, cost)))
            curves += slopes
            signs += sign
        shape = look_of(index)[1]
        best = [point for point in mine if point.best_of_family and not point.pareto]
        for mark, filled, some in (
            (shape, True, [point for point in mine if point.pareto]),
            ("dot", True, best),
            (shape, False, [point for point in mine if not (point.pareto or point.rounded(error))]),
            (shape, False, [point for point in mine if point.rounded(error)]),
        ):
            made = replace(curve_of(some, error, cost, index), joined=False, mark=mark, filled=filled)
            made = replace(made, faded=any(point.rounded(error) for point in some))
            listed = bool(some) and mark == shape and label not in named
            named |= {label} if listed else set()
            curves.append(replace(made, name=point_name(some[0]) if listed else "", listed=listed))
    curves += _lines(points, error, cost, view.target)
    drawn = sorted((curve for curve in curves if curve.x.size), key=lambda curve: curve.joined)
    axes = [Axis(title, scale="log", whole=True) for title in view.titles]
    if view.flipped:
        axes.reverse()
        drawn = [replace(curve, x=curve.y, y=curve.x) for curve in drawn]
        signs = [replace(sign, x=sign.y, y=sign.x) for sign in signs]
    note = PALE if any(curve.faded for curve in drawn) else ""
    empty = "Nothing is measured yet"
    return Chart(x=axes[0], y=axes[1], curves=tuple(drawn), note=note, labels=tuple(signs), empty=empty)


def _triangle(
    mine: Sequence[Point], error: str, cost: str, index: int, clear: Callable[[ChartLabel], bool]
) -> tuple[list[Curve], list[ChartLabel]]:
    """A triangle below the line that fits the straight part of the fixed steps, and the order in words.

    It is in the middle of that part, or as near as its words are `clear` of others: lines of one order lie together.
    """
    part = straight_part(mine, error)
    if part is None:
        return [], []
    middle = (len(part.points) - 1) // 2
    places = sorted(range(len(part.points) - 1), key=lambda place: abs(place - middle))
    found: list[tuple[ChartLabel, Curve]] = []
    for place in places:
        pair = part.points[place : place + 2]
        (left, right), (high, low) = zip(
            *((one.cost(cost) or 1.0, part.error_at(one.setting())) for one in pair), strict=True
        )
        sign = ChartLabel(f"{part.power:.1f}", left**1.25 / right**0.25, math.sqrt(high * low))
        x, y = np.array([left, left, right]), np.array([high, low, low])
        found.append((sign, Curve(x, y, colour=look_of(index)[0], width=0.6, listed=False)))
    sign, slope = next((one for one in found if clear(one[0])), found[0])
    return [slope], [sign]


def _spans(points: Sequence[Point], error: str, cost: str) -> tuple[float, float]:
    """How many decades the costs and the errors span, at least one each."""
    known = [(price, size) for point in points if (price := point.cost(cost)) and (size := point.error(error))]
    across, up = np.ptp(np.log10(known or [(1.0, 1.0)]), axis=0).tolist()
    return max(across, 1.0), max(up, 1.0)


def _clear(signs: Sequence[ChartLabel], spans: tuple[float, float], sign: ChartLabel) -> bool:
    """Whether a sign would be written beside the others."""
    return not any(
        abs(math.log10(sign.x / other.x)) < NEAR * spans[0] and abs(math.log10(sign.y / other.y)) < NEAR * spans[1]
        for other in signs
    )


def _lines(points: Sequence[Point], error: str, cost: str, target: float | None) -> list[Curve]:
    """The line through the Pareto-optimal points, that of the target, and where an error equals its tolerance."""
    known = [point for point in points if point.cost(cost) and point.error(error)]
    if not known:
        return []
    prices = [point.cost(cost) or 0.0 for point in known]
    ends = np.array([min(prices), max(prices)])
    lines = [(ends, np.full(2, target))] if target is not None else []
    if cost == TOLERANCE:
        lines.append((ends, ends))
        front = []
    else:
        front = sorted((point for point in known if point.pareto), key=lambda point: point.cost(cost) or 0.0)
    dashed = [Curve(*line, colour=NEUTRAL, dash="dash-dot", width=0.8, listed=False) for line in lines]
    best = curve_of(front, error, cost, 0)
    return [*dashed, replace(best, colour=NEUTRAL, dash="dot", width=1.4)] if len(front) > 1 else dashed


def measured_chart(found: WorkPrecision, scenario: Scenario, cost: str = "") -> Chart:
    """The work-precision diagram of all measured points over a cost; nothing for the one that they are judged by."""
    labels, cost = list(dict.fromkeys(point.label for point in found.points)), cost or found.cost
    titles = COST_TITLES[cost], largest_error(found.error, scenario)
    chart = work_chart(WorkView(bounded(found.points, found.error), labels, found.error, cost, titles))
    return replace(chart, title="Work-precision diagram")


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
