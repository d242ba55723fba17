"""What a class predicts by hands and in groups, and the time that it is given."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from gui.app.lessons.course import Course
from gui.app.lessons.record import OPEN, Answer
from gui.app.signal import Signal

if TYPE_CHECKING:
    from robots.lessons.lesson import Guess, Prediction

MOST_TIME = 3600.0


class Poll:
    """A show of hands, and the predictions of groups: those of each prediction are with its answer.

    Args:
        course: what is asked for, and where its hands are.
        announce: news for those who cannot see them.

    Attributes:
        changed: signal `()`.
        shown: whether the class sees the bars.
    """

    def __init__(self, course: Callable[[], Course], announce: Callable[[str], None]) -> None:
        self.changed = Signal()
        self.shown = False
        self._course, self._announce = course, announce

    def count(self, name: str) -> None:
        """Count one more hand for a choice of the prediction that is asked for."""
        self._put(hands=(*self._answer.hands, name))

    def keep(self, guess: Guess) -> None:
        """Keep a group's prediction; a choice is a hand."""
        if isinstance(guess, str):
            self.count(guess)
        elif (asked := self._course().asked) is not None:
            self._put(groups=(*self._answer.groups, guess))
            self._announce(self.groups(asked)[-1])

    def take_back(self) -> None:
        """Take back the last hand, or the last group's prediction."""
        asked, answer = self._course().asked, self._answer
        if answer.hands:
            self._put(hands=answer.hands[:-1])
        elif answer.groups and asked is not None:
            gone = self.groups(asked)[-1]
            self._put(groups=answer.groups[:-1])
            self._announce(self._course().phrase("taken back", what=gone))

    def groups(self, prediction: Prediction) -> tuple[str, ...]:
        """The groups that have predicted, each with its number if it is one."""
        from robots.lessons.lesson import Kind
        from robots.lessons.phrases import in_words

        course, said = self._course(), []
        language = "en" if course.lesson is None else course.lesson.language
        for number, guess in enumerate(course.answer(prediction).groups, 1):
            name = course.phrase("group", number=number)
            if prediction.kind == Kind.NUMBER and isinstance(guess, float):
                name = f"{name}: {in_words(guess, prediction.unit, language)}"
            said.append(name)
        return tuple(said)

    def favourite(self, asked: Prediction) -> str | None:
        """The choice that most hands are for; None without hands, and where a class is divided."""
        hands = self._course().answer(asked).hands
        counts = [(hands.count(choice.name), choice.name) for choice in asked.choices]
        most = max(counts, default=(0, ""))[0]
        names = [name for count, name in counts if count == most]
        return names[0] if most and len(names) == 1 else None

    def show(self, shown: bool) -> None:
        """Show the bars, or hide them."""
        self.shown = shown
        self.changed.emit()

    @property
    def _answer(self) -> Answer:
        asked = self._course().asked
        return OPEN if asked is None else self._course().answer(asked)

    def _put(self, **parts: object) -> None:
        waiting = self._course().record.waiting
        if waiting is not None:
            self._course().change(waiting, **parts)
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
