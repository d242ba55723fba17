"""Undo and redo, as a list of values: undo goes back to the previous one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from gui.app.signal import Signal

T = TypeVar("T")

MERGE_SECONDS = 0.7
"""Edits of the same field within this time are one step [s]."""


MOST_STEPS = 1000
"""How many steps can be undone; the oldest are forgotten."""


@dataclass(frozen=True, slots=True)
class Edit(Generic[T]):
    """One edit: the value after it, its name on the screen, and which edits it may be merged with."""

    value: T
    text: str
    key: str | None


class History(Generic[T]):
    """The last values, at most `MOST_STEPS` before the present one. Values must be immutable.

    Attributes:
        changed: signal `()`: another value is current, or other steps can be undone and redone.
        settling: signal `()`: something else is about to happen; whoever has a pending edit records it now.
    """

    def __init__(self, value: T, clock: Callable[[], float] = time.monotonic) -> None:
        self.changed, self.settling = Signal(), Signal()
        self._clock = clock
        self._start(value)

    def reset(self, value: T) -> None:
        """Forget everything and start with `value`."""
        self._start(value)
        self.changed.emit()

    def settle(self) -> None:
        """Finish pending edits, because something else is about to happen."""
        self.settling.emit()

    def _start(self, value: T) -> None:
        self._steps: list[Edit[T]] = [Edit(value, "", None)]
        self._index = 0
        self._gesture_start: int | None = None
        self._last_time = -float("inf")

    @property
    def present(self) -> T:
        """The current value."""
        return self._steps[self._index].value

    @property
    def past(self) -> Iterator[T]:
        """The values that undo goes back to, the latest first."""
        return (step.value for step in reversed(self._steps[: self._index]))

    @property
    def values(self) -> tuple[T, ...]:
        """The present value, and all that undo and redo lead to, in order."""
        return tuple(step.value for step in self._steps)

    @property
    def can_undo(self) -> bool:
        """Whether there is an earlier value."""
        return self._index > 0

    @property
    def can_redo(self) -> bool:
        """Whether a value was undone and nothing was edited since."""
        return self._index + 1 < len(self._steps)

    @property
    def undo_text(self) -> str:
        """What `undo` would take back; empty if nothing."""
        return self._steps[self._index].text if self.can_undo else ""

    @property
    def redo_text(self) -> str:
        """What `redo` would do again; empty if nothing."""
        return self._steps[self._index + 1].text if self.can_redo else ""

    def record(self, value: T, text: str, key: str | None = None) -> None:
        """Make `value` the current one, as a step called `text`.

        Within a gesture, and for the same `key` within `MERGE_SECONDS`, it replaces the latest step instead of adding
        one; where that leads back to the value before, no step is left.
        """
        now = self._clock()
        del self._steps[self._index + 1 :]
        if self._merges(key, now):
            self._steps[-1] = Edit(value, self._steps[-1].text, key)
            if self._gesture_start is None and self._steps[-2].value == value:
                del self._steps[-1]
                now = -float("inf")  # an older step is the latest again: nothing merges into it
        else:
            self._steps.append(Edit(value, text, key))
            self._forget_oldest()
        self._index = len(self._steps) - 1
        self._last_time = now
        self.changed.emit()

    def _forget_oldest(self) -> None:
        more = len(self._steps) - 1 - MOST_STEPS
        if more > 0:
            del self._steps[:more]
            if self._gesture_start is not None:
                self._gesture_start = max(self._gesture_start - more, 0)

    def amend(self, value: T) -> None:
        """Replace the current value without a step to undo, for changes that were not made by hand."""
        self._steps[self._index] = replace(self._steps[self._index], value=value)
        self.changed.emit()

    def begin_gesture(self) -> None:
        """Merge all following edits into one step until `end_gesture`."""
        if self._gesture_start is None:
            self._gesture_start = self._index

    def end_gesture(self) -> None:
        """End the gesture. If nothing has changed in the end, it leaves no step."""
        start, self._gesture_start = self._gesture_start, None
        self._last_time = -float("inf")
        if start is not None and start < self._index and self._steps[start].value == self.present:
            del self._steps[start + 1 :]
            self._index = start
        self.changed.emit()

    def undo(self) -> bool:
        """Go back one step, if there is one; a pending edit that leaves no step is all that is taken back."""
        before = self._index
        self.settle()
        if self._index < before:
            return True
        return self._go(-1) if self.can_undo else False

    def redo(self) -> bool:
        """Go forward one step, if there is one."""
        self.settle()
        return self._go(1) if self.can_redo else False

    def _go(self, by: int) -> bool:
        self._gesture_start = None
        self._index += by
        self._last_time = -float("inf")
        self.changed.emit()
        return True

    def _merges(self, key: str | None, now: float) -> bool:
        if self._gesture_start is not None:
            return self._index > self._gesture_start
        step = self._steps[-1]
        return key is not None and step.key == key and now - self._last_time < MERGE_SECONDS
