"""Editing, files, and what is kept between starts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from gui.app.settings import Settings
from gui.qt.dialogs.sheets import Question
from gui.qt.export.format import formats
from gui.qt.panels.scenario import ScenarioPanel
from gui.qt.window.main_window import MainWindow
from robots.files.reading import READERS
from robots.scenario.file import load_scenario, save_scenario
from robots.scenario.presets import presets
from tests.robots.test_urdf import ARM
from tests.window.hands import press, screenshot, wait_done


def test_an_edit_computes_again_keeps_the_playhead_and_can_be_undone(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.playback.seek(2.5)
    before = session.runs.current.run
    assert session.edit("robot.m1", 3.0)
    wait_done(qtbot, window)
    assert session.runs.current.run is not before
    assert session.playback.t == 2.5
    assert window.isWindowModified()
    assert window.actions_by_key["edit.undo"].isEnabled()
    window.actions_by_key["edit.undo"].trigger()
    assert session.scenario.get("robot.m1") != 3.0
    window.actions_by_key["edit.redo"].trigger()
    assert session.scenario.get("robot.m1") == 3.0


def test_save_and_open_give_the_same_scenario(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    session, file = window.session, tmp_path / "mine.json"
    session.edit("robot.m2", 2.0)
    assert session.files.save(file)
    assert not window.isWindowModified()
    assert "mine.json" in window.windowTitle()
    session.files.new("rr-swing")
    window.files.open(file)
    assert session.scenario.get("robot.m2") == 2.0
    menu = next(a.menu() for a in window.actions_by_key.menus["File"].actions() if a.text() == "Open recent")
    window.files.fill_recent(menu)
    assert menu.actions()[0].text() == "mine.json"


def test_unsaved_changes_are_asked_about(window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    session = window.session
    session.edit("robot.m2", 2.0)
    window.files.open_preset("rr-swing")
    question = window.sheet
    assert isinstance(question, Question)
    screenshot(qtbot, window, artifacts / "question.png")
    assert session.scenario.get("robot.m2") == 2.0
    qtbot.keyClick(question, Qt.Key.Key_Escape)
    assert session.scenario.get("robot.m2") == 2.0
    window.files.open_preset("rr-swing")
    question = window.sheet
    assert isinstance(question, Question)
    press(qtbot, window, Qt.Key.Key_D, Qt.KeyboardModifier.AltModifier)
    assert session.scenario.get("robot.m2") != 2.0
    assert window.sheet is None


def test_closing_with_unsaved_changes_asks_first(window: MainWindow) -> None:
    window.session.edit("robot.m2", 2.0)
    window.close()
    assert window.isVisible()
    assert isinstance(window.sheet, Question)


def test_a_window_that_closes_is_gone_before_what_computes_has_ended(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, close = [], window.session.jobs.close
    monkeypatch.setattr(window.session.jobs, "close", lambda: (shown.append(window.isVisible()), close()))
    assert window.isVisible()
    window.close_now()
    assert shown == [False]


def test_a_dropped_file_opens_and_a_broken_one_is_refused(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, artifacts: Path
) -> None:
    good, broken = tmp_path / "good.json", tmp_path / "broken.json"
    save_scenario(window.session.scenario.with_value("robot.m1", 4.0), good)
    broken.write_text("{ no scenario")
    drop(window, good)
    assert window.session.scenario.get("robot.m1") == 4.0
    drop(window, broken)
    assert window.session.scenario.get("robot.m1") == 4.0
    assert window.banner.isVisible()
    assert "broken.json" in window.banner.label.text()
    screenshot(qtbot, window, artifacts / "broken-file.png")
    broken.write_bytes(b"\xff\x00\x9c")
    drop(window, broken)
    assert "JSON text in UTF-8" in window.banner.label.text()
    notes = tmp_path / "notes.md"
    notes.write_text("# Not a lesson")
    drop(window, notes)
    assert "a lesson must begin with" in window.banner.label.text()
    letter = tmp_path / "letter.odt"
    letter.write_text("Not a scenario")
    drop(window, letter)
    assert window.banner.label.text().startswith("file must be a scenario (.armstep, .json), a robot (.urdf, ")
    assert window.banner.label.text().endswith(", got 'letter.odt'")


def test_a_dropped_robot_file_moves_and_is_saved_with_the_scenario(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, artifacts: Path
) -> None:
    file, session = tmp_path / "arm.urdf", window.session
    file.write_text(ARM)
    drop(window, file)
    wait_done(qtbot, window)
    assert session.scenario.robot == "file"
    assert session.runs.current.run.status.ok
    combo = window.findChild(ScenarioPanel).robot_row.box
    assert combo.currentText() == "test arm"
    screenshot(qtbot, window, artifacts / "robot-file.png")
    assert session.edit("task.torque", "pd-gravity")
    wait_done(qtbot, window)
    assert session.files.save(tmp_path / "mine.json")
    file.unlink()
    session.files.new()
    wait_done(qtbot, window)
    assert combo.currentText() != "test arm"
    assert session.files.open(tmp_path / "mine.json")
    wait_done(qtbot, window)
    assert (session.scenario.get("task.torque"), combo.currentText()) == ("pd-gravity", "test arm")
    file.write_text(ARM.replace('<mass value="2"/>', '<mass value="two"/>'))
    drop(window, file)
    assert "line 6: value of <mass> must be a number" in session.messages.problems["file"]
    assert session.scenario.get("task.torque") == "pd-gravity"


def drop(window: MainWindow, file: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    able, button = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton
    event = QDropEvent(QPointF(10, 10), able, data, button, Qt.KeyboardModifier.NoModifier)
    event.setDropAction(Qt.DropAction.MoveAction)
    window.dropEvent(event)
    assert event.isAccepted()
    assert event.dropAction() == Qt.DropAction.CopyAction, "the program that they come from keeps its file"


CRASH = """
import os, sys
from pathlib import Path

