"""Along the curve of one method in a work-precision diagram: costs, settings and powers between its points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from robots.sweeps.observed import fitted_power
from robots.sweeps.work_precision import TOLERANCE, Point

LEAST_ORDER = 0.5
"""Where errors fall more slowly they are rounding errors, or the step is far too long."""

STRAIGHT = 0.1
"""How far the orders between neighbours may be from that of the whole part, relative to it."""


FLOOR = 10.0
"""So many times the least error of a curve that becomes flat are no longer the method's own."""


AFTER, OUTWEIGHING = 1, 3
"""So many finer pairs may lie beyond a straight part of at least so many pairs, where rounding begins; beyond a shorter
one, or with more, they show another order."""


@dataclass(frozen=True, slots=True)
class StraightPart:
    """Where the error of one method is a power of its fixed step.

    Attributes:
        points: of that part, from the longest step.
        order: the power that fits them best, by least squares of the logarithms.
        error: what the errors are called.
    """

    points: tuple[Point, ...]
    order: float
    error: str

    def error_at(self, step: float) -> float:
        """The error of a step [s] on the fitted line."""
        logs = [(math.log(one.step or 1.0), math.log(one.error(self.error) or 1.0)) for one in self.points]
        h, wrong = (math.fsum(column) / len(logs) for column in zip(*logs, strict=True))
        return math.exp(wrong + self.order * (math.log(step) - h))


def straight_part(points: Sequence[Point], error: str) -> StraightPart | None:
    """The longest straight part of a method's curve of fixed steps; None without one, or if its errors hardly fall.

    Of parts that are as long, the straightest. No two points of a longer curve make one: any two are in line. A part
    with which finer steps do not go on is none: an order is what errors come to as the step becomes short. Points whose
    order rounding may shift belong to none.
    """
    known = {one.step: one for one in points if one.step and one.error(error)}
    fixed = _above_floor(_sure([known[step] for step in sorted(known, reverse=True)], error), error)
    logs = [(math.log(one.step or 1.0), math.log(one.error(error) or 1.0)) for one in fixed]
    orders = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(logs)]
    best, least = (0, 0.0, 0), 2 if len(known) == 2 else 3
    for first in range(len(fixed)):
        for last in range(max(first + least, len(fixed) - AFTER) - 1, len(fixed)):
            mine = orders[first:last]
            if last < len(orders) and len(mine) < OUTWEIGHING:
                continue
            whole = (logs[last][1] - logs[first][1]) / (logs[last][0] - logs[first][0])
            apart = max(abs(order / whole - 1.0) for order in mine) if whole > LEAST_ORDER else math.inf
            if apart <= STRAIGHT:
                best = max(best, (last - first + 1, -apart, first))
    count, _, first = best
    if not count:
        return None
    part = tuple(fixed[first : first + count])
    power = fitted_power([one.step or 1.0 for one in part], [one.error(error) or 1.0 for one in part])
    return StraightPart(part, power, error)


def _sure(points: list[Point], error: str) -> list[Point]:
    """The points, from the longest step, but for those near rounding: no order leads to them."""
    kept = points[:1]
    for one in points[1:]:
        if one.order_after(kept[-1], error) is not None:
            kept.append(one)
    return kept


def _above_floor(points: list[Point], error: str) -> list[Point]:
    """The points but for those where rounding, or the reference, ends the fall of the errors, and one decade above."""
    sizes = [one.error(error) or 1.0 for one in points]
    low = [size < FLOOR * min(sizes, default=0.0) for size in sizes]
    flat = any(
        low[k] and low[k + 1] and math.log(sizes[k] / sizes[k + 1]) < LEAST_ORDER * math.log(_ratio(points, k))
        for k in range(len(points) - 1)
    )
    return [one for one, near in zip(points, low, strict=True) if not near] if flat else points


def _ratio(points: Sequence[Point], k: int) -> float:
    """How much longer the step of a point is than that of the next one."""
    return (points[k].step or 1.0) / (points[k + 1].step or 1.0)


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


def proportionality(points: Sequence[Point], error: str) -> float | None:
    """The power of the tolerance with which a method's error falls: 1 where it is in proportion; None if unknown."""
    real = [one for one in points if not one.rounded(error)]
    known = [
        (asked, wrong) for one in real if (asked := one.cost(TOLERANCE)) and (wrong := one.error(error)) is not None
    ]
    known = [(asked, wrong) for asked, wrong in known if wrong > 0.0]
    if len({asked for asked, _ in known}) < 3:
        return None
    return fitted_power(*zip(*known, strict=True))


def cost_at(points: Sequence[Point], error: str, cost: str, target: float) -> float | None:
    """The cost of a method for the error `target`: along the line through its points on doubly logarithmic axes.

    Fixed steps and tolerances are two lines, and the cheaper one counts. Between two neighbouring points only; None if
    the points are all on one side of the target. For a target below it an error of rounding counts as large as rounding
    can make it. If more precision costs less, that lower cost counts. For `TOLERANCE` it is the loosest tolerance that
    will do.
    """
    if cost == TOLERANCE:
        strictness = _cost_at([(wrong, 1.0 / asked) for wrong, asked in _known(points, error, cost, target)], target)
        return None if strictness is None else 1.0 / strictness
    curves = [[one for one in points if (one.step is None) is controlled] for controlled in (False, True)]
    prices = [_cost_at(_known(curve, error, cost, target), target) for curve in curves]
    return min((price for price in prices if price is not None), default=None)


def _known(points: Sequence[Point], error: str, cost: str, target: float) -> list[tuple[float, float]]:
    known = [(one.error_for(error, target) or 0.0, one.cost(cost) or 0.0) for one in points]
    return [pair for pair in known if all(pair)]


def _cost_at(points: Sequence[tuple[float, float]], target: float) -> float | None:
    known = sorted(points)
    best = min((price for wrong, price in known if wrong <= target), default=None)
    for (fine, dear), (coarse, cheap) in pairwise(known):
        if fine <= target <= coarse and fine < coarse:
            share = (math.log(target) - math.log(coarse)) / (math.log(fine) - math.log(coarse))
            price = math.exp(math.log(cheap) + share * (math.log(dear) - math.log(cheap)))
            best = price if best is None else min(best, price)
    return best
