"""Where the tip of a run was before the playhead, and which part of it has a meaning."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from robots.model.shapes import FARTHEST

if TYPE_CHECKING:
    from robots.simulation.run import Run

Array = NDArray[np.float64]

TRAIL_RATE = 120.0
"""Points of a trail per second of simulated time."""

FEWEST_POINTS, MOST_POINTS = 600, 30_000
"""The fewest and the most of them, however short or long the run is."""

MOST_DRAWN = 8000
"""The most points of a trail."""

OFF_PATH, FINEST = 4e-4, 8
"""A trail has up to so many times more points where a piece of it would be further from the path, in arm's radii."""

NO_CURVE = 2
"""A trail of which only every so many points are drawn is no curve any more: a longer one shows its last part."""

PART = 256
"""Points of a trail that are computed together."""

MOST_PARTS = 256
"""How many such parts are kept."""

ABSURD = 50.0
"""A tip that crosses the arm's whole reach this often in a second belongs to a diverged run and leaves no trail."""

CALM = 6
"""After so many pieces without such a leap the tip's motion has a meaning again."""


def pieces_of(span: float) -> int:
    """Into how many pieces so many seconds are cut."""
    return int(min(max(span * TRAIL_RATE, FEWEST_POINTS), MOST_POINTS))


def tips_of(run: Run, times: Array) -> Array:
    """(m, 3) where the tip is at `times` (m,), in the run's span [m]; a diverged one stays within sight of numbers."""
    return np.clip(run.tip(times), -FARTHEST, FARTHEST)


class Trail:
    """The path of a run's tip in pieces that are equally long in time.

    What is drawn of the past follows from the past alone. So a run and another one that goes on otherwise from some
    time have the same path up to there, even where one of them ended early.

    Args:
        run: is not kept.
        place: (3,) displacement of the drawn arm from where its equations put it [m].
        size: the arm's radius [m].
        tips: (n, 3) the tip at evenly spaced times over the whole run, where it is known [m].
    """

    def __init__(self, run: Run, place: Array, size: float, tips: Array) -> None:
        self._held, self._place, self._size, self._known = ref(run), place, size, tips
        self._start, self._end = float(run.t[0]), float(run.t_end)
        # Not of the time that the run has: one that ended early has the pieces of one that did not.
        span = max(run.scenario.duration, self._end - self._start, 1e-9)
        self._apart = span / pieces_of(span)
        self._parts: dict[tuple[int, int], Array] = {}

    def past(self, t: float, seconds: float) -> Array:
        """(k, 4) rows (t, x, y, z): where the tip was in the `seconds` before `t` (0 is always), without `t` [s, m].

        Of a long time it is the last part, with as many points as a curve needs.
        """
        now = min(t, self._end)
        begun, leapt = self.drawn_part(now)
        since = begun if seconds == 0.0 else max(begun, now - seconds)
        last = self._point_at(min(now, leapt) - 1e-12)
        first = max(self._point_at(since), last - MOST_DRAWN * NO_CURVE)
        if last <= first or not len(self._tips):
            return np.empty((0, 4))
        # The same points are drawn while both ends move on.
        apart = max((last - first) // MOST_DRAWN, 1)
        first, last = -(-first // apart), -(-last // apart)
        parts = [self._part(apart, number) for number in range(first // PART, -(-last // PART))]
        begin = first // PART * PART
        return np.concatenate(parts)[first - begin : last - begin]

    def drawn_part(self, t: float) -> tuple[float, float]:
        """From when to when the tip's motion before `t` is drawn [s]; to infinity where it has a meaning at `t`."""
        begun = self._start
        for first, last, over in self._leaps:
            if t <= over:
                return begun, first if t > first else math.inf
            begun = last
        return begun, math.inf

    def _part(self, apart: int, number: int) -> Array:
        """The part of this number of a trail with every point, or of `apart` one: the next frames need it again."""
        if (found := self._parts.get((apart, number))) is None:
            if len(self._parts) >= MOST_PARTS:
                self._parts.clear()
            points = np.arange(number * PART * apart, min((number + 1) * PART * apart, self._numbers[-1]), apart)
            piece = np.searchsorted(self._numbers, points, side="right") - 1
            times = self._start + self._apart * (piece + (points - self._numbers[piece]) / self._finer[piece])
            times = np.minimum(times, self._end)
            found = self._parts[apart, number] = np.column_stack([times, self._tips_at(times)])
        return found

    def _point_at(self, t: float) -> int:
        """The number of the first point that is not before `t`."""
        pieces = (t - self._start) / self._apart
        piece = min(max(int(pieces), 0), len(self._finer) - 1)
        return max(int(self._numbers[piece]) + math.ceil((pieces - piece) * self._finer[piece] - 1e-9), 0)

    def _tips_at(self, times: Array) -> Array:
        run = self._held()
        assert run is not None
        return tips_of(run, times) + self._place

    @cached_property
    def _tips(self) -> Array:
        """(n, 3) the tip at the pieces' ends, the last of which the run may cut short [m]; (0, 3) without a tip."""
        count = max(math.ceil((self._end - self._start) / self._apart - 1e-9), 1)
        if math.isclose(self._end - self._start, count * self._apart) and len(self._known) == count + 1:
            return self._known
        return self._tips_at(np.minimum(self._start + self._apart * np.arange(count + 1), self._end))

    @cached_property
    def _finer(self) -> NDArray[np.int64]:
        """(n - 1,) how many points each piece has: more where the tip has turned fast there, or just before."""
        least = max(round(TRAIL_RATE * self._apart), 1)
        bends = np.zeros(max(len(self._tips) - 1, 1))
        if len(self._tips) > 2:
            bends[1:] = np.linalg.norm(np.diff(self._tips, 2, axis=0), axis=1)
            bends[2:] = np.maximum(bends[2:], bends[1:-1])
        off = np.maximum(bends / (8.0 * least**2 * self._size * OFF_PATH), 1.0)
        return least * np.minimum(2 ** np.ceil(np.log2(off) / 2.0), FINEST).astype(np.int64)

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        """(n,) the number of the first point of each piece, and how many points there are."""
        return np.concatenate([[0], np.cumsum(self._finer)])

    @cached_property
    def _leaps(self) -> list[tuple[float, float, float]]:
        """When the tip leaps without meaning: bursts, each from its first leap to its last, and when it is over [s].

        A run that diverges does so to its end; a step that is made shorter on the way may calm it. That it is calm
        shows a while after the last leap, whatever comes later.
        """
        lengths = np.linalg.norm(np.diff(self._tips, axis=0), axis=1)
        leaps = np.flatnonzero((lengths > ABSURD * self._size * self._apart) & (lengths > 0.2 * self._size))
        bursts = np.split(leaps, np.flatnonzero(np.diff(leaps) > CALM) + 1) if len(leaps) else []
        at = [(int(burst[0]), int(burst[-1]) + 1) for burst in bursts]
        when = [self._start + self._apart * np.array([first, last, last + CALM]) for first, last in at]
        return [(float(first), float(last), float(over)) for first, last, over in when]
