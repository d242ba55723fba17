"""What a lesson scrolls to before a class is there in whole lines."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.lessons.step_area import AIR, MARGIN
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
        for _ in range(3):  # what is asked is read to its end first
            if large.cards[-1].input is not None:
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


@pytest.mark.parametrize("height", [720, 560])
def test_nothing_of_a_step_is_left_unread(lesson: MainWindow, qtbot: QtBot, height: int) -> None:
    lesson.resize(1280, height)
    player = lesson.session.lessons
    _, large = presented(qtbot, lesson, Kind.CHOICE)
    for hand in (Qt.Key.Key_1, Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_V):
        press(qtbot, lesson, hand)
    step, seen, bar = player.course.number, 0, large.area.verticalScrollBar()
    for _ in range(12):
        for _ in range(5):
            QApplication.processEvents()
        answered, top = player.course.asked is None, bar.value()
        if answered:
            assert top <= seen or seen == 0
            seen, most = top + large.area.viewport().height(), bar.maximum()
        press(qtbot, lesson, Qt.Key.Key_PageDown)
        if player.course.number != step:
            break
        assert bar.value() > top or answered != (player.course.asked is None)
    assert player.course.number == step + 1
    assert top >= most - MARGIN


def lines_of(widget: QWidget) -> int:
    """How many different colours its middle column has: more than one where the arrow is drawn."""
    image = widget.grab().toImage()
    return len({image.pixel(image.width() // 2, y) for y in range(image.height())})


def test_what_is_below_the_edge_is_shown_by_an_arrow_that_leads_there(lesson: MainWindow, qtbot: QtBot) -> None:
    _, large = presented(qtbot, lesson, Kind.ORDER)
    area, bar = large.area, large.area.verticalScrollBar()
    area.setFixedHeight(150)
    qtbot.waitUntil(lambda: bar.maximum() > 3 * MARGIN)
    more = area.more
    commit = large.cards[-1].commit
    assert commit is not None
    assert commit.visibleRegion().isEmpty(), "the button is below the edge"
    assert more.isEnabled()
    assert lines_of(more) > 1
    bottom, place = area.viewport().height(), more.y()
    for _ in range(8):
        qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    assert not commit.visibleRegion().isEmpty()
    assert not more.isEnabled()
    assert lines_of(more) == 1, "nothing is left below"
    assert (area.viewport().height(), more.y()) == (bottom, place), "nothing moves for it"
    bar.setValue(0)
    assert more.isEnabled()
    lesson.session.lessons.close()
    assert not area.has_more


@pytest.mark.parametrize("height", [720, 560])
def test_a_step_is_read_back_to_its_beginning_before_the_previous_one(
    lesson: MainWindow, qtbot: QtBot, height: int
) -> None:
    """A remote has no other key for the question above an outcome: Page Up left the step at once."""
    lesson.resize(1280, height)
    player = lesson.session.lessons
    _, large = presented(qtbot, lesson, Kind.CHOICE)
    area, step = large.area, player.course.number
    bar, room = area.verticalScrollBar(), area.viewport().height()
    for hand in (Qt.Key.Key_1, Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_V):
        press(qtbot, lesson, hand)
    for _ in range(12):
        press(qtbot, lesson, Qt.Key.Key_PageDown)
        for _ in range(5):
            QApplication.processEvents()
        if player.course.asked is None and 0 < bar.maximum() <= bar.value() + MARGIN:
            break
    assert player.course.number == step
    assert bar.value() > MARGIN
    while bar.value():
        top = bar.value()
        press(qtbot, lesson, Qt.Key.Key_PageUp)
        QApplication.processEvents()
        assert player.course.number == step
        assert top - room <= bar.value() < top, "nothing between is left out"
        inner = area.widget()
        assert inner is not None
        assert bar.value() == 0 or whole_from(inner, bar.value()) <= bar.value() + 1 or top - bar.value() <= room // 2
    press(qtbot, lesson, Qt.Key.Key_PageUp)
    assert player.course.number == step - 1
