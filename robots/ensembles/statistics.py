"""What an ensemble shows at each instant: quantiles, the distance from the middle, and how long it agrees."""

from __future__ import annotations

import math

import numpy as np

from robots.model.robot import Array

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""The quantiles of fans."""

AGREEING = 0.9
"""The share of the members that must be near the middle while the ensemble agrees."""

NEAR = 0.1
"""How near, in parts of the arm's size."""


def quantiles(values: Array) -> Array:
    """The quantiles `SHARES` of the members that are still there, (members, n) to (5, n); nan where there is none.

    Source: R. J. Hyndman, Y. Fan, The American Statistician 50 (1996) 361, definition 7.
    """
    ordered = np.sort(values, axis=0)
    count = np.isfinite(values).sum(axis=0)
    found = np.full((len(SHARES), values.shape[1]), np.nan)
    columns = np.arange(values.shape[1])
    for row, share in enumerate(SHARES):
        place = share * np.maximum(count - 1, 0)
        low = np.floor(place).astype(int)
        high = np.minimum(low + 1, np.maximum(count - 1, 0))
        below, above = ordered[low, columns], ordered[high, columns]
        found[row] = np.where(count > 0, below + (place - low) * (above - below), np.nan)
    return found


def from_middle(points: Array) -> Array:
    """Each member's distance from the median of all, (members, n, k) to (members, n); nan for one that has ended."""
    middle = np.stack([quantiles(points[:, :, axis])[SHARES.index(0.5)] for axis in range(points.shape[2])], axis=1)
    return np.linalg.norm(points - middle, axis=2)


def agrees_until(times: Array, apart: Array, size: float) -> float | None:
    """When fewer than `AGREEING` of the members are within `NEAR` of the middle [s]; None if that never happens.

    Args:
        times: (n,) [s].
        apart: distances from the middle, (members, n); one that is not finite counts as far away.
        size: of the arm, in the same unit.
    """
    ordered = np.sort(np.where(np.isfinite(apart), apart, np.inf), axis=0)
    reach = ordered[math.ceil(AGREEING * len(ordered)) - 1]
    limit = NEAR * size
    beyond = np.flatnonzero(reach > limit)
    if not len(beyond):
        return None
    k = int(beyond[0])
    if k == 0 or not np.isfinite(reach[k]):
        return float(times[k])
    share = (limit - reach[k - 1]) / (reach[k] - reach[k - 1])
    return float(times[k - 1] + share * (times[k] - times[k - 1]))
