"""Walk through time by frames and by the solver's own steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gui.app.playback import FRAME
from gui.app.session.core import Core


class Stepping(Core):
    """The verbs of the timeline that need a run; the others are `playback`'s own."""

    def seek(self, t: float) -> None:
        """Put the playhead at `t` [s]."""
        self.playback.seek(t)

    def next_frame(self) -> None:
        """Pause and go on by 1/30 s."""
        self._step_to(self.playback.t + FRAME)

    def previous_frame(self) -> None:
        """Pause and go back by 1/30 s."""
        self._step_to(self.playback.t - FRAME)

    def next_step(self) -> None:
        """Pause and go to the end of the current run's next accepted step."""
        times = self.step_times()
        index = int(np.searchsorted(times, self.playback.t + _tiny(self.playback.t), side="right"))
        if index < len(times):
            self._step_to(float(times[index]))

    def previous_step(self) -> None:
        """Pause and go to the end of the current run's accepted step before."""
        times = self.step_times()
        index = int(np.searchsorted(times, self.playback.t - _tiny(self.playback.t), side="left")) - 1
        if index >= 0:
            self._step_to(float(times[index]))

    def step_times(self) -> NDArray[np.float64]:
        """The current run's grid: its start and the end of every accepted step, (n,) [s]."""
        run = self.current.run
        if run is None:
            return np.empty(0)
        accepted = run.log.accepted
        return np.concatenate(([0.0], run.log.t[accepted] + run.log.h[accepted]))

    def _step_to(self, t: float) -> None:
        self.playback.pause()
        self.playback.seek(t)


def _tiny(t: float) -> float:
    return 1e-9 * max(1.0, abs(t))
