"""The table of runs before an audience while pages with other numbers of runs are turned: every run is in sight."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.qt.panels.runs import RunsPanel
from gui.qt.window.main_window import MainWindow
from tests.window.hands import press
from tests.window.test_kept_in_a_presentation import active
from tests.window.test_table_before_a_class import empty_rows, whole

RUNS = {"rr-euler": 1, "pa10-drift": 3, "rr-chaos": 2, "pendulum-drift": 3, "rr-swing": 1}


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_table_has_the_height_of_the_runs_of_its_page(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    path = tmp_path / "lecture.txt"
    path.write_text("\n".join(RUNS))
    monkeypatch.setattr(window.files, "ask", lambda title, kinds, then: then(path))
    window.resize(*size)
    window.session.settings.set("presentation.layout", ["plots", "runs"])
    press(qtbot, window, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    window.resize(*size)
    panel = active(window).docks["runs"].widget()
    assert isinstance(panel, RunsPanel)
    there = list(RUNS.values())
    for key, runs in ((Qt.Key.Key_PageDown, there[1:]), (Qt.Key.Key_PageUp, there[-2::-1])):
        for number in runs:
            press(qtbot, window, key)
            qtbot.waitUntil(lambda number=number: panel.model.rowCount() == number, timeout=5000)
            qtbot.waitUntil(lambda: whole(panel) and empty_rows(panel) < 1, timeout=5000)
    press(qtbot, window, Qt.Key.Key_Escape)
