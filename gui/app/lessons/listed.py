"""What a text file lists, to be presented: scenarios and lessons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assets.errors import ArmstepError, BadInput
from gui.app.lessons.engine import default_lesson_engine
from gui.app.lessons.listing import is_lesson, lessons_now
from gui.app.session.sequence import Item, LessonItem, Sequence
from robots.lessons.naming import PREFIX
from robots.scenario.file import load_scenario
from robots.scenario.presets import PRESETS, find_preset, presets_by_robot

if TYPE_CHECKING:
    from gui.app.session.session import Session


def sequence_of_list(session: Session, file: Path) -> Sequence:
    """The scenarios and lessons that a text file lists: in each line a title or a key, or a file beside the list.

    The key of a lesson has its prefix, as in `lesson:order`. Empty lines and those that begin with # say nothing.

    Raises:
        ArmstepError: a line is nothing of these, or there are none.
        OSError: the list cannot be read.
    """
    items: list[Item | LessonItem] = []
    for number, line in enumerate(file.read_text("utf-8", errors="replace").splitlines(), 1):
        name = line.strip()
        if name and not name.startswith("#"):
            items.append(_listed(name, file, number))
    if not items:
        raise BadInput(file.name, [], "a list of presets, lessons and their files, one in each line")
    return Sequence(session, items)


def _listed(name: str, file: Path, number: int) -> Item | LessonItem:
    from robots.files.reading import is_robot_file

    path, where = file.parent / name, f"{file.name}, line {number}"
    if (lesson := _lesson_named(name, path)) is not None:
        try:
            return LessonItem(lesson, *default_lesson_engine().find(lesson))
        except (ArmstepError, OSError) as error:
            raise ArmstepError(f"{where}: {error}") from None
    titles = {preset.title.lower(): key for key, preset in presets_by_robot().items()}
    key = name if name in PRESETS else titles.get(name.lower())
    if key is not None and not path.is_file():
        return Item(key, find_preset(key))
    if not path.is_file():
        lessons = [text for entry in lessons_now() for text in (PREFIX + entry.key, entry.title)]
        known = [*PRESETS.keys(), *(preset.title for preset in presets_by_robot().values()), *lessons]
        must = f"the title or the key of a preset or of a lesson ({PREFIX}order), or the file of one"
        raise BadInput(where, name, must, known)
    if is_robot_file(path):
        raise BadInput(where, name, "a scenario file: open the robot and save it as a scenario")
    try:
        return Item(path, load_scenario(path))
    except (ArmstepError, OSError) as error:
        raise ArmstepError(f"{where}: {error}") from None


def _lesson_named(name: str, path: Path) -> str | Path | None:
    """What a lesson of that name is opened by; None if it is no lesson."""
    if path.is_file():
        return path if is_lesson(path) else None
    titles = {entry.title.lower(): PREFIX + entry.key for entry in reversed(lessons_now())}
    keys = {key.lower(): key for key in titles.values()}
    is_preset = name.lower() in {preset.title.lower() for preset in presets_by_robot().values()}
    return None if is_preset else keys.get(name.lower()) or titles.get(name.lower())
