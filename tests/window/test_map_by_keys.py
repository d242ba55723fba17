"""A map without a mouse, and what it says of the scenario that it was computed with."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.map import MapSheet
from gui.qt.window.commands.focus_frame import is_framed
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE, press, wait_done
from tests.window.test_map import described, opened_in

Key = Qt.Key


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    return shared_window


def computed_by_enter(sheet: MapSheet, window: MainWindow, qtbot: QtBot) -> None:
    sheet.measure.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, window, Key.Key_Return)
    qtbot.waitUntil(lambda: not sheet.desk.measuring and sheet.desk.result is not None, timeout=PATIENCE)


def test_after_computing_the_arrows_are_for_the_map(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("rr-swing")
    wait_done(qtbot, window)
    sheet = described(window, "step", "robot.m2", 3)
    computed_by_enter(sheet, window, qtbot)
    assert QApplication.focusWidget() is sheet.diagram
    assert is_framed(sheet.diagram)
    before = sheet.across.written(), sheet.up.written()
    for key in (Key.Key_Right, Key.Key_Right, Key.Key_Up):
        press(qtbot, window, key)
    assert sheet.diagram.near is not None
    assert (sheet.across.written(), sheet.up.written()) == before
    sheet.up.setFocus()
    sheet.try_to_begin()
    qtbot.waitUntil(lambda: not sheet.desk.measuring, timeout=PATIENCE)
    assert QApplication.focusWidget() is not sheet.diagram, "who has gone on keeps the keys"
    sheet.dismiss()


def test_stop_keeps_the_keys_where_they_were(window: MainWindow, qtbot: QtBot) -> None:
    """What is there of the result does not take them: Enter goes on with the map."""
    window.session.files.new("rr-swing")
    wait_done(qtbot, window)
    sheet = described(window, "step", "robot.m2", 300)
    sheet.measure.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(2):
        press(qtbot, window, Key.Key_Return)
        assert sheet.desk.measuring
        qtbot.waitUntil(lambda: 0.0 < sheet.desk.progress < 1.0 and sheet.diagram.isVisible(), timeout=PATIENCE)
        press(qtbot, window, Key.Key_Return)
        qtbot.waitUntil(lambda: not sheet.desk.measuring, timeout=PATIENCE)
        assert sheet.desk.stopped
        assert sheet.desk.result is not None, "a part is there"
        assert QApplication.focusWidget() is sheet.measure
    sheet.dismiss()


def test_what_a_map_varies_is_no_other_value_and_its_method_is_named(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.files.new("rr-swing")
    wait_done(qtbot, window)
    sheet = described(window, "step", "robot.m2", 3)
    computed_by_enter(sheet, window, qtbot)
    sheet.dismiss()
    session.edit_many({"robot.m2": 1.75, "step": 0.02})
    wait_done(qtbot, window)
    sheet = opened_in(window)
    assert "Computed with" not in sheet.facts.text(), "the axes are no other values"
    sheet.dismiss()
    session.edit_many({"method": "rk1", "robot.m1": 1.5})
    wait_done(qtbot, window)
    sheet = opened_in(window)
    assert "Computed with Runge-Kutta 4 (classical), mass 1 = 1\u00a0kg." in sheet.facts.text()
    sheet.dismiss()


def test_another_sheet_takes_the_place_of_the_map(window: MainWindow, qtbot: QtBot) -> None:
    sheet = opened_in(window)
    window.actions_by_key["help.about"].trigger()
    assert not sheet.isVisible()
    assert window.sheet is not None
    assert window.sheet is not sheet
    window.sheet.dismiss()
