"""Notes before an audience are shown as the last time; those on a lesson are the teacher's, and are not."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.qt.window.main_window import MainWindow
from gui.qt.window.presentation import Presentation
from robots.lessons.lesson import Kind
from tests.window.hands import press
from tests.window.test_lesson_beside import presented
from tests.window.test_lessons import file, lesson

__all__ = ["file", "lesson"]


def present(qtbot: QtBot, window: MainWindow) -> Presentation:
    press(qtbot, window, Qt.Key.Key_F5)
    return next(one for one in window.findChildren(Presentation) if one.active)


def test_a_presentation_begins_with_notes_as_the_last_one_ended(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("rr-euler")
    shown = present(qtbot, window)
    assert not shown.notes.isHidden()
    press(qtbot, window, Qt.Key.Key_N)
    assert shown.notes.isHidden()
    press(qtbot, window, Qt.Key.Key_Escape)
    shown = present(qtbot, window)
    assert shown.notes.isHidden()
    press(qtbot, window, Qt.Key.Key_N)
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not present(qtbot, window).notes.isHidden()
    press(qtbot, window, Qt.Key.Key_Escape)


def test_each_class_sees_the_teachers_notes_only_once_asked_for(lesson: MainWindow, qtbot: QtBot) -> None:
    shown, _ = presented(qtbot, lesson, Kind.CHOICE)
    assert shown.notes.isHidden()
    press(qtbot, lesson, Qt.Key.Key_N)
    assert not shown.notes.isHidden()
    press(qtbot, lesson, Qt.Key.Key_Escape)
    assert present(qtbot, lesson).notes.isHidden()
    press(qtbot, lesson, Qt.Key.Key_Escape)
