"""After a crash the next window offers the work and the log; `--safe` starts without the person's settings."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from assets import plugins
from assets.counting import NO_BREAK
from assets.errors import ArmstepError
from gui.app.session.autosave import Recovery, losing
from gui.app.settings import Settings
from gui.cli import main
from gui.qt.dialogs.sheets import Question
from gui.qt.window.crash_log import CrashLog
from gui.qt.window.files import CRASHED, LEFT
from gui.qt.window.main_window import MainWindow

ROOT = Path(__file__).parents[2]

CRASH = """
import ctypes, logging, sys
from pathlib import Path
from gui.qt.window.crash_log import CrashLog
CrashLog(Path(sys.argv[1])).begin()
logging.getLogger("test").error("the last words")
if sys.argv[2] == "crash":
    ctypes.string_at(0)
"""


def ended(folder: Path, how: str) -> None:
    """A process with a log ends, by a crash or without its goodbye."""
    subprocess.run([sys.executable, "-c", CRASH, str(folder), how], cwd=ROOT, capture_output=True, check=False)


@pytest.fixture
def crashed(tmp_path: Path) -> CrashLog:
    """The log of a window that starts after another one crashed."""
    ended(tmp_path / "log", "crash")
    log = CrashLog(tmp_path / "log")
    log.begin()
    log.end()
    return log


def test_a_crash_leaves_its_trace_and_its_last_words(crashed: CrashLog, tmp_path: Path) -> None:
    (trace,) = crashed.left
    assert "Segmentation fault" in trace.read_text()
    assert "string_at" in trace.read_text()
    crashed.save(tmp_path / "log.zip")
    with zipfile.ZipFile(tmp_path / "log.zip") as archive:
        assert set(archive.namelist()) == {"versions.txt", "armstep.log", trace.name}
        assert b"the last words" in archive.read("armstep.log")
        assert archive.read("versions.txt").startswith(b"Armstep ")
    crashed.forget()
    assert list(crashed.folder.glob("crash-*")) == []


def test_a_process_that_was_killed_or_still_runs_has_not_crashed(tmp_path: Path) -> None:
    ended(tmp_path, "killed")
    mine = tmp_path / f"crash-{os.getppid()}.txt"
    mine.write_text("a window beside this one")
    log = CrashLog(tmp_path)
    log.begin()
    logging.getLogger("test").warning("said")
    log.end()
    assert log.left == []
    assert list(tmp_path.glob("crash-*")) == [mine]
    assert "said" in (tmp_path / "armstep.log").read_text()


def test_a_folder_that_cannot_be_made_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    log = CrashLog(tmp_path / "file" / "log")
    log.begin()
    log.end()
    with pytest.raises(ArmstepError, match="cannot be written"):
        log.save(tmp_path / "nowhere" / "log.zip")


def answer(window: MainWindow, text: str) -> None:
    """Press a button of the question that is open."""
    assert isinstance(window.sheet, Question)
    next(button for button in window.sheet.findChildren(QPushButton) if button.text().replace("&", "") == text).click()


@pytest.fixture
def window(shared_window: MainWindow) -> Iterator[MainWindow]:
    yield shared_window
    shared_window.files.crash_log = None


def test_the_next_window_offers_the_log(window: MainWindow, crashed: CrashLog, qtbot: QtBot, tmp_path: Path) -> None:
    assert not window.files.offer_recovery()
    window.files.crash_log = crashed
    assert window.files.offer_recovery()
    answer(window, "Save the log…")
    dialog = window.findChild(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "log.zip"))
    dialog.reject()
    assert zipfile.is_zipfile(tmp_path / "log.zip")
    assert crashed.left == []
    assert not window.files.offer_recovery()


def test_the_log_is_offered_with_the_work_of_a_killed_window(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It left no trace, but what it said before may explain it."""
    left = Recovery(window.session.scenario, 0.0, None, tmp_path / "autosave.json")
    monkeypatch.setattr(window.session.files, "recoverable", lambda: [left])
    window.files.crash_log = CrashLog(tmp_path / "log")
    assert window.files.offer_recovery()
    assert isinstance(window.sheet, Question)
    names = [button.text().replace("&", "") for button in window.sheet.buttons]
    assert names == ["Open", "Not now", "Discard", "Save the log…"]
    window.files.save_log(tmp_path / "log.zip")
    assert zipfile.is_zipfile(tmp_path / "log.zip")
    window.sheet.close()
    assert window.files.offer_recovery()
    assert [button.text().replace("&", "") for button in window.sheet.buttons] == ["Open", "Not now", "Discard"]
    qtbot.keyClick(window.sheet, Qt.Key.Key_Escape)
    assert window.sheet is None
    assert "next start offers" in window.notice.text(), "Esc is Not now, and says so"
    assert window.files.offer_recovery()
    answer(window, "Not now")
    assert "offers this work again" in window.session.messages.notice


def test_a_log_that_cannot_be_saved_is_offered_again(window: MainWindow, crashed: CrashLog, tmp_path: Path) -> None:
    window.files.crash_log = crashed
    window.files.save_log(tmp_path / "nowhere" / "log.zip")
    assert "cannot be written" in window.session.messages.problems["file"]
    assert window.files.offer_recovery()
    answer(window, "Close")
    assert not window.files.offer_recovery()


LEFT_WORK = """
import os, sys
from pathlib import Path
from gui.app.session.autosave import Autosave
from robots.scenario.presets import find_preset
Autosave(Path(sys.argv[1])).write(find_preset("rr-swing").with_value("robot.m1", 7.0), None)
os._exit(9)
"""


