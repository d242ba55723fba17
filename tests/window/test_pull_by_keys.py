"""An arm is pulled without a mouse."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.palette import Palette
from gui.qt.viewport.viewport import Viewport
from gui.qt.window.main_window import MainWindow
from scene.picture import DASHED
from tests.window.hands import PATIENCE, give_focus, press, wait_done
from tests.window.test_shell_viewport import viewport

__all__ = ["viewport"]

Key = Qt.Key


def test_the_arrows_move_the_spring_until_enter(window: MainWindow, viewport: Viewport, qtbot: QtBot) -> None:
    session = window.session
    give_focus(qtbot, window)
    press(qtbot, window, Key.Key_P)
    free, camera = session.runs.current.run, viewport.camera()
    assert free is not None
    press(qtbot, window, Key.Key_Y)
    assert session.drag_force.active
    assert session.playback.playing
    assert "arrows" in window.banner.label.text()
    assert viewport.selected == 1
    for _ in range(4):
        press(qtbot, window, Key.Key_Up)
    press(qtbot, window, Key.Key_Left)
    assert session.playback.playing, "the arrow was no frame back"
    began = session.playback.t
    qtbot.waitUntil(lambda: session.playback.t > began + 0.1, timeout=PATIENCE)
    press(qtbot, window, Key.Key_Return)
    assert not session.drag_force.active
    assert not window.banner.isVisible(), "it said how to let go"
    assert viewport.selected is None, "the link's numbers lay over the arm"
    session.playback.pause()
    pull = session.scenario.segments[0].pull
    assert pull is not None
    assert pull.link == 1
    wait_done(qtbot, window)
    pulled, end = session.runs.current.run, np.array([free.t_end])
    assert pulled is not None
    assert abs(pulled.sample(end) - free.sample(end)).max() > 0.01
    assert (viewport.camera().azimuth, viewport.camera().elevation) == (camera.azimuth, camera.elevation)
    t = session.playback.t
    press(qtbot, window, Key.Key_Left)
    assert session.playback.t < t, "the arrows are the window's again"
    session.history.undo()
    assert not session.scenario.segments


def test_another_link_is_chosen_and_shift_is_fine(window: MainWindow, viewport: Viewport, qtbot: QtBot) -> None:
    give_focus(qtbot, window)
    chosen = []
    for _ in range(3):
        press(qtbot, window, Key.Key_I)
        chosen.append(viewport.selected)
    assert chosen == [0, 1, None]
    press(qtbot, window, Key.Key_I)
    press(qtbot, window, Key.Key_Y)
    moved = []
    for modifier in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
        before = viewport.picture().dots[-1].points[-1]
        press(qtbot, window, Key.Key_Right, modifier)
        moved.append(float(np.linalg.norm(viewport.picture().dots[-1].points[-1] - before)))
    assert moved[0] > 4.0 * moved[1] > 0.0
    qtbot.waitUntil(lambda: window.session.playback.t > 0.1, timeout=PATIENCE)
    press(qtbot, window, Key.Key_Escape)
    pull = window.session.scenario.segments[0].pull
    assert pull is not None
    assert pull.link == 0


def test_a_sheet_and_an_edit_have_the_arrows(window: MainWindow, viewport: Viewport, qtbot: QtBot) -> None:
    session = window.session
    give_focus(qtbot, window)
    press(qtbot, window, Key.Key_Y)
    window.actions_by_key["help.palette"].trigger()
    palette = window.sheet
    assert isinstance(palette, Palette)
    hand = viewport.picture().dots[-1].points[-1]
    qtbot.keyClick(palette.search, Key.Key_Down)
    assert viewport.picture().dots[-1].points[-1] == pytest.approx(hand), "the list of commands has the arrow"
    qtbot.keyClick(palette.search, Key.Key_Escape)
    assert session.edit("method", "rk1")
    assert not session.drag_force.active, "an edit lets go"
    session.playback.pause()
    t = session.playback.t
    press(qtbot, window, Key.Key_Right)
    assert session.playback.t > t


def test_an_arm_that_nobody_pulls_says_so(window: MainWindow, viewport: Viewport, qtbot: QtBot) -> None:
    window.session.files.new("beam")
    wait_done(qtbot, window)
    give_focus(qtbot, window)
    press(qtbot, window, Key.Key_Y)
    assert "cannot be pulled" in window.notice.text()
    assert not window.session.drag_force.active


def test_undo_takes_back_a_pull_that_has_just_begun(window: MainWindow, viewport: Viewport, qtbot: QtBot) -> None:
    session = window.session
    assert session.edit("method", "rk1")
    wait_done(qtbot, window)
    give_focus(qtbot, window)
    press(qtbot, window, Key.Key_Y)
    assert session.drag_force.active
    press(qtbot, window, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not session.drag_force.active
    assert not session.scenario.segments
    assert session.scenario.method == "rk1", "it took back the edit before"
    assert not window.banner.isVisible(), "no spring holds the link any more"


def test_one_spring_is_drawn_while_keys_pull(window: MainWindow, viewport: Viewport, qtbot: QtBot) -> None:
    session = window.session
    give_focus(qtbot, window)
    press(qtbot, window, Key.Key_Y)
    press(qtbot, window, Key.Key_Up)
    began = session.playback.t
    qtbot.waitUntil(lambda: session.playback.t > began + 0.1, timeout=PATIENCE)
    qtbot.waitUntil(
        lambda: (run := session.runs.current.run) is not None and run.pull_at(session.playback.t) is not None
    )
    assert sum(ribbon.dash == DASHED for ribbon in viewport.picture().ribbons) == 1
    press(qtbot, window, Key.Key_Return)
