"""Presenting: the screen for the arm, a presenter's remote, and everything back afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolBar
from pytestqt.qtbot import QtBot

from gui.qt.style.theme import load, look
from gui.qt.window import presentation
from gui.qt.window.main_window import MainWindow
from gui.qt.window.presentation import Presentation, pages
from robots.scenario.file import save_scenario
from robots.scenario.presets import presets
from tests.window.hands import screenshot


def begin(window: MainWindow) -> Presentation:
    window.actions_by_key["view.present"].trigger()
    return window.findChild(Presentation)


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key) -> None:
    qtbot.keyClick(window.viewport, key)


@pytest.mark.parametrize(
    ("notes", "found"),
    [("", [""]), ("One\nline.", ["One line."]), ("First.\n\n\n\nSecond\nhere.\r\n", ["First.", "Second here."])],
)
def test_pages_are_paragraphs(notes: str, found: list[str]) -> None:
    assert pages(notes) == found


def test_the_window_is_given_back_as_it_was(window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    shown = [dock.isVisible() for dock in window.docks]
    show = begin(window)
    bar = window.findChild(QToolBar, "timelineBar")
    assert window.isFullScreen()
    assert window.session.view.settings.theme == "projector"
    assert not any(dock.isVisible() for dock in window.docks)
    assert not any(widget.isVisible() for widget in (window.menuBar(), window.statusBar(), bar))
    assert show.notes.isVisible()
    assert window.session.scenario.notes.split()[0] in show.notes.accessibleName()
    screenshot(qtbot, window, artifacts / "presentation.png")
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not window.isFullScreen()
    assert window.session.view.settings.theme == "light"
    assert [dock.isVisible() for dock in window.docks] == shown
    assert all(widget.isVisible() for widget in (window.menuBar(), window.statusBar(), bar))


def test_a_screen_of_many_pixels_gets_larger_type(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = window.size()
    monkeypatch.setattr(presentation, "DRAWN_FOR", (size.width() // 2, size.height() // 2))
    begin(window)
    assert look().larger == pytest.approx(2.0, rel=0.01)
    assert look().theme.sizes["body"] == round(look().larger * load("projector").sizes["body"])
    press(qtbot, window, Qt.Key.Key_Escape)
    assert look().theme.sizes == load("light").sizes


def test_panels_have_their_sizes_again_and_the_message_goes(window: MainWindow, qtbot: QtBot) -> None:
    widths = [dock.width() for dock in window.docks]
    window.session.edit("step", 0.02)
    show = begin(window)
    qtbot.waitUntil(lambda: not any(dock.isVisible() for dock in window.docks))
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert window.banner.objectName() == "message", "not a failure, and gone after a while"
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not show.active
    qtbot.waitUntil(lambda: [dock.width() for dock in window.docks] == widths, timeout=5000)


def test_the_notes_stand_below_the_arm(window: MainWindow, qtbot: QtBot) -> None:
    """The longest page makes the room, so that turning pages moves nothing; without notes the arm has it all."""
    window.session.edit("notes", "One.\n\n" + "Two is longer. " * 20)
    show = begin(window)
    qtbot.waitUntil(lambda: window.viewport.height() < window.centre.height(), timeout=5000)
    height = window.viewport.height()
    assert show.notes.y() >= height
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert show.notes.y() >= height == window.viewport.height()
    press(qtbot, window, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.viewport.height() == window.centre.height(), timeout=5000)
    press(qtbot, window, Qt.Key.Key_N)
    press(qtbot, window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.viewport.height() == window.centre.height(), timeout=5000)


def test_an_audience_is_not_told_of_frames(window: MainWindow, qtbot: QtBot) -> None:
    assert window.viewport is not None
    window.session.playback.play()
    qtbot.waitUntil(lambda: "frames/s" in window.viewport.readout._rest, timeout=10_000)
    show = begin(window)
    qtbot.waitUntil(lambda: "frames/s" not in window.viewport.readout._rest, timeout=10_000)
    show.leave()


def test_a_remote_turns_pages_and_scenarios(window: MainWindow, qtbot: QtBot) -> None:
    keys = list(presets())
    window.session.files.new("rr-swing")
    show = begin(window)
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert window.session.scenario.name == keys[1]
    assert not any(dock.isVisible() for dock in window.docks)
    press(qtbot, window, Qt.Key.Key_PageUp)
    press(qtbot, window, Qt.Key.Key_PageUp)
    assert window.session.scenario.name == keys[0]
    assert show.active
    show.leave()


def test_notes_of_several_pages_and_unsaved_work(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.session.edit("notes", "One.\n\nTwo.")
    show = begin(window)
    assert show.notes.accessibleName().endswith("1 of 2")
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert show.notes.accessibleName().endswith("Two. 2 of 2")
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert "save" in window.banner.label.text()
    assert window.session.scenario.notes == "One.\n\nTwo."
    window.session.files.save(tmp_path / "b.json")
    save_scenario(window.session.scenario.with_value("title", "A"), tmp_path / "c.json")
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert window.session.files.path == tmp_path / "c.json"
    show.leave()


def test_black_screen_and_notes_away(window: MainWindow, qtbot: QtBot) -> None:
    show = begin(window)
    press(qtbot, window, Qt.Key.Key_B)
    assert show.black.isVisible()
    assert show.black.size() == window.size()
    press(qtbot, window, Qt.Key.Key_Period)
    assert not show.black.isVisible()
    press(qtbot, window, Qt.Key.Key_N)
    assert not show.notes.isVisible()
    press(qtbot, window, Qt.Key.Key_Space)
    assert window.session.playback.playing
    show.leave()
