"""A lesson beside what is not its own: another scenario, and the keys of those who present it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from assets.counting import unbroken
from gui.qt.dialogs.palette import Palette
from gui.qt.lessons.inputs import ChoiceInput
from gui.qt.lessons.panel import LessonPanel
from gui.qt.lessons.teaching import Teaching
from gui.qt.lessons.text import LessonText
from gui.qt.window.main_window import MainWindow
from gui.qt.window.presentation import Presentation
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


def test_a_right_click_on_a_lessons_text_before_a_class_has_the_presentations_menu(
    lesson: MainWindow, qtbot: QtBot
) -> None:
    show, large = presented(qtbot, lesson, Kind.NUMBER)
    of_notes = menu_of(show.notes, qtbot)
    assert of_notes[:2] == ["Class", "Choose plots"]
    assert of_notes[-1] == "End the presentation"
    assert {"Next page", "Play or pause"} <= set(of_notes)
    text = large.findChildren(LessonText)[-1]
    assert menu_of(text.viewport(), qtbot) == of_notes
    assert menu_of(large, qtbot) == of_notes, "beside the text, too"
    press(qtbot, lesson, Qt.Key.Key_Escape)
    alone = panel_of(qtbot, lesson).findChildren(LessonText)[-1]
    assert menu_of(alone.viewport(), qtbot) == ["Select all"], "only what is possible"
    alone.selectAll()
    assert menu_of(alone.viewport(), qtbot) == ["Copy", "Select all"]


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


def test_after_a_turn_of_the_page_tab_comes_to_the_answer(lesson: MainWindow, qtbot: QtBot) -> None:
    """Twelve presses went through the plots, and did not come to it."""
    _, large = presented(qtbot, lesson, Kind.CHOICE)
    player = lesson.session.lessons
    opened = player.course.lesson
    assert opened is not None

    def tabbed(key: Qt.Key = Qt.Key.Key_Tab) -> QWidget:
        press(qtbot, lesson, key)
        found = QApplication.focusWidget()
        assert found is not None
        return found

    assert tabbed() is large.answer_control(), "where a presentation begins, too"
    asked = set[Kind]()
    for number, step in enumerate(opened.steps, 1):
        if number > 1:
            player.go(number)
        if not step.predictions:
            assert large.isAncestorOf(tabbed()), "without a question the first control of the lesson"
            continue
        ready(qtbot, player)
        asked.add(step.predictions[0].kind)
        answer = large.answer_control()
        assert answer is not None
        qtbot.waitUntil(answer.isVisible)
        if number > 1:
            assert tabbed() is answer
        assert tabbed(Qt.Key.Key_Backtab) is not answer
        assert tabbed() is answer, "the way there is the way back"
    assert asked >= {Kind.CHOICE, Kind.NUMBER, Kind.ORDER, Kind.SLOPE, Kind.CURVE}


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
    assert player.course.draft == "fine", "for one person numbers choose"


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


def active(window: MainWindow) -> Presentation:
    """The presentation that goes on."""
    (one,) = [show for show in window.findChildren(Presentation) if show.active]
    return one


def test_a_presentation_goes_on_without_a_lesson_that_is_closed_and_with_one_that_is_opened(
    lesson: MainWindow, qtbot: QtBot, file: Path
) -> None:
    docks = [dock for dock in lesson.docks if dock.isVisible()]
    taught, _ = presented(qtbot, lesson, Kind.CHOICE)
    player, title = lesson.session.lessons, lesson.session.scenario.title
    lesson.actions_by_key["lesson.close"].trigger()
    alone = active(lesson)
    assert not isinstance(alone, Teaching)
    assert alone.sequence.page.title == title
    assert not taught.docks["lesson"].isVisible()
    qtbot.waitUntil(lambda: lesson.session.runs.current.state == "done", timeout=60_000)
    assert not lesson.session.playback.playing
    press(qtbot, lesson, Qt.Key.Key_PageDown)
    assert alone.sequence.number == 1
    lesson.files.open_lesson(str(file))
    again = active(lesson)
    assert isinstance(again, Teaching)
    assert again.docks["lesson"].isVisible()
    assert player.in_class
    press(qtbot, lesson, Qt.Key.Key_PageDown)
    assert player.course.number == 1
    player.close()
    press(qtbot, lesson, Qt.Key.Key_Escape)
    assert not any(show.active for show in lesson.findChildren(Presentation))
    assert not player.in_class
    assert lesson.session.view.settings.theme == "light"
    assert [dock for dock in lesson.docks if dock.isVisible()] == [one for one in docks if one.kind.key != "lesson"]


def test_a_presentation_that_ends_beside_the_lesson_leaves_the_other_scenario_open(
    lesson: MainWindow, qtbot: QtBot
) -> None:
    show, _ = presented(qtbot, lesson, Kind.CHOICE)
    lesson.session.files.new("rr-chaos")
    press(qtbot, lesson, Qt.Key.Key_Escape)
    assert not show.active
    assert lesson.session.scenario.name == "rr-chaos"
    assert lesson.session.lessons.away


def test_groups_that_have_predicted_stand_below_the_field(lesson: MainWindow, qtbot: QtBot) -> None:
    _, large = presented(qtbot, lesson, Kind.NUMBER)
    (card,) = large.cards
    assert not card.groups.isVisible()
    for number in "12", "8":
        for key in number:
            press(qtbot, lesson, Qt.Key(ord(key)))
        press(qtbot, lesson, Qt.Key.Key_Return)
        press(qtbot, lesson, Qt.Key.Key_G)
    assert card.groups.isVisible()
    assert card.groups.text() == unbroken("Group 1: 12; Group 2: 8")
    press(qtbot, lesson, Qt.Key.Key_Backspace)
    assert card.groups.text() == unbroken("Group 1: 12")


def test_the_notes_count_the_steps_as_the_panel_does(lesson: MainWindow, qtbot: QtBot) -> None:
    show, large = presented(qtbot, lesson, Kind.CHOICE)
    assert show.sequence.place in large.place.text()
    assert show.sequence.place.startswith("Step 1 of")
    press(qtbot, lesson, Qt.Key.Key_J)
    assert isinstance(lesson.sheet, Palette)
    listed = [lesson.sheet.list.item(row).data(Qt.ItemDataRole.UserRole).text.split()[0] for row in range(3)]
    assert listed == ["Introduction", "1", "2"]


def test_the_list_of_pages_shows_notes_only_where_they_are_shown(lesson: MainWindow, qtbot: QtBot) -> None:
    """The first line of a step's notes may say what most of a class predict wrongly."""
    show, _ = presented(qtbot, lesson, Kind.CHOICE)
    notes = [page.text for page in show.sequence.pages if page.text]
    assert notes
    for keys, shown in (([], False), ([Qt.Key.Key_N], True)):
        for key in (*keys, Qt.Key.Key_J):
            press(qtbot, lesson, key)
        sheet = lesson.sheet
        assert isinstance(sheet, Palette)
        rows = [sheet.list.item(row) for row in range(sheet.list.count())]
        listed = " ".join(row.data(Qt.ItemDataRole.AccessibleTextRole) for row in rows)
        assert all((text in listed) is shown for text in notes)
        press(qtbot, lesson, Qt.Key.Key_Escape)


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


