"""What is presented, in order: scenarios, each with the pages of its notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assets.errors import ArmstepError, BadInput
from gui.app.session.autosave import KeptChanges, Left
from gui.app.signal import Signal
from robots.scenario.file import load_scenario
from robots.scenario.presets import PRESETS, find_preset, presets_by_robot
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from gui.app.session.session import Session


@dataclass(frozen=True, slots=True)
class Item:
    """One scenario of a sequence.

    Attributes:
        source: the preset's key, the file, or None for a scenario that is in neither.
        scenario: as it was when the sequence was made.
    """

    source: str | Path | None
    scenario: Scenario

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
class Page:
    """One page: a paragraph of a scenario's notes.

    Attributes:
        item: the place of its scenario in the sequence.
        part: which paragraph.
        title: the scenario's title.
        text: the paragraph.
        file: the name of the scenario's file, by which a page is found, too; empty without one.
        label: its number among all, as it is counted where it is shown.
    """

    item: int
    part: int
    title: str
    text: str
    file: str = ""
    label: str = ""


class Sequence:
    """The pages of a lecture, and which one is shown.

    Turning a page never asks: unsaved changes of the scenario that is left are kept, and are there again, as a step
    to undo, when its page is shown again. The plots that were chosen for a page are its own until the end.

    Args:
        session: where the scenarios are opened.
        items: the scenarios in order; not empty.
        at: the place of the one that is open.

    Attributes:
        changed: signal `()`: another page is shown.
    """

    def __init__(self, session: Session, items: Iterable[Item], at: int = 0) -> None:
        self.changed = Signal()
        self.items = tuple(items)
        self._session = session
        self._at, self._part = at, 0
        self._changes: dict[int, KeptChanges] = {}
        self._left: dict[int, Left] = {}
        self._plots: dict[int, tuple[str, ...] | None] = {}

    @property
    def pages(self) -> tuple[Page, ...]:
        """All pages; those of the open scenario have its notes as they are now. Files of one title have their names."""
        made: list[Page] = []
        here = self._at if self.in_step else None
        scenarios = [self._session.scenario if k == here else item.scenario for k, item in enumerate(self.items)]
        often = Counter(map(titled, scenarios))
        for place, (scenario, item) in enumerate(zip(scenarios, self.items, strict=True)):
            texts, title, source, file = paragraphs(scenario.notes), titled(scenario), item.source, ""
            if isinstance(source, Path):
                title, file = f"{title} ({source.stem})" if often[title] > 1 else title, source.name
            first = len(made) + 1
            made += [Page(place, part, title, text, file, str(first + part)) for part, text in enumerate(texts)]
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

    def start(self) -> bool:
        """Open the first scenario unless it is open; False if that is impossible."""
        if self.in_step:
            return True
        self.keep()
        return self._open(self._at)

    def keep(self) -> None:
        """Put unsaved changes aside before another scenario opens; those of the page that is shown are its own."""
        here, kept = self.in_step, self._session.files.keep_changes()
        if here and kept is not None:
            self._changes[self._at] = kept

    def mark(self) -> None:
        """Something else will be opened: a page that is not turned comes back as it is, as one with changes does."""
        if self.in_step and not self._session.files.dirty:
            self._left[self._at] = self._session.files.as_it_is()

    def end(self) -> None:
        """The presentation is over; everything stays as it is, but pages have the plots of their scenarios again."""
        self._plots.clear()

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
        if page.item != self._at or not self.in_step:
            view = self._session.view
            if self.in_step:
                self._plots[self._at] = view.settings.plots
            turned = self.in_step
            self.keep()
            if not self._open(page.item):
                return False
            if turned:
                self._left.pop(self._at, None)
            self._at = page.item
            if page.item in self._plots and view.lends("plots"):
                view.lend(plots=self._plots[page.item])
        self._part = page.part
        self.changed.emit()
        return True

    def _open(self, place: int) -> bool:
        files, item = self._session.files, self.items[place]
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


def sequence_of_list(session: Session, file: Path) -> Sequence:
    """The scenarios that a text file lists: in each line a preset's title or key, or a file beside the list.

    Empty lines and those that begin with # say nothing.

    Raises:
        ArmstepError: a line is neither, or there are none.
        OSError: the list cannot be read.
    """
    items: list[Item] = []
    for number, line in enumerate(file.read_text("utf-8", errors="replace").splitlines(), 1):
        name = line.strip()
        if name and not name.startswith("#"):
            items.append(_listed(name, file, number))
    if not items:
        raise BadInput(file.name, [], "a list of presets and scenario files, one in each line")
    return Sequence(session, items)


def _listed(name: str, file: Path, number: int) -> Item:
    from robots.files.reading import is_robot_file

    path, where = file.parent / name, f"{file.name}, line {number}"
    titles = {preset.title.lower(): key for key, preset in presets_by_robot().items()}
    key = name if name in PRESETS else titles.get(name.lower())
    if key is not None and not path.is_file():
        return Item(key, find_preset(key))
    if not path.is_file():
        known = [*PRESETS.keys(), *(preset.title for preset in presets_by_robot().values())]
        must = "the title or the key of a preset, or a scenario file"
        raise BadInput(where, name, must, known)
    if is_robot_file(path):
        raise BadInput(where, name, "a scenario file: open the robot and save it as a scenario")
    try:
        return Item(path, load_scenario(path))
    except (ArmstepError, OSError) as error:
        raise ArmstepError(f"{where}: {error}") from None


def _readable(file: Path, session: Session, present: Path) -> Item | None:
    """The scenario in a file; None if there is none in it."""
    try:
        return Item(file, session.scenario if file == present else load_scenario(file))
    except (ArmstepError, OSError):
        return None


def _as_counted(file: Path) -> list[tuple[int, str]]:
    """A key to sort by: 2 before 10."""
    return [(int(part), "") if part.isdigit() else (-1, part.lower()) for part in re.split(r"(\d+)", file.name)]
