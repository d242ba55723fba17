"""While a sheet covers the window its keys are the sheet's, whoever gets them; buttons leave arrows to its pages."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QListView
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.result_sheet import ResultSheet
from gui.qt.dialogs.sheets import Question, lettered
from gui.qt.dialogs.studies import StudySheet
from gui.qt.dialogs.work_precision import open_work_precision
from gui.qt.widgets.quiet import QuietComboBox
from gui.qt.window.commands.focus_frame import is_framed
from gui.qt.window.main_window import MainWindow
from robots.papers.figure import Figure, line, panel
from robots.papers.study import StudyResult
from tests.window.hands import press

Key, CONTROL = Qt.Key, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    """The one window of this file."""
    return shared_window


@pytest.mark.parametrize(("key", "held"), [(Key.Key_F5, None), (Key.Key_N, CONTROL), (Key.Key_K, CONTROL)])
def test_no_command_acts_behind_a_question(
    window: MainWindow, qtbot: QtBot, key: Qt.Key, held: Qt.KeyboardModifier | None
) -> None:
    question = Question(window, "Open it?", "It was recovered.", (("Open", lambda: None), ("Not now", lambda: None)))
    window.show_sheet(question)
    for widget in (window, window.docks[0], window.timeline.play, question.buttons[0], question):
        qtbot.keyClick(widget, key, held or Qt.KeyboardModifier.NoModifier)
        assert window.sheet is question
        assert question.isVisible()
        assert not window.menuBar().isHidden(), "nothing is presented"
    qtbot.mouseClick(question, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert window.sheet is question, "a click beside it is no answer"
    press(qtbot, window, Key.Key_Escape)
    assert window.sheet is None
    qtbot.keyClick(window, Key.Key_K, CONTROL)
    assert window.sheet is not None, "without a question the keys are the window's again"
    press(qtbot, window, Key.Key_Escape)


def test_left_and_right_turn_the_figures_of_the_desk_from_its_buttons(window: MainWindow, qtbot: QtBot) -> None:
    x = np.linspace(0.0, 1.0, 5)
    chart = panel("Height", "m", [line("wave", x, x)])
    result = StudyResult((), (), tuple(Figure(f"figure {n}", "a diagram", (chart,)) for n in range(1, 5)))
    desk = window.session.studies
    sheet = StudySheet(window, desk, lambda _: None)
    window.show_sheet(sheet)
    desk._entries[sheet.key] = replace(desk.entry(sheet.key), state="done", result=result)
    sheet.refresh()
    sheet.show_figure(1)
    shown = sheet.figure
    for button in (shown.back, shown.next, shown.previous, shown.notes):
        button.setFocus(Qt.FocusReason.TabFocusReason)
        before = shown.place
        press(qtbot, window, Key.Key_Right)
        assert shown.place == before + 1
        assert QApplication.focusWidget() is button
        press(qtbot, window, Key.Key_Left)
        assert shown.place == before
    desk._entries[sheet.key] = replace(desk.entry(sheet.key), state="idle", result=None)
    sheet.dismiss()


def test_what_is_behind_a_question_gets_no_focus(window: MainWindow, qtbot: QtBot) -> None:
    """Whoever gives it: Tab and the arrows would change values that a person does not look at."""
    question = Question(window, "Open it?", "It was recovered.", (("Open", lambda: None), ("Not now", lambda: None)))
    window.show_sheet(question)
    inside = QApplication.focusWidget()
    assert inside is not None
    assert question.isAncestorOf(inside)
    window.take_keys()
    assert QApplication.focusWidget() is inside
    window.timeline.play.setFocus(Qt.FocusReason.TabFocusReason)
    assert QApplication.focusWidget() is inside
    press(qtbot, window, Key.Key_Escape)
    window.timeline.play.setFocus(Qt.FocusReason.TabFocusReason)
    assert QApplication.focusWidget() is window.timeline.play


def test_the_list_of_paths_in_a_file_dialog_leaves_the_keys_to_the_dialog(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "one.armstep").touch()
    window.take_keys()
    taken = window.focusWidget()
    dialog = QFileDialog(window, "Open", str(tmp_path))
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.open()
    name = dialog.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(name, QLineEdit)
    listed = QListView(name)
    listed.setWindowFlag(Qt.WindowType.Popup)
    name.setFocus()
    window.timeline.play.setFocus()
    listed.show()
    listed.hide()
    assert window.focusWidget() is window.timeline.play, "the window behind takes nothing"
    assert window.focusWidget() is not taken
    dialog.close()


def test_space_ticks_the_method_that_was_searched_for(window: MainWindow, qtbot: QtBot) -> None:
    sheet = open_work_precision(window, window.session)
    before = sheet.chosen()
    assert "radau" not in "".join(before)
    sheet.search.setFocus()
    qtbot.keyClicks(sheet.search, "radau")
    sheet.methods.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(sheet.methods, Qt.Key.Key_Space)
    added = [key for key in sheet.chosen() if key not in before]
    assert len(added) == 1
    assert "radau" in added[0]
    assert set(before) < set(sheet.chosen())
    sheet.dismiss()


def test_enter_in_the_search_ticks_what_was_found_and_the_next_search_replaces_it(
    window: MainWindow, qtbot: QtBot
) -> None:
    """Enter did nothing, although the one match was highlighted, and what was typed next was added to the search."""
    sheet = open_work_precision(window, window.session)
    before = sheet.chosen()
    sheet.search.setFocus()
    for word, key in (("radau", "radau5"), ("kvaerno", "kvaerno54")):
        qtbot.keyClicks(sheet.search, word)
        press(qtbot, window, Qt.Key.Key_Return)
        assert key in sheet.chosen()
        assert sheet.search.hasFocus()
        assert sheet.search.text() == sheet.search.selectedText() == word
    assert len(sheet.chosen()) == len(before) + 2
    press(qtbot, window, Qt.Key.Key_Return)
    assert "kvaerno54" not in sheet.chosen(), "as Space does"
    wanted = sheet.chosen()
    for text in ("no such method", ""):
        sheet.search.selectAll()
        press(qtbot, window, Qt.Key.Key_Backspace)
        qtbot.keyClicks(sheet.search, text)
        press(qtbot, window, Qt.Key.Key_Return)
        assert sheet.chosen() == wanted, "nothing was found"
        assert not sheet.desk.measuring
        assert sheet.isVisible()
    sheet.dismiss()


def test_enter_leads_from_a_choice_to_the_button_that_computes(window: MainWindow, qtbot: QtBot) -> None:
    """Enter in a choice gave the keys to the sheet, where Enter did nothing more."""
    for key in ("run.map", "run.work_precision"):
        window.actions_by_key[key].trigger()
        sheet = window.sheet
        assert isinstance(sheet, ResultSheet)
        for box in sheet.findChildren(QuietComboBox):
            if not (box.isVisible() and box.isEnabled()):
                continue
            box.setFocus(Qt.FocusReason.TabFocusReason)
            press(qtbot, window, Key.Key_Return)
            assert not sheet.measure.hasFocus()
            press(qtbot, window, Key.Key_Return)
            assert sheet.measure.hasFocus(), box.accessibleName()
            assert is_framed(sheet.measure)
            assert not sheet.desk.measuring, "the next Enter begins"
        sheet.dismiss()


def test_esc_after_a_choice_closes_the_sheet_and_in_a_field_takes_back_what_was_typed(
    window: MainWindow, qtbot: QtBot
) -> None:
    """What is chosen holds at once: Esc took the axis of the diagram back, and the sheet stayed."""
    sheet = open_work_precision(window, window.session)
    typed = sheet.fixed.first.text()
    sheet.fixed.first.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClicks(sheet.fixed.first, "7")
    press(qtbot, window, Key.Key_Escape)
    assert window.sheet is sheet
    assert sheet.fixed.first.text() == typed
    sheet.cost.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, window, Key.Key_Down)
    assert sheet.cost.currentData() == "seconds"
    press(qtbot, window, Key.Key_Escape)
    assert window.sheet is None
    again = open_work_precision(window, window.session)
    assert again.cost.currentData() == "seconds", "and it opens as it was left"
    again.dismiss()


@pytest.mark.parametrize(
    "names",
    [
        ["Save", "Don't save", "Cancel"],
        ["Go on exporting", "Stop and quit"],
        ["Cancel", "Quit"],
        ["Save the log…", "Close"],
        ["Open", "Not now", "Discard", "Save the log…"],
        ["Save", "Save as", "Stop", "Sss"],
    ],
)
def test_every_answer_to_a_question_has_a_letter_of_its_own(window: MainWindow, qtbot: QtBot, names: list[str]) -> None:
    given: list[str] = []
    letters = [name[name.index("&") + 1].lower() for name in lettered(names) if "&" in name]
    assert len(set(letters)) == len(letters)
    assert len(letters) == len(names) or "Sss" in names, "only what has no letter left is without one"
    for name, letter in zip(names, letters, strict=False):
        window.show_sheet(Question(window, "Well?", "", [(one, partial(given.append, one)) for one in names]))
        press(qtbot, window, Key(ord(letter.upper())), Qt.KeyboardModifier.AltModifier)
        assert given.pop() == name
        assert window.sheet is None
