"""Move through time by frames and by solver steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gui.app.playback import FRAME, Playback
from gui.app.runs import Runs


class Navigation:
    """Moves a paused playhead by one frame, or by one step of the current run."""

    def __init__(self, playback: Playback, runs: Runs) -> None:
        self._playback, self._runs = playback, runs

    def next_frame(self) -> None:
        """Pause and go forward by 1/30 s."""
        self._step_to(self._playback.t + FRAME)

    def previous_frame(self) -> None:
        """Pause and go back by 1/30 s."""
        self._step_to(self._playback.t - FRAME)

    def next_step(self) -> None:
        """Pause and go to the end of the current run's next accepted step."""
        times, t = self.step_times(), self._playback.t
        index = int(np.searchsorted(times, t + _tiny(t), side="right"))
        if index < len(times):
            self._step_to(float(times[index]))

    def previous_step(self) -> None:
        """Pause and go to the end of the current run's previous accepted step."""
        times, t = self.step_times(), self._playback.t
        index = int(np.searchsorted(times, t - _tiny(t), side="left")) - 1
        if index >= 0:
            self._step_to(float(times[index]))

    def step_times(self) -> NDArray[np.float64]:
        """The current run's steps: its start and the end of every accepted step, (n,) [s]."""
        run = self._runs.current.run
        if run is None:
            return np.empty(0)
        accepted = run.log.accepted
        return np.concatenate(([0.0], run.log.t[accepted] + run.log.h[accepted]))

    def _step_to(self, t: float) -> None:
        self._playback.pause()
        self._playback.seek(t)


def _tiny(t: float) -> float:
    return 1e-9 * max(1.0, abs(t))
