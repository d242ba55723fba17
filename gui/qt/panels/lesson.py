"""The dock "Lesson"; it is there while a lesson is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.qt.window.panel import Panel

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from gui.qt.lessons.panel import LessonPanel


def _make(session: Session) -> LessonPanel:
    from gui.qt.lessons.panel import LessonPanel

    return LessonPanel(session)


PANEL = Panel("lesson", "Lesson", "left", 30, _make, lambda session: session.lessons.course.lesson is not None)
