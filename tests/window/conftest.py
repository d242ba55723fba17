from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.app.settings import Settings
from gui.qt.window.application import make_application, open_window
from gui.qt.window.main_window import MainWindow

PATIENCE = 60_000
"""The first run of a process may compile kernels [ms]."""


@pytest.fixture(autouse=True)
def application(qapp: QApplication) -> QApplication:
    return make_application(["armstep"])


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    made = Settings(tmp_path / "settings")
    made.set("started", True)
    made.set("view.theme", "light")
    return made


@pytest.fixture
def open_one(application: QApplication, settings: Settings, qtbot: QtBot) -> Iterator[Callable[..., MainWindow]]:
    """Opens windows, waits until their panels stand and the first run is done, and closes them without questions."""
    opened: list[MainWindow] = []

    def open_(
        *, file: Path | str | None = None, ready: bool = True, own: Settings | None = None, **options: object
    ) -> MainWindow:
        window = open_window(own or settings, file, **options)  # type: ignore[arg-type]
        opened.append(window)
        window.resize(1280, 800)
        with qtbot.waitActive(window, timeout=PATIENCE):
            window.activateWindow()
        if ready:
            wait_until_ready(qtbot, window)
            window.session.playback.pause()
            window.session.playback.seek(0.0)
        return window

    yield open_
    for window in opened:
        close(window)


@pytest.fixture
def window(open_one: Callable[..., MainWindow]) -> MainWindow:
    return open_one(gallery=False)


def wait_until_ready(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: all(dock.panel is not None for dock in window.docks), timeout=PATIENCE)
    qtbot.waitUntil(lambda: window.session.runs.current.state in ("done", "failed"), timeout=PATIENCE)


def close(window: MainWindow) -> None:
    """Close and destroy, whatever is unsaved."""
    window.close_now()
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QApplication.processEvents()
