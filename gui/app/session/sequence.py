"""What is presented, in order: scenarios, each with the pages of its notes, and lessons."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assets.errors import ArmstepError
from gui.app.session.autosave import KeptChanges, Left
from gui.app.signal import Signal
from robots.scenario.file import load_scenario
from robots.scenario.presets import presets_by_robot
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from gui.app.lessons.record import StepRecord
    from gui.app.session.session import Session
    from robots.lessons.lesson import Lesson


@dataclass(frozen=True, slots=True)
class Item:
    """A scenario of a sequence.

    Attributes:
        source: the preset's key, the file, or None for a scenario that is in neither.
        scenario: as it was when the sequence was made.
    """

    source: str | Path | None
    scenario: Scenario

    def title(self, now: Scenario | None = None) -> str:
        """The scenario's title, as it is `now`."""
        return titled(now or self.scenario)

    def texts(self, now: Scenario | None = None) -> list[str]:
        """The text of each page, as it is `now`."""
        return paragraphs((now or self.scenario).notes)

    def is_open(self, session: Session) -> bool:
        """Whether it is what was opened, changed since or not.

        A step of a lesson and what a film shows have a preset's name, and are not the preset.
        """
        files = session.files
        if isinstance(self.source, Path) or files.path is not None:
            return files.path == self.source
        if self.source is None or files.as_opened is None:
            return session.scenario.name == self.scenario.name
        return files.as_opened == self.scenario.alone()


@dataclass(frozen=True, slots=True)
class LessonItem:
    """A lesson of a sequence.

    Attributes:
        source: what it is opened by.
        lesson: as it was when the sequence was made.
        path: its file.
    """

    source: str | Path
    lesson: Lesson
    path: Path

    def title(self, _: Scenario | None = None) -> str:
        """The lesson's title."""
        return self.lesson.title

    def texts(self, _: Scenario | None = None) -> list[str]:
        """One page without notes: those on a lesson are the teacher's, and a class sees the list of pages."""
        return [""]

    def is_open(self, session: Session) -> bool:
        """Whether the lesson is shown, and no other scenario than its step's."""
        return self.is_taken(session) and not session.lessons.away

    def is_taken(self, session: Session) -> bool:
        """Whether the lesson is the open one."""
        return session.lessons.course.lesson is not None and session.lessons.path == self.path


@dataclass(frozen=True, slots=True)
class Page:
    """One page: a paragraph of a scenario's notes, a lesson, or a step of it.

    Attributes:
        item: the place of its scenario or lesson in the sequence.
        part: which paragraph.
        title: the scenario's or the lesson's title.
        text: the paragraph; empty for a lesson.
        file: the name of its file, by which a page is found, too; empty without one.
        label: its number among all, as it is counted where it is shown.
        step: of a lesson, 0 for its introduction and for the lesson as one page; None for what is no lesson.
    """

    item: int
    part: int
    title: str
    text: str
    file: str = ""
    label: str = ""
    step: int | None = None

    def is_of(self, other: Page) -> bool:
        """Whether it belongs to the same scenario or the same step."""
        return (self.item, self.step) == (other.item, other.step)


