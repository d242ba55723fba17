"""A lesson in front of a class: its steps are the pages of the presentation, the teacher's notes their texts."""

from __future__ import annotations

from dataclasses import replace

from gui.app.lessons.plain import spoken
from gui.app.lessons.player import LessonPlayer
from gui.app.session.sequence import Page, Sequence


class LessonSequence:
    """Goes through a lesson with a presenter's remote: on from a question means showing its outcome first.

    Args:
        player: has the open lesson.
        around: the list that has the lesson among its pages: these come before and after the steps.

    Attributes:
        changed: signal `()`: another page is shown.
        player: has the open lesson.
    """

    def __init__(self, player: LessonPlayer, around: Sequence | None = None) -> None:
        self.player = player
        self.changed = player.changed
        self._list = around

    @property
    def pages(self) -> tuple[Page, ...]:
        """The introduction and the steps, each with the teacher's notes, among all that the list has."""
        course, own = self.player.course, self._item
        if self._around is not None:
            return tuple(
                page if page.item != own or page.step is None else replace(page, text=self._notes_of(page.step))
                for page in self._around.listed
            )
        labels = [course.phrase("introduction"), *map(str, range(1, course.last + 1))]
        return tuple(
            Page(0, 0, course.title_of(number), self._notes_of(number), label=label, step=number)
            for number, label in enumerate(labels)
        )

    @property
    def listed(self) -> tuple[Page, ...]:
        """All that a person can choose: the pages."""
        return self.pages

    def _notes_of(self, step: int) -> str:
        return spoken(self.player.course.notes_of(step))

    @property
    def _around(self) -> Sequence | None:
        """The list, unless a lesson of no list was opened meanwhile."""
        return self._list if self._list is not None and self._list.in_lesson else None

    @property
    def _item(self) -> int:
        """The lesson's place among what is listed."""
        return 0 if self._around is None else self._around.page.item

    @property
    def number(self) -> int:
        """The place of the page that is shown, from 0."""
        here = self._item, self.player.course.number
        return next(number for number, page in enumerate(self.pages) if (page.item, page.step) == here)

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
        """Begin with the step that is shown, as at its start; on a list, with the one that the class has left."""
        self.player.course.around = self._list
        self.player.teach(True)
        if self._around is not None:
            self._around.resume_lesson()
        return True

    def pause(self) -> None:
        """Something else is presented, or nothing: the lesson is a student's again."""
        self.player.course.around = None
        self.player.teach(False)

    def end(self) -> None:
        """The class is over."""
        self.pause()
        if self._list is not None:
            self._list.end()

    def keep(self) -> None:
        """Put unsaved changes aside before another scenario opens; those of the step come back with it."""
        self.player.detour.put_aside()

    def mark(self) -> None:
        """Something else will be opened: a step comes back as its lesson does."""

    def turn(self, by: int) -> bool:
        """Go on as the lesson's button does, or back to the step before. False at the end."""
        return self.player.onward() if by > 0 else self.player.back()

    def go(self, number: int) -> bool:
        """Show the page of that place."""
        return 0 <= number < len(self.pages) and self.choose(self.pages[number])

    def choose(self, page: Page) -> bool:
        """Show a step, or another page of the list; False if that cannot be opened."""
        around = self._around
        if around is not None and page.item != self._item:
            return around.choose(page)
        assert page.step is not None
        self.player.go(page.step)
        return True


Pages = Sequence | LessonSequence
"""What can be presented."""
