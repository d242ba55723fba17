"""The dock "Lesson"; it is there while a lesson is open."""

from __future__ import annotations

from gui.qt.lessons.panel import LessonPanel
from gui.qt.window.panel import Panel

PANEL = Panel("lesson", "Lesson", "left", 30, LessonPanel, lambda session: session.lessons.course.lesson is not None)
