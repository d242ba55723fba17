"""Along the curve of one method in a work-precision diagram: costs, settings and powers between its points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from robots.sweeps.observed import STRAIGHT, fitted_power
from robots.sweeps.work_precision import TOLERANCE, Point, WorkPrecision

LEAST = {False: 0.5, True: 0.25}
"""Where errors fall with a lower power of the step (False) or of the tolerance (True), they are rounding errors, or the
steps are far too long: half of the first order, and half of what a tolerance for each step makes of it."""

FEWEST = 3
"""Points of a straight part: any two are in line."""

FLOOR = 10.0
"""So many times the least error of a curve that becomes flat are no longer the method's own."""


AFTER, OUTWEIGHING = 1, 3
"""So many finer pairs may lie beyond a straight part of at least so many pairs, where rounding begins; beyond a shorter
one, or with more, they show another order."""


@dataclass(frozen=True, slots=True)
class StraightPart:
    """Where the error of one method is a power of its fixed step, or of its tolerance.

    Attributes:
        points: of that part, from the longest step or the loosest tolerance.
        power: the one that fits them best, by least squares of the logarithms: of steps the order, of tolerances 1
            where the error is in proportion.
        error: what the errors are called.
    """

    points: tuple[Point, ...]
    power: float
    error: str

    def error_at(self, setting: float) -> float:
        """The error of a step [s], or of a tolerance, on the fitted line."""
        x, wrong = (
            math.fsum(column) / len(self.points) for column in zip(*_logs(self.points, self.error), strict=True)
        )
        return math.exp(wrong + self.power * (math.log(setting) - x))


def straight_part(points: Sequence[Point], error: str, *, controlled: bool = False) -> StraightPart | None:
    """The longest straight part of a method's curve of fixed steps, or of its `controlled` ones, of tolerances.

    None without one, or if its errors hardly fall. Of parts that are as long, the straightest. A part with which finer
    points do not go on is none: an order is what errors come to as the step becomes short. Points whose power rounding
    may shift belong to none.
    """
    alike = [one for one in points if (one.step is None) is controlled and one.setting() > 0.0 and one.error(error)]
    known = {one.setting(): one for one in alike}
    sure = _sure([known[setting] for setting in sorted(known, reverse=True)], error)
    least = LEAST[controlled]
    kept = _above_floor(sure, error, least)
    logs = _logs(kept, error)
    powers = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(logs)]
    best = (0, 0.0, 0)
    for first in range(len(kept)):
        for last in range(max(first + FEWEST, len(kept) - AFTER) - 1, len(kept)):
            mine = powers[first:last]
            if last < len(powers) and len(mine) < OUTWEIGHING:
                continue
            whole = (logs[last][1] - logs[first][1]) / (logs[last][0] - logs[first][0])
            apart = max(mine) - min(mine) if whole > least else math.inf
            if apart <= STRAIGHT:
                best = max(best, (last - first + 1, -apart, first))
    count, _, first = best
    if not count:
        return None
    part = tuple(kept[first : first + count])
    power = fitted_power([one.setting() for one in part], [one.error(error) or 1.0 for one in part])
    return StraightPart(part, power, error)


def with_sure_orders(found: WorkPrecision) -> WorkPrecision:
    """The same; an observed order have only points of a straight part, which lead on from the step before.

    Beside it errors are larger than the motion, or steps are too long for the order of the method to show.
    """
    sure: set[int] = set()
    for label in dict.fromkeys(point.label for point in found.points):
        part = straight_part([point for point in found.points if point.label == label], found.error)
        sure |= set(map(id, part.points[1:])) if part is not None else set()
    points = (point if id(point) in sure else replace(point, order=None) for point in found.points)
    return replace(found, points=tuple(points))


def _logs(points: Sequence[Point], error: str) -> list[tuple[float, float]]:
    """The logarithms of each setting and of its error."""
    return [(math.log(one.setting()), math.log(one.error(error) or 1.0)) for one in points]


def _sure(points: list[Point], error: str) -> list[Point]:
    """The points, from the coarsest, but for those near rounding: no power leads to them."""
    kept = points[:1]
    for one in points[1:]:
        if one.order_after(kept[-1], error) is not None:
            kept.append(one)
    return kept


