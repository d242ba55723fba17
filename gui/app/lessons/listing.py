"""Which lessons there are, and what counts as one where a file is expected."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assets.errors import ArmstepError
from robots.lessons.naming import PREFIX

if TYPE_CHECKING:
    from robots.lessons.lesson import Lesson
    from robots.lessons.library import LessonEntry

SUFFIX = ".md"


def is_lesson(name: str | Path) -> bool:
    """Whether a name on the command line, or a file, means a lesson."""
    return str(name).startswith(PREFIX) or str(name).lower().endswith(SUFFIX)


def lessons_now() -> tuple[LessonEntry, ...]:
    """The shipped lessons in order; none of them where one cannot be used, which `armstep lesson check` explains."""
    from robots.lessons.library import shipped_lessons

    try:
        return shipped_lessons()
    except ArmstepError:
        return ()


def following(lesson: Lesson) -> LessonEntry | None:
    """The shipped lesson after this one, in its language where it can be; None after the last, and after a file's."""
    from robots.lessons.library import shipped_lessons

    try:
        entries = shipped_lessons(lesson.language)
    except ArmstepError:
        return None
    places = [place for place, entry in enumerate(entries) if lesson.key in (entry.key, entry.original)]
    return entries[places[0] + 1] if places and places[0] + 1 < len(entries) else None


def needed(lesson: Lesson) -> list[str]:
    """The titles of the lessons to take before this one, in its language where there are such; keys of unknown ones."""
    titles = {entry.key: entry.title for entry in lessons_now()}
    return [titles.get(f"{key}.{lesson.language}") or titles.get(key, key) for key in lesson.needs]
