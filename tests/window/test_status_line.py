"""The status line says less where it is narrow, and what matters most it says always."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.qt.widgets.quiet import SentenceLabel, shorter_sentences
from gui.qt.window.main_window import MainWindow
from robots.scenario.presets import find_scenario

SAID = (
    "Inaccurate: off by 21\u00a0rad. Runge-Kutta 1 (explicit Euler), step 10\u00a0ms: 99.5\u00a0µs; "
    "largest error 21\u00a0rad (joint angles against the reference)."
)

LACKS = "A result in the file could not be read"


def test_remarks_go_first_and_the_first_sentence_never() -> None:
    shorter = list(shorter_sentences(SAID))
    assert shorter[0] == SAID
    assert shorter[1].endswith("largest error 21\u00a0rad.")
    assert "(explicit Euler)" in shorter[1]
    assert shorter[2:] == [
        "Inaccurate: off by 21\u00a0rad. Runge-Kutta 1, step 10\u00a0ms: 99.5\u00a0µs; largest error 21\u00a0rad.",
        "Inaccurate: off by 21\u00a0rad. Runge-Kutta 1, step 10\u00a0ms: 99.5\u00a0µs.",
        "Inaccurate: off by 21\u00a0rad.",
    ]
    assert list(shorter_sentences("Runge-Kutta-Fehlberg 4(5)")) == ["Runge-Kutta-Fehlberg 4(5)"]
    assert list(shorter_sentences("")) == [""]


def test_the_status_line_of_a_narrow_window_ends_with_a_sentence(
    open_one: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = open_one(gallery=False)
    session = window.session
    session.edit_many({"method": "rk1", "step": 0.02})
    line = window.notice
    assert isinstance(line, SentenceLabel)
    for theme in ("light", "dark", "projector"):
        for width, height in ((1280, 720), (1920, 1080)):
            session.view.set(theme=theme)
            window.resize(width, height)
            qtbot.waitUntil(lambda width=width: window.width() == width)
            qtbot.waitUntil(lambda: line.text().startswith("Inaccurate"), timeout=20_000)
            QApplication.processEvents()
            shown = line.shown_text()
            assert shown.endswith("."), (theme, width, shown)
            assert "…" not in shown, (theme, width)
            assert shown.startswith("Inaccurate"), (theme, width)
            assert width < 1920 or shown == line.text(), theme


@pytest.mark.parametrize(
    ("values", "shown", "then"),
    [
        ({"duration": 2.0}, LACKS, "Runge-Kutta 4 (classical), step 10\u00a0ms: 200"),
        ({"method": "rk1", "step": 0.02}, "Inaccurate: off by 16\u00a0rad", LACKS),
        ({"method": "rk1", "step": 0.5}, "Runge-Kutta 1, step 500\u00a0ms: The solution grew without bound", LACKS),
    ],
)
def test_what_is_wrong_with_a_run_stands_before_what_its_file_leaves_to_say(
    open_one: Callable[..., MainWindow], qtbot: QtBot, values: dict[str, object], shown: str, then: str
) -> None:
    window = open_one(gallery=False)
    window.resize(1280, 720)
    line = window.notice
    window.session.files.adopt(replace(find_scenario("rr-swing").with_values(values), results=({},)))
    qtbot.waitUntil(lambda: line.shown_text().startswith(shown) and then in line.text(), timeout=20_000)
    assert f"{LACKS} and was left out: result must be an object" in line.text()
    assert "…" not in line.shown_text()
    assert line.shown_text().endswith(".")