def _above_floor(points: list[Point], error: str, least: float) -> list[Point]:
    """The points but for those where rounding, or the reference, ends the fall of the errors, and one decade above."""
    sizes = [one.error(error) or 1.0 for one in points]
    low = [size < FLOOR * min(sizes, default=0.0) for size in sizes]
    flat = any(
        low[k] and low[k + 1] and math.log(sizes[k] / sizes[k + 1]) < least * math.log(_ratio(points, k))
        for k in range(len(points) - 1)
    )
    return [one for one, near in zip(points, low, strict=True) if not near] if flat else points


def _ratio(points: Sequence[Point], k: int) -> float:
    """By how much coarser the setting of a point is than that of the next one."""
    return points[k].setting() / points[k + 1].setting()


def setting_at(point: Point, points: Sequence[Point], cost: str, wanted: float) -> float:
    """The step, or the tolerance, at which the method of `point` should have the cost `wanted`, to three digits.

    Along the curve through its points, on doubly logarithmic axes; beyond its ends at most by a factor of 8.
    """
    alike = [one for one in points if one.label == point.label and (one.step is None) == (point.step is None)]
    known = sorted({(one.cost(cost) or 0.0, one.setting()) for one in alike if one.cost(cost)})
    prices, settings = np.log10(np.array(known, float)).T
    at = math.log10(wanted)
    k = int(np.clip(np.searchsorted(prices, at), 1, max(len(prices) - 1, 1)))
    slope = -1.0 if len(prices) < 2 else (settings[k] - settings[k - 1]) / (prices[k] - prices[k - 1])
    found = settings[k - 1] + slope * (at - prices[k - 1])
    far = math.log10(8.0)
    return float(f"{10.0 ** np.clip(found, settings.min() - far, settings.max() + far):.3g}")


@dataclass(frozen=True, slots=True)
class Price:
    """What an error costs a method, as far as its points show.

    Attributes:
        cost: measured, or between two measured points; of `TOLERANCE` the loosest that will do.
        ends: the points with the longest step and the loosest tolerance that finished, where their errors are below
            what is asked for: longer steps may do, too, at less cost.
    """

    cost: float
    ends: tuple[Point, ...] = ()

    @property
    def at_most(self) -> bool:
        """Whether less may do; of a tolerance, whether a looser one may."""
        return bool(self.ends)


def price_of(points: Sequence[Point], error: str, cost: str, target: float) -> Price | None:
    """The price of the error `target`: along the line through the points on doubly logarithmic axes.

    Fixed steps and tolerances are two lines, and the cheaper one counts. Between two neighbouring points only; None if
    no point is accurate enough. For a target below it an error of rounding counts as large as rounding can make it. If
    more precision costs less, that lower cost counts.
    """
    curves = [[one for one in points if one.cost(cost) and (one.step is None) is mode] for mode in (False, True)]
    found = [price for curve in curves if (price := _cost_at(_known(curve, error, cost, target), target)) is not None]
    if not found:
        return None
    ends = tuple(end for curve in curves if (end := _end_below(curve, error, target)) is not None)
    return Price(1.0 / min(found) if cost == TOLERANCE else min(found), ends)


def reaches(points: Sequence[Point], error: str, target: float) -> bool:
    """Whether one of the points is accurate enough, whatever it costs: of a fixed step there is no tolerance."""
    return any((wrong := one.error_for(error, target)) is not None and wrong <= target for one in points)


def _end_below(curve: Sequence[Point], error: str, target: float) -> Point | None:
    """The point with the longest step, or the loosest tolerance, if its error is below the target."""
    end = max((one for one in curve if one.error(error) is not None), key=Point.setting, default=None)
    return end if end is not None and (end.error_for(error, target) or 0.0) < target else None


def _known(points: Sequence[Point], error: str, cost: str, target: float) -> list[tuple[float, float]]:
    """Errors and costs; a tolerance costs more the tighter it is."""
    known = [(one.error_for(error, target), one.cost(cost) or 0.0) for one in points]
    return [(w, 1.0 / price if cost == TOLERANCE else price) for w, price in known if w is not None and price]


def _cost_at(points: Sequence[tuple[float, float]], target: float) -> float | None:
    known = sorted(points)
    best = min((price for wrong, price in known if wrong <= target), default=None)
    for (fine, dear), (coarse, cheap) in pairwise(known):
        if 0.0 < fine <= target <= coarse and fine < coarse:
            share = (math.log(target) - math.log(coarse)) / (math.log(fine) - math.log(coarse))
            price = math.exp(math.log(cheap) + share * (math.log(dear) - math.log(cheap)))
            best = price if best is None else min(best, price)
    return best
