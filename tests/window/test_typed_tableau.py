"""A tableau that is typed and not used: it stays with the scenario, and comes back from its file."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.app.session.results import TABLEAU, TABLEAU_TYPED
from gui.qt.dialogs.tableau_editor import open_tableau_editor
from gui.qt.widgets.tableau_grid import HattedLabel
from gui.qt.window.main_window import MainWindow
from solvers.method_registry import find_method
from tests.window.hands import PATIENCE


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
    assert window.file_label.text().endswith("(typed method, not used)")
    assert not window.actions_by_key["edit.undo"].isEnabled()
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


def test_a_tableau_that_is_refused_adds_and_removes_no_results(shared_window: MainWindow, qtbot: QtBot) -> None:
    """At the end of a run nothing can change; the title said "(new results)", and after saving "(results removed)"."""
    window, session = shared_window, shared_window.session
    session.playback.pause()
    session.playback.seek(session.playback.end)
    session.from_here.set(True)
    for _ in range(2):
        editor = open_tableau_editor(window, session)
        qtbot.waitUntil(editor.use.isEnabled, timeout=PATIENCE)
        editor.use.click()
        assert editor.trouble.text()
        editor.dismiss()
        assert session.results.of(TABLEAU) == []
        assert not session.files.dirty


def test_a_mere_name_is_kept_but_nobody_is_asked_to_save_it(shared_window: MainWindow, qtbot: QtBot) -> None:
    window, session = shared_window, shared_window.session
    editor = open_tableau_editor(window, session)
    qtbot.keyClicks(editor.name, "Mine")
    editor.dismiss()
    assert not session.files.dirty
    editor = open_tableau_editor(window, session)
    assert editor.typed().name == "Mine"
    editor.dismiss()
    assert not session.files.dirty


def test_a_name_that_is_typed_outlasts_the_coefficients_of_a_known_method(
    shared_window: MainWindow, qtbot: QtBot
) -> None:
    window, session = shared_window, shared_window.session
    session.results.keep(TABLEAU, "Kept", {"text": "tableau 1; name Kept; A 1; b 1/2, 1/2"})
    editor = open_tableau_editor(window, session)

    def start_from(name: str) -> None:
        editor.start.setCurrentIndex(editor.start.findText(name))
        editor.start.chosen.emit(editor.start.currentData())

    kutta = find_method("kutta38").name
    start_from("Kept")
    assert editor.name.text() == "Kept", "a suggestion"
    start_from(kutta)
    assert editor.name.text() == "", "which goes with its coefficients"
    qtbot.keyClicks(editor.name, "Mine")
    start_from(kutta)
    assert editor.typed().stages == 4
    start_from("Kept")
    assert (editor.typed().stages, editor.typed().name) == (2, "Mine")
    editor.dismiss()
    editor = open_tableau_editor(window, session)
    start_from(kutta)
    assert editor.name.text() == "Mine", "also when the sheet opens again"
    editor.name.selectAll()
    qtbot.keyClick(editor.name, Qt.Key.Key_Backspace)
    start_from("Kept")
    assert editor.name.text() == "Kept"
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


def test_a_digit_on_the_number_of_stages_is_that_number(shared_window: MainWindow, qtbot: QtBot) -> None:
    """Typing 2 at 6 stages went to the next entry that begins so, which is 20."""
    editor = open_tableau_editor(shared_window, shared_window.session)
    pause = editor.stages.findChild(QTimer)
    assert pause is not None
    assert pause.interval() == QApplication.keyboardInputInterval()
    pause.setInterval(PATIENCE)  # on a busy machine the next key comes late
    editor.stages.show_data(6)
    editor.stages.chosen.emit(6)
    editor.stages.setFocus()
    chosen: list[object] = []
    editor.stages.chosen.connect(chosen.append)
    for typed, count in (("2", 2), ("12", 12), ("7", 7), ("20", 20), ("1", 1), ("0", 1), ("6", 6)):
        qtbot.keyClicks(editor.stages, typed)
        assert editor.stages.currentText() == str(count), "it is shown at once"
        if pause.isActive():  # no digit has followed
            pause.start(0)
            qtbot.waitUntil(lambda: not pause.isActive())
            pause.setInterval(PATIENCE)
        assert editor.typed().stages == count
    assert chosen == [2, 12, 7, 20, 1, 6], "12 stages are never 1, whose rows would be all that is left"
    qtbot.keyClicks(editor.stages, "3")
    qtbot.keyClick(editor.stages, Qt.Key.Key_Tab)
    assert editor.typed().stages == 3, "Tab waits for nothing"
    editor.stages.setFocus()
    editor.grid.cells["A[3][1]"].setText("1/7")
    kept = editor.typed().A
    qtbot.keyClicks(editor.stages, "1")
    qtbot.keyClick(editor.stages, Qt.Key.Key_Escape)
    assert kept == editor.typed().A, "Esc takes it back"
    assert editor.stages.currentText() == "3"
    assert editor.is_open
    qtbot.keyClick(editor.stages, Qt.Key.Key_Escape)
    assert not editor.is_open, "nothing is being typed any more"


def test_refusals_of_the_comparison_are_in_words(shared_window: MainWindow, qtbot: QtBot) -> None:
    editor = open_tableau_editor(shared_window, shared_window.session)
    editor.estimate.setChecked(True)
    cells = editor.typed()
    for weights, said in (
        (("0", "0", "0", "2"), "Comparison weights must be numbers that sum to 1, got '2'"),
        (cells.b, "Comparison weights must be different from b"),
        (("1/2", "half", "0", "0"), "Comparison weight 2 must be a whole number, decimal"),
    ):
        editor.show_cells(replace(cells, b_error=weights))
        qtbot.waitUntil(lambda said=said: said in editor.trouble.text(), timeout=5000)
        assert "b\u0302" not in editor.trouble.text()
        assert "b_error" not in editor.trouble.text()
    editor.dismiss()


def test_the_hat_of_the_comparison_weights_stands_above_the_letter(shared_window: MainWindow) -> None:
    """That of the font lay across the stem of the b."""
    editor = open_tableau_editor(shared_window, shared_window.session)
    editor.estimate.setChecked(True)
    QApplication.processEvents()
    (label,) = editor.findChildren(HattedLabel)
    assert label.accessibleName() == "b hat"
    image = label.grab().toImage()
    ground = image.pixelColor(0, 0).lightness()
    columns = range(image.width())
    inked = [any(abs(image.pixelColor(x, y).lightness() - ground) > 60 for x in columns) for y in range(image.height())]
    changes = sum(one != other for one, other in pairwise([False, *inked, False]))
    editor.dismiss()
    assert changes == 4, "two things, with a gap between them, and neither is cut"
    assert not inked[0]
    assert not inked[-1]
