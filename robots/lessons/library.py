"""The lessons that Armstep ships, and lessons in files."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import assets
from assets.errors import ArmstepError, BadInput
from assets.reading import read_bounded
from assets.registry import Registry, expect
from robots.files.folder import DiskFolder
from robots.lessons.lesson import Lesson, LessonError
from robots.lessons.naming import PREFIX
from robots.lessons.reading import read_lesson
from robots.lessons.text_blocks import check_language, read_header

SUFFIX, MOST_BYTES = ".md", 16 * 2**20


@dataclass(frozen=True, slots=True)
class LessonEntry:
    """A shipped lesson as a list shows it.

    Attributes:
        key: the file's name without its suffix: `order`, or `order.de` for a translation.
        title, minutes, level, language, needs: as in `Lesson`.
        place: where it stands in a list; the smallest first.
        path: its file.
    """

    key: str
    title: str
    minutes: float
    level: str
    language: str
    needs: tuple[str, ...]
    place: float
    path: Path

    @property
    def original(self) -> str:
        """The key of the lesson that this one translates, or its own."""
        return self.key.partition(".")[0]


def _entry(key: str, text: str) -> LessonEntry:
    header = read_header(text)
    check_language(header, key)
    facts = header.title, float(header.minutes), header.level, header.language, header.needs, float(header.place)
    return LessonEntry(key, *facts, Path(str(assets.path(f"lessons/{key}{SUFFIX}"))))


def _adopt(key: str, value: object) -> LessonEntry:
    """A plugin's lesson: the path of its file."""
    path = expect(value, Path)
    return replace(_entry(key, path.read_text(encoding="utf-8")), path=path)


LESSONS: Registry[LessonEntry] = Registry.of_files(
    "lesson",
    "lessons",
    SUFFIX,
    _entry,
    order=lambda entry: (entry.place, entry.key),
    group="armstep.lessons",
    adopt=_adopt,
)


def shipped_lessons(language: str | None = None) -> tuple[LessonEntry, ...]:
    """The shipped lessons in order: with all translations or, given a language, each once, in it where it exists.

    Raises:
        ArmstepError: a file cannot be used, or two are the same lesson in the same language.
    """
    found: dict[tuple[str, str], LessonEntry] = {}
    for entry in LESSONS.all().values():
        first = found.setdefault((entry.original, entry.language), entry)
        if first is not entry:
            raise ArmstepError(f"{first.path.name} and {entry.path.name} are the same lesson in {entry.language!r}")
    if language is None:
        return tuple(found.values())
    originals = dict.fromkeys(entry.original for entry in found.values())
    return tuple(found.get((key, language)) or LESSONS.find(key) for key in originals)


def find_lesson(key_or_path: str) -> Lesson:
    """The shipped lesson of that key (`order`, `order.de` or `lesson:order`), or the lesson in that file.

    Raises:
        BadInput: it is neither.
        LessonError: with the line and what is wrong there.
    """
    key = key_or_path.removeprefix(PREFIX)
    if key in LESSONS:
        path = LESSONS.find(key).path
        return read_lesson(path.read_text(encoding="utf-8"), key, DiskFolder(path.parent))
    exists = False
    with suppress(OSError, ValueError):  # a name that no file can have
        exists = Path(key_or_path).is_file()
    if exists:
        return read_file(Path(key_or_path))
    must = "a lesson (`armstep list lessons` shows all) or an existing file"
    raise BadInput("lesson", key, must, LESSONS)


def read_file(path: Path) -> Lesson:
    """The lesson in a file; its key is the file's name.

    Raises:
        BadInput: the file cannot be read as text.
        LessonError: with the line and what is wrong there.
    """
    content = read_bounded(path, "lesson", MOST_BYTES)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise LessonError(
            line, f"{path.name} must be text in UTF-8, got the byte {content[problem.start]:#04x}"
        ) from None
    return read_lesson(text, path.name.removesuffix(SUFFIX), DiskFolder(path.parent))
