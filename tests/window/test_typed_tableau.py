"""A tableau that is typed and not used: it stays with the scenario, and comes back from its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.app.session.results import TABLEAU_TYPED
from gui.qt.dialogs.tableau_editor import open_tableau_editor
from gui.qt.window.main_window import MainWindow


def test_a_tableau_that_was_typed_and_not_used_is_saved_with_the_scenario(
    shared_window: MainWindow, tmp_path: Path
) -> None:
    window, session = shared_window, shared_window.session
    editor = open_tableau_editor(window, session)
    known = editor.typed()
    editor.dismiss()
    assert not session.files.dirty, "nothing was typed"
    editor = open_tableau_editor(window, session)
    typed = replace(known, A=(*known.A[:3], ("0", "0,5; or so", "")), name="Half")
    editor.show_cells(typed)
    assert editor.typed() == typed
    editor.dismiss()
    assert session.files.dirty
    session.files.save(tmp_path / "typed.json")
    session.files.new("rr-pd")
    editor = open_tableau_editor(window, session)
    assert editor.typed() != typed
    editor.dismiss()
    session.files.open(tmp_path / "typed.json")
    editor = open_tableau_editor(window, session)
    assert editor.typed() == typed
    editor.dismiss()
    assert not session.files.dirty
    for broken in ({}, {"A": [[]], "b": [1], "name": ""}, {"A": [[], ["1"]], "b": ["1"], "name": ""}):
        session.results.put(TABLEAU_TYPED, "Typed", broken)
        editor = open_tableau_editor(window, session)
        assert editor.typed() == known
        editor.dismiss()


def test_what_is_typed_after_a_click_replaces_a_coefficient(shared_window: MainWindow, qtbot: QtBot) -> None:
    editor = open_tableau_editor(shared_window, shared_window.session)
    cell = editor.grid.cells["A[2][1]"]
    for press, typed in ((qtbot.mouseClick, "1/3"), (qtbot.mouseDClick, "2/3")):
        editor.grid.cells["b[1]"].setFocus()
        qtbot.waitUntil(lambda: not cell.hasFocus())
        press(cell, Qt.MouseButton.LeftButton)
        qtbot.keyClicks(cell, typed)
        assert cell.text() == typed
        if typed == "1/3":
            qtbot.mouseClick(cell, Qt.MouseButton.LeftButton)
            assert not cell.hasSelectedText(), "a second click places the cursor"
    editor.dismiss()
