"""The field in which a number is predicted reads what every field of the window reads."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from assets.counting import NO_BREAK
from gui.qt.lessons.inputs import NumberInput
from gui.qt.window.main_window import MainWindow
from tests.lessons import SIX_KINDS
from tests.window.hands import press
from tests.window.test_lessons import panel_of, ready, whole_in_view

IN_MS = re.sub(r"(?s)(```predict number.*?)(```)", r"\1unit: ms\n\2", SIX_KINDS, count=1)


def test_an_answer_takes_units_and_a_refused_one_is_marked_in_sight(
    open_one: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "ms.md"
    file.write_text(IN_MS)
    window = open_one(file=file, ready=False)
    window.resize(1280, 720)
    panel, player = panel_of(qtbot, window), window.session.lessons
    player.go(2)
    ready(qtbot, player)
    answer = panel.cards[-1].input
    assert isinstance(answer, NumberInput)
    for text, guess in (("24,7", 24.7), ("0.0247 s", 24.7), ("2/81 s", 2000 / 81), ("49.4 ms / 2", 24.7)):
        answer.line.clear()
        qtbot.keyClicks(answer.line, text)
        assert player.draft == pytest.approx(guess), text
        assert not answer.line.property("refused")
        assert answer.line.text() == text, "what is typed stays"
    qtbot.keyClicks(answer.line, " kg")
    assert player.draft is None
    assert answer.line.property("refused")
    said = "Your answer must be a number in ms, or an expression such as 1/3, got 49.4 ms / 2 kg"
    assert answer.problem.text().replace(NO_BREAK, " ") == said
    whole_in_view(qtbot, answer.problem)
    for _ in " kg":
        press(qtbot, window, Qt.Key.Key_Backspace)
    assert not answer.line.property("refused")
    assert not answer.problem.isVisible()