def start(open_one: Callable[..., MainWindow], folder: Path, log: Path) -> tuple[MainWindow, CrashLog]:
    """Another start of the window, with its log, and the question that it begins with."""
    crash_log = CrashLog(log)
    crash_log.begin()
    window = open_one(own=Settings(folder), gallery=False)
    window.files.crash_log = crash_log
    window.files.offer_recovery()
    return window, crash_log


def leave(window: MainWindow, log: CrashLog) -> None:
    """The window is closed as it should be."""
    window.close_now()
    log.end()


@pytest.mark.parametrize("answered", [True, False])
def test_the_log_of_a_crash_is_offered_once(
    open_one: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, answered: bool
) -> None:
    ended(tmp_path / "log", "crash")
    window, log = start(open_one, tmp_path, tmp_path / "log")
    assert isinstance(window.sheet, Question)
    assert window.sheet.accessibleName() == CRASHED
    if answered:
        qtbot.keyClick(window.sheet, Qt.Key.Key_Escape)
    leave(window, log)
    window, log = start(open_one, tmp_path, tmp_path / "log")
    assert window.sheet is None, "that session has ended as it should"
    leave(window, log)
    assert list((tmp_path / "log").glob("crash-*")) == []


def test_a_window_that_did_not_ask_leaves_the_log_to_the_next_one(crashed: CrashLog) -> None:
    handed_over = CrashLog(crashed.folder)
    handed_over.begin()
    handed_over.end()
    assert handed_over.left == crashed.left
    assert all(file.exists() for file in crashed.left)


def test_work_that_is_not_decided_upon_is_offered_again_as_that_of_an_earlier_session(
    open_one: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    subprocess.run([sys.executable, "-c", LEFT_WORK, str(tmp_path)], check=False)
    ended(tmp_path / "log", "crash")
    for title, buttons in ((CRASHED, 4), (LEFT, 3), (LEFT, 3)):
        window, log = start(open_one, tmp_path, tmp_path / "log")
        assert isinstance(window.sheet, Question)
        assert window.sheet.accessibleName() == title
        assert len(window.sheet.buttons) == buttons, "an old log is not offered with it"
        answer(window, "Not now")
        leave(window, log)
    ended(tmp_path / "log", "crash")  # a later session crashes: that is news again
    window, log = start(open_one, tmp_path, tmp_path / "log")
    assert isinstance(window.sheet, Question)
    assert window.sheet.accessibleName() == CRASHED
    answer(window, "Open")
    assert window.session.scenario.get("robot.m1") == 7.0
    leave(window, log)
    window, log = start(open_one, tmp_path, tmp_path / "log")
    assert window.sheet is None
    leave(window, log)
    assert list(tmp_path.glob("autosave-*.offered")) == []


def test_the_end_asks_about_recovered_work_by_its_name(
    open_one: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    """No presentation has kept it: of two scenarios one opens, and the other waits among the kept changes."""
    for mass in ("7.0", "8.0"):
        left = LEFT_WORK.replace("7.0", mass)
        subprocess.run([sys.executable, "-c", left, str(tmp_path)], check=False)
    for file in tmp_path.glob("autosave-*.json"):
        os.utime(file, (1.8e9, 1.8e9))
    window, log = start(open_one, tmp_path, tmp_path / "log")
    assert isinstance(window.sheet, Question)
    asked = " ".join(label.text() for label in window.sheet.findChildren(QLabel)).replace(NO_BREAK, " ")
    assert "mass 1 = 7 kg" in asked, "of one title and minute it says which is which"
    assert "mass 1 = 8 kg" in asked
    answer(window, "Open")
    (kept,) = window.session.files.kept
    window.close()
    assert isinstance(window.sheet, Question)
    said = " ".join(label.text() for label in window.sheet.findChildren(QLabel))
    assert "This is recovered work: it will be lost if you don't save it." in said
    answer(window, "Don't save")
    assert isinstance(window.sheet, Question)
    assert window.sheet.accessibleName() == "Quit without the recovered work?"
    said = " ".join(label.text() for label in window.sheet.findChildren(QLabel))
    assert f"Kept changes: “{kept.title}”." in said
    assert "presentation" not in said
    answer(window, "Cancel")
    presented = replace(kept, title="Lecture", saved=kept.changed)
    assert losing([kept, presented]) == (
        "Quit without the kept changes?",
        f"In File > Kept changes are recovered work: “{kept.title}”; and changes made in a presentation: “Lecture”. "
        "They are lost when Armstep quits.",
    )
    leave(window, log)


def test_safe_starts_with_the_defaults_and_leaves_the_settings_alone(
    open_one: Callable[..., MainWindow], tmp_path: Path
) -> None:
    own = Settings(tmp_path / "own")
    own.set("view.theme", "projector")
    before = own.file.read_text()
    window = open_one(own=Settings(own.folder, safe=True), gallery=False)
    assert window.session.view.settings.theme != "projector"
    window.session.view.set(theme="dark")
    assert own.file.read_text() == before
    assert json.loads(before)["view.theme"] == "projector"


@pytest.mark.parametrize("words", [["--safe"], ["open", "--safe"], ["--safe", "rr-swing"]])
def test_safe_is_a_word_of_its_own(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[object, bool]] = []
    monkeypatch.setenv(plugins.OFF, "")  # what the command sets goes with the test

    def run(file: object, folder: object, arguments: object, *, safe: bool, new_window: bool) -> int:
        opened.append((file, safe))
        return 0

    monkeypatch.setattr("gui.qt.window.application.run", run)
    assert main(words) == 0
    assert opened == [("rr-swing" if "rr-swing" in words else None, True)]
