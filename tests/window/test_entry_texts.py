"""What menus name: Undo's own words are whole there, and what a person has made is cut between words."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

import gui
from assets.counting import MENU_TEXT, entry_text
from gui.qt.widgets.quick_choices import QuickChoices
from gui.qt.window.main_window import MainWindow
from tests.window.hands import wait_done

RECORDING = {"record", "_record", "_change", "compare_all", "take", "order", "edit_many"}
"""Functions that are given what Undo calls a step."""


def test_what_undo_names_is_whole_in_the_menu() -> None:
    found = set()
    for file in Path(gui.__file__).parent.rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") in RECORDING:
                said = [*call.args, *(word.value for word in call.keywords if word.arg == "text")]
                said += [way for one in said if isinstance(one, ast.IfExp) for way in (one.body, one.orelse)]
                found |= {one.value for one in said if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    assert {"pull", "pin", "remove a run", "methods at one rate"} <= found
    assert [text for text in found if len(f"Undo: {text}") > MENU_TEXT] == []


def test_undo_of_a_comparison_has_no_word_cut(shared_window: MainWindow, qtbot: QtBot) -> None:
    """It was "all met…ds at one rate"."""
    shared_window.session.files.new("pa10-circle")
    wait_done(qtbot, shared_window)
    choices = next(found for dock in shared_window.docks if (found := dock.findChild(QuickChoices)) is not None)
    qtbot.waitUntil(lambda: bool(choices.methods), timeout=5000)
    qtbot.mouseClick(choices.all_methods, Qt.MouseButton.LeftButton)
    assert shared_window.actions_by_key["edit.undo"].text() == "Undo: methods at one rate"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Undo: relative tolerance from 3.000\u00a0s on", "Undo: relative… 3.000\u00a0s on"),
        ("Undo: edit Runge-Kutta 4 (classical), step 10 ms", "Undo: edit… step 10 ms"),
        ("my-long-file-name-of-the-day-2024-11-12.armstep", "my-long-file-…-11-12.armstep"),
        ("arm.armstep", "arm.armstep"),
    ],
)
def test_a_long_text_is_cut_between_words_where_it_has_some(text: str, shown: str) -> None:
    assert entry_text(text) == shown
    assert len(shown) <= MENU_TEXT
