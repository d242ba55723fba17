"""Numbers in the hand: typed, stepped, dragged, pasted, linked, taken back."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from gui.app.session.links import Links
from gui.app.session.messages import Messages
from gui.app.session.view_state import ViewState
from gui.app.settings import Settings
from gui.app.units import numbers_in
from gui.qt.widgets.number_line import NumberLine
from gui.qt.widgets.parts import NumberText
from gui.qt.widgets.quiet import QuietComboBox
from gui.qt.widgets.scroll import Scroll
from gui.qt.window.main_window import MainWindow
from tests.window.hands import drag, press, screenshot, wait_done
from tests.window.test_focus import row_of, turn_wheel

Key, SHIFT = Qt.Key, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    """The one window of this file."""
    return shared_window


def typed(qtbot: QtBot, window: MainWindow, line: NumberLine, text: str) -> None:
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(line, text)
    press(qtbot, window, Key.Key_Return)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2*45", math.pi / 2),
        ("=pi/2 rad", math.pi / 2),
        ("pi/2 rad", math.pi / 2),
        ("sqrt(4) rad", 2.0),
        ("-0,5 rad", -0.5),
        ("(1+2)*10", math.pi / 6),
    ],
)
def test_a_field_takes_an_expression(window: MainWindow, qtbot: QtBot, text: str, value: float) -> None:
    row = row_of(window, "initial.q1")
    typed(qtbot, window, row.number, text)
    assert window.session.scenario.get("initial.q1") == pytest.approx(value, rel=1e-12)
    assert QApplication.focusWidget() is window.viewport


def test_a_refusal_names_the_unit_that_the_field_shows(window: MainWindow, qtbot: QtBot) -> None:
    row = row_of(window, "initial.q1")
    for text in ("1e9", "9**9**9", "=two"):
        typed(qtbot, window, row.number, text)
        assert "°" in row.complaint.text()
        assert "rad" not in row.complaint.text()
        press(qtbot, window, Key.Key_Escape)
        row.restore()


def test_a_refusal_is_scrolled_to_where_it_can_be_read(window: MainWindow, qtbot: QtBot) -> None:
    row = row_of(window, "robot.g")
    area = next(area for area in window.findChildren(Scroll) if area.isAncestorOf(row))
    area.ensureWidgetVisible(row.number, 0, 0)
    typed(qtbot, window, row.number, "1e99")

    def whole() -> bool:
        return row.complaint.visibleRegion().boundingRect() == row.complaint.rect()

    qtbot.waitUntil(whole)
    press(qtbot, window, Key.Key_Escape)


def test_a_choice_in_a_narrow_place_ends_in_an_ellipsis(qtbot: QtBot) -> None:
    box = QuietComboBox()
    qtbot.addWidget(box)
    box.addItem("Runge-Kutta 1 (explicit Euler), Runge-Kutta 4 (classical) and 4 more")
    box.resize(600, 28)
    assert box.shown_text() == box.currentText()
    box.resize(200, 28)
    assert box.shown_text().startswith("Runge-Kutta 1")
    assert box.shown_text().endswith("…")


def test_a_choice_as_wide_as_it_wants_to_be_shows_all_of_its_text_in_every_size(qtbot: QtBot) -> None:
    box = QuietComboBox()
    qtbot.addWidget(box)
    box.setSizeAdjustPolicy(QuietComboBox.SizeAdjustPolicy.AdjustToContents)
    box.addItem("Joint angles")
    for size in range(10, 60):
        box.setStyleSheet(f"font-size: {size}px")
        box.resize(box.sizeHint())
        assert box.shown_text() == "Joint angles", size


def test_arrows_wheel_and_shift_step_a_number(window: MainWindow, qtbot: QtBot) -> None:
    row, session = row_of(window, "robot.m1"), window.session
    row.number.setFocus()
    for key, modifier, value in (
        (Key.Key_Up, Qt.KeyboardModifier.NoModifier, 1.1),
        (Key.Key_Down, Qt.KeyboardModifier.NoModifier, 1.0),
        (Key.Key_Up, SHIFT, 1.01),
        (Key.Key_Down, SHIFT, 1.0),
        (Key.Key_PageUp, Qt.KeyboardModifier.NoModifier, 2.0),
    ):
        qtbot.keyClick(row.number, key, modifier)
        assert session.scenario.get("robot.m1") == pytest.approx(value, rel=1e-12)
    turn_wheel(row.number)
    assert session.scenario.get("robot.m1") == pytest.approx(1.9, rel=1e-12)
    press(qtbot, window, Key.Key_Escape)
    assert session.scenario.get("robot.m1") == 1.0, "Esc takes back what was stepped since the focus came"
    for _ in range(200):
        qtbot.keyClick(row.number, Key.Key_PageDown)
    assert 0.0 < session.scenario.get("robot.m1") < 1e-3  # type: ignore[operator]


@pytest.mark.parametrize("clicks", [2, 3])
def test_a_double_and_a_triple_click_take_the_whole_number(window: MainWindow, qtbot: QtBot, clicks: int) -> None:
    row = row_of(window, "initial.q2")
    assert "." in row.number.text()
    qtbot.mouseClick(row.number, Qt.MouseButton.LeftButton)
    qtbot.mouseDClick(row.number, Qt.MouseButton.LeftButton)
    for _ in range(clicks - 2):
        qtbot.mouseClick(row.number, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(row.number, "30 deg")
    qtbot.keyClick(row.number, Qt.Key.Key_Return)
    assert row.number.text() == "30"


def test_a_number_is_dragged_sideways_in_one_step_of_undo(window: MainWindow, qtbot: QtBot) -> None:
    row, session = row_of(window, "robot.m1"), window.session
    start = QPoint(20, 10)
    drag(row.number, start, start + QPoint(20, 0), start + QPoint(40, 0))
    assert session.scenario.get("robot.m1") == pytest.approx(2.0)
    assert QApplication.focusWidget() is window.viewport
    session.history.undo()
    assert session.scenario.get("robot.m1") == 1.0
    drag(row.number, start, start + QPoint(-20, 0), start + QPoint(-40, 0), modifier=SHIFT)
    assert session.scenario.get("robot.m1") == pytest.approx(0.9)
    session.history.undo()
    qtbot.mouseClick(row.number, Qt.MouseButton.LeftButton)
    assert row.number.selectedText() == "1", "a click alone selects the number"
    session.files.changed.emit()
    assert row.number.selectedText() == "1", "its panel shows the same value again"


def test_shift_makes_a_slider_fine(window: MainWindow, qtbot: QtBot) -> None:
    slider = row_of(window, "robot.m1").slider
    assert slider is not None
    slider.setFocus()
    before = slider.value()
    qtbot.keyClick(slider, Key.Key_Right, SHIFT)
    assert slider.value() == before + 1
    middle = slider.handle_rect().center()
    drag(slider, middle, middle + QPoint(20, 0), modifier=SHIFT)
    fine = slider.value() - before
    assert 0 < fine < 0.1 * slider.maximum()


def menu_of(window: MainWindow, path: str) -> QMenu:
    """As the right button opens it."""
    row = row_of(window, path)
    at = QPoint(5, 5)
    QApplication.sendEvent(
        row.number, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, row.number.mapToGlobal(at))
    )
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def choose(menu: QMenu, text: str) -> None:
    found = next(action for action in menu.actions() if action.text().startswith(text))
    found.trigger()
    menu.close()


def test_a_changed_value_is_marked_and_taken_back_by_its_menu(
    window: MainWindow, qtbot: QtBot, artifacts: Path
) -> None:
    row, session = row_of(window, "robot.m1"), window.session
    assert not row.marked
    typed(qtbot, window, row.number, "3")
    wait_done(qtbot, window)
    assert row.marked == "1\u00a0kg"
    assert "Opened with 1\u00a0kg" in row.label.toolTip()
    screenshot(qtbot, window, artifacts / "changed-value.png")
    choose(menu_of(window, "robot.m1"), "Back to 1\u00a0kg")
    assert session.scenario.get("robot.m1") == 1.0
    assert not row.marked


def test_two_masses_are_linked(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    menu = menu_of(window, "robot.m2")
    same = next(action for action in menu.actions() if action.text() == "Same value as").menu()
    assert isinstance(same, QMenu)
    choose(same, "Mass 1")
    menu.close()
    assert "Same value as mass 2" in row_of(window, "robot.m1").label.toolTip()
    assert row_of(window, "robot.m2").label.text() == "Mass 2 ="
    typed(qtbot, window, row_of(window, "robot.m1").number, "4")
    assert (session.scenario.get("robot.m1"), session.scenario.get("robot.m2")) == (4.0, 4.0)
    session.history.undo()
    assert (session.scenario.get("robot.m1"), session.scenario.get("robot.m2")) == (1.0, 1.0)
    session.files.new("rr-swing")
    session.edit("robot.m1", 2.0)
    assert session.scenario.get("robot.m2") == 1.0, "another scenario is not linked"
    assert row_of(window, "robot.m2").label.text() == "Mass 2"


@pytest.mark.parametrize("by", ["a link", "undo", "the menu"])
def test_esc_takes_back_what_was_entered_here_and_nothing_else(window: MainWindow, qtbot: QtBot, by: str) -> None:
    session, row = window.session, row_of(window, "robot.m1")
    session.edit("robot.m1", 5.0)
    session.edit("robot.m2", 2.0)
    qtbot.mouseClick(row.number, Qt.MouseButton.LeftButton)
    if by == "undo":
        session.edit("robot.m1", 3.0)
        session.history.undo()
        session.history.undo()
    else:
        menu = menu_of(window, "robot.m1")
        same = next(action for action in menu.actions() if action.text() == "Same value as").menu()
        assert isinstance(same, QMenu)
        choose(*((same, "Mass 2") if by == "a link" else (menu, "Back to 1\u00a0kg")))
        menu.close()
    now = session.scenario.get("robot.m1"), session.scenario.get("robot.m2")
    assert now[0] != 5.0 or by == "undo"
    qtbot.keyClick(row.number, Key.Key_Up)
    assert session.scenario.get("robot.m1") != now[0]
    press(qtbot, window, Key.Key_Escape)
    assert (session.scenario.get("robot.m1"), session.scenario.get("robot.m2")) == now


def test_a_wide_window_has_wide_sliders(window: MainWindow) -> None:
    slider = row_of(window, "robot.m1").slider
    assert slider is not None
    usual = slider.width()
    window.resize(1920, 1060)
    window.arrangement.usual()
    QApplication.processEvents()
    assert slider.width() > 1.3 * usual


def test_links_join_and_release(tmp_path: Path) -> None:
    links = Links(ViewState(Settings(tmp_path), Messages("")))
    links.link("a", "b")
    links.link("b", "c")
    assert links.others("a") == {"b", "c"}
    assert links.completed({"a": 1.0}) == {"a": 1.0, "b": 1.0, "c": 1.0}
    links.release("b")
    assert links.others("a") == {"c"}
    links.release("a")
    assert links.others("c") == frozenset()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("10, 20, 30", ["10", "20", "30"]),
        ("1\n2\n3\n", ["1", "2", "3"]),
        ("0,5; 0,7", ["0,5", "0,7"]),
        ("1\t2*pi", ["1", "2*pi"]),
        ("1 2", ["1", "2"]),
        ("0,5", []),
        ("90 deg", []),
        ("1 + 2", []),
        ("", []),
    ],
)
def test_a_list_of_numbers_is_seen(text: str, numbers: list[str]) -> None:
    assert numbers_in(text) == numbers


def test_a_list_is_pasted_into_several_joints(window: MainWindow, qtbot: QtBot) -> None:
    row, session = row_of(window, "initial.q1"), window.session
    QGuiApplication.clipboard().setText("10\t-20")
    row.number.setFocus()
    qtbot.keyClick(row.number, Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert math.degrees(float(session.scenario.get("initial.q1"))) == pytest.approx(10.0)
    assert math.degrees(float(session.scenario.get("initial.q2"))) == pytest.approx(-20.0)
    QGuiApplication.clipboard().setText("1, 2, 3")
    qtbot.keyClick(row.number, Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert "Pasted 2 of 3" in session.messages.notice
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: "largest error" in session.messages.notice)
    assert session.messages.notice.startswith("Pasted 2 of 3 numbers: there are no more fields. ")
    session.history.undo()
    assert math.degrees(float(session.scenario.get("initial.q2"))) == pytest.approx(28.6479, abs=1e-4)


@pytest.mark.parametrize("key", ["run.map", "run.work_precision", "export.animation"])
def test_the_click_that_comes_to_a_number_in_a_sheet_takes_it_whole(window: MainWindow, qtbot: QtBot, key: str) -> None:
    window.session.files.new("rr-swing")
    wait_done(qtbot, window)
    window.actions_by_key[key].trigger()
    assert window.sheet is not None
    lines = [line for line in window.sheet.findChildren(NumberText) if line.isVisible() and line.text()]
    assert len(lines) >= 2
    for line in (*lines, lines[0]):
        if not line.hasFocus():
            qtbot.mouseClick(line, Qt.MouseButton.LeftButton)
            assert line.selectedText() == line.text()
            qtbot.mouseClick(line, Qt.MouseButton.LeftButton)
            assert not line.hasSelectedText(), "a second click places the cursor"
    window.sheet.dismiss()


def test_a_time_is_typed_in_the_transport(window: MainWindow, qtbot: QtBot) -> None:
    line, session = window.timeline.time, window.session
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton)
    assert line.text() == "0"
    qtbot.keyClicks(line, "2.5*2")
    press(qtbot, window, Key.Key_Return)
    assert session.playback.t == 5.0
    assert line.text() == "t = 5.000\u00a0s"
    session.playback.seek(2.93)
    for place, text, t in ((10, "1.5", 1.5), (line.width() - 8, "4", 4.0), (line.width() // 2, "5", 5.0)):
        qtbot.mouseClick(line, Qt.MouseButton.LeftButton, pos=QPoint(place, line.height() // 2))
        qtbot.keyClicks(line, text)
        press(qtbot, window, Key.Key_Return)
        assert session.playback.t == t, "wherever the click is, what is typed replaces the time"
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton)
    session.playback.seek(6.125)
    qtbot.keyClicks(line, "5")
    press(qtbot, window, Key.Key_Return)
    assert session.playback.t == 5.0, "and so it does while the playhead moves"
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(line, "99")
    press(qtbot, window, Key.Key_Return)
    assert session.playback.t == 5.0
    assert "Time must be" in session.messages.notice
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(line, "7")
    press(qtbot, window, Key.Key_Escape)
    assert session.playback.t == 5.0
    assert line.text() == "t = 5.000\u00a0s"


def test_a_number_has_its_digits_again_after_larger_type(window: MainWindow, qtbot: QtBot) -> None:
    lines = [line for line in window.findChildren(NumberLine) if line.isVisible()]
    assert row_of(window, "initial.q2").number.text() == "28.647…"
    before = [line.text() for line in lines]
    press(qtbot, window, Key.Key_F5)
    press(qtbot, window, Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    press(qtbot, window, Key.Key_Escape)
    qtbot.waitUntil(lambda: [line.text() for line in lines] == before)
    window.session.view.set(theme="projector")
    window.session.preferences.set_text_size(200)
    QApplication.processEvents()
    assert all(line.has_room(line.text()) for line in lines)
    window.session.preferences.set_text_size(100)
    window.session.view.set(theme="light")
    qtbot.waitUntil(lambda: [line.text() for line in lines] == before)


def test_the_present_value_in_another_unit_is_written_in_that_of_the_field(window: MainWindow, qtbot: QtBot) -> None:
    row = row_of(window, "robot.m1")
    before = row.number.text()
    row.number.setFocus()
    row.number.selectAll()
    qtbot.keyClicks(row.number, f"{float(before) * 1000:g} g")
    qtbot.keyClick(row.number, Qt.Key.Key_Return)
    assert row.number.text() == before


def test_a_limit_that_nobody_reaches_is_not_read(window: MainWindow) -> None:
    assert "Allowed: any angle." in row_of(window, "initial.q1").label.toolTip()
    assert "Allowed: a number from" in row_of(window, "initial.v1").label.toolTip()
