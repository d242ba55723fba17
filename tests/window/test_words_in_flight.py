"""What is being typed belongs to the scenario as it is saved, closed or replaced."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.sheets import Question
from gui.qt.panels._ensemble import EnsembleSection
from gui.qt.panels.runs import RunsPanel
from gui.qt.panels.scenario import ScenarioPanel
from gui.qt.window.main_window import MainWindow
from robots.scenario.ensemble import Spread
from robots.scenario.file import load_scenario
from tests.window.hands import press, wait_done

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def saved(shared_window: MainWindow, tmp_path: Path) -> MainWindow:
    """The one window of this file, with a scenario that its file has."""
    window = shared_window
    assert window.session.files.save(tmp_path / "mine.armstep")
    return window


def write_notes(window: MainWindow, text: str) -> None:
    """Type the notes, and leave the keys in them."""
    notes = window.findChildren(ScenarioPanel)[0].notes
    notes.setFocus()
    notes.selectAll()
    QTest.keyClicks(notes, text)


def duration(window: MainWindow) -> QLineEdit:
    line = window.findChildren(ScenarioPanel)[0].general.rows["duration"].number
    line.setFocus()
    line.selectAll()
    return line


def test_notes_are_saved_with_the_keys_still_in_them(saved: MainWindow, qtbot: QtBot) -> None:
    write_notes(saved, "Watch the elbow.")
    press(qtbot, saved, Qt.Key.Key_S, CTRL)
    file = saved.session.files.path
    assert file is not None
    assert load_scenario(file).notes == "Watch the elbow."
    assert not saved.isWindowModified()
    assert isinstance(QApplication.focusWidget(), type(saved.findChildren(ScenarioPanel)[0].notes)), "one writes on"


def test_the_window_does_not_close_over_notes_that_were_just_typed(saved: MainWindow) -> None:
    write_notes(saved, "Not lost.")
    saved.close()
    assert isinstance(saved.sheet, Question)
    saved.sheet.dismiss()
    assert saved.session.scenario.notes == "Not lost."


def test_another_scenario_does_not_replace_notes_that_were_just_typed(saved: MainWindow) -> None:
    write_notes(saved, "Nor these.")
    saved.files.open_preset("rr-swing")
    assert isinstance(saved.sheet, Question)
    saved.sheet.dismiss()


def test_a_page_of_a_presentation_keeps_notes_that_were_just_typed(saved: MainWindow) -> None:
    write_notes(saved, "For the next page.")
    kept = saved.session.files.keep_changes()
    assert kept is not None
    assert kept.changed.scenario.notes == "For the next page."


def test_a_number_that_is_being_typed_is_saved(saved: MainWindow, qtbot: QtBot) -> None:
    QTest.keyClicks(duration(saved), "1.25")
    press(qtbot, saved, Qt.Key.Key_S, CTRL)
    wait_done(qtbot, saved)
    file = saved.session.files.path
    assert file is not None
    assert load_scenario(file).duration == 1.25


def test_a_number_that_is_refused_saves_nothing_and_keeps_the_keys(saved: MainWindow, qtbot: QtBot) -> None:
    file, line = saved.session.files.path, duration(saved)
    assert file is not None
    before = file.read_bytes()
    QTest.keyClicks(line, "-3")
    press(qtbot, saved, Qt.Key.Key_S, CTRL)
    assert file.read_bytes() == before
    assert "Duration must be" in saved.session.messages.notice
    assert QApplication.focusWidget() is line
    press(qtbot, saved, Qt.Key.Key_Escape)
    press(qtbot, saved, Qt.Key.Key_S, CTRL)
    assert saved.session.messages.notice.startswith("Saved")


def test_a_name_that_is_being_typed_is_saved(saved: MainWindow, qtbot: QtBot) -> None:
    press(qtbot, saved, Qt.Key.Key_F2)
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    QTest.keyClicks(editor, "Fine")
    press(qtbot, saved, Qt.Key.Key_S, CTRL)
    file = saved.session.files.path
    assert file is not None
    assert load_scenario(file).view["run"]["name"] == "Fine"


def test_the_note_of_a_run_that_is_being_typed_is_saved_and_asked_about(saved: MainWindow, qtbot: QtBot) -> None:
    table = saved.findChildren(RunsPanel)[0]
    table.table.selectRow(0)
    qtbot.waitUntil(table.footer.note.isVisible)
    table.footer.note.setFocus()
    QTest.keyClicks(table.footer.note, "Coarse")
    saved.close()
    assert isinstance(saved.sheet, Question)
    saved.sheet.dismiss()
    table.footer.note.setFocus()
    QTest.keyClicks(table.footer.note, "r")
    press(qtbot, saved, Qt.Key.Key_S, CTRL)
    file = saved.session.files.path
    assert file is not None
    assert load_scenario(file).view["run"]["note"] == "Coarser"


def test_a_refused_number_of_a_member_stops_no_saving(saved: MainWindow, qtbot: QtBot) -> None:
    """It says which member is looked at, which no file has."""
    saved.session.ensembles.spread("initial.q1", Spread("normal", 1e-6))
    section = saved.findChild(EnsembleSection)
    assert section is not None
    line = section.number.number
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "5000")
    press(qtbot, saved, Qt.Key.Key_S, CTRL)
    assert section.number.refused
    assert not saved.isWindowModified()
    file = saved.session.files.path
    assert file is not None
    assert load_scenario(file).ensemble == saved.session.ensembles.present
    assert QApplication.focusWidget() is line
    assert line.text() == "5000", "the keys stay to correct it"
    members = section.members.number
    members.setFocus()
    members.selectAll()
    QTest.keyClicks(members, "-3")
    saved.session.edit("duration", 3.0)
    press(qtbot, saved, Qt.Key.Key_S, CTRL)
    assert saved.isWindowModified(), "how many there are is saved: nothing is while that is refused"
