"""Changes during the run: edits that apply from the playhead on, and keep the run's past."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from assets.fields import Value
from gui.app import forks
from gui.app.documents import Document
from gui.app.history import History
from gui.app.playback import Playback
from gui.app.runs import Runs
from gui.app.session.messages import Messages
from gui.app.signal import Signal
from robots.scenario.scenario import Scenario

FORKING = ("robot.", "task.", "options.")
"""Groups of fields that may change during a run."""


class FromHere:
    """Whether edits apply from the playhead on, and the changes made that way.

    Attributes:
        on: whether edits of method, step, tolerances and parameters apply from the playhead on.
        changed: signal `()`: `on` changed.
        moved: signal `()`: the paused playhead moved, so that other changes may be in force.
    """

    def __init__(self, history: History[Document], playback: Playback, runs: Runs, messages: Messages) -> None:
        self.on = False
        self.changed = Signal()
        self.moved = Signal()
        self._history, self._playback, self._runs, self._messages = history, playback, runs, messages
        self._gesture_time: float | None = None
        playback.moved.connect(self._follow)

    def set(self, on: bool) -> None:
        """Let edits apply from the playhead on, or from the beginning."""
        self._gesture_time = None
        if on != self.on:
            self.on = on
            self._forget_refusals()
            self.changed.emit()

    def concerns(self, paths: Iterable[str]) -> bool:
        """Whether an edit of these fields applies from the playhead on."""
        return self.on and all(
            path in forks.CONTROL_PATHS or path == "method" or path.startswith(FORKING) for path in paths
        )

    @property
    def time(self) -> float:
        """The time from which edits apply: the playhead, or where it was when the gesture began [s]."""
        return self._playback.t if self._gesture_time is None else self._gesture_time

    def hold_time(self, held: bool) -> None:
        """Let all edits of a gesture apply from where the playhead is now."""
        self._gesture_time = self._playback.t if held else None

    def continued(self, changes: Mapping[str, Value]) -> Scenario:
        """The scenario in which `changes` hold from `time` on.

        Raises:
            BadInput: they are refused.
            TooLate: the run has ended before: nothing would change.
        """
        row = self._runs.current
        if row.run is not None and row.over_at(self.time):
            raise forks.TooLate(self.time, float(row.run.t_end), "ended")
        return forks.continued(self._history.present.scenario, self.time, changes)

    def in_force(self) -> Scenario:
        """The scenario that forms show: with the changes up to the playhead while `on`, otherwise as it begins."""
        scenario = self._history.present.scenario
        return forks.in_force(scenario, self._playback.t) if self.on else scenario

    def remove(self, index: int) -> None:
        """Remove one change during the run (`scenario.segments[index]`)."""
        self._history.settle()
        scenario = self._history.present.scenario
        if 0 <= index < len(scenario.segments):
            self._record(forks.without_segment(scenario, index), "remove a change")

    def clear(self) -> None:
        """Remove all changes during the run."""
        self._history.settle()
        scenario = self._history.present.scenario
        if scenario.segments:
            self._record(scenario.without_segments(), "remove all changes")

    def _forget_refusals(self) -> None:
        """A change that came too late is no longer asked for."""
        refused = [path for path, text in self._messages.problems.items() if text.startswith(forks.FROM_HERE)]
        if refused:
            self._messages.solved(*refused)

    def _follow(self, t: float) -> None:
        if t < self._history.present.scenario.duration and not self._runs.current.over_at(t):
            self._forget_refusals()
        if self.on and self._history.present.scenario.segments and not self._playback.playing:
            self.moved.emit()

    def _record(self, scenario: Scenario, text: str) -> None:
        self._history.record(replace(self._history.present, scenario=scenario), text)
