"""The playhead: keys, the timeline and its lane of steps."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPushButton, QSlider
from pytestqt.qtbot import QtBot

from gui.charts.steps import heights
from gui.charts.ticks import linear_ticks
from gui.qt.style.theme import look
from gui.qt.window.main_window import MainWindow
from tests.window.hands import press


def test_space_plays_and_the_playhead_follows_the_wall_clock(window: MainWindow, qtbot: QtBot) -> None:
    playback = window.session.playback
    window.viewport.setFocus()
    begun = perf_counter()
    press(qtbot, window, Qt.Key.Key_Space)
    assert playback.playing
    qtbot.waitUntil(lambda: playback.t > 0.2, timeout=20_000)
    press(qtbot, window, Qt.Key.Key_Space)
    assert not playback.playing
    assert playback.t <= perf_counter() - begun, "one simulated second takes a second"
    assert window.timeline.time.text() == f"t = {playback.t:.3f}\u00a0s"


def test_the_sign_on_the_button_keeps_its_colour_in_every_theme(window: MainWindow, qtbot: QtBot) -> None:
    """A theme with the same colour on buttons left the dark sign of the menu's entry there: after a presentation."""
    play, session = window.timeline.play, window.session
    for playing in (True, False):
        session.playback.play() if playing else session.playback.pause()
        for theme in ("light", "projector", "light", "dark", "light"):
            session.view.set(theme=theme)
            QApplication.processEvents()
            sign = play.icon().pixmap(20, 20).toImage()
            seen = {
                sign.pixelColor(x, y).name()
                for x in range(20)
                for y in range(20)
                if sign.pixelColor(x, y).alpha() == 255
            }
            assert seen == {look().theme.colours["accent_text"]}, (theme, playing)


def test_keys_move_the_playhead(window: MainWindow, qtbot: QtBot) -> None:
    playback = window.session.playback
    window.viewport.setFocus()
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    press(qtbot, window, Qt.Key.Key_Right)
    assert playback.t == pytest.approx(1 / 30)
    press(qtbot, window, Qt.Key.Key_Home)
    press(qtbot, window, Qt.Key.Key_Right, control)
    assert playback.t == pytest.approx(window.session.navigation.step_times()[1])
    press(qtbot, window, Qt.Key.Key_Left, control)
    assert playback.t == 0.0
    press(qtbot, window, Qt.Key.Key_Right, shift)
    assert playback.t == pytest.approx(1.0)
    press(qtbot, window, Qt.Key.Key_End)
    assert playback.t == playback.end
    press(qtbot, window, Qt.Key.Key_L)
    assert playback.loop
    assert window.actions_by_key["run.loop"].isChecked()
    press(qtbot, window, Qt.Key.Key_Plus)
    assert playback.speed == 2.0
    press(qtbot, window, Qt.Key.Key_Minus)
    assert playback.speed == 1.0
    press(qtbot, window, Qt.Key.Key_R)
    assert playback.t == 0.0


def test_the_list_of_speeds_marks_the_one_in_force(window: MainWindow, qtbot: QtBot) -> None:
    playback, menu = window.session.playback, window.timeline.speed.menu()

    def marked() -> list[str]:
        return [entry.text() for entry in menu.actions() if entry.isChecked()]

    assert marked() == ["1\u00d7"]
    press(qtbot, window, Qt.Key.Key_Minus)
    assert marked() == ["1/2\u00d7"]
    for _ in range(2):  # once more: a second choice of the same one leaves it marked
        next(entry for entry in menu.actions() if entry.text() == "1/8\u00d7").trigger()
        assert playback.speed == 0.125
        assert marked() == ["1/8\u00d7"]
    playback.set_speed(0.3)
    assert marked() == [], "none of the list is in force"


def test_space_plays_from_a_button_but_not_from_a_text_field(window: MainWindow, qtbot: QtBot) -> None:
    playback = window.session.playback
    button = QPushButton("other", window)
    pressed: list[bool] = []
    button.clicked.connect(pressed.append)
    button.show()
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert playback.playing
    assert not pressed
    playback.pause()
    field = QLineEdit(window)
    field.show()
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Space)
    qtbot.keyClick(field, Qt.Key.Key_L)
    assert not playback.playing
    assert not playback.loop
    assert field.text() == " l"


