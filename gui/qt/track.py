"""What pictures need of a run and what does not change from frame to frame: computed once, forgotten with the run."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from robots.shapes import ArmShape, Pose

if TYPE_CHECKING:
    from robots.run import Run

Array = NDArray[np.float64]

TRAIL_RATE = 120.0
"""Points of a trail per second of simulated time."""

MOST_POINTS = 4000
"""A trail never has more points than this, however long the run."""


class Track:
    """What pictures need of one run, computed at most once.

    Attributes:
        start, end: the run's span [s].
        times: (n,) [s], evenly apart over the whole run.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self.start, self.end = float(run.t[0]), float(run.t_end)
        count = int(min(max((self.end - self.start) * TRAIL_RATE, 2), MOST_POINTS)) + 1
        self.times = np.linspace(self.start, self.end, count)
        self._starts = (self.start, *run.boundaries)
        self._shapes: dict[tuple[int, bool], ArmShape] = {}
        self._worst: tuple[Any, Array] | None = None

    def shape(self, t: float) -> ArmShape:
        """The arm's looks at `t`; the same object until something changes, so that a renderer can keep its meshes."""
        return self._shape(t, ghost=False)

    def ghost_shape(self, t: float) -> ArmShape:
        """The arm without what is fixed to the world: a pedestal that every run shares needs no ghost."""
        return self._shape(t, ghost=True)

    def _shape(self, t: float, *, ghost: bool) -> ArmShape:
        key = bisect_right(self._starts, t), ghost
        if key not in self._shapes:
            shape = self._run.shape(t)
            if ghost:
                poses = self._run.poses(self.times[:: max(len(self.times) // 16, 1)])
                still = {-1, *np.flatnonzero(np.ptp(poses, axis=0).max(axis=(1, 2)) < 1e-9).tolist()}
                shape = replace(shape, parts=tuple(part for part in shape.parts if part.link not in still))
            self._shapes[key] = shape
        return self._shapes[key]

    @cached_property
    def tips(self) -> Array:
        """(n, 3) where the tip is at `times` [m]; no rows for an arm without a tip."""
        return self.tips_at(self.times)

    @cached_property
    def desired(self) -> Array | None:
        """(n, 3) where the task wants the tip at `times` [m], or None."""
        return self._run.robot.desired_path(self._run.scenario, self.times)

    def tips_at(self, times: Array) -> Array:
        """(m, 3) where the tip is at `times` (m,), in the run's span [m]."""
        return self._run.tip(times)

    def pose(self, t: float) -> Pose:
        """The arm at `t`, and at its last good pose after the run's end."""
        return self._run.pose(t)

    def tip(self, t: float) -> Array | None:
        """(3,) where the tip is at `t`, and where it stopped after the run's end [m]."""
        tips = self.tips_at(np.array([min(max(t, self.start), self.end)]))
        return tips[0] if len(tips) else None

    def past(self, t: float, seconds: float) -> Array:
        """(k, 3) where the tip was in the `seconds` before `t` (0 is always), without `t` itself [m]."""
        now = min(t, self.end)
        since = self.start if seconds == 0.0 else now - seconds
        first, last = np.searchsorted(self.times, [since, now - 1e-12])
        return self.tips[first:last]

    def tip_velocity(self, t: float) -> Array:
        """(3,) how fast the tip moves at `t` [m/s]."""
        before, after = (min(max(t + apart, self.start), self.end) for apart in (-1e-4, 1e-4))
        tips = self.tips_at(np.array([before, after]))
        return (tips[1] - tips[0]) / max(after - before, 1e-12)

    def worst_at(self, t: float, exact: Any) -> float:
        """The largest distance so far between the tip and that of the reference `exact`; see `exact_tips` [m]."""
        return float(np.interp(t, self.times, self._worst_so_far(exact)))

    def _worst_so_far(self, exact: Any) -> Array:
        if self._worst is None or self._worst[0] is not exact:
            gaps = np.linalg.norm(self.tips - exact_tips(self._run, exact, self.times), axis=1)
            self._worst = exact, np.maximum.accumulate(np.nan_to_num(gaps))
        return self._worst[1]


_TRACKS: WeakKeyDictionary[Any, Track] = WeakKeyDictionary()


def track_of(run: Run) -> Track:
    """The run's `Track`."""
    found = _TRACKS.get(run)
    if found is None:
        found = _TRACKS[run] = Track(run)
    return found


def exact_tips(run: Run, exact: Any, times: Array) -> Array:
    """(m, 3) where the tip of the reference `exact` is at `times`; without one, where the task wants it [m]."""
    if exact is None:
        desired = run.robot.desired_path(run.scenario, times)
        return np.full((len(times), 3), np.nan) if desired is None else desired
    states = exact.sample(times)
    owner = np.searchsorted(run.boundaries, times, side="right")
    tips = np.empty((len(times), 3))
    for index, stretch in enumerate(run.stretches):
        mine = owner == index
        if mine.any():
            tips[mine] = run.robot.tip_path(stretch.piece.scenario, times[mine], states[mine])
    return tips
