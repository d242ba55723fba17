"""The status line says less where it is narrow, and what matters most it says always."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.qt.widgets.quiet import SentenceLabel, shorter_sentences
from gui.qt.window.main_window import MainWindow

SAID = (
    "Inaccurate: off by 21\u00a0rad. Runge-Kutta 1 (explicit Euler), step 10\u00a0ms: 99.5\u00a0µs; "
    "largest error 21\u00a0rad (joint angles against the reference)."
)


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
