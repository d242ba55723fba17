"""Letters find an entry in a list that is open; in a closed choice a letter changes nothing."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.qt.widgets.quiet import QuietComboBox
from gui.qt.window.main_window import MainWindow
from tests.window.hands import give_focus, wait_done

Key = Qt.Key


@pytest.fixture
def box(shared_window: MainWindow, qtbot: QtBot) -> QuietComboBox:
    """The choice of the robot."""
    wait_done(qtbot, shared_window)
    found = next(box for box in shared_window.findChildren(QuietComboBox) if box.accessibleName() == "robot")
    give_focus(qtbot, found)
    return found


@pytest.mark.parametrize(("letters", "found"), [("t", "Two bending links"), ("sp", "Spinning top"), ("pe", "Pendulum")])
def test_letters_find_an_entry_of_the_open_list(
    shared_window: MainWindow, box: QuietComboBox, qtbot: QtBot, letters: str, found: str
) -> None:
    session = shared_window.session
    before = session.scenario
    qtbot.keyClicks(box, letters)
    assert box.currentText() == "RR arm", "closed, letters are commands or nothing"
    qtbot.keyClick(box, Key.Key_Down)
    listed = box.view()
    qtbot.waitUntil(listed.isVisible)
    runs, view = len(session.runs.all), session.view.settings
    qtbot.keyClicks(listed, letters)
    assert listed.currentIndex().data() == found
    assert session.scenario == before, "found is not chosen"
    assert (len(session.runs.all), session.view.settings) == (runs, view), "and no letter is a command"
    qtbot.keyClick(listed, Key.Key_Escape)
    qtbot.waitUntil(lambda: not listed.isVisible())
    assert session.scenario == before


def test_enter_takes_what_letters_found(shared_window: MainWindow, box: QuietComboBox, qtbot: QtBot) -> None:
    qtbot.keyClick(box, Key.Key_Down)
    listed = box.view()
    qtbot.waitUntil(listed.isVisible)
    qtbot.keyClicks(listed, "pend")
    qtbot.keyClick(listed, Key.Key_Return)
    qtbot.waitUntil(lambda: shared_window.session.scenario.robot != "rr")
    assert box.currentText() == "Pendulum"
    shared_window.session.history.undo()
