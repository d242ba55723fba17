"""Help: what to cite and what to report, with one button each."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QScrollArea

from assets.version import version
from gui.qt.dialogs.help_sheets import KeySheet
from gui.qt.dialogs.sheets import Sheet
from gui.qt.window.main_window import MainWindow


def pressed(window: MainWindow, key: str, button: str) -> str:
    """The clipboard after a help sheet's button is pressed; the sheet stays until it is closed."""
    window.actions_by_key[key].trigger()
    sheet = window.sheet
    assert isinstance(sheet, Sheet)
    buttons = {one.text(): one for one in sheet.findChildren(QPushButton)}
    buttons[button].click()
    assert buttons[button].text() == "Copied"
    assert window.sheet is sheet
    buttons["Close"].click()
    assert window.sheet is None
    return QGuiApplication.clipboard().text()


def test_help_copies_citation_and_diagnostics_and_opens_the_documentation(
    open_one: Callable[..., MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_one(gallery=False)
    window.actions_by_key["help.keys"].trigger()
    assert window.sheet is not None
    area = window.sheet.findChildren(QScrollArea)[-1]
    lefts = [label.mapTo(area, QPoint(0, 0)).x() for label in area.findChildren(QLabel)]
    assert min(lefts) >= 8, "the frame of the focus lies upon no text"
    window.sheet.dismiss()
    window.session.edit("method", "dopri5")
    window.actions_by_key["help.cite"].trigger()
    assert window.sheet is not None
    (text,) = window.sheet.findChildren(QPlainTextEdit)
    assert "armstep-method-dopri5" in text.toPlainText()
    window.sheet.dismiss()
    found = pressed(window, "help.cite", "Copy BibTeX")
    assert found == text.toPlainText()
    found = pressed(window, "help.about", "Copy diagnostics")
    assert f"Armstep {version()}" in found
    assert f"Python {platform.python_version()}" in found
    assert "numba " in found
    assert "OpenGL" in found
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda address: opened.append(address.toLocalFile()))
    monkeypatch.setattr("gui.version.__file__", str(tmp_path / "lib" / "gui" / "version.py"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    window.actions_by_key["help.documentation"].trigger()
    assert (opened, "not built here" in window.banner.label.text()) == ([], True)
    page = tmp_path / "share" / "doc" / "armstep" / "index.html"
    page.parent.mkdir(parents=True)
    page.touch()
    window.actions_by_key["help.documentation"].trigger()
    assert opened == [str(page)]


def test_a_word_that_no_key_has_leads_to_the_palette(open_one: Callable[..., MainWindow]) -> None:
    """The sheet was blank."""
    window = open_one(gallery=False)
    window.actions_by_key["help.keys"].trigger()
    sheet = window.sheet
    assert isinstance(sheet, KeySheet)
    assert not sheet.empty.isVisible()
    for words, none in (("method", True), ("pause", False), ("zzz pause", True), (" ", False)):
        sheet.search.setText(words)
        assert sheet.empty.isVisible() is none, words
        assert any(block.isVisible() for block in sheet.blocks) is not none
    sheet.search.setText("zzz")
    assert sheet.empty.text() == "No matches. Ctrl+K searches all commands."
    sheet.dismiss()
