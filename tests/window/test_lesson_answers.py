"""The field in which a number is predicted reads what every field of the window reads."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from assets.counting import NO_BREAK
from gui.app.lessons.player import LessonPlayer
from gui.qt.lessons.formula import as_html
from gui.qt.lessons.inputs import NumberInput
from gui.qt.lessons.panel import LessonPanel
from gui.qt.window.main_window import MainWindow
from tests.lessons import SIX_KINDS
from tests.window.hands import PATIENCE, press
from tests.window.test_lesson_entries import at_step, open_lesson
from tests.window.test_lessons import CONTROL, ready, whole_in_view

IN_MS = re.sub(r"(?s)(```predict number.*?)(```)", r"\1unit: ms\n\2", SIX_KINDS, count=1)


def in_ms(open_one: Callable[..., MainWindow], folder: Path) -> MainWindow:
    window = open_lesson(open_one, folder, IN_MS)
    window.resize(1280, 720)
    return window


def test_an_answer_takes_units_and_a_refused_one_is_marked_in_sight(
    open_one: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = in_ms(open_one, tmp_path)
    panel, player = at_step(qtbot, window, 2), window.session.lessons
    answer = panel.cards[-1].input
    assert isinstance(answer, NumberInput)
    for text, guess in (("24,7", 24.7), ("0.0247 s", 24.7), ("2/81 s", 2000 / 81), ("49.4 ms / 2", 24.7)):
        answer.line.clear()
        qtbot.keyClicks(answer.line, text)
        assert player.course.draft == pytest.approx(guess), text
        assert not answer.line.property("refused")
        assert answer.line.text() == text, "what is typed stays"
    qtbot.keyClicks(answer.line, " kg")
    assert player.course.draft is None
    assert answer.line.property("refused")
    said = "Your answer must be a number in ms, or an expression such as 1/3, got 49.4 ms / 2 kg"
    assert answer.problem.text().replace(NO_BREAK, " ") == said
    whole_in_view(qtbot, answer.problem)
    for _ in " kg":
        press(qtbot, window, Qt.Key.Key_Backspace)
    assert not answer.line.property("refused")
    assert not answer.problem.isVisible()


def line_of(panel: LessonPanel) -> NumberInput:
    answer = panel.cards[-1].input
    assert isinstance(answer, NumberInput)
    return answer


def refused_answer_stays(qtbot: QtBot, panel: LessonPanel, player: LessonPlayer) -> None:
    """The question still waits, with 16 kg in its field; why that is none stands whole below it."""
    answer = line_of(panel)
    assert (player.course.number, player.course.record.answers[0].committed) == (2, False)
    assert answer.line.text() == "16 kg"
    assert answer.line.hasFocus()
    assert answer.line.hasSelectedText(), "what is typed next replaces it"
    assert answer.line.accessibleDescription().endswith("got 16 kg")
    assert answer.problem.text().replace(NO_BREAK, " ") == answer.line.accessibleDescription()
    whole_in_view(qtbot, answer.problem)


@pytest.mark.parametrize("in_class", [False, True])
def test_the_way_on_waits_at_an_answer_that_is_refused(
    open_one: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, in_class: bool
) -> None:
    window = in_ms(open_one, tmp_path)
    panel, player = at_step(qtbot, window, 2, in_class=in_class), window.session.lessons
    line_of(panel).line.setFocus()
    qtbot.keyClicks(line_of(panel).line, "16 kg")

    def by_button() -> None:
        qtbot.mouseClick(panel.onward, Qt.MouseButton.LeftButton)

    def by_key() -> None:
        press(qtbot, window, Qt.Key.Key_PageDown, Qt.KeyboardModifier.NoModifier if in_class else CONTROL)

    def commit() -> None:
        press(qtbot, window, Qt.Key.Key_Return, CONTROL)

    stays = partial(refused_answer_stays, qtbot, panel, player)
    for act in (by_button, by_key, commit):
        act()
        stays()
        window.setFocus()  # as by a click elsewhere
        act()
        stays()
    if in_class:
        window.setFocus()
        press(qtbot, window, Qt.Key.Key_G)
        stays()
    player.go(1)
    player.go(2)
    by_key()
    stays()
    window.session.files.new("rr-swing")
    commit()
    assert not player.course.record.answers[0].committed, "nobody sees what would be committed"
    if in_class:
        return
    player.reset()
    player.close()
    assert player.open(tmp_path / "lesson.md")
    assert (player.course.number, player.course.unread) == (2, "16 kg"), "it waits with its step"
    by_button()
    stays()
    qtbot.keyClicks(line_of(panel).line, "16")
    ready(qtbot, player)
    by_key()
    qtbot.waitUntil(lambda: player.course.record.answers[0].outcome is not None, timeout=PATIENCE)
    assert player.course.record.answers[0].guess == 16.0


def test_a_good_answer_is_not_committed_unseen(
    open_one: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = in_ms(open_one, tmp_path)
    panel, player = at_step(qtbot, window, 2), window.session.lessons
    qtbot.keyClicks(line_of(panel).line, "16")
    window.session.files.new("rr-swing")
    press(qtbot, window, Qt.Key.Key_Return, CONTROL)
    assert not player.course.record.answers[0].committed
    player.reset()
    assert player.course.draft == 16.0


def test_pictures_of_formulas_in_saved_answers_are_spoken() -> None:
    assert 'aria-label="2π"' in as_html(r"A turn is $2\pi$.")
