"""The one rule for the focus, on every widget that can have it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QTabBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.sheets import Sheet
from gui.qt.dialogs.tableau_editor import open_tableau_editor
from gui.qt.dialogs.work_precision import open_work_precision
from gui.qt.export.dialog.menu import open_export
from gui.qt.panels.plots import PlotsPanel
from gui.qt.widgets.fields import ChoiceRow, NumberRow
from gui.qt.widgets.quiet import QuietComboBox
from gui.qt.window.commands.focus import VALUES, is_text
from gui.qt.window.main_window import MainWindow
from scene.camera import PRESETS
from tests.window.hands import give_focus, press, wait_done

Key = Qt.Key


def focusable(root: QWidget) -> Iterator[QWidget]:
    """What Tab or a click can reach."""
    for widget in root.findChildren(QWidget):
        seen = widget.isVisible() and widget.isEnabled() and not widget.isWindow()
        if seen and widget.focusPolicy() != Qt.FocusPolicy.NoFocus and widget.focusProxy() is None:
            yield widget


def value(widget: QWidget) -> object:
    if isinstance(widget, QLineEdit):
        return widget.text()
    if isinstance(widget, QComboBox):
        return widget.currentText()
    if isinstance(widget, QPlainTextEdit | QTextEdit):
        return widget.toPlainText()
    return widget.value() if isinstance(widget, VALUES) else None  # type: ignore[attr-defined]


def turn_wheel(widget: QWidget) -> None:
    at = QPointF(widget.rect().center())
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    event = QWheelEvent(
        at, widget.mapToGlobal(at), QPoint(), QPoint(0, -120), *none, Qt.ScrollPhase.NoScrollPhase, False
    )
    QApplication.sendEvent(widget, event)


def names(widgets: list[QWidget]) -> list[str]:
    return [f"{type(widget).__name__} {widget.accessibleName()!r}" for widget in widgets]


def every_value(root: QWidget) -> list[QWidget]:
    """Where a person searches comes last, since Enter takes what was found."""
    found = [widget for widget in focusable(root) if isinstance(widget, VALUES)]
    return sorted(found, key=lambda widget: widget.accessibleName().startswith("Search"))


def change(widget: QWidget) -> bool:
    """Change a value as a hand does, uncommitted where it is typed; whether it has changed."""
    before = value(widget)
    if isinstance(widget, QLineEdit):
        widget.insert("1")
    elif isinstance(widget, QPlainTextEdit):
        widget.insertPlainText("1")
    elif not (isinstance(widget, QuietComboBox) and widget.one_way):
        for key in (Key.Key_Down, Key.Key_Up, Key.Key_Right, Key.Key_Left):
            if value(widget) == before:
                QTest.keyClick(widget, key)
    return value(widget) != before


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    """The one window of this file."""
    return shared_window


def key_of(widget: QWidget) -> object:
    """What tells a field from others, also when its form is made again."""
    return (type(widget), widget.accessibleName()) if widget.accessibleName() else widget


def check(qtbot: QtBot, window: MainWindow, root: QWidget, home: QWidget) -> None:
    """Esc and Enter lead home, letters and wheels change nothing."""
    stay, turned, typed, seen = [], [], [], set[object]()
    while (widget := next((one for one in every_value(root) if key_of(one) not in seen), None)) is not None:
        seen.add(key_of(widget))
        if widget is home or widget.focusProxy() is home:
            continue
        before, scenario = value(widget), window.session.scenario
        home.setFocus()
        turn_wheel(widget)
        if value(widget) != before or widget.hasFocus():
            turned.append(widget)
        for key in (Key.Key_Escape, Key.Key_Return):
            ends = isinstance(widget, QPlainTextEdit | QTextEdit) and key == Key.Key_Return
            modifier = Qt.KeyboardModifier.ControlModifier if ends else Qt.KeyboardModifier.NoModifier
            widget.setFocus()
            assert QApplication.focusWidget() is widget, names([widget])
            edited = is_text(widget) or root is not home
            if key == Key.Key_Escape and not (edited and change(widget)) and root is home:
                continue  # nothing is being edited: Esc would close the sheet
            qtbot.keyClick(widget, key, modifier)
            if not root.isVisible():
                return  # what was found has been taken
            if QApplication.focusWidget() is not home:
                stay.append(widget)
            if isinstance(widget, QPlainTextEdit | QTextEdit) and key == Key.Key_Escape:
                assert value(widget) != before, f"{names([widget])} loses what was written"
                widget.setPlainText(str(before))
        if value(widget) != before or window.session.scenario != scenario:
            typed.append(widget)
    found = {"keeps the keys": names(stay), "turns under the wheel": names(turned), "is not taken back": names(typed)}
    assert not {what: those for what, those in found.items() if those}


def test_every_value_of_every_panel_keeps_the_rule(window: MainWindow, qtbot: QtBot) -> None:
    assert window.viewport is not None
    give_focus(qtbot, window.viewport)
    for preset in ("rr-swing", "e1", "pa10-weld", "beam"):
        window.session.files.new(preset)
        wait_done(qtbot, window)
        window.session.playback.pause()
        check(qtbot, window, window, window.viewport)


OPENERS: dict[str, Callable[[MainWindow], object]] = {
    "tableau": lambda window: open_tableau_editor(window, window.session),
    "work-precision": lambda window: open_work_precision(window, window.session),
    "animation": lambda window: open_export(window.bench, "animation"),
    "picture": lambda window: open_export(window.bench, "picture"),
}


def test_every_value_of_every_dialog_keeps_the_rule(window: MainWindow, qtbot: QtBot) -> None:
    give_focus(qtbot, window)
    for opener in OPENERS.values():
        opener(window)
        sheet = next(one for one in window.findChildren(Sheet) if one.isVisible())
        check(qtbot, window, sheet, sheet)
        qtbot.keyClick(sheet, Key.Key_Escape)
        assert not sheet.isVisible(), "the next Esc closes the sheet"


@pytest.mark.parametrize("command", ["run.map", "help.about", "help.cite", "run.work_precision"])
def test_a_sheet_opens_alone_with_the_focus_in_it(window: MainWindow, qtbot: QtBot, command: str) -> None:
    give_focus(qtbot, window)
    for open_first in (lambda: None, lambda: open_tableau_editor(window, window.session)):
        open_first()
        window.actions_by_key[command].trigger()
        (sheet,) = [one for one in window.findChildren(Sheet) if one.isVisible()]
        focus = QApplication.focusWidget()
        assert focus is not None
        assert sheet.card.isAncestorOf(focus), "Tab is not needed first"
        qtbot.keyClick(focus, Key.Key_Escape)
        assert not sheet.isVisible()


def test_esc_with_nothing_to_take_back_closes_a_sheet(window: MainWindow, qtbot: QtBot) -> None:
    give_focus(qtbot, window)
    for typed in ("", "x"):
        open_tableau_editor(window, window.session)
        sheet = next(one for one in window.findChildren(Sheet) if one.isVisible())
        field = QApplication.focusWidget()
        assert isinstance(field, QLineEdit)
        qtbot.keyClicks(field, typed)
        press(qtbot, window, Key.Key_Escape)
        assert sheet.isVisible() == bool(typed), "what was typed is taken back first"
        if typed:
            assert field.text() == ""
            press(qtbot, window, Key.Key_Escape)
        assert not sheet.isVisible()


def test_esc_closes_the_dialog_for_files(window: MainWindow, qtbot: QtBot) -> None:
    give_focus(qtbot, window)
    window.actions_by_key["file.save_as"].trigger()
    (dialog,) = [one for one in window.findChildren(QFileDialog) if one.isVisible()]
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    press(qtbot, window, Key.Key_Escape)
    assert not dialog.isVisible()
    assert window.session.files.path is None


def test_enter_in_a_sheet_presses_its_primary_button(window: MainWindow, qtbot: QtBot) -> None:
    give_focus(qtbot, window)
    editor = open_tableau_editor(window, window.session)
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    qtbot.keyClicks(field, "Mine")
    qtbot.waitUntil(editor.use.isEnabled)
    press(qtbot, window, Key.Key_Return)
    assert window.session.scenario.method == "rk4", "the first Enter keeps the name"
    press(qtbot, window, Key.Key_Return)
    qtbot.waitUntil(lambda: "Mine" in str(window.session.scenario.options.get("tableau")))
    assert not any(one.isVisible() for one in window.findChildren(Sheet))


def test_no_wheel_and_no_letter_changes_a_choice(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("e1")
    wait_done(qtbot, window)
    for box in window.findChildren(QComboBox):
        if not box.isVisible() or box.isEditable():
            continue
        before = box.currentIndex()
        box.setFocus()
        for key in range(Key.Key_A.value, Key.Key_Z.value + 1):
            if Key(key) not in (Key.Key_F, Key.Key_P, Key.Key_R, Key.Key_K, Key.Key_Z):  # Z takes the keys to a plot
                qtbot.keyClick(box, Key(key))
        assert box.currentIndex() == before
        assert box.hasFocus()
        press(qtbot, window, Key.Key_Down)
        press(qtbot, window, Key.Key_Escape)
        assert box.currentIndex() == before, f"Esc takes the arrow back in {names([box])}"


@pytest.mark.parametrize("enter", [Key.Key_Return, Key.Key_Enter])
def test_keys_choose_in_the_list_of_a_choice(window: MainWindow, qtbot: QtBot, enter: Qt.Key) -> None:
    window.session.files.new("e1")
    wait_done(qtbot, window)
    panel, pinned = window.docks[0].panel, len(window.session.runs.all)
    assert panel is not None
    box = next(one for one in panel.findChildren(QComboBox) if one.findText("Decoupled") >= 0)
    before = box.currentIndex()

    def press_in_list(*keys: Qt.Key) -> None:
        qtbot.mouseClick(box, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(box.view().isVisible)
        for key in keys:
            qtbot.keyClick(box.view(), key)
        qtbot.waitUntil(lambda: not box.view().isVisible())

    press_in_list(Key.Key_Home, Key.Key_P, Key.Key_Escape)
    assert box.currentIndex() == before > 0
    assert len(window.session.runs.all) == pinned, "a letter is no command there"
    press_in_list(Key.Key_Home, enter)
    assert box.currentIndex() == 0
    assert window.session.scenario.task["formulation"] == "HI"


def test_a_number_is_never_cut(window: MainWindow, qtbot: QtBot) -> None:
    for value in (5.7295779513e-8, -28.6479, -1.234567e-12, 1234.567):
        window.session.edit("initial.q1", math.radians(value))
        line = row_of(window, "initial.q1").number
        assert line.has_room(line.text()), line.text()
        first, _, power = line.text().partition("…")
        assert first.strip("-"), line.text()
        assert repr(value).startswith(first), "these are its first digits"
        assert not power or float(f"1{power}") == 10.0 ** math.floor(math.log10(abs(value)))


def row_of(window: MainWindow, path: str) -> NumberRow:
    panel = window.docks[0].panel
    assert panel is not None
    found = [form.rows[path] for form in panel.forms.values() if path in form.rows]  # type: ignore[attr-defined]
    assert isinstance(found[0], NumberRow)
    return found[0]


def test_after_a_number_and_enter_p_pins_and_space_plays(window: MainWindow, qtbot: QtBot) -> None:
    row, session = row_of(window, "robot.m1"), window.session
    qtbot.mouseClick(row.number, Qt.MouseButton.LeftButton)
    row.number.selectAll()
    qtbot.keyClicks(row.number, "2")
    press(qtbot, window, Key.Key_Return)
    wait_done(qtbot, window)
    press(qtbot, window, Key.Key_P)
    press(qtbot, window, Key.Key_Space)
    assert session.scenario.get("robot.m1") == 2.0
    assert len(session.runs.all) == 2
    assert session.playback.playing
    assert row.number.text() == "2"


def test_a_field_with_the_keys_takes_what_is_typed_and_space_plays_until_then(window: MainWindow, qtbot: QtBot) -> None:
    row, session = row_of(window, "robot.m1"), window.session
    row.number.setFocus()
    trail = session.view.settings.trail
    press(qtbot, window, Key.Key_Space)
    assert session.playback.playing
    session.playback.pause()
    row.number.selectAll()
    qtbot.keyClicks(row.number, "two t")
    assert row.number.text() == "two t"
    assert session.view.settings.trail == trail
    press(qtbot, window, Key.Key_Return)
    assert "must be a number" in row.complaint.text()
    press(qtbot, window, Key.Key_Escape)
    assert row.number.text() == "1"
    row.number.setFocus()
    qtbot.keyClicks(row.number, "3")
    press(qtbot, window, Key.Key_Escape)
    assert row.number.text() == "1"
    assert session.scenario.get("robot.m1") == 1.0


def test_opening_a_preset_leaves_no_focus_in_a_field_and_no_panel_scrolls(window: MainWindow, qtbot: QtBot) -> None:
    row, session = row_of(window, "robot.m1"), window.session
    row.number.setFocus()
    qtbot.keyClicks(row.number, "7")
    session.files.new("beam")
    wait_done(qtbot, window)
    assert QApplication.focusWidget() is window.viewport
    assert not session.files.dirty, "what was half typed belongs to the scenario before"
    for panel in (window.docks[0].panel, window.docks[1].panel):
        assert panel is not None
        scroll = panel.findChild(QScrollArea)
        assert scroll.verticalScrollBar().value() == 0


def test_keys_in_the_table_of_runs_are_commands(window: MainWindow, qtbot: QtBot) -> None:
    session, viewport = window.session, window.viewport
    assert viewport is not None
    session.comparisons.pin()
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "runs")
    table, eye = panel.table, panel.buttons[0]["show"]  # type: ignore[union-attr]
    for focused in (table, eye):
        for key, name in ((Key.Key_1, "iso"), (Key.Key_2, "front"), (Key.Key_3, "back")):
            focused.setFocus()
            table.selectRow(1)
            qtbot.keyClick(focused, key)
            qtbot.waitUntil(lambda: not viewport.flying)
            assert viewport.camera().azimuth == pytest.approx(PRESETS[name][0]), name
        session.playback.seek(1.0)
        qtbot.keyClick(focused, Key.Key_Home)
        assert session.playback.t == 0.0
        assert table.currentIndex().row() == 1
    table.setFocus()
    qtbot.keyClick(table, Key.Key_Up)
    assert table.currentIndex().row() == 0
    assert not window.banner.isVisible()


def test_closing_a_list_of_choices_gives_the_keys_back(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.docks[0].panel
    row = panel.robot_row  # type: ignore[union-attr]
    assert isinstance(row, ChoiceRow)
    row.box.setFocus()
    row.box.showPopup()
    row.box.hidePopup()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.viewport)


def test_no_tab_bar_turns_under_the_wheel(window: MainWindow) -> None:
    for bar in window.findChildren(QTabBar):
        before = bar.currentIndex()
        turn_wheel(bar)
        assert bar.currentIndex() == before


def test_what_another_scenario_scrolls_out_of_sight_has_no_keys(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 720)
    window.session.files.new("rr-swing")
    wait_done(qtbot, window)
    plots = window.findChild(PlotsPanel)
    assert plots is not None
    for key in ("joints", "energy", "step-size", "steps", "tip-path", "phase-plane"):
        plots.set_shown(key, True)
    last = plots.plots[plots.shown[-1]].widget
    qtbot.waitUntil(lambda: plots.area.verticalScrollBar().maximum() > 0)
    plots.area.ensureWidgetVisible(last)
    give_focus(qtbot, last)
    window.session.files.new("rr-chaos")
    assert QApplication.focusWidget() is window.viewport


@pytest.mark.parametrize("key", [Key.Key_Tab, Key.Key_Backtab])
def test_a_value_that_is_not_possible_keeps_the_keys_from_tab_too(
    window: MainWindow, qtbot: QtBot, key: Qt.Key
) -> None:
    row = row_of(window, "robot.m1")
    before = row.number.text()
    row.number.setFocus()
    row.number.selectAll()
    qtbot.keyClicks(row.number, "-1")
    qtbot.keyClick(row.number, key)
    assert QApplication.focusWidget() is row.number
    assert row.complaint.isVisible()
    qtbot.keyClick(row.number, Key.Key_Escape)
    assert row.number.text() == before
    assert not row.complaint.isVisible()
