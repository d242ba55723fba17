"""A lecture held by keys only: the lesson is in front whatever was done beside it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from gui.qt.lessons.panel import LessonPanel
from gui.qt.lessons.sketch import SketchInput
from gui.qt.window.main_window import MainWindow
from robots.lessons.lesson import Kind
from tests.window.hands import press
from tests.window.test_lesson_beside import presented
from tests.window.test_lessons import file, lesson, panel_of

__all__ = ["file", "lesson"]

CONTROL = Qt.KeyboardModifier.ControlModifier


def set_mass(qtbot: QtBot, window: MainWindow, number: str, *, enter: bool = True) -> None:
    """The palette leads to the field, which gets a number."""
    press(qtbot, window, Qt.Key.Key_K, CONTROL)
    qtbot.keyClicks(QApplication.focusWidget(), "set mass 2")
    press(qtbot, window, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    qtbot.wait(50)  # Qt gives the tabs their places
    qtbot.keyClicks(QApplication.focusWidget(), number)
    if enter:
        press(qtbot, window, Qt.Key.Key_Return)


def in_front(panel: LessonPanel) -> bool:
    return not panel.visibleRegion().isEmpty()


@pytest.mark.parametrize(("size", "enter"), [((1280, 720), True), ((1920, 1080), False)], ids=["entered", "typed"])
def test_a_class_sees_what_the_page_key_brings(
    lesson: MainWindow, qtbot: QtBot, size: tuple[int, int], enter: bool
) -> None:
    lesson.resize(*size)
    presented(qtbot, lesson, Kind.CHOICE)
    panel, player = panel_of_window(lesson), lesson.session.lessons
    for after in ("prediction", "outcome", "detour"):
        set_mass(qtbot, lesson, "2", enter=enter)
        assert not in_front(panel)
        if after == "detour":
            lesson.session.files.new("rr-chaos")
            assert player.away
        press(qtbot, lesson, Qt.Key.Key_PageDown)
        assert not player.away
        qtbot.waitUntil(lambda: in_front(panel))
        focus = QApplication.focusWidget()
        assert focus is not None
        assert not focus.visibleRegion().isEmpty(), "the keys are not behind it"


def test_a_class_sees_hints_and_hands_and_a_lesson_whose_panel_was_closed(lesson: MainWindow, qtbot: QtBot) -> None:
    presented(qtbot, lesson, Kind.CHOICE)
    panel = panel_of_window(lesson)
    dock = next(dock for dock in lesson.docks if dock.panel is panel)
    for key in (Qt.Key.Key_H, Qt.Key.Key_V):
        set_mass(qtbot, lesson, "2")
        assert not in_front(panel)
        press(qtbot, lesson, key)
        qtbot.waitUntil(lambda: in_front(panel))
    dock.close()
    press(qtbot, lesson, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: in_front(panel))


def test_an_outcome_comes_before_the_scenario_for_one_person(lesson: MainWindow, qtbot: QtBot) -> None:
    panel, player = panel_of(qtbot, lesson), lesson.session.lessons
    player.go(1)
    press(qtbot, lesson, Qt.Key.Key_Down)
    set_mass(qtbot, lesson, "2")
    assert not in_front(panel)
    press(qtbot, lesson, Qt.Key.Key_Return, CONTROL)
    assert player.course.asked is None
    qtbot.waitUntil(lambda: in_front(panel))


@pytest.mark.parametrize("kind", [Kind.TIME, Kind.SLOPE, Kind.CURVE])
def test_words_at_a_drawing_say_what_the_keys_do_before_a_class(lesson: MainWindow, qtbot: QtBot, kind: Kind) -> None:
    """Right shows the outcome until Tab has led into the drawing."""
    _, panel = presented(qtbot, lesson, kind)
    player = lesson.session.lessons
    drawn = panel.cards[-1].input
    assert isinstance(drawn, SketchInput)
    qtbot.waitUntil(drawn.slider.isVisible)
    assert any("With keys: Tab, then" in label.text() for label in drawn.findChildren(QLabel))
    press(qtbot, lesson, Qt.Key.Key_Tab)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Up):
        press(qtbot, lesson, key)
    assert player.course.draft is not None
    player.enter(None)
    press(qtbot, lesson, Qt.Key.Key_Escape)
    press(qtbot, lesson, Qt.Key.Key_Right)
    assert player.course.record.answers[0].committed


def test_next_and_back_lead_back_from_a_detour_and_undo_says_so(lesson: MainWindow, qtbot: QtBot) -> None:
    """Page keys came back where the buttons were grey: in the last step, and in the introduction."""
    _, panel = presented(qtbot, lesson, Kind.CHOICE)
    session, player = lesson.session, lesson.session.lessons
    for number, button in ((player.course.last, panel.onward), (0, panel.back)):
        player.go(number)
        for act in (lambda: press(qtbot, lesson, Qt.Key.Key_PageDown), lambda button=button: button.click()):
            session.files.new("rr-chaos")
            assert panel.onward.isEnabled()
            assert panel.back.isEnabled()
            assert panel.back.toolTip() == "Show the step as it was left (PgUp or Left)"
            press(qtbot, lesson, Qt.Key.Key_Z, CONTROL)
            assert session.messages.notice == player.course.phrase("away")
            assert "Next and Back" in session.messages.notice
            act()
            assert not player.away
            assert player.course.number == number
    session.edit("duration", 2.0)
    press(qtbot, lesson, Qt.Key.Key_Z, CONTROL)
    assert not session.files.dirty


def panel_of_window(window: MainWindow) -> LessonPanel:
    """The lesson's panel among the others; without them a class has another one."""
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "lesson")
    assert isinstance(panel, LessonPanel)
    return panel