class Sequence:
    """The pages of a lecture, and which one is shown.

    Turning a page never asks: unsaved changes of the scenario that is left are kept, and are there again, as a step
    to undo, when its page is shown again. The plots that were chosen for a page are its own until the end, and so is
    what a class did in a lesson.

    Args:
        session: where the scenarios are opened.
        items: the scenarios and lessons in order; not empty.
        at: the place of the one that is open.

    Attributes:
        changed: signal `()`: another page is shown.
    """

    def __init__(self, session: Session, items: Iterable[Item | LessonItem], at: int = 0) -> None:
        self.changed = Signal()
        self.items = tuple(items)
        self._session = session
        self._at, self._part = at, 0
        self._changes: dict[int, KeptChanges] = {}
        self._left: dict[int, Left] = {}
        self._plots: dict[int, tuple[str, ...] | None] = {}
        self._taught: dict[int, tuple[int, list[StepRecord] | None]] = {}

    @property
    def pages(self) -> tuple[Page, ...]:
        """All pages; those of the open scenario have its notes as they are now. Files of one title have their names."""
        made: list[Page] = []
        here = self._at if self.in_step else None
        now = [self._session.scenario if place == here else None for place in range(len(self.items))]
        titles = [item.title(scenario) for item, scenario in zip(self.items, now, strict=True)]
        often = Counter(titles)
        for place, (item, title) in enumerate(zip(self.items, titles, strict=True)):
            texts, source, file = item.texts(now[place]), item.source, ""
            if isinstance(source, Path):
                title, file = f"{title} ({source.stem})" if often[title] > 1 else title, source.name
            first, step = len(made) + 1, 0 if isinstance(item, LessonItem) else None
            made += [Page(place, part, title, text, file, str(first + part), step) for part, text in enumerate(texts)]
        return tuple(made)

    @property
    def listed(self) -> tuple[Page, ...]:
        """All that a person can choose: the pages, and below each lesson its steps."""
        made: list[Page] = []
        for page in self.pages:
            made.append(page)
            for number, step in enumerate(self._lesson_of(page.item).steps if page.step == 0 else (), 1):
                made.append(Page(page.item, 0, step.title, "", "", f"{page.label}.{number}", number))
        return tuple(made)

    @property
    def number(self) -> int:
        """The place of the page that is shown, from 0."""
        pages = self.pages
        first = next(number for number, page in enumerate(pages) if page.item == self._at)
        here = sum(page.item == self._at for page in pages)
        return first + min(self._part, here - 1)

    @property
    def place(self) -> str:
        """Which page of how many is shown; empty for a scenario that was opened otherwise, which is no page."""
        return f"{self.number + 1} of {len(self.pages)}" if self.in_step else ""

    @property
    def page(self) -> Page:
        """The page that is shown; of a scenario that was opened otherwise, the beginning of its notes."""
        if self.in_step:
            return self.pages[self.number]
        scenario = self._session.scenario
        return Page(self._at, 0, titled(scenario), paragraphs(scenario.notes)[0])

    @property
    def following(self) -> Page | None:
        """The page that comes next; None after the last one."""
        return next(iter(self.pages[self.number + 1 :]), None)

    @property
    def in_step(self) -> bool:
        """Whether the open scenario is the one of the page that is shown, changed or not."""
        return self.items[self._at].is_open(self._session)

    @property
    def has_lesson(self) -> bool:
        """Whether the page that is shown is a lesson, open or not."""
        return isinstance(self.items[self._at], LessonItem)

    @property
    def in_lesson(self) -> bool:
        """Whether the open lesson is the page that is shown, also while it sees another scenario."""
        item = self.items[self._at]
        return isinstance(item, LessonItem) and item.is_taken(self._session)

    def start(self) -> bool:
        """Open the first scenario or lesson unless it is open; False if that is impossible."""
        if not self.in_step:
            self.keep()
            if not self._open(self._at):
                return False
        self._lend_plots()
        return True

    def keep(self) -> None:
        """Put unsaved changes aside before another scenario opens; those of the page that is shown are its own."""
        if self.in_lesson:
            self._session.lessons.detour.put_aside()
            return
        here, kept = self.in_step, self._session.files.keep_changes()
        if here and kept is not None:
            self._changes[self._at] = kept

    def mark(self) -> None:
        """Something else will be opened: a page that is not turned comes back as it is, as one with changes does."""
        if self.in_step and not self.has_lesson and not self._session.files.dirty:
            self._left[self._at] = self._session.files.as_it_is()

    def pause(self) -> None:
        """Something else is presented, or nothing; everything stays as it is."""

    def end(self) -> None:
        """The presentation is over: pages have the plots of their scenarios again, and nothing of a class is kept."""
        self._plots.clear()
        self._taught.clear()

    def turn(self, by: int) -> bool:
        """Go `by` pages on; a file that cannot be opened any more is passed over. False at the end.

        From a scenario that is no page, back means to the page that was left for it.
        """
        number = self.number + by + (by < 0 and not self.in_step)
        while 0 <= number < len(self.pages):
            if self.go(number):
                return True
            number += by
        return False

    def go(self, number: int) -> bool:
        """Show the page of that place; False if its scenario cannot be opened."""
        page = self.pages[number]
        if (page.item != self._at or not self.in_step) and not self._change_to(page):
            return False
        self._part = page.part
        self.changed.emit()
        return True

    # -- lessons among the pages ---------------------------------------------------------------------------------------

    def choose(self, page: Page) -> bool:
        """Show one of those listed: of a lesson that step; False if it cannot be opened."""
        if page.step is not None:
            self._taught[page.item] = page.step, self._taught.get(page.item, (0, None))[1]
        pages = enumerate(self.pages)
        return self.go(next(number for number, one in pages if (one.item, one.part) == (page.item, page.part)))

    def _lesson_of(self, place: int) -> Lesson:
        """The lesson there: the open one as it is now."""
        item, now = self.items[place], self._session.lessons.course.lesson
        assert isinstance(item, LessonItem)
        return now if now is not None and item.is_taken(self._session) else item.lesson

    def resume_lesson(self) -> None:
        """Show the step that a class has left, with what it did; at first the introduction."""
        self._session.lessons.resume(*self._taught.get(self._at, (0, None)))

    def leads_out(self, by: int) -> bool:
        """Whether a page comes after the open lesson (1), or before it (-1)."""
        return self.in_lesson and 0 <= self.number + by < len(self.pages)

    def leave_lesson(self, by: int) -> bool:
        """Show the page after the open lesson, or the one before it; False if there is none."""
        return self.leads_out(by) and self.turn(by)

    def pass_lesson(self) -> bool:
        """A person has closed the lesson: show the page after it, or else the one before; False if there is none."""
        beside = (number for number in (self.number + 1, self.number - 1) if 0 <= number < len(self.pages))
        return any(self.go(number) for number in beside)

    # -- inside --------------------------------------------------------------------------------------------------------

    def _change_to(self, page: Page) -> bool:
        """Open the scenario or the lesson of a page, and leave those of the page that is shown."""
        before, turned, taught, lessons = self._at, self.in_step, self.in_lesson, self._session.lessons
        if taught:
            self._taught[before] = lessons.course.number, lessons.course.records
        elif turned:
            self._plots[before] = self._session.view.settings.plots
        self.keep()
        if isinstance(self.items[page.item], LessonItem):
            self._at = page.item  # who teaches it looks at this page as soon as it opens
        if not self._open(page.item):
            self._at = before
            return False
        if turned:
            self._left.pop(before, None)
        self._at, self._part = page.item, page.part
        if taught and not self.has_lesson:
            lessons.close()
        elif taught:
            self.resume_lesson()
        self._lend_plots()
        return True

    def _lend_plots(self) -> None:
        view = self._session.view
        if self._at in self._plots and view.lends("plots"):
            view.lend(plots=self._plots[self._at])

    def _open(self, place: int) -> bool:
        files, item = self._session.files, self.items[place]
        if isinstance(item, LessonItem):
            return self._session.lessons.open(item.source)
        changes, left = self._changes.pop(place, None), self._left.pop(place, None)
        if changes is not None and changes in files.kept:
            left = changes
        if left is not None:
            files.return_to(left)
            return True
        if isinstance(item.source, Path):
            return files.open(item.source)
        if item.source is not None:
            return files.new(item.source)
        files.adopt(item.scenario)
        return True


