"""What is said of runs in a low window, in every theme: whole words, whole answers."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.app.view import THEMES
from gui.qt.panels.runs import RunsPanel
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE, wait_done

SIZES = ((1280, 720), (1920, 1080))


@pytest.fixture
def window(shared_window: MainWindow, qtbot: QtBot) -> MainWindow:
    """Euler at 10 ms and the classical method at 10 ms are pinned; the current run controls its step."""
    session = shared_window.session
    session.edit_many({"duration": 2.0, "method": "rk1"})
    for values in ({"method": "rk4"}, {"method": "rkf45", "rtol": 1e-6, "atol": 1e-9}):
        session.comparisons.pin()
        session.edit_many(values)
    wait_done(qtbot, shared_window)
    done = ("done", "done")
    qtbot.waitUntil(
        lambda: all((row.state, row.reference_state) == done and row.judged for row in session.runs.all),
        timeout=PATIENCE,
    )
    session.playback.pause()
    return shared_window


def panel_of(window: MainWindow) -> RunsPanel:
    panel = window.findChild(RunsPanel)
    assert isinstance(panel, RunsPanel)
    return panel


def show(qtbot: QtBot, window: MainWindow, theme: str, size: tuple[int, int]) -> None:
    window.session.view.set(theme=theme)
    window.resize(*size)
    qtbot.waitUntil(lambda: (window.width(), window.height()) == size)
    window.arrangement.usual()
    QApplication.processEvents()


def test_what_two_runs_come_to_is_said_whole_in_a_low_window(window: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(window)
    pinned = panel.model.ids[1:]
    for size in SIZES:
        for theme in THEMES:
            for ids in ([pinned[0]], pinned):
                show(qtbot, window, theme, size)
                panel.table.clearSelection()
                panel.select(ids)
                qtbot.waitUntil(panel.footer.isVisible)
                QApplication.processEvents()
                words = panel.footer.words
                said = words.shown_text()
                assert "…" not in said, (theme, size, said)
                assert "Error " in said.replace("\n", " "), (theme, size, said)
                assert words.height() >= words.fontMetrics().lineSpacing() * len(said.split("\n")), (theme, size)
    panel.table.clearSelection()


def test_a_setting_of_all_runs_is_no_setting_of_the_first_one(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.edit_many({"method": "rk2", "step": 0.01})
    wait_done(qtbot, window)
    show(qtbot, window, "projector", (1280, 720))
    view = window.viewport
    assert view is not None

    def settings() -> list[str]:
        return [entry.setting for entry in view.legend.shown]

    qtbot.waitUntil(lambda: settings() == ["all: step 10\u00a0ms", "", ""], timeout=3000)