def test_what_is_said_of_a_step_goes_with_it(lesson: MainWindow, qtbot: QtBot) -> None:
    """It stood over the arm for eight seconds, whatever was shown then."""
    show, _ = presented(qtbot, lesson, Kind.CHOICE)
    player, banner = lesson.session.lessons, lesson.banner
    for end in (
        lambda: player.enter("fine"),
        lambda: press(qtbot, lesson, Qt.Key.Key_PageDown),
        lambda: player.go(2),
        lambda: lesson.session.files.new("rr-chaos"),
        player.reset,
        lambda: show.leave(),
        player.close,
    ):
        if player.course.asked is None:
            player.go(3)
        player.enter(None)
        player.keep_group()
        assert banner.isVisible() == show.active
        said = banner.accessibleName() if show.active else lesson.session.messages.notice
        assert said in ("Enter your prediction first.", lesson.session.lessons.course.phrase("away"))
        end()
        assert not banner.isVisible()
        assert lesson.session.messages.notice != said


@pytest.mark.parametrize("taught", [False, True])
def test_undo_to_a_detour_is_a_detour_and_redo_comes_back(lesson: MainWindow, qtbot: QtBot, taught: bool) -> None:
    """The lesson asked on about its own scenario, and held the runs of the other."""
    if taught:
        _, panel = presented(qtbot, lesson, Kind.CHOICE)
    else:
        panel = panel_of(qtbot, lesson)
        lesson.session.lessons.go(1)
    session, player = lesson.session, lesson.session.lessons
    session.files.new("rr-chaos")
    player.reset()
    assert not player.away
    press(qtbot, lesson, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.scenario.name == "rr-chaos"
    assert player.away
    assert not session.computing.held
    assert not panel.cards
    assert any(label.text() == player.course.phrase("away") for label in panel.area.findChildren(QLabel))
    player.enter("fine")
    assert not player.commit()
    press(qtbot, lesson, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert session.scenario.name == "rr-swing"
    assert not player.away
    assert session.computing.held
    assert panel.cards[-1].input is not None
    ready(qtbot, player)
    press(qtbot, lesson, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    (back,) = [one for one in panel.findChildren(QPushButton) if one.text() == player.course.phrase("return")]
    back.click()
    assert not player.away
    assert session.scenario.name == "rr-swing"


def test_a_clock_for_a_question_that_is_answered_says_why_it_does_not_start(lesson: MainWindow, qtbot: QtBot) -> None:
    show, _ = presented(qtbot, lesson, Kind.CHOICE)
    player = lesson.session.lessons
    press(qtbot, lesson, Qt.Key.Key_T)
    assert player.countdown.running
    press(qtbot, lesson, Qt.Key.Key_PageDown)
    assert player.course.asked is None
    for key in (Qt.Key.Key_T, Qt.Key.Key_1, Qt.Key.Key_Backspace):
        lesson.session.messages.show("")
        press(qtbot, lesson, key)
        assert lesson.session.messages.notice == player.course.phrase("nothing asked")
    assert not player.countdown.running
    show._fill_menu()
    able = {action.text().partition("\t")[0]: action.isEnabled() for action in show._class.actions()}
    assert not able["One minute more to think"]


def test_a_detour_before_a_class_ends_at_the_step_with_its_hands(lesson: MainWindow, qtbot: QtBot) -> None:
    show, large = presented(qtbot, lesson, Kind.CHOICE)
    player = lesson.session.lessons
    for key in (Qt.Key.Key_2, Qt.Key.Key_2, Qt.Key.Key_V):
        press(qtbot, lesson, key)
    lesson.files.open_preset("rr-chaos")
    assert player.away
    press(qtbot, lesson, Qt.Key.Key_1)
    assert lesson.session.messages.notice == player.course.phrase("away")
    press(qtbot, lesson, Qt.Key.Key_J)
    assert isinstance(lesson.sheet, Palette)
    assert lesson.sheet.list.currentRow() == -1
    press(qtbot, lesson, Qt.Key.Key_Escape)
    press(qtbot, lesson, Qt.Key.Key_PageDown)
    assert not player.away
    assert player.course.record.answers[0].hands == ("fine", "fine")
    bars = large.cards[-1].bars
    assert bars is not None
    qtbot.waitUntil(bars.isVisible)
    show.leave()
