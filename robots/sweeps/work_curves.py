"""Along the curve of one method in a work-precision diagram: costs, settings and powers between its points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from robots.sweeps.observed import fitted_power
from robots.sweeps.work_precision import TOLERANCE, Point


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
    known = [
        (asked, wrong) for one in points if (asked := one.cost(TOLERANCE)) and (wrong := one.error(error)) is not None
    ]
    known = [(asked, wrong) for asked, wrong in known if wrong > 0.0]
    if len({asked for asked, _ in known}) < 3:
        return None
    return fitted_power(*zip(*known, strict=True))


def cost_at(points: Sequence[Point], error: str, cost: str, target: float) -> float | None:
    """The cost of a method for the error `target`: along the line through its points on doubly logarithmic axes.

    Between two neighbouring points only; None if the points are all on one side of the target. If more precision costs
    less, that lower cost counts. For `TOLERANCE` it is the loosest tolerance that will do.
    """
    if cost == TOLERANCE:
        strictness = _cost_at([(wrong, 1.0 / asked) for wrong, asked in _known(points, error, cost)], target)
        return None if strictness is None else 1.0 / strictness
    return _cost_at(_known(points, error, cost), target)


def _known(points: Sequence[Point], error: str, cost: str) -> list[tuple[float, float]]:
    return [(one.error(error) or 0.0, one.cost(cost) or 0.0) for one in points if one.error(error) and one.cost(cost)]


def _cost_at(points: Sequence[tuple[float, float]], target: float) -> float | None:
    known = sorted(points)
    best = min((price for wrong, price in known if wrong <= target), default=None)
    for (fine, dear), (coarse, cheap) in pairwise(known):
        if fine <= target <= coarse and fine < coarse:
            share = (math.log(target) - math.log(coarse)) / (math.log(fine) - math.log(coarse))
            price = math.exp(math.log(cheap) + share * (math.log(dear) - math.log(cheap)))
            best = price if best is None else min(best, price)
    return best