def titled(scenario: Scenario) -> str:
    """A scenario's title, or its name if it has none."""
    return scenario.title or scenario.name


def paragraphs(notes: str) -> list[str]:
    """The notes as pages: paragraphs with an empty line between them; one empty page if there are none."""
    blocks = (" ".join(block.split()) for block in notes.replace("\r", "").split("\n\n"))
    return [block for block in blocks if block] or [""]


def usual_sequence(session: Session) -> Sequence:
    """The scenario files of the open file's folder, else the presets in the gallery's order.

    A scenario that is in neither comes first, with the presets after it.
    """
    file = session.files.path
    if file is not None:
        beside = sorted({file, *file.parent.glob(f"*{file.suffix}")}, key=_as_counted)
        items = [item for other in beside if (item := _readable(other, session, file)) is not None]
        return Sequence(session, items, [item.source for item in items].index(file))
    items = [Item(key, preset) for key, preset in presets_by_robot().items()]
    at = next((place for place, item in enumerate(items) if item.is_open(session)), None)
    if at is None:
        return Sequence(session, [Item(None, session.scenario), *items])
    return Sequence(session, items, at)


def _readable(file: Path, session: Session, present: Path) -> Item | None:
    """The scenario in a file; None if there is none in it."""
    try:
        return Item(file, session.scenario if file == present else load_scenario(file))
    except (ArmstepError, OSError):
        return None


def _as_counted(file: Path) -> list[tuple[int, str]]:
    """A key to sort by: 2 before 10."""
    return [(int(part), "") if part.isdigit() else (-1, part.lower()) for part in re.split(r"(\d+)", file.name)]
