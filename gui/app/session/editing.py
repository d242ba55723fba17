"""Edit the scenario: values, gestures, undo, changes on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from gui.app import forks
from gui.app import formatting as readouts
from gui.app.session.drag_force import Pulling
from robots.model.fields import Value

FORKING = ("robot.", "task.", "options.")
"""Groups of fields that may change while a run goes on."""


class Editing(Pulling):
    """The verbs that make another scenario."""

    def edit(self, path: str, value: Value) -> bool:
        """Give the field `path` another value; False if it was refused (then `problems[path]` says why)."""
        return self.edit_many({path: value})

    def edit_many(self, changes: Mapping[str, Value]) -> bool:
        """Give several fields other values in one undo step, all or none."""
        self.pull_end()
        changes = self._with_companions(changes)
        if self.from_here and all(_forks(path) for path in changes):
            return self.continue_from_here(changes)
        return self._try(changes, lambda: self.scenario.edited(changes), self._names(changes))

    def continue_from_here(self, changes: Mapping[str, Value]) -> bool:
        """From the playhead on, `changes` hold: the run keeps its past. A gesture counts from where it began."""
        self.pull_end()
        at = self.playback.t if self._fork_time is None else self._fork_time
        text = f"{self._names(changes)} from {readouts.clock(at)} on"
        return self._try(changes, lambda: (forks.continued(self.scenario, at, changes), ""), text)

    def remove_segment(self, index: int) -> None:
        """Take one change on the way (`scenario.segments[index]`) out again."""
        self.pull_end()
        if 0 <= index < len(self.scenario.segments):
            self._edited(forks.without_segment(self.scenario, index), "remove a change on the way")

    def clear_segments(self) -> None:
        """Take all changes on the way out again."""
        self.pull_end()
        if self.scenario.segments:
            self._edited(self.scenario.without_segments(), "remove all changes on the way")

    def set_from_here(self, on: bool) -> None:
        """Let edits of method, step, tolerances and parameters apply from the playhead on, or from the beginning."""
        if on != self.from_here:
            self.from_here = on
            self._solved(*[path for path, text in self.problems.items() if text.startswith(forks.FROM_HERE)])
            self.scenario_changed.emit()

    @contextmanager
    def gesture(self) -> Iterator[None]:
        """`begin_gesture` and `end_gesture` around a block."""
        self.begin_gesture()
        try:
            yield
        finally:
            self.end_gesture()

    def undo(self) -> None:
        """Go back to the scenario and pinned runs before the last edit. View and playhead stay."""
        self.pull_end()
        if self._history.undo():
            self._arrived()

    def redo(self) -> None:
        """Do again what `undo` took back."""
        self.pull_end()
        if self._history.redo():
            self._arrived()

    def _with_companions(self, changes: Mapping[str, Value]) -> Mapping[str, Value]:
        """Taylor's two degrees move together: a person who turns one is not asked to turn the other first."""
        order, velocity = "options.order", "options.velocity_order"
        if order not in changes or velocity in changes or velocity not in self.scenario.fields():
            return changes
        before, present, wanted = self.value(order), self.value(velocity), changes[order]
        if not (present and isinstance(wanted, int) and isinstance(present, int) and isinstance(before, int)):
            return changes  # 0 moves along by itself; what is no whole number will be refused
        return {**changes, velocity: max(wanted - (before - present), 0)}

    def _names(self, changes: Mapping[str, Value]) -> str:
        declared = self.scenario.fields()
        return ", ".join(declared[path].label if path in declared else path for path in changes)


def _forks(path: str) -> bool:
    return path in forks.CONTROL_PATHS or path == "method" or path.startswith(FORKING)