def test_the_time_of_a_long_run_is_whole(window: MainWindow, qtbot: QtBot) -> None:
    time = window.timeline.time
    before = time.width()
    window.session.playback.set_span(0.0, 2000.0)
    window.session.playback.seek(1500.0)
    assert time.text() == "t = 1500.000\u00a0s"
    assert time.width() - before >= time.fontMetrics().horizontalAdvance("0")


def test_the_time_with_the_keys_in_it_waits_while_the_arm_plays(window: MainWindow, qtbot: QtBot) -> None:
    """Its digits ran on below the cursor: a digit could not be put right in them."""
    time, playback = window.timeline.time, window.session.playback
    playback.seek(1.25)
    window.viewport.setFocus()
    press(qtbot, window, Qt.Key.Key_Space)
    time.setFocus(Qt.FocusReason.TabFocusReason)
    there = time.text()
    qtbot.keyClick(time, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: playback.t > float(there) + 0.2, timeout=20_000)
    assert (time.text(), time.cursorPosition(), time.hasSelectedText()) == (there, 0, False)
    qtbot.keyClick(time, Qt.Key.Key_Escape)
    assert not time.hasFocus()
    assert time.text() == f"t = {playback.t:.3f}\u00a0s", "it runs on without them"
    time.setFocus(Qt.FocusReason.TabFocusReason)
    playback.pause()
    assert float(time.text()) == playback.t, "where it has stopped"
    playback.seek(0.5)
    assert time.text() == "0.5", "a jump is a person's own"
    window.take_keys()


def test_a_slider_keeps_its_arrows(window: MainWindow, qtbot: QtBot) -> None:
    slider = QSlider(Qt.Orientation.Horizontal, window)
    slider.setValue(5)
    slider.show()
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert slider.value() == 6
    assert window.session.playback.t == 0.0


def test_the_lane_seeks_zooms_and_chooses_a_range(window: MainWindow, qtbot: QtBot) -> None:
    lane, playback = window.timeline.lane, window.session.playback
    middle = QPoint(lane.width() // 2, lane.height() // 3)
    qtbot.mouseClick(lane, Qt.MouseButton.LeftButton, pos=middle)
    assert playback.t == pytest.approx(playback.end / 2, rel=0.02)
    qtbot.mousePress(lane, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, QPoint(lane.width() // 4, 10))
    qtbot.mouseMove(lane, middle)
    lane.chosen.emit(2.0, 4.0)
    qtbot.mouseRelease(lane, Qt.MouseButton.LeftButton)
    assert playback.range == (2.0, 4.0)
    lane.cleared.emit()
    assert not playback.has_range


def test_lone_steps_are_ticks_and_dense_steps_a_height() -> None:
    assert heights(np.array([0, 1, 0, 0, 0, 0, 0, 1, 0, 0])).tolist() == [0, 1, 0, 0, 0, 0, 0, 1, 0, 0]
    even = heights(np.tile([1, 2], 50))
    assert np.ptp(even[10:-10]) < 0.05
    crowded = heights(np.concatenate([np.ones(50, int), np.full(50, 9)]))
    assert crowded[80] > 1.5 * crowded[20]


@pytest.mark.parametrize(("first", "last"), [(0.0, 10.0), (0.0, 0.3), (2.13, 2.1301), (0.0, 5000.0)])
def test_ticks_are_few_round_and_inside(first: float, last: float) -> None:
    found = linear_ticks(first, last, 8)
    assert 2 <= len(found) <= 10
    assert all(first - 1e-9 <= t <= last + 1e-9 for t in found)
    assert np.ptp(np.diff(found)) < 1e-9 * max(1.0, last)


def test_the_menu_of_the_lane_is_gone_once_it_closes(window: MainWindow, qtbot: QtBot) -> None:
    lane, here = window.timeline.lane, QPoint(9, 9)
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(lane, QContextMenuEvent(reason, here, lane.mapToGlobal(here)))
    lane.findChild(QMenu).close()
    qtbot.waitUntil(lambda: lane.findChild(QMenu) is None)
