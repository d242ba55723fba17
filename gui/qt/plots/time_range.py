"""The part of the simulated time that all time plots show."""

from __future__ import annotations

from gui.app.playback import Playback
from gui.app.signal import Signal


class TimeRange:
    """What is shown, and whether it follows the playhead.

    Attributes:
        start, end: what is shown [s]; meaningless while `whole`.
        whole: show the whole run, whatever its duration.
        follow: keep the playhead in view.
        changed: signal `()`.
    """

    def __init__(self) -> None:
        self.start, self.end = 0.0, 1.0
        self.whole = True
        self.follow = True
        self.changed = Signal()

    def show(self, start: float, end: float) -> None:
        """Show [start, end]."""
        if (start, end) != (self.start, self.end) and end > start:
            self.start, self.end, self.whole = start, end, False
            self.changed.emit()

    def show_whole(self) -> None:
        """Show the whole run."""
        self.whole = True
        self.changed.emit()

    def keep_in_view(self, t: float) -> None:
        """Turn the page when the playhead leaves the shown part."""
        if self.whole or not self.follow or self.start <= t <= self.end:
            return
        span = self.end - self.start
        start = t - 0.05 * span if t > self.end else t - 0.95 * span
        self.show(start, start + span)

    def bounds(self, playback: Playback) -> tuple[float, float]:
        """What to show [s]."""
        if not self.whole:
            return self.start, self.end
        start, end = playback.start, playback.end
        return (start, end) if end > start else (start, start + 1.0)
