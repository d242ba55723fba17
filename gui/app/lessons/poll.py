"""A show of hands, and the time that a class is given."""

from __future__ import annotations

import math
from collections.abc import Callable

from gui.app.signal import Signal
from robots.lessons.lesson import Kind, Prediction

MOST_TIME = 3600.0


class Poll:
    """Hands counted for each choice.

    Attributes:
        changed: signal `()`.
        shown: whether the class sees the bars.
    """

    def __init__(self) -> None:
        self.changed = Signal()
        self.shown = False
        self._counted: list[str] = []

    def count(self, name: str) -> None:
        """Count one more hand for a choice."""
        self._counted.append(name)
        self.changed.emit()

    def take_back(self) -> None:
        """Take the last hand back."""
        del self._counted[-1:]
        self.changed.emit()

    def hands(self, name: str) -> int:
        """The hands for a choice."""
        return self._counted.count(name)

    @property
    def total(self) -> int:
        """All hands."""
        return len(self._counted)

    def favourite(self, asked: Prediction) -> str | None:
        """The choice that most hands are for; None without hands, and where no choice is asked for."""
        if asked.kind != Kind.CHOICE or not self.total:
            return None
        return max((choice.name for choice in asked.choices), key=self.hands)

    def show(self, shown: bool) -> None:
        """Show the bars, or hide them."""
        self.shown = shown
        self.changed.emit()

    def clear(self) -> None:
        """Forget all hands and hide the bars."""
        self._counted.clear()
        self.show(False)


class Countdown:
    """The time that is left to think.

    Attributes:
        changed: signal `()`: it was set or stopped; a clock asks for `left` itself.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self.changed = Signal()
        self._now = now
        self._end: float | None = None

    @property
    def running(self) -> bool:
        """Whether it was set."""
        return self._end is not None

    @property
    def left(self) -> float:
        """How much time is left [s], 0 when it is over."""
        return 0.0 if self._end is None else max(self._end - self._now(), 0.0)

    @property
    def text(self) -> str:
        """Minutes and seconds that are left; empty if it was not set."""
        seconds = math.ceil(self.left)
        return f"{seconds // 60}:{seconds % 60:02d}" if self.running else ""

    def add(self, seconds: float) -> None:
        """Give more time [s]."""
        self._end = self._now() + min(self.left + seconds, MOST_TIME)
        self.changed.emit()

    def stop(self) -> None:
        """Stop the clock."""
        self._end = None
        self.changed.emit()
