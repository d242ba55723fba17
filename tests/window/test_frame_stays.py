"""By keys alone: the frame of the focus outlasts menus and editors, and messages leave the legend readable."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QMenu, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.panels.plots import PlotsPanel
from gui.qt.panels.runs import RunsPanel
from gui.qt.widgets.form import Section
from gui.qt.window.commands.focus_frame import FocusFrame
from gui.qt.window.main_window import MainWindow
from tests.window.hands import give_focus, press
from tests.window.test_lesson_entries import at_step, open_lesson

Key, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def frames(window: QWidget) -> list[FocusFrame]:
    return [frame for frame in window.findChildren(FocusFrame) if frame.isVisible()]


def find(window: MainWindow, qtbot: QtBot, text: str) -> None:
    press(qtbot, window, Key.Key_K, CTRL)
    assert window.sheet is not None
    qtbot.keyClicks(window.sheet.search, text)  # type: ignore[attr-defined]
    press(qtbot, window, Key.Key_Return)
    qtbot.waitUntil(lambda: window.sheet is None, timeout=10_000)


def test_the_frame_is_there_again_when_a_menu_closes(shared_window: MainWindow, qtbot: QtBot) -> None:
    panel = next(dock.panel for dock in shared_window.docks if dock.kind.key == "plots")
    assert isinstance(panel, PlotsPanel)
    plot = panel.plots["energy"].widget
    give_focus(qtbot, panel.plots["error"].widget)
    plot.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: [frame.focused for frame in frames(shared_window)] == [plot], timeout=10_000)
    press(qtbot, shared_window, Key.Key_F10, SHIFT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    qtbot.keyClick(menu, Key.Key_Escape)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None, timeout=10_000)
    assert [frame.focused for frame in frames(shared_window)] == [plot]
    press(qtbot, shared_window, Key.Key_Tab)
    there = QApplication.focusWidget()
    assert there is not plot
    qtbot.waitUntil(lambda: [frame.focused for frame in frames(shared_window)] == [there], timeout=10_000)


def test_space_presses_the_button_with_the_frame_and_plays_otherwise(shared_window: MainWindow, qtbot: QtBot) -> None:
    playback, box = (
        shared_window.session.playback,
        next(box for box in shared_window.findChildren(QCheckBox) if box.isVisible() and box.isEnabled()),
    )
    give_focus(qtbot, box)
    playback.pause()
    ticked = box.isChecked()
    press(qtbot, shared_window, Key.Key_Space)
    assert playback.playing, "the mouse left it with the focus, and there is no frame"
    assert box.isChecked() == ticked
    playback.pause()
    shared_window.take_keys()
    box.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, shared_window, Key.Key_Space)
    assert not playback.playing
    assert box.isChecked() != ticked
    press(qtbot, shared_window, Key.Key_Space)
    assert box.isChecked() == ticked


def test_a_letter_goes_to_the_entry_that_begins_with_it(shared_window: MainWindow, qtbot: QtBot) -> None:
    give_focus(qtbot, shared_window)
    shared_window.take_keys()
    press(qtbot, shared_window, Key.Key_F10)
    menu = shared_window.actions_by_key.menus["File"]
    qtbot.waitUntil(menu.isVisible)
    qtbot.keyClick(menu, Key.Key_S)
    first = menu.activeAction().text()
    qtbot.keyClick(menu, Key.Key_S)
    second = menu.activeAction().text()
    assert first.startswith("S")
    assert second.startswith("S")
    assert first != second
    qtbot.keyClick(menu, Key.Key_Z)
    assert menu.activeAction().text() == second
    qtbot.keyClick(menu, Key.Key_Escape)
    qtbot.waitUntil(lambda: not menu.isVisible())


def test_the_table_has_its_frame_again_when_a_run_is_named(shared_window: MainWindow, qtbot: QtBot) -> None:
    shared_window.session.comparisons.pin()
    panel = next(dock.panel for dock in shared_window.docks if dock.kind.key == "runs")
    assert isinstance(panel, RunsPanel)
    find(shared_window, qtbot, "panel: runs")
    press(qtbot, shared_window, Key.Key_Down)
    press(qtbot, shared_window, Key.Key_F2)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    qtbot.keyClicks(editor, "Warm")
    qtbot.keyClick(editor, Key.Key_Return)
    qtbot.waitUntil(lambda: shared_window.session.runs.all[1].label == "Warm", timeout=10_000)
    table = QApplication.focusWidget()
    assert table is not None
    assert panel.isAncestorOf(table)
    qtbot.waitUntil(lambda: table in [frame.focused for frame in frames(shared_window)], timeout=10_000)


def test_the_frame_lies_around_a_section_not_over_its_words(shared_window: MainWindow, qtbot: QtBot) -> None:
    find(shared_window, qtbot, "method card")
    qtbot.waitUntil(lambda: any(isinstance(frame.focused, Section) for frame in frames(shared_window)), timeout=10_000)
    (frame,) = frames(shared_window)
    around = frame.geometry().adjusted(3, 3, -3, -3)
    host = frame.parentWidget()
    assert host is not None
    for label in frame.focused.findChildren(QLabel):
        if label.isVisible():
            place = QRect(label.mapTo(host, QPoint(0, 0)), label.size())
            assert around.contains(place), label.text()


def test_a_message_stands_below_the_legend_that_it_would_cover(shared_window: MainWindow, qtbot: QtBot) -> None:
    window = shared_window
    legend, banner = window.viewport.legend, window.banner  # type: ignore[union-attr]
    for width in (1000, 1900):
        window.resize(width, 900)
        qtbot.waitUntil(lambda width=width: window.width() == width, timeout=10_000)
        banner.say("A spring holds link 1. The arrows move its other end.", trouble=False)
        taken = QRect(legend.mapTo(window, QPoint(0, 0)), legend.size())
        shown = QRect(banner.mapTo(window, QPoint(0, 0)), banner.size())
        assert not taken.intersects(shown)
    banner.hide()


def test_the_sheet_of_keys_has_those_of_a_pull_and_of_menus(shared_window: MainWindow, qtbot: QtBot) -> None:
    press(qtbot, shared_window, Key.Key_F1)
    assert shared_window.sheet is not None
    words = [label.text() for label in shared_window.sheet.findChildren(QLabel)]
    for text in ("Shift+F10", "Move the spring that pulls a link", "Let the pulled link go", "Pull the link"):
        assert text in words
    scroll = shared_window.sheet.findChildren(QScrollArea)[-1].verticalScrollBar()
    press(qtbot, shared_window, Key.Key_PageDown)
    moved = min(scroll.pageStep(), scroll.maximum())
    assert scroll.value() == moved, "the keys scroll while the search has them"
    qtbot.keyClicks(QApplication.focusWidget(), "pull link")
    seen = [label.text() for label in shared_window.sheet.card.findChildren(QLabel) if label.isVisible()]
    assert {"Move the spring that pulls a link", "Let the pulled link go", "Pull the link"} <= set(seen)
    assert not {"Shift+F10", "Next page", "In a presentation"} & set(seen)
    press(qtbot, shared_window, Key.Key_Escape)
    assert "In a presentation" in [label.text() for label in shared_window.sheet.card.findChildren(QLabel)]
    press(qtbot, shared_window, Key.Key_Escape)
    assert shared_window.sheet is None


def test_a_line_that_a_key_begins_to_type_in_has_the_frame(
    open_one: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_lesson(open_one, tmp_path)
    panel = at_step(qtbot, window, 2, in_class=True)
    qtbot.waitUntil(lambda: isinstance(panel.answer_control(), QLineEdit), timeout=10_000)
    line = panel.answer_control()
    assert not frames(panel)
    press(qtbot, window, Key.Key_5)
    assert QApplication.focusWidget() is line
    assert [frame.focused for frame in frames(panel)] == [line]
    qtbot.keyClicks(line, "x")
    assert line.property("refused")
    assert [frame.focused for frame in frames(panel)] == [line], "also where it is red"
    window.setFocus()
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton)
    assert not frames(panel), "a click needs none"
