"""Choices of which one is down, by keys: Tab comes to the one that is down, and arrows choose another."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.qt.panels.integrator import CONTROLLED, FIXED, IntegratorPanel
from gui.qt.widgets.segmented import Segmented
from gui.qt.window.main_window import MainWindow
from tests.window.hands import give_focus, press, wait_done
from tests.window.test_tab_order import walk

Key = Qt.Key


@pytest.fixture
def panel(shared_window: MainWindow, qtbot: QtBot) -> IntegratorPanel:
    """The panel of the arm that falls, with a method that has both kinds of steps."""
    window = shared_window
    window.session.files.new("rr-swing")
    window.session.edit("method", "rkf45")
    wait_done(qtbot, window)
    give_focus(qtbot, window)
    window.take_keys()
    found = window.findChild(IntegratorPanel)
    assert isinstance(found, IntegratorPanel)
    return found


def stops(qtbot: QtBot, window: MainWindow, pair: Segmented) -> list[str]:
    """The keys of the buttons of a pair to which Tab comes."""
    window.take_keys()
    visited = walk(qtbot, window)
    return [key for key, button in pair.buttons.items() if button in visited]


@pytest.mark.parametrize(("there", "back"), [(Key.Key_Right, Key.Key_Left), (Key.Key_Down, Key.Key_Up)])
def test_arrows_choose_between_fixed_steps_and_step_control(
    panel: IntegratorPanel, shared_window: MainWindow, qtbot: QtBot, there: Qt.Key, back: Qt.Key
) -> None:
    window, session = shared_window, shared_window.session
    assert stops(qtbot, window, panel.mode) == [FIXED]
    panel.mode.buttons[FIXED].setFocus(Qt.FocusReason.TabFocusReason)
    session.playback.pause()
    instant = session.playback.t
    press(qtbot, window, there)
    wait_done(qtbot, window)
    assert session.scenario.step is None
    assert session.playback.t == instant
    assert QApplication.focusWidget() is panel.mode.buttons[CONTROLLED]
    assert stops(qtbot, window, panel.mode) == [CONTROLLED]
    panel.mode.buttons[CONTROLLED].setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, window, back)
    wait_done(qtbot, window)
    assert session.scenario.step is not None
    assert QApplication.focusWidget() is panel.mode.buttons[FIXED]


def test_a_choice_made_elsewhere_moves_the_stop_of_tab(
    panel: IntegratorPanel, shared_window: MainWindow, qtbot: QtBot
) -> None:
    session = shared_window.session
    for mode in (CONTROLLED, FIXED, CONTROLLED):
        panel.mode.buttons[mode].click()
        wait_done(qtbot, shared_window)
        assert stops(qtbot, shared_window, panel.mode) == [mode]
    session.history.undo()
    wait_done(qtbot, shared_window)
    assert stops(qtbot, shared_window, panel.mode) == [FIXED]
