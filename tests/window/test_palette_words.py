"""The palette finds what a person calls by another name, and the files that were open."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QComboBox, QPlainTextEdit, QScrollBar
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.palette import Entry, Palette, rank
from gui.qt.dialogs.palette_entries import entries
from gui.qt.export.format import KINDS, formats, formats_of
from gui.qt.panels.plots import PlotsPanel
from gui.qt.window.commands.other_words import OTHER_WORDS
from gui.qt.window.main_window import MainWindow
from tests.window.hands import press, wait_done


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    """The one window of this file."""
    return shared_window


def found(window: MainWindow, qtbot: QtBot, words: str) -> list[str]:
    """The first lines of the palette for these words; it stays open."""
    press(qtbot, window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    sheet = window.sheet
    assert isinstance(sheet, Palette)
    qtbot.keyClicks(sheet.search, words)
    return lines_of(sheet)


def lines_of(sheet: Palette) -> list[str]:
    """Its first lines."""
    rows = range(min(sheet.list.count(), 12))
    return [sheet.list.item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in rows]


def test_the_palette_finds_what_is_loaded_while_it_is_open(window: MainWindow, qtbot: QtBot) -> None:
    """Opened with the window, it said "No matches" for what the panels have, also once these were there."""
    known: list[Entry] = []
    sheet = Palette(window, lambda: [*known])
    window.show_sheet(sheet)
    qtbot.keyClicks(sheet.search, "method card")
    assert sheet.empty.isVisible()
    known.append(Entry("Show method card", "Integrator", "", lambda: None))
    sheet.renew()
    assert [line.split(",")[0] for line in lines_of(sheet)] == ["Show method card"]
    assert not sheet.empty.isVisible()
    assert sheet.list.currentRow() == 0
    qtbot.wait(50)
    assert not any(bar.isVisible() for bar in sheet.findChildren(QScrollBar)), "one line needs no scroll bar"
    sheet.dismiss()
    assert found(window, qtbot, "method card")
    palette = window.sheet
    assert isinstance(palette, Palette)
    palette._entries = []
    window.ready.emit()
    assert lines_of(palette)
    palette.dismiss()


def test_a_method_that_cannot_solve_the_equations_is_grey(window: MainWindow) -> None:
    def listed() -> list[Entry]:
        return entries(window.actions_by_key, window.session, window.files, window.docks)

    assert window.session.scenario.robot == "rr"
    able = {entry.text: entry.enabled for entry in listed()}
    assert able["Use Runge-Kutta 4 (classical)"]
    window.session.edit("robot", "e1-complete")
    able = {entry.text: entry.enabled for entry in listed()}
    assert not able["Use Runge-Kutta 4 (classical)"]
    (why,) = (entry.place for entry in listed() if entry.text == "Use Runge-Kutta 4 (classical)")
    assert why.startswith("Method: Cannot solve these equations: ")
    assert able["Use BDF 2"]


def test_what_a_panel_behind_a_tab_offers_is_that_of_the_present_method(window: MainWindow) -> None:
    docks = {dock.kind.key: dock for dock in window.docks}
    window.tabifyDockWidget(docks["integrator"], docks["scenario"])
    docks["scenario"].present()
    QApplication.processEvents()
    assert docks["integrator"].visibleRegion().isEmpty()
    for method, able in (("rk4", False), ("rkf45", True), ("rk4", False)):
        window.session.edit("method", method)
        listed = {
            entry.text: entry.enabled
            for entry in entries(window.actions_by_key, window.session, window.files, window.docks)
        }
        assert listed["Step control"] is able


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("compare", "Pin this run"),
        ("ghost", "Pin this run"),
        ("pull", "Pull the link"),
        ("spring", "Pull the link"),
        ("pose", "Keys and mouse"),
        ("film", "Animation"),
        ("video", "Animation"),
        ("slow motion", "Slower"),
        ("pause", "Play"),
        ("lecture", "Present"),
        ("remote", "Present"),
        ("example", "New"),
        ("papers", "Paper desk"),
        ("sweep", "Map"),
        ("screenshot", "Copy the picture"),
        ("fullscreen", "Full screen"),
        ("shortcuts", "Keys and mouse"),
        ("manual", "Documentation"),
        ("coefficients", "Your own method"),
        ("table of runs", "Panel: Runs"),
    ],
)
def test_other_words_find_an_entry(window: MainWindow, qtbot: QtBot, words: str, name: str) -> None:
    assert [line for line in found(window, qtbot, words) if line.startswith(name)]
    press(qtbot, window, Qt.Key.Key_Escape)


WORDS_OF_EXPORTS = {
    "Animation": (
        "film movie video clip mp4 webm gif webp website webpage html interactive browser glb model blender frames",
        (
            "web page",
            "html page",
            "3d model",
            "export web page",
            "animated gif",
            "png sequence",
            "interactive web page",
        ),
    ),
    "Picture": ("picture image photo screenshot still png bitmap", ("save picture", "export image")),
    "Plots": ("figure chart graph curves svg pdf latex paper", ("vector graphics", "export figure", "latex figure")),
    "Data": (
        "table numbers csv spreadsheet excel numpy npz parquet pandas json script python notebook jupyter matlab",
        ("csv table", "export table", "python script", "jupyter notebook", "scenario as json"),
    ),
}
"""What a person would type for each command of the Export menu: single words, and several together."""


def test_every_kind_of_export_is_found_by_its_words(window: MainWindow, qtbot: QtBot) -> None:
    lost = []
    found(window, qtbot, "web page")
    sheet = window.sheet
    assert isinstance(sheet, Palette)
    for name, (single, several) in WORDS_OF_EXPORTS.items():
        for words in (*single.split(), *several):
            sheet.search.setText(words)
            if not any(line.startswith(f"{name}, Export") for line in lines_of(sheet)):
                lost.append((name, words))
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not lost


def test_every_format_leads_to_the_command_that_writes_it(window: MainWindow) -> None:
    listed = entries(window.actions_by_key, window.session, window.files, window.docks)
    named = {entry.text: entry for entry in listed if entry.place == "Export"}
    assert set(named) == {*map(str.capitalize, KINDS), "Table of runs"}
    assert {one.suffix for kind in KINDS for one in formats_of(kind)} == {one.suffix for one in formats().values()}
    for kind in KINDS:
        for one in formats_of(kind):
            for words in (one.label, one.label.partition(",")[0], one.suffix.strip("./")):
                assert rank(words, named[kind.capitalize()]) is not None, (kind, words)


def test_a_field_is_found_by_the_words_of_its_tooltip(window: MainWindow) -> None:
    listed = entries(window.actions_by_key, window.session, window.files, window.docks)
    step = next(entry for entry in listed if entry.text == "Set step")
    assert rank("switches control off", step) is not None, "Setting it switches step control off."


@pytest.mark.parametrize("words", ["", "beam that", "zzz", "gravity", "lagrange"])
def test_few_matches_have_no_scroll_bar(window: MainWindow, qtbot: QtBot, words: str) -> None:
    found(window, qtbot, words)
    sheet = window.sheet
    assert isinstance(sheet, Palette)
    QApplication.processEvents()
    QApplication.processEvents()
    few = sheet.list.count() <= 12
    assert sheet.list.verticalScrollBar().isVisible() != few or not sheet.list.count()
    press(qtbot, window, Qt.Key.Key_Escape)


def test_each_further_word_is_for_an_entry(window: MainWindow) -> None:
    named = {entry.text for entry in entries(window.actions_by_key, window.session, window.files, window.docks)}
    assert sorted(OTHER_WORDS.keys() - named) == ["Pause"], "it is the name of Play while the arm moves"


def test_recent_files_are_found_by_name_and_as_recent(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    files = window.session.files
    window.session.edit("robot.m1", 3.5)
    assert files.save(tmp_path / "monday.armstep")
    files.new("rr-euler")
    assert [line for line in found(window, qtbot, "recent") if line.startswith("Open monday.armstep")]
    press(qtbot, window, Qt.Key.Key_Escape)
    assert found(window, qtbot, "monday")[0].startswith("Open monday.armstep")
    press(qtbot, window, Qt.Key.Key_Return)
    assert files.path == tmp_path / "monday.armstep"
    assert window.session.scenario.get("robot.m1") == 3.5
    files.new("rr-euler")
    (tmp_path / "monday.armstep").unlink()
    found(window, qtbot, "monday")
    press(qtbot, window, Qt.Key.Key_Return)
    assert files.path is None, "a file that is gone cannot be opened"
    press(qtbot, window, Qt.Key.Key_Escape)


@pytest.mark.parametrize("words", ["damping", "friction 1", "gain P 2", "target 1"])
def test_a_field_that_another_choice_brings_leads_to_that_choice(window: MainWindow, qtbot: QtBot, words: str) -> None:
    window.session.files.new("rr-swing")
    before = window.session.scenario
    assert before.get("task.torque") == "none"
    lines = found(window, qtbot, words)
    place = next(number for number, line in enumerate(lines) if "for joint torque first)" in line)
    for _ in range(place):
        press(qtbot, window, Qt.Key.Key_Down)
    press(qtbot, window, Qt.Key.Key_Return)
    choice = QApplication.focusWidget()
    assert isinstance(choice, QComboBox)
    assert choice.accessibleName() == "joint torque"
    assert window.session.scenario == before, "a search changes nothing"
    press(qtbot, window, Qt.Key.Key_Escape)


def test_no_line_stands_twice(window: MainWindow) -> None:
    window.session.files.new("rr-swing")
    listed = entries(window.actions_by_key, window.session, window.files, window.docks)
    lines = Counter((entry.text, entry.more, entry.place) for entry in listed)
    assert not [line for line, count in lines.items() if count > 1]


def test_methods_presets_and_usual_steps_are_found_by_what_they_are_for(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("pa10-drift")
    wait_done(qtbot, window)
    docks = [dock for dock in window.docks if dock.applies]
    found = entries(window.actions_by_key, window.session, window.files, docks)

    def texts(query: str) -> list[str]:
        return [entry.text for entry in found if rank(query, entry) is not None]

    assert any(text.startswith("Use ") for text in texts("stiff"))
    assert "Use Runge-Kutta 4" not in texts("stiff")
    assert any(text.startswith("Open ") for text in texts("stiff"))
    assert any("Sampling period 1" in text for text in texts("sampling period 1"))
    assert "Open Damping only what is too fast" in texts("flexible beam"), "by the robot"


def test_the_menu_of_plots_opens_by_the_name_on_its_button(window: MainWindow, qtbot: QtBot) -> None:
    assert found(window, qtbot, "choose plots")[0].startswith("Choose plots")
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "plots")
    assert isinstance(panel, PlotsPanel)
    seen: list[bool] = []
    QTimer.singleShot(300, lambda: (seen.append(panel.chooser.menu().isVisible()), panel.chooser.menu().close()))
    press(qtbot, window, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == [True]


def test_notes_are_written_on_where_they_end(window: MainWindow, qtbot: QtBot) -> None:
    window.session.edit("notes", "From Monday.")
    listed = entries(window.actions_by_key, window.session, window.files, window.docks)
    (entry,) = (one for one in listed if one.text == "Set notes")
    entry.act()
    notes = QApplication.focusWidget()
    assert isinstance(notes, QPlainTextEdit)
    assert notes.textCursor().position() == len("From Monday.")
    press(qtbot, window, Qt.Key.Key_Escape)
