from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.qt.export.render_process import RenderProcess
from gui.qt.window.application import make_application, open_window
from gui.qt.window.main_window import MainWindow
from robots.scenario.presets import find_scenario
from tests.inline_jobs import InlineJobs

PATIENCE = 60_000
"""The first run of a process may compile kernels [ms]."""


@pytest.fixture(autouse=True)
def application(qapp: QApplication) -> QApplication:
    return make_application(["armstep"])


@pytest.fixture(autouse=True)
def hands_off(application: QApplication) -> Iterator[None]:
    """Nobody holds a key or a button when the next test begins: QTest never lets go of Shift after Shift+drag.

    What is to go has gone: without an event loop Qt keeps it.
    """
    yield
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    nothing = QWidget()
    for button in Qt.MouseButton:
        if QGuiApplication.mouseButtons() & button:
            QTest.mouseRelease(nothing, button)
    QTest.keyRelease(nothing, Qt.Key.Key_Shift)
    assert not QGuiApplication.keyboardModifiers()
    assert not QGuiApplication.mouseButtons()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return usual_settings(tmp_path / "settings")


def usual_settings(folder: Path) -> Settings:
    made = Settings(folder)
    made.set("started", True)
    made.set("view.theme", "light")
    return made


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """The arm that falls for two seconds, computed at once: for panels and plots without a window."""
    made = Session(InlineJobs(), Settings(tmp_path), find_scenario("rr-swing").with_value("duration", 2.0))
    made.start()
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


@pytest.fixture(scope="module")
def one_window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    make_application(["armstep"])
    opened = open_window(usual_settings(tmp_path_factory.mktemp("settings")), gallery=False)
    yield opened
    close(opened)


@pytest.fixture
def shared_window(one_window: MainWindow, qtbot: QtBot) -> MainWindow:
    """The one window of a file, as after its start: for tests that leave the person's settings as they are."""
    session = one_window.session
    if one_window.sheet is not None:
        one_window.sheet.dismiss()
    session.drafts.clear()
    session.files.new()
    wait_until_ready(qtbot, one_window)
    session.view.set(theme="light", panels=True)
    one_window.arrangement.usual()
    one_window.resize(1280, 800)
    with qtbot.waitActive(one_window, timeout=PATIENCE):
        one_window.activateWindow()
    QApplication.processEvents()
    session.playback.pause()
    session.playback.seek(0.0)
    return one_window


@pytest.fixture
def short(shared_window: MainWindow, qtbot: QtBot) -> MainWindow:
    """The one window with a run of one second by RK2, and one by RK4 pinned; nothing was exported yet."""
    session = shared_window.session
    session.settings.set("export", {})
    shared_window.banner.hide()
    session.edit("duration", 1.0)
    session.comparisons.pin()
    session.edit("method", "rk2")
    qtbot.waitUntil(lambda: all(row.state == "done" for row in session.runs.all), timeout=PATIENCE)
    return shared_window


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """What screen readers are given to say from now on, and whether it interrupts."""
    said: list[tuple[str, bool]] = []

    def take(event: QAccessibleEvent) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            said.append((event.message(), event.politeness() == QAccessible.AnnouncementPoliteness.Assertive))

    monkeypatch.setattr(QAccessible, "updateAccessibility", take)
    return said


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Export sheets start no drawing process before they ask it for a picture: for tests that see none."""
    monkeypatch.setattr(RenderProcess, "warm_up", lambda _: None)


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
