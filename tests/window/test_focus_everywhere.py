"""The rule for the focus on every kind of field: of every robot, every sheet, every lesson and a presentation."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QDockWidget, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.widgets.quiet import QuietComboBox, QuietSlider
from gui.qt.window.commands.tab_order import Home
from gui.qt.window.main_window import MainWindow
from robots.scenario.presets import presets_by_robot
from tests.lessons import SIX_KINDS
from tests.window.dialogs import dialogs, kinds_of_sheets
from tests.window.hands import PATIENCE, give_focus, press
from tests.window.test_focus import check, every_value, focusable, names, turn_wheel

Key = Qt.Key


@pytest.fixture
def window(shared_window: MainWindow, qtbot: QtBot) -> MainWindow:
    give_focus(qtbot, shared_window)
    return shared_window


def first_presets() -> list[str]:
    """One scenario of each robot."""
    return list({preset.robot: key for key, preset in reversed(presets_by_robot().items())}.values())


def home_of(window: Home) -> QWidget:
    """What has the keys of a window or a sheet when no value has."""
    window.take_keys()
    home = QApplication.focusWidget()
    assert home is not None
    return home


@pytest.fixture
def idle(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """The window while nothing is computed: its fields are there all the same."""
    monkeypatch.setattr(window.session.computing, "started", False)
    return window


def test_every_value_of_every_robot_keeps_the_rule(idle: MainWindow, qtbot: QtBot) -> None:
    for preset in first_presets():
        idle.session.files.new(preset)
        assert every_value(idle)
        check(qtbot, idle, idle, home_of(idle))


def test_every_value_of_every_sheet_keeps_the_rule(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    kinds = set()
    for _, sheet in dialogs(window, tmp_path, files=False):
        kinds.add(type(sheet).__name__)
        check(qtbot, window, sheet, home_of(sheet))
    assert kinds == kinds_of_sheets(), "none is left out"


def test_every_value_of_a_lesson_keeps_the_rule(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "six.md"
    file.write_text(SIX_KINDS)
    player = window.session.lessons
    window.files.open(file)
    qtbot.waitUntil(lambda: player.course.lesson is not None, timeout=PATIENCE)
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "lesson")
    assert panel is not None
    kinds = set()
    for number in range(1, player.course.last + 1):
        player.go(number)
        qtbot.waitUntil(lambda: player.ready, timeout=PATIENCE)
        kinds |= {type(widget) for widget in every_value(panel)}
        check(qtbot, window, panel, home_of(window))
    assert all(any(issubclass(kind, one) for kind in kinds) for one in (QLineEdit, QuietSlider))
    player.close()


def test_every_value_of_a_presentation_keeps_the_rule(window: MainWindow, qtbot: QtBot) -> None:
    press(qtbot, window, Key.Key_F5)
    press(qtbot, window, Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    check(qtbot, window, window, home_of(window))
    press(qtbot, window, Key.Key_Escape)


def test_a_choice_that_replaces_everything_is_made_in_its_list_alone(idle: MainWindow, qtbot: QtBot) -> None:
    """Another robot, say, brings its own values: an arrow does not choose it, and Esc finds nothing lost."""
    idle.session.edit("robot.m1", 3.0)
    before = idle.session.scenario
    boxes = {box.accessibleName(): box for box in idle.findChildren(QuietComboBox) if box.one_way}
    assert {"robot", "Spread a field"} <= boxes.keys()
    for box in boxes.values():
        for key in (Key.Key_Down, Key.Key_Up):
            give_focus(qtbot, box)
            qtbot.keyClick(box, key)
            qtbot.waitUntil(box.view().isVisible)
            qtbot.keyClick(box.view(), key)
            qtbot.keyClick(box.view(), Key.Key_Escape)
            qtbot.waitUntil(lambda box=box: not box.view().isVisible())
            assert idle.session.scenario == before, names([box])
    box = boxes["robot"]
    give_focus(qtbot, box)
    turn_wheel(box)
    assert idle.session.scenario == before
    qtbot.keyClick(box, Key.Key_Down)
    qtbot.waitUntil(box.view().isVisible)
    qtbot.keyClick(box.view(), Key.Key_Down)
    qtbot.keyClick(box.view(), Key.Key_Return)
    qtbot.waitUntil(lambda: idle.session.scenario.robot != before.robot)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is idle.viewport)
    idle.session.history.undo()
    assert idle.session.scenario == before


def letters(box: QComboBox) -> set[str]:
    """With these its list would be searched."""
    return {text[0].lower() for index in range(box.count()) if (text := box.itemText(index)).strip()}


def test_no_letter_changes_a_choice_of_any_robot(idle: MainWindow) -> None:
    """Also where the letter is no command."""
    changed, seen = [], 0
    for preset in first_presets():
        idle.session.files.new(preset)
        for box in idle.findChildren(QComboBox):
            if not box.isVisible() or box.isEditable():
                continue
            seen += 1
            before = box.currentText()
            box.setFocus()
            for letter in letters(box):
                key = Key(ord(letter.upper())) if letter.isascii() else Key.Key_unknown
                for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                    QApplication.sendEvent(box, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, letter))
            if box.currentText() != before:
                changed.append(box)
    assert seen > 20
    assert not names(changed)


def check_gone(root: QWidget, home: QWidget) -> None:
    """What is disabled or hidden while it has the keys leaves them to its window or sheet; then it is as before."""
    wrong = []
    for widget in list(focusable(root)):
        if widget is home or widget.focusProxy() is home or widget.isAncestorOf(home):
            continue
        for away, back in ((widget.setDisabled, widget.setEnabled), (widget.setHidden, widget.setVisible)):
            widget.setFocus(Qt.FocusReason.TabFocusReason)
            if not widget.hasFocus():
                continue
            away(True)
            if QApplication.focusWidget() is not home:
                wrong.append(widget)
            back(True)
    assert not names(wrong)


def test_what_goes_with_the_keys_leaves_them_to_its_window_or_sheet(idle: MainWindow, tmp_path: Path) -> None:
    check_gone(idle, home_of(idle))
    for _, sheet in dialogs(idle, tmp_path, files=False):
        check_gone(sheet, home_of(sheet))


def buttons_of(window: MainWindow) -> dict[str, tuple[QDockWidget, QAbstractButton]]:
    """The buttons of all panels that can be pressed, by panel and name."""
    found = [(dock, button) for dock in window.docks for button in dock.findChildren(QAbstractButton)]
    return {
        f"{dock.kind.key}: {button.accessibleName() or button.text()}": (dock, button)
        for dock, button in found
        if button in set(focusable(dock)) and not (dock.titleBarWidget() or dock).isAncestorOf(button)
    }


def test_space_on_any_button_of_a_panel_takes_the_keys_to_no_other_panel(window: MainWindow, qtbot: QtBot) -> None:
    """The button of the longest stable step is disabled once it is found: Space then opened the menu of plots."""
    seen, wrong, session = set[str](), [], window.session

    def judged() -> bool:
        return all(row.state in ("done", "failed") and row.judged for row in session.runs.all)

    def begin_anew() -> None:
        session.files.new("rr-stiff")
        session.comparisons.pin()
        session.edit_many({"duration": 1.0, "step": 0.05})
        qtbot.waitUntil(judged, timeout=PATIENCE)
        session.playback.pause()

    begin_anew()
    while name := next((name for name in buttons_of(window) if name not in seen), None):
        seen.add(name)
        dock, button = buttons_of(window)[name]
        button.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(button, Key.Key_Space)
        qtbot.waitUntil(judged, timeout=PATIENCE)
        there = QApplication.focusWidget()
        if QApplication.activePopupWidget() is None and there is not None:
            wrong += [(name, names([there])) for one in window.docks if one is not dock and one.isAncestorOf(there)]
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        if window.sheet is not None:
            window.sheet.dismiss()
        session.view.set(enlarged="")
        begin_anew()
    assert len(seen) > 12, seen
    assert "integrator: Find and use the longest stable step" in seen
    assert not wrong
