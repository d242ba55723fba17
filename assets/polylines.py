"""Lines through points: made of steps and stripes, and thinned to what a drawing can show."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MOST_TURNS, TOOTH = 3, 4.0
"""Up to so many turns in a row are no zigzag, nor are teeth lower than so many widths of the line.

Along low teeth dashes are followed as along any line.
"""

APART, ALIKE = 4.0, 0.7
"""Dashes line up where teeth are fewer than so many widths of the line apart, and sides at least so nearly equal."""

FLIPPING, PART = 16.0, 0.5
"""Where a run flips, each side of a tooth being one step to a `PART`, they do where teeth are so many widths apart."""


def staircase(t: Array, h: Array) -> tuple[Array, Array]:
    """Both ends of every step at its size, (2n,) each, from the steps' beginnings `t` and signed sizes `h`, (n,)."""
    return np.stack((t, t + h), axis=1).ravel(), np.repeat(np.abs(h), 2)


def stripe(x: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """The points of a curve marked `stripe` between `low` and `high`, (n,) each: (2n,) each."""
    return np.repeat(x, 2), np.stack((low, high), axis=1).ravel()


def outline(x: Array, y: Array, columns: int) -> tuple[Array, Array]:
    """The closed line around a stripe: its lower edge to the right, its upper one back; at most `columns` bins.

    Args:
        x, y: the stripe's points, or a part of them (2n,) each; `y` finite.
        columns: width of the drawing in pixels.
    """
    begin = int(x.size > 1 and x[0] != x[1])
    end = x.size - (x.size - begin) % 2
    x, low, high = x[begin:end:2], y[begin:end:2], y[begin + 1 : end : 2]
    if x.size == 0:
        return x, low
    bins = np.arange(0, x.size, -(-x.size // max(1, columns)))
    if bins.size < x.size:
        low, high = np.minimum.reduceat(low, bins), np.maximum.reduceat(high, bins)
        x = np.append(x[bins[:-1]], x[-1]) if bins.size > 1 else x[bins]
    return np.concatenate((x, x[::-1])), np.concatenate((low, high[::-1]))


def decimate(x: Array, y: Array, columns: int, shown: tuple[float, float] | None = None) -> tuple[Array, Array]:
    """At most four points of each pixel column: the first, the lowest, the highest and the last one, in order.

    So the line from one column to the next is one that was there: stairs stay stairs however unequal they are.

    Args:
        x, y: the points, (n,) each; a column with a nan, which parts the line, keeps that.
        columns: width of the drawing in pixels.
        shown: where the first column begins and the last one ends; None for the ends of the line. What lies beyond is
            one more column on each side.

    Returns:
        Points, (m,) each with m <= 4 * (columns + 2) where x ascends; the first and the last one are kept.

    Source: U. Jugel et al., VLDB 7 (2014) 797.
    """
    if x.size < 3 * columns:
        return x, y
    left, right = (float(x.min()), float(x.max())) if shown is None else shown
    place = np.clip(np.floor((x - left) * (columns / ((right - left) or 1.0))), -1, columns)
    begins = np.append(True, place[1:] != place[:-1])
    starts = np.flatnonzero(begins)
    owner = np.cumsum(begins) - 1
    kept = begins | np.append(begins[1:], True)
    gap = np.isnan(y)
    for extreme in (np.fmin, np.fmax):
        found = np.flatnonzero(y == extreme.reduceat(y, starts)[owner])
        kept[_first_of_each(found, owner)] = True
    kept[_first_of_each(np.flatnonzero(gap), owner)] = True
    return x[kept], y[kept]


def _first_of_each(found: NDArray[np.intp], owner: NDArray[np.intp]) -> NDArray[np.intp]:
    """Of the ascending places `found` the first one of each owner."""
    return found[np.append(True, np.diff(owner[found]) > 0)[: found.size]]


def simplified(x: Array, y: Array, *beside: Array, tolerance: float) -> tuple[Array, ...]:
    """The points of a line, (n,) each, that are needed to stay within `tolerance` of all of them; nan part it.

    What is known `beside` each point, (n,) each, stays beside it.

    Source: D. H. Douglas, T. K. Peucker, Cartographica 10 (1973) 112.
    """
    kept = np.isnan(y)
    gaps = np.flatnonzero(kept)
    ends = zip(np.append(0, gaps + 1).tolist(), np.append(gaps - 1, x.size - 1).tolist(), strict=True)
    parts = [(first, last) for first, last in ends if first <= last]
    kept[np.array(parts, dtype=np.intp).ravel()] = True
    while parts:
        first, last = parts.pop()
        across, up = x[last] - x[first], y[last] - y[first]
        inside = slice(first + 1, last)
        gone, risen = x[inside] - x[first], y[inside] - y[first]
        share = np.clip((gone * across + risen * up) / max(across**2 + up**2, 1e-300), 0.0, 1.0)
        away = np.hypot(gone - share * across, risen - share * up)
        if away.size and away.max() > tolerance:
            middle = first + 1 + int(away.argmax())
            kept[middle] = True
            parts += [(first, middle), (middle, last)]
    return tuple(column[kept] for column in (x, y, *beside))


def steps_before(at: Array, steps: Array | None) -> Array:
    """How many of the ascending `steps`, (m,), a run has made at each place, (n,), parts too; nan without them."""
    if steps is None or steps.size == 0:
        return np.full(at.shape, np.nan)
    return np.interp(at, steps, np.arange(steps.size, dtype=float))


def stretches(x: Array, y: Array, width: float, taken: Array | None = None) -> list[tuple[slice, bool]]:
    """The line through the points, (n,) each in pixels, in stretches: where it is a zigzag, and where it is not.

    A zigzag turns back several times in a row, and its neighbouring teeth are near to each other: what is drawn along
    it, such as dots, would line up across the teeth into waves that are not there.

    Args:
        x, y: the points.
        width: of the line [px].
        taken: how many steps the run had made at each point, (n,), nan for unknown.
    """
    crowded = np.zeros(max(x.size - 1, 0), bool)
    ends = _turns(x, y)
    if ends.size > MOST_TURNS:
        spots = np.stack((x[ends], y[ends]))
        before, after = spots[:, :-2] - spots[:, 1:-1], spots[:, 2:] - spots[:, 1:-1]
        longer = np.maximum(np.hypot(*before), np.hypot(*after))
        opening = np.abs(before[0] * after[1] - before[1] * after[0])
        shorter = np.minimum(np.hypot(*before), np.hypot(*after))
        steep = ((before * after).sum(axis=0) > 0.0) & (shorter > TOOTH * width)
        sides = np.diff(np.full(ends.size, np.nan) if taken is None else taken[ends])
        one = np.abs(sides - 1.0) < PART
        flips, regular = one[:-1] & one[1:], shorter > ALIKE * longer
        apart = width * np.where(flips, FLIPPING, np.where(regular, APART, 0.0))
        near = np.concatenate(([False], steep & (opening < apart * longer), [False]))
        edges = np.flatnonzero(near[1:] != near[:-1])
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            if last - first > MOST_TURNS:
                crowded[ends[first] : ends[last + 1]] = True
    cuts = [0, *(np.flatnonzero(crowded[1:] != crowded[:-1]) + 1).tolist(), crowded.size]
    return [(slice(a, b + 1), bool(crowded[a])) for a, b in pairwise(cuts) if a < b]


def _turns(x: Array, y: Array) -> NDArray[np.intp]:
    """The points at which a line goes down after it went up, or turns back in a plane, and both its ends."""
    across, up = np.diff(x), np.diff(y)
    going = np.flatnonzero(np.isfinite(up) & (np.abs(across) + np.abs(up) > 0.0))
    ahead = not (across < 0.0).any()
    moves = going[up[going] != 0.0] if ahead else going
    first, then = moves[:-1], moves[1:]
    back = up[first] * up[then] + (0.0 if ahead else across[first] * across[then]) < 0.0
    return np.concatenate((moves[:1], then[back], moves[-1:] + 1))


def thin(x: Array, y: Array, limit: int, *beside: Array) -> tuple[Array, ...]:
    """Every k-th point of a curve in the plane, at most about `limit` of them, the last one kept.

    Of an odd k: every second point of a motion that flips at each step would be those of one side. What is known
    `beside` each point, (n,) each, stays beside it.
    """
    if x.size <= limit:
        return x, y, *beside
    kept = np.append(np.arange(0, x.size - 1, -(-x.size // limit) | 1), x.size - 1)
    return tuple(column[kept] for column in (x, y, *beside))
