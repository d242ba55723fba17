"""What a lesson scrolls to before a class is there in whole lines."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.qt.lessons.step_area import AIR
from gui.qt.lessons.whole_lines import whole_from
from gui.qt.window.main_window import MainWindow
from robots.lessons.lesson import Kind
from tests.window.hands import press
from tests.window.test_lesson_beside import presented
from tests.window.test_lessons import file, lesson, ready

__all__ = ["file", "lesson"]


@pytest.mark.parametrize("kind", [Kind.CHOICE, Kind.NUMBER, Kind.ORDER, Kind.SLOPE])
def test_an_outcome_before_a_class_cuts_no_line_of_text_at_the_top(
    lesson: MainWindow, qtbot: QtBot, kind: Kind
) -> None:
    lesson.resize(1280, 620)
    _, large = presented(qtbot, lesson, kind)
    area = large.area
    for height in range(620, 520, -12):
        lesson.resize(1280, height)
        lesson.session.lessons.reset()
        ready(qtbot, lesson.session.lessons)
        press(qtbot, lesson, Qt.Key.Key_PageDown)
        qtbot.waitUntil(lambda: large.cards[-1].input is None)
        for _ in range(5):
            QApplication.processEvents()
        inner, top = area.widget(), area.verticalScrollBar().value()
        assert inner is not None
        card = large.cards[-1]
        assert whole_from(inner, top) <= top + 1, height  # the first pixel of a line is air
        heading = card.mapTo(inner, QPoint()).y()
        end = heading + card.height()
        assert top <= heading
        assert top == 0 or end <= top + area.viewport().height() or top >= heading - AIR
