"""What the tests of the window do to it again and again."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.qt.window.main_window import MainWindow


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    """As a person presses it: where the focus is."""
    target = QApplication.focusWidget() or window
    qtbot.keyClick(target, key, modifier)


def wait_done(qtbot: QtBot, window: MainWindow) -> None:
    """Until the current run is that of the scenario."""

    def done() -> bool:
        row = window.session.current
        return row.state == "done" and row.run is not None and row.run.scenario == window.session.scenario

    qtbot.waitUntil(done, timeout=30_000)
