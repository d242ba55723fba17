"""The person's settings by hand: keys, size of type, motion."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from assets.errors import BadInput
from gui.app.session.preferences import RENAMED, Preferences
from gui.app.settings import Settings
from gui.qt.dialogs.preferences import PreferencesSheet
from gui.qt.panels.runs import RunsPanel
from gui.qt.window.commands.keys import COMMANDS
from gui.qt.window.commands.local_keys import LOCAL
from gui.qt.window.main_window import MainWindow
from gui.qt.window.presentation import Presentation
from tests.window.hands import give_focus, press, wait_done
from tests.window.rules import clipped, covered

Key, Modifier = Qt.Key, Qt.KeyboardModifier


@pytest.fixture
def window(shared_window: MainWindow) -> Iterator[MainWindow]:
    """The one window, with the usual preferences again afterwards."""
    yield shared_window
    preferences = shared_window.session.preferences
    preferences.reset_keys()
    preferences.set_letters(True)
    preferences.set_text_size(100)
    preferences.set_still(False)


def open_sheet(qtbot: QtBot, window: MainWindow) -> PreferencesSheet:
    give_focus(qtbot, window)
    press(qtbot, window, Key.Key_Comma, Modifier.ControlModifier)
    assert isinstance(window.sheet, PreferencesSheet)
    return window.sheet


def give(qtbot: QtBot, sheet: PreferencesSheet, command: str, key: Key, modifier: Modifier) -> str:
    """Search a command, press its new key; the complaint."""
    give_focus(qtbot, sheet.search)
    sheet.search.selectAll()
    qtbot.keyClicks(sheet.search, command)
    sheet.list.setCurrentRow(0)
    give_focus(qtbot, sheet.typed)
    qtbot.keyClick(QApplication.focusWidget(), key, modifier)
    qtbot.waitUntil(lambda: sheet.typed.keySequence().isEmpty(), timeout=5000)
    return sheet.trouble.text()


def test_keys_are_changed_refused_switched_off_and_kept(window: MainWindow, qtbot: QtBot) -> None:
    runs = window.session.runs
    sheet = open_sheet(qtbot, window)
    assert give(qtbot, sheet, "pin this run", Key.Key_J, Modifier.ControlModifier) == ""
    taken = give(qtbot, sheet, "stop computing", Key.Key_J, Modifier.ControlModifier)
    assert taken == "Key must be free (Run › Pin this run has it), got 'Ctrl+J'"
    assert window.actions_by_key["run.cancel"].shortcut().toString() == "Ctrl+."
    press(qtbot, window, Key.Key_Escape)
    press(qtbot, window, Key.Key_Escape)
    assert window.sheet is None
    window.take_keys()
    press(qtbot, window, Key.Key_P)
    assert len(runs.all) == 1
    press(qtbot, window, Key.Key_J, Modifier.ControlModifier)
    assert len(runs.all) == 2
    assert "Ctrl+J" in window.actions_by_key["run.pin"].toolTip()
    t = window.session.playback.t
    window.session.preferences.set_letters(False)
    press(qtbot, window, Key.Key_L)
    assert window.session.playback.t == t
    assert window.actions_by_key["run.loop"].shortcut().isEmpty()
    assert window.actions_by_key["run.play"].shortcut().toString() == "Space"
    again = Preferences(Settings(window.session.settings.folder))
    assert again.keys_of("run.pin", ("P",)) == ("Ctrl+J",)
    assert again.keys_of("run.loop", ("L",)) == ()


def test_the_command_whose_key_is_typed_is_seen(window: MainWindow, qtbot: QtBot) -> None:
    """The focus alone makes the first command the current one."""
    sheet = open_sheet(qtbot, window)
    qtbot.keyClicks(sheet.search, "pin this run")
    give_focus(qtbot, sheet.search)
    press(qtbot, window, Key.Key_Tab)
    assert QApplication.focusWidget() is sheet.list
    assert [item.text() for item in sheet.list.selectedItems()] == ["Run › Pin this run: P"]


def test_keys_of_the_table_and_of_a_presentation_are_changed(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.comparisons.pin()
    sheet = open_sheet(qtbot, window)
    assert give(qtbot, sheet, "remove the run", Key.Key_F8, Modifier.NoModifier) == ""
    assert "Name the run has it" in give(qtbot, sheet, "remove the run", Key.Key_F2, Modifier.NoModifier)
    # Keys of a presentation come before those of the window, so Z may be both.
    assert give(qtbot, sheet, "black screen", Key.Key_Z, Modifier.NoModifier) == ""
    assert "Go to any page has it" in give(qtbot, sheet, "black screen", Key.Key_J, Modifier.NoModifier)
    assert "Go to any page has it" in give(qtbot, sheet, "keep a group", Key.Key_J, Modifier.NoModifier)
    press(qtbot, window, Key.Key_Escape)
    press(qtbot, window, Key.Key_Escape)
    assert window.sheet is None
    panel = window.findChild(RunsPanel)
    assert panel is not None
    panel.select([session.runs.all[-1].id])
    give_focus(qtbot, panel.table)
    press(qtbot, window, Key.Key_Delete)
    assert len(session.runs.all) == 2
    press(qtbot, window, Key.Key_F8)
    assert len(session.runs.all) == 1
    press(qtbot, window, Key.Key_F5)
    show = window.findChild(Presentation)
    assert show is not None
    press(qtbot, window, Key.Key_B)
    assert show.black.isHidden()
    press(qtbot, window, Key.Key_Z)
    assert show.black.isVisible()
    press(qtbot, window, Key.Key_Escape)
    assert show.black.isHidden()
    assert show.active
    press(qtbot, window, Key.Key_Escape)
    assert not show.active


@pytest.mark.parametrize("percent", [125, 150, 200])
def test_larger_type_has_room(window: MainWindow, percent: int, qtbot: QtBot) -> None:
    before = window.notice.fontInfo().pixelSize()
    window.session.preferences.set_text_size(percent)
    qtbot.waitUntil(lambda: window.notice.fontInfo().pixelSize() == round(before * percent / 100))
    qtbot.waitUntil(lambda: not clipped(window) and not covered(window), timeout=5000)
    assert window.notice.height() >= window.notice.fontMetrics().height(), "the status line's letters are whole"
    sheet = open_sheet(qtbot, window)
    assert (clipped(sheet), covered(sheet)) == ([], [])


def test_with_reduced_motion_nothing_moves_by_itself(window: MainWindow, qtbot: QtBot) -> None:
    window.session.preferences.set_still(True)
    assert Preferences(Settings(window.session.settings.folder)).still
    window.session.files.new("rr-euler")
    wait_done(qtbot, window)
    assert not window.session.playback.playing
    assert window.viewport is not None
    press(qtbot, window, Key.Key_2)
    qtbot.waitUntil(lambda: window.viewport is not None and not window.viewport.flying, timeout=100)
    press(qtbot, window, Key.Key_Space)
    assert window.session.playback.playing


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        (("Esc",), "lists and fields use it"),
        (("Ctrl+S",), "Save has it"),
        (("F2",), "Name the run has it"),
    ],
)
def test_keys_with_another_meaning_are_refused(settings: Settings, keys: tuple[str, ...], why: str) -> None:
    preferences = Preferences(settings)
    usual = {"file.save": ("Ctrl+S",), "run.pin": ("P",), "run.name": ("F2",)}
    words = {"file.save": "Save", "run.pin": "Pin", "run.name": "Name the run"}
    with pytest.raises(BadInput, match=why):
        preferences.set_keys("run.pin", keys, usual, words)
    preferences.set_keys("file.save", (), usual, words)
    preferences.set_keys("run.pin", ("Ctrl+S",), usual, words)
    assert preferences.keys_of("run.pin", ("P",)) == ("Ctrl+S",)
    preferences.reset_keys()
    assert preferences.keys_of("run.pin", ("P",)) == ("P",)


def test_settings_that_make_no_sense_are_the_usual_ones(settings: Settings) -> None:
    for name, value in (("text_size", 117), ("keys", {"run.pin": "P", "run.play": [3, "F9"]}), ("letter_keys", "no")):
        settings.set(name, value)
    preferences = Preferences(settings)
    assert (preferences.text_size, preferences.letters) == (100, True)
    assert preferences.keys_of("run.pin", ("P",)) == ("P",)
    assert preferences.keys_of("run.play", ("Space",)) == ("F9",)
    with pytest.raises(BadInput, match="text size must be one of 100, 125, 150, 200, got 117"):
        preferences.set_text_size(117)


@pytest.mark.parametrize(
    ("kept", "keys"),
    [
        ({"table.rename": ["F8"]}, ("F8",)),
        ({"table.rename": []}, ()),
        ({"table.rename": ["F8"], "run.name": ["F9"]}, ("F9",)),
        ({"run.name": ["F9"], "table.rename": ["F8"]}, ("F9",)),
        ({"table.rename": "F8"}, ("F2",)),
        ({}, ("F2",)),
    ],
)
def test_keys_that_were_kept_under_a_former_name_are_those_of_the_command(
    settings: Settings, kept: dict[str, object], keys: tuple[str, ...]
) -> None:
    settings.set("keys", kept)
    preferences = Preferences(settings)
    assert preferences.keys_of("run.name", ("F2",)) == keys
    usual, words = {"run.name": ("F2",), "run.pin": ("P",)}, {"run.name": "Name the run", "run.pin": "Pin"}
    if keys == ("F8",):
        with pytest.raises(BadInput, match="Name the run has it"):
            preferences.set_keys("run.pin", keys, usual, words)
    preferences.set_keys("run.pin", ("F10",), usual, words)
    assert not RENAMED.keys() & settings.get("keys").keys(), "the next change keeps the present names alone"
    assert Preferences(settings).keys_of("run.name", ("F2",)) == keys


def test_former_names_of_commands_lead_to_commands_that_there_are() -> None:
    present = {command.key for command in (*COMMANDS, *LOCAL)}
    assert set(RENAMED.values()) <= present
    assert not RENAMED.keys() & present


@pytest.mark.parametrize("enter", [Key.Key_Return, Key.Key_Enter])
def test_enter_after_a_new_key_is_no_key(window: MainWindow, qtbot: QtBot, enter: Key) -> None:
    """It keeps what was typed and leaves the field, as in every other one."""
    sheet = open_sheet(qtbot, window)
    assert give(qtbot, sheet, "pin this run", Key.Key_J, Modifier.ControlModifier) == ""
    give_focus(qtbot, sheet.typed)
    qtbot.keyClick(QApplication.focusWidget(), enter)
    assert QApplication.focusWidget() is sheet.list
    assert sheet.trouble.text() == ""
    assert window.session.preferences.keys_of("run.pin", ("P",)) == ("Ctrl+J",)


def test_the_theme_is_a_setting(window: MainWindow, qtbot: QtBot) -> None:
    view = window.session.view
    before = view.settings.theme
    sheet = open_sheet(qtbot, window)
    assert sheet.theme_choice.choice() == before
    sheet.theme_choice.buttons["dark"].setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, window, Key.Key_Space)
    assert view.settings.theme == "dark"
    view.set(theme=before)
    assert sheet.theme_choice.choice() == before


@pytest.mark.parametrize("theme", ["light", "projector"])
def test_no_line_of_the_commands_is_cut(window: MainWindow, qtbot: QtBot, theme: str) -> None:
    window.session.view.set(theme=theme)
    cut = []
    for height in range(600, 720, 13):
        window.resize(1280, height)
        sheet = open_sheet(qtbot, window)
        commands, room = sheet.list, sheet.list.viewport().rect()
        for scrolled in (0, 3, commands.verticalScrollBar().maximum()):
            commands.verticalScrollBar().setValue(scrolled)
            places = [commands.visualItemRect(commands.item(row)) for row in range(commands.count())]
            seen = [place for place in places if place.intersects(room)]
            assert len(seen) > 1
            cut += [(height, scrolled) for place in seen if not room.contains(place)]
        sheet.dismiss()
    assert not cut
