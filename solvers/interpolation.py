"""Finding the kept step that a time lies in."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from solvers.problem import Array


def locate(t: Array, times: Array, breaks: Sequence[float] = ()) -> tuple[np.ndarray, Array]:
    """The index of the kept step before each time, (m,), and the latest time at which each step may evaluate f, (n,).

    `t` (n,) rises or falls; a time equal to a kept one gets its index.
    """
    rising = t[-1] >= t[0]
    if rising:
        index = np.searchsorted(t, times, side="right") - 1
    else:
        index = np.searchsorted(-t, -times, side="right") - 1
    return np.clip(index, 0, len(t) - 1).astype(np.int64), ceilings(t, breaks, rising)


def ceilings(t: Array, breaks: Sequence[float], rising: bool) -> Array:
    """For the step that begins at each t (n,), the last number before the next break, or inf."""
    if not len(breaks):
        return np.full(len(t), np.inf)
    edges = np.append(np.sort(np.asarray(breaks, dtype=float)), np.inf)
    following = edges[np.searchsorted(edges, t, side="right" if rising else "left").clip(max=len(edges) - 1)]
    return np.where(np.isinf(following), np.inf, np.nextafter(following, -np.inf))


def ceiling(t: float, breaks: Sequence[float], rising: bool) -> float:
    """The same for one step."""
    following = [edge for edge in breaks if edge > t or (edge == t and not rising)]
    return math.nextafter(min(following), -math.inf) if following else math.inf
