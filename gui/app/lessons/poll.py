"""A show of hands, and the time that a class is given."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from gui.app.lessons.course import Course
from gui.app.signal import Signal

if TYPE_CHECKING:
    from robots.lessons.lesson import Prediction

MOST_TIME = 3600.0


class Poll:
    """A show of hands: those of each prediction are with its answer.

    Args:
        course: what is asked for, and where its hands are.

    Attributes:
        changed: signal `()`.
        shown: whether the class sees the bars.
    """

    def __init__(self, course: Callable[[], Course]) -> None:
        self.changed = Signal()
        self.shown = False
        self._course = course

    def count(self, name: str) -> None:
        """Count one more hand for a choice of the prediction that is asked for."""
        self._put((*self._hands, name))

    def take_back(self) -> None:
        """Take the last hand back."""
        self._put(self._hands[:-1])

    def favourite(self, asked: Prediction) -> str | None:
        """The choice that most hands are for; None without hands."""
        hands = self._course().answer(asked).hands
        return max((choice.name for choice in asked.choices), key=hands.count) if hands else None

    def show(self, shown: bool) -> None:
        """Show the bars, or hide them."""
        self.shown = shown
        self.changed.emit()

    @property
    def _hands(self) -> tuple[str, ...]:
        asked = self._course().asked
        return () if asked is None else self._course().answer(asked).hands

    def _put(self, hands: tuple[str, ...]) -> None:
        record = self._course().record
        if record.waiting is not None:
            self._course().put(record.with_answer(record.waiting, replace(record.answers[record.waiting], hands=hands)))
            self.changed.emit()


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
