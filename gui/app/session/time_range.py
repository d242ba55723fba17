"""The part of the simulated time that all time plots show, and their second cursor."""

from __future__ import annotations

from collections.abc import Callable

from gui.app.playback import Playback
from gui.app.signal import Signal


class TimeRange:
    """What is shown, and whether it follows the playhead.

    Args:
        playback: whose whole span is shown at first.
        longest: the end of the longest run that is shown, which may be later [s]; beyond it there is nothing to see.

    Attributes:
        start, end: what a person chose to see [s]; meaningless while `whole`.
        whole: show the whole run, whatever its duration.
        follow: keep the playhead in view.
        mark: where the second cursor stands [s], or None.
        changed: signal `()`: another part is shown.
        marked: signal `()`: the second cursor moved, came or went.
    """

    def __init__(self, playback: Playback, longest: Callable[[], float] = lambda: 0.0) -> None:
        self._playback, self._longest = playback, longest
        self.start, self.end = 0.0, 1.0
        self.whole = True
        self.follow = True
        self.mark: float | None = None
        self.changed, self.marked = Signal(), Signal()
        playback.moved.connect(self.keep_in_view)  # and only then: a person may look at another part

    def show(self, start: float, end: float) -> None:
        """Show [start, end], or as long a part of the runs, all of them at most."""
        if not end > start:
            return
        start, end = self._within(start, end)
        if (start, end) != self.bounds():
            self.start, self.end, self.whole = start, end, (start, end) == self._span()
            self.changed.emit()

    def show_whole(self) -> None:
        """Show the whole run."""
        self.whole = True
        self.changed.emit()

    def set_mark(self, t: float | None) -> None:
        """Put the second cursor to `t` [s], within the run; None takes it away."""
        self.mark = None if t is None else min(max(t, self._playback.start), self._playback.end)
        self.marked.emit()

    def reset(self) -> None:
        """Be as at first, because another scenario was opened."""
        self.follow = True
        self.set_mark(None)
        self.show_whole()

    def keep_in_view(self, t: float) -> None:
        """Turn the page when the playhead leaves the shown part."""
        if self.whole or not self.follow or self.start <= t <= self.end:
            return
        span = self.end - self.start
        start = t - 0.05 * span if t > self.end else t - 0.95 * span
        self.show(start, start + span)

    def bounds(self) -> tuple[float, float]:
        """What to show [s]."""
        return self._span() if self.whole else self._within(self.start, self.end)

    def _span(self) -> tuple[float, float]:
        start, end = self._playback.start, self._playback.end
        return (start, end) if end > start else (start, start + 1.0)

    def _within(self, start: float, end: float) -> tuple[float, float]:
        """As long a part, moved to where there are runs; all of them if it is longer."""
        first, last = self._span()
        last = max(last, self._longest())
        length = min(end - start, last - first)
        start = min(max(start, first), last - length)
        return start, start + length if start + length < last else last
