"""A name and a time are typed wherever the keys are: in their own fields, or before an audience on a card."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from assets.counting import unbroken
from gui.qt.dialogs.line_sheet import LineSheet
from gui.qt.panels.runs import RunsPanel
from gui.qt.window.main_window import MainWindow
from tests.window.hands import give_focus, press, wait_done
from tests.window.test_presentation import CONTROL, begin, shown

Key = Qt.Key


@pytest.fixture
def window(shared_window: MainWindow, qtbot: QtBot) -> MainWindow:
    give_focus(qtbot, shared_window)
    wait_done(qtbot, shared_window)
    return shared_window


def typed(qtbot: QtBot, text: str) -> None:
    qtbot.keyClicks(QApplication.focusWidget(), text)


def card(window: MainWindow) -> LineSheet:
    sheet = window.sheet
    assert isinstance(sheet, LineSheet)
    assert QApplication.focusWidget() is sheet.line
    return sheet


def ask_time(qtbot: QtBot, window: MainWindow) -> None:
    press(qtbot, window, Key.Key_K, CONTROL)
    typed(qtbot, "go to a time")
    press(qtbot, window, Key.Key_Return)


def test_a_name_before_an_audience_moves_nothing(window: MainWindow, qtbot: QtBot) -> None:
    runs, show = window.session.runs, begin(qtbot, window)
    before = shown(show)
    for key, name in ((Key.Key_Escape, ""), (Key.Key_Return, "b n")):
        press(qtbot, window, Key.Key_F2)
        assert [button.text() for button in card(window).findChildren(QPushButton)] == ["Cancel", "Keep"]
        typed(qtbot, "b n")
        assert show.black.isHidden(), "B is a letter here"
        press(qtbot, window, key)
        assert window.sheet is None
        assert runs.current.tag.name == name
        assert show.active
        assert shown(show) == before
        assert not window.session.view.settings.panels
        assert QApplication.focusWidget() is window.viewport
    press(qtbot, window, Key.Key_F2)
    assert card(window).line.selectedText() == "b n", "what is typed replaces it"
    press(qtbot, window, Key.Key_Delete)
    press(qtbot, window, Key.Key_Return)
    assert runs.current.tag.name == ""
    press(qtbot, window, Key.Key_B, CONTROL)
    press(qtbot, window, Key.Key_F2)
    assert window.sheet is None, "the table is there: the name is typed into it"
    typed(qtbot, "mine")
    press(qtbot, window, Key.Key_Return)
    assert runs.current.tag.name == "mine"
    show.leave()


def ask_note(qtbot: QtBot, window: MainWindow) -> None:
    press(qtbot, window, Key.Key_K, CONTROL)
    typed(qtbot, "note on the run")
    press(qtbot, window, Key.Key_Return)


def test_a_note_on_the_run_is_typed_beside_its_table(window: MainWindow, qtbot: QtBot) -> None:
    (panel,) = (one for one in window.findChildren(RunsPanel) if one.isVisible())
    window.session.comparisons.pin()
    panel.select([window.session.runs.all[1].id])
    for text in ("too fast", "", "as measured"):
        ask_note(qtbot, window)
        assert QApplication.focusWidget() is panel.footer.note
        assert panel.footer.note.isVisible()
        assert panel.footer.note.selectedText() == panel.footer.note.text(), "what is typed replaces it"
        press(qtbot, window, Key.Key_Delete)
        typed(qtbot, text)
        press(qtbot, window, Key.Key_Return)
        assert window.session.runs.current.tag.note == text, "the current one, though another was selected"
        assert not window.session.runs.all[1].tag.note
        qtbot.waitUntil(panel.table.hasFocus)
    ask_note(qtbot, window)
    typed(qtbot, "never mind")
    press(qtbot, window, Key.Key_Escape)
    assert window.session.runs.current.tag.note == "as measured"


def test_a_note_before_an_audience_is_typed_on_a_card(window: MainWindow, qtbot: QtBot) -> None:
    runs, show = window.session.runs, begin(qtbot, window)
    before = shown(show)
    for key, note in ((Key.Key_Escape, ""), (Key.Key_Return, "b n")):
        ask_note(qtbot, window)
        assert card(window).line.accessibleName() == "Note on this run"
        typed(qtbot, "b n")
        press(qtbot, window, key)
        assert window.sheet is None
        assert runs.current.tag.note == note
        assert shown(show) == before
        assert QApplication.focusWidget() is window.viewport
    ask_note(qtbot, window)
    assert card(window).line.selectedText() == "b n"
    press(qtbot, window, Key.Key_Escape)
    show.leave()


def test_a_time_is_typed_into_the_time_line(window: MainWindow, qtbot: QtBot) -> None:
    playback, line = window.session.playback, window.timeline.time
    playback.pause()
    for text in ("2.5", "0", "10"):
        ask_time(qtbot, window)
        assert QApplication.focusWidget() is line
        assert line.selectedText() == line.text(), "what is typed replaces it"
        typed(qtbot, text)
        press(qtbot, window, Key.Key_Return)
        assert playback.t == float(text)
        assert QApplication.focusWidget() is window.viewport
    for text in ("11", "-1", "soon", "nan"):
        ask_time(qtbot, window)
        typed(qtbot, text)
        press(qtbot, window, Key.Key_Return)
        assert playback.t == 10.0, "it stays where it was"
        said = window.session.messages.notice
        assert said.startswith("Time must be "), said
        assert text in said
        assert window.notice.text() == unbroken(said)
        assert line.text() == line.selectedText() == text, "what is typed next replaces it"
        assert line.hasFocus()
    press(qtbot, window, Key.Key_Escape)
    assert line.text() == "t = 10.000\u00a0s"
    ask_time(qtbot, window)
    typed(qtbot, "3")
    press(qtbot, window, Key.Key_Escape)
    assert playback.t == 10.0


def test_a_time_before_an_audience_is_typed_on_a_card(window: MainWindow, qtbot: QtBot) -> None:
    playback, show = window.session.playback, begin(qtbot, window)
    playback.pause()
    ask_time(qtbot, window)
    sheet = card(window)
    for text in ("11", "soon"):
        sheet.line.selectAll()
        typed(qtbot, text)
        press(qtbot, window, Key.Key_Return)
        assert card(window).trouble.text().startswith("Time must be ")
        assert sheet.trouble.isVisible()
        assert sheet.line.selectedText() == text
    assert [button.text() for button in sheet.findChildren(QPushButton)] == ["Cancel", "Go"]
    typed(qtbot, "2.5")
    press(qtbot, window, Key.Key_Return)
    assert window.sheet is None
    assert playback.t == 2.5
    assert QApplication.focusWidget() is window.viewport
    page = show.sequence.number
    press(qtbot, window, Key.Key_Right)
    assert show.sequence.number == page + 1, "the keys are the presentation's again"
    show.leave()
