"""Enter in a field or a choice of a sheet that computes leads to its button; Esc takes back only what is typed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.result_sheet import ResultSheet
from gui.qt.dialogs.work_precision import open_work_precision
from gui.qt.window.commands.focus_frame import is_framed
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE, press, wait_done
from tests.window.test_map import described

Key = Qt.Key


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    return shared_window


def fields_of(sheet: ResultSheet, kind: str) -> tuple[QWidget, QWidget]:
    """A choice and a line to type in."""
    return (sheet.across.field, sheet.up.count) if kind == "map" else (sheet.cost, sheet.target)


def opened(window: MainWindow, kind: str) -> ResultSheet:
    if kind == "map":
        return described(window, "step", "robot.m2", 3)
    return open_work_precision(window, window.session)


@pytest.mark.parametrize("kind", ["map", "work"])
def test_enter_leads_to_the_button_and_presses_it_then(window: MainWindow, qtbot: QtBot, kind: str) -> None:
    window.session.files.new("rr-swing")
    wait_done(qtbot, window)
    sheet = opened(window, kind)
    for field in fields_of(sheet, kind):
        field.setFocus(Qt.FocusReason.TabFocusReason)
        press(qtbot, window, Key.Key_Return)
        assert QApplication.focusWidget() is sheet.measure
        assert is_framed(sheet.measure)
        assert not sheet.desk.measuring, "Enter in a field only keeps its value"
    press(qtbot, window, Key.Key_Return)
    assert sheet.desk.measuring
    sheet.desk.stop()
    qtbot.waitUntil(lambda: not sheet.desk.measuring, timeout=PATIENCE)
    sheet.dismiss()


@pytest.mark.parametrize("kind", ["map", "work"])
def test_escape_takes_back_what_is_typed_and_closes_from_a_choice(window: MainWindow, qtbot: QtBot, kind: str) -> None:
    window.session.files.new("rr-swing")
    wait_done(qtbot, window)
    sheet = opened(window, kind)
    choice, line = fields_of(sheet, kind)
    before = line.text()
    line.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClicks(line, "7")
    press(qtbot, window, Key.Key_Escape)
    assert sheet.isVisible()
    assert line.text() == before
    choice.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, window, Key.Key_Down)
    chosen = choice.currentIndex()
    press(qtbot, window, Key.Key_Escape)
    assert not sheet.isVisible()
    assert choice.currentIndex() == chosen