from gui.app.session.autosave import Autosave
from robots.scenario.presets import find_preset

Autosave(Path(sys.argv[1])).write(find_preset("rr-swing").with_value("robot.m1", 7.0), None)
os._exit(9)
"""


def test_work_that_a_crash_left_is_offered(
    open_one: Callable[..., MainWindow], settings: Settings, qtbot: QtBot, artifacts: Path
) -> None:
    crashed = subprocess.run([sys.executable, "-c", CRASH, str(settings.folder)], check=False)
    assert crashed.returncode == 9
    window = open_one(gallery=False)
    question = window.sheet
    assert isinstance(question, Question)
    screenshot(qtbot, window, artifacts / "recovery.png")
    question.buttons[0].click()
    assert window.session.scenario.get("robot.m1") == 7.0
    assert window.session.files.dirty


def test_the_layout_is_remembered(open_one: Callable[..., MainWindow], settings: Settings, qtbot: QtBot) -> None:
    window = open_one(gallery=False)
    hidden = window.docks[-1]
    hidden.hide()
    window.close()
    again = open_one(gallery=False)
    assert not next(dock for dock in again.docks if dock.objectName() == hidden.objectName()).isVisible()
    again.actions_by_key["view.layout"].trigger()
    assert all(dock.isVisible() == dock.applies for dock in again.docks)


def test_panels_hide_and_come_back(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_key["view.panels"].trigger()
    assert not any(dock.isVisible() for dock in window.docks)
    window.actions_by_key["view.panels"].trigger()
    assert all(dock.isVisible() == dock.applies for dock in window.docks)


def test_a_file_on_the_command_line_opens_without_the_gallery(
    open_one: Callable[..., MainWindow], tmp_path: Path
) -> None:
    file = tmp_path / "mine.json"
    save_scenario(presets()["rr-swing"].with_value("robot.m1", 5.0), file)
    window = open_one(file=file, own=Settings(tmp_path / "fresh"))
    assert window.session.scenario.get("robot.m1") == 5.0
    assert window.sheet is None


def test_scenarios_are_saved_with_the_camera(window: MainWindow, tmp_path: Path) -> None:
    assert window.viewport is not None
    window.viewport.look_along("top")
    window.session.files.save(tmp_path / "view.json")
    assert load_scenario(tmp_path / "view.json").view["camera"]["elevation"] == pytest.approx(np.pi / 2)


def test_of_several_dropped_files_one_opens_and_the_window_says_so(
    qtbot: QtBot, window: MainWindow, heard: list[tuple[str, bool]], tmp_path: Path
) -> None:
    files = [tmp_path / "first.armstep", tmp_path / "second.armstep"]
    for mass, file in zip((2.0, 3.0), files, strict=True):
        window.session.edit("robot.m2", mass)
        assert window.session.files.save(file)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPointF(300, 300), copy, mime, left, Qt.KeyboardModifier.NoModifier))
    assert window.session.files.path == files[0]
    said = "Only first.armstep opens: drop one file at a time."
    assert said in [one for one, _ in heard]
    wait_done(qtbot, window)
    window.session.messages.say_quietly("Finished.")
    assert window.session.messages.notice == said, "the run of the opened file says nothing in its place"


def test_the_dialog_lists_all_that_opens(window: MainWindow, qtbot: QtBot) -> None:
    press(qtbot, window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    dialog = next(one for one in window.findChildren(QFileDialog) if one.isVisible())
    listed = dialog.selectedNameFilter()
    readable = [one.suffix for one in formats().values() if one.reader is not None and one.suffix != "/"]
    assert ".mp4" in readable
    for suffix in (".armstep", ".json", ".md", ".zip", *READERS, *readable):
        assert f"*{suffix}" in listed.split("(")[1].rstrip(")").split(), suffix
    dialog.reject()
