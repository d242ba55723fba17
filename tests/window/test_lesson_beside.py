"""A lesson beside what is not its own: another scenario, and the keys of those who present it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.lessons.inputs import ChoiceInput
from gui.qt.lessons.panel import LessonPanel
from gui.qt.lessons.teaching import Teaching
from gui.qt.lessons.text import LessonText
from gui.qt.window.main_window import MainWindow
from robots.lessons.lesson import Kind
from tests.window.hands import give_focus, press
from tests.window.test_lessons import file, lesson, panel_of, ready

__all__ = ["file", "lesson"]


def presented(qtbot: QtBot, window: MainWindow, kind: Kind) -> tuple[Teaching, LessonPanel]:
    """The presentation of the lesson at its first step that begins with such a question."""
    panel_of(qtbot, window)
    player = window.session.lessons
    opened = player.course.lesson
    assert opened is not None
    player.go(
        next(n for n, step in enumerate(opened.steps, 1) if step.predictions and step.predictions[0].kind == kind)
    )
    press(qtbot, window, Qt.Key.Key_F5)
    show = window.findChild(Teaching)
    assert show is not None
    ready(qtbot, player)
    large = show.docks["lesson"].widget()
    assert isinstance(large, LessonPanel)
    return show, large


def test_a_lesson_asks_nothing_about_another_scenario(lesson: MainWindow, qtbot: QtBot) -> None:
    panel, player = panel_of(qtbot, lesson), lesson.session.lessons
    player.go(1)
    assert panel.cards[-1].input is not None
    lesson.session.files.new("rr-chaos")
    assert player.away
    assert not panel.cards
    player.reset()
    assert panel.cards[-1].input is not None


def test_a_lesson_that_was_scrolled_says_that_another_scenario_is_open(lesson: MainWindow, qtbot: QtBot) -> None:
    panel, player = panel_of(qtbot, lesson), lesson.session.lessons
    player.go(1)
    lesson.resize(1280, 500)
    bar = panel.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    lesson.session.files.new("rr-chaos")
    said = next(label for label in panel.area.findChildren(QLabel) if label.text() == player.course.phrase("away"))
    qtbot.waitUntil(lambda: bar.value() == 0)
    assert said.isVisible()


def menu_of(widget: QWidget, qtbot: QtBot) -> list[str]:
    """What a right click in the middle of a widget offers; the menu is closed again."""
    at, found = widget.rect().center(), list[str]()

    def read() -> None:
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            looking.stop()
            found.extend(one.text().replace("&", "").partition("\t")[0] for one in menu.actions() if one.text())
            menu.close()

    # Qt's own menus have a loop of events of their own.
    looking = QTimer(widget, interval=0)
    looking.timeout.connect(read)
    looking.start()
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
    QApplication.sendEvent(widget, asked)
    qtbot.waitUntil(lambda: bool(found))
    return found


def test_a_right_click_on_a_lessons_text_before_a_class_has_the_presentations_menu_too(
    lesson: MainWindow, qtbot: QtBot
) -> None:
    show, large = presented(qtbot, lesson, Kind.NUMBER)
    of_notes = menu_of(show.notes, qtbot)
    assert of_notes[0] == "Choose plots"
    assert of_notes[-1] == "End the presentation"
    assert {"Next page", "Play or pause"} <= set(of_notes)
    text = large.findChildren(LessonText)[-1]
    found = menu_of(text.viewport(), qtbot)
    assert found[0] == "Copy"
    assert found[-len(of_notes) :] == of_notes
    assert menu_of(large, qtbot) == of_notes, "beside the text there is the presentation's alone"
    press(qtbot, lesson, Qt.Key.Key_Escape)
    panel = panel_of(qtbot, lesson)
    assert "Choose plots" not in menu_of(panel.findChildren(LessonText)[-1].viewport(), qtbot)


@pytest.mark.parametrize("kind", [Kind.ORDER, Kind.NUMBER])
def test_an_answer_that_was_begun_leaves_the_keys_to_the_presentation(
    lesson: MainWindow, qtbot: QtBot, kind: Kind
) -> None:
    show, large = presented(qtbot, lesson, kind)
    press(qtbot, lesson, Qt.Key.Key_2)
    control = large.answer_control()
    assert control is not None
    assert control.hasFocus()
    press(qtbot, lesson, Qt.Key.Key_PageDown)
    assert lesson.session.lessons.course.record.answers[0].committed
    assert QApplication.focusWidget() is not None
    press(qtbot, lesson, Qt.Key.Key_N)
    assert show.notes.isVisible()


@pytest.mark.parametrize("on_text", [False, True])
def test_digits_count_hands_after_a_click_on_a_choice(lesson: MainWindow, qtbot: QtBot, on_text: bool) -> None:
    _, large = presented(qtbot, lesson, Kind.CHOICE)
    player, choices = lesson.session.lessons, large.cards[-1].input
    assert isinstance(choices, ChoiceInput)
    chosen = choices.buttons["coarse"]
    if on_text:
        qtbot.mouseClick(choices.findChildren(LessonText)[0].viewport(), Qt.MouseButton.LeftButton)
    else:
        spot = QPoint(8, chosen.height() // 2)
        qtbot.mouseClick(chosen, Qt.MouseButton.LeftButton, pos=spot)
        assert chosen.hasFocus()
    assert chosen.isChecked()
    for key in (Qt.Key.Key_2, Qt.Key.Key_2, Qt.Key.Key_1):
        press(qtbot, lesson, key)
    assert player.course.record.answers[0].hands == ("fine", "fine", "coarse")
    assert chosen.isChecked(), "hands choose nothing"
    assert "number" not in chosen.toolTip(), "that says what they do"
    give_focus(qtbot, large.onward)
    press(qtbot, lesson, Qt.Key.Key_2)
    assert player.course.record.answers[0].hands[3:] == ("fine",)
    press(qtbot, lesson, Qt.Key.Key_Escape)
    press(qtbot, lesson, Qt.Key.Key_Escape)
    assert not player.in_class
    alone = panel_of(qtbot, lesson).cards[-1].input
    assert isinstance(alone, ChoiceInput)
    give_focus(qtbot, alone.buttons["coarse"])
    press(qtbot, lesson, Qt.Key.Key_2)
    assert player.draft == "fine", "for one person numbers choose"


def test_a_page_after_a_detour_shows_the_step_again_and_answers_nothing(lesson: MainWindow, qtbot: QtBot) -> None:
    presented(qtbot, lesson, Kind.CHOICE)
    player = lesson.session.lessons
    lesson.session.files.new("rr-chaos")
    assert player.away
    press(qtbot, lesson, Qt.Key.Key_PageDown)
    assert not player.away
    assert not player.course.record.answers[0].committed
    press(qtbot, lesson, Qt.Key.Key_PageDown)
    assert player.course.record.answers[0].committed


def test_the_notes_count_the_steps_as_the_panel_does(lesson: MainWindow, qtbot: QtBot) -> None:
    show, large = presented(qtbot, lesson, Kind.CHOICE)
    assert show.sequence.place in large.place.text()
    assert show.sequence.place.startswith("Step 1 of")


def test_escape_closes_a_message(window: MainWindow, qtbot: QtBot) -> None:
    give_focus(qtbot, window)
    window.banner.say("The file is gone.", stays=True)
    assert window.banner.isVisible()
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not window.banner.isVisible()


def test_a_number_without_a_value_is_refused_with_the_reason(window: MainWindow) -> None:
    session = window.session
    for typed, why in (("1e400", "too large"), ("1e-3/0", "divides by zero"), ("abc", "")):
        assert not session.edit("robot.m1", typed)
        said = session.messages.problems["robot.m1"]
        assert typed in said
        assert why in said
