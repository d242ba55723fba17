"""A lesson in front of a class: its steps are the pages of the presentation, the teacher's notes their texts."""

from __future__ import annotations

from gui.app.lessons.plain import spoken
from gui.app.lessons.player import LessonPlayer
from gui.app.session.sequence import Page, Sequence


class LessonSequence:
    """Goes through a lesson with a presenter's remote: on from a question means showing its outcome first.

    Args:
        player: has the open lesson.

    Attributes:
        changed: signal `()`: another page is shown.
        player: has the open lesson.
    """

    def __init__(self, player: LessonPlayer) -> None:
        self.player = player
        self.changed = player.changed

    @property
    def pages(self) -> tuple[Page, ...]:
        """The introduction and the steps, each with the teacher's notes."""
        course = self.player.course
        labels = [course.phrase("introduction"), *map(str, range(1, course.last + 1))]
        return tuple(
            Page(number, 0, course.title_of(number), spoken(course.notes_of(number)), label=label)
            for number, label in enumerate(labels)
        )

    @property
    def number(self) -> int:
        """The place of the page that is shown, from 0."""
        return self.player.course.number

    @property
    def place(self) -> str:
        """Which step of how many is shown, as its panel says it."""
        return self.player.course.place

    @property
    def page(self) -> Page:
        """The page that is shown."""
        return self.pages[self.number]

    @property
    def following(self) -> Page | None:
        """The page that comes next: after another scenario the step that was left; None after the last one."""
        return next(iter(self.pages[self.number + self.in_step :]), None)

    @property
    def in_step(self) -> bool:
        """Whether the scenario of the page is open."""
        return self.player.course.lesson is not None and not self.player.away

    def start(self) -> bool:
        """Begin with the step that is shown, as at its start."""
        self.player.teach(True)
        return True

    def end(self) -> None:
        """The class is over: the lesson is a student's again."""
        self.player.teach(False)

    def keep(self) -> None:
        """Put unsaved changes aside before another scenario opens; those of the step come back with it."""
        self.player.detour.put_aside()

    def mark(self) -> None:
        """Something else will be opened: a step comes back as its lesson does."""

    def turn(self, by: int) -> None:
        """Go on as the lesson's button does, or back to the step before."""
        if by > 0:
            self.player.onward()
        else:
            self.player.back()

    def go(self, number: int) -> bool:
        """Show the step of that place."""
        if not 0 <= number <= self.player.course.last:
            return False
        self.player.go(number)
        return True


Pages = Sequence | LessonSequence
"""What can be presented."""
