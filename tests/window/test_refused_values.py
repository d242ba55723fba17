"""Values that cannot be used keep their keys and go back by Esc wherever they are typed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.tableau_editor import TableauEditor, open_tableau_editor
from gui.qt.export.dialog.sheet import ExportSheet
from gui.qt.panels.scenario import ScenarioPanel
from gui.qt.widgets.table_field import TableRow
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE, give_focus, press, wait_done

Key = Qt.Key


@pytest.fixture
def window(shared_window: MainWindow, qtbot: QtBot) -> MainWindow:
    give_focus(qtbot, shared_window)
    return shared_window


@pytest.fixture
def editor(window: MainWindow) -> Iterator[TableauEditor]:
    made = open_tableau_editor(window, window.session)
    yield made
    made.dismiss()


def retype(qtbot: QtBot, line: QLineEdit, text: str) -> None:
    line.setFocus(Qt.FocusReason.TabFocusReason)
    line.selectAll()
    qtbot.keyClicks(line, text)


def test_times_of_a_film_take_units_and_expressions(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_key["export.animation"].trigger()
    sheet = window.sheet
    assert isinstance(sheet, ExportSheet)
    form = sheet.form
    for text, seconds in (("2 s", 2.0), ("pi/2", 1.5707963), ("1500 ms", 1.5), ("1,5", 1.5)):
        retype(qtbot, form.end, text)
        assert form.settings(0.0).end == pytest.approx(seconds)
        assert sheet.export_button.isEnabled()
    press(qtbot, window, Key.Key_Return)
    retype(qtbot, form.end, "2 x")
    assert not sheet.export_button.isEnabled()
    for key in (Key.Key_Return, Key.Key_Tab):
        press(qtbot, window, key)
        assert QApplication.focusWidget() is form.end
    press(qtbot, window, Key.Key_Escape)
    assert form.end.text() == "1,5"
    assert window.sheet is sheet
    retype(qtbot, form.end, "2 x")
    sheet.dismiss()
    window.actions_by_key["export.animation"].trigger()
    again = window.sheet
    assert isinstance(again, ExportSheet)
    assert again.form.end.text() == "10"
    again.dismiss()


def test_a_refused_coefficient_keeps_the_keys_and_goes_back(
    editor: TableauEditor, window: MainWindow, qtbot: QtBot
) -> None:
    cell = editor.grid.cells["b[2]"]
    before = cell.text()
    retype(qtbot, cell, "1/0")
    for key in (Key.Key_Return, Key.Key_Tab):
        press(qtbot, window, key)
        assert QApplication.focusWidget() is cell
    press(qtbot, window, Key.Key_Escape)
    assert cell.text() == before
    assert editor.isVisible()


def test_a_refused_tableau_that_is_opened_again_has_no_verdict_of_another_method(
    window: MainWindow, qtbot: QtBot
) -> None:
    editor = open_tableau_editor(window, window.session)
    qtbot.waitUntil(editor.use.isEnabled, timeout=PATIENCE)
    retype(qtbot, editor.grid.cells["b[2]"], "1/0")
    editor.dismiss()
    again = open_tableau_editor(window, window.session)
    again.jobs.submit(lambda cancel, progress: None, key="later", on_done=lambda _: again.setProperty("later", True))
    qtbot.waitUntil(lambda: again.property("later") is True, timeout=PATIENCE)
    assert again.order.text() == "Not a method yet"
    assert "1/0" in again.trouble.text()
    assert not again.use.isEnabled()
    again.accept()
    assert "1/0" in again.trouble.text()
    again.dismiss()
    assert not {"options.tableau", "method"} & set(window.session.messages.problems)


def test_a_refused_cell_keeps_the_keys_and_goes_back(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.files.new("pa10-weld")
    wait_done(qtbot, window)
    panel = window.findChild(ScenarioPanel)
    assert isinstance(panel, ScenarioPanel)
    table = panel.forms["task."].rows["task.points"]
    assert isinstance(table, TableRow)
    view = table.table
    before = session.scenario.task["points"]
    view.setFocus()
    view.setCurrentCell(1, 2)
    view.edit(view.currentIndex())
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    line.selectAll()
    qtbot.keyClicks(line, "high")
    press(qtbot, window, Qt.Key.Key_Return)
    assert QApplication.focusWidget() is line
    assert "got 'high'" in table.complaint.text()
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not table.complaint.text()
    assert session.scenario.task["points"] == before
    assert table.rows()[1][2] != "high"
    for text in ("0.02", "high"):
        item = view.item(1, 2)
        assert item is not None
        item.setText(text)
    session.history.undo()
    assert not table.complaint.text()
    assert session.scenario.task["points"] == before
