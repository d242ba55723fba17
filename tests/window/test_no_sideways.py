"""No panel scrolls sideways: forms wrap in large type, in every theme and in the smallest window, too."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QDockWidget, QScrollArea
from pytestqt.qtbot import QtBot

from gui.app.session.preferences import TEXT_SIZES
from gui.qt.window.main_window import MainWindow

WIDEST = ("pa10-circle", "panda-circle", "e12-ringing")
"""Scenarios whose panels have all kinds of rows."""


def sideways(window: MainWindow, qtbot: QtBot) -> list[str]:
    """The panels in docks that scroll sideways."""
    found = []
    for dock in window.findChildren(QDockWidget):
        if dock.isHidden():
            continue
        dock.raise_()
        qtbot.wait(20)
        for area in dock.findChildren(QScrollArea):
            if area.isVisible() and area.horizontalScrollBar().maximum() > 0:
                least = area.widget().minimumSizeHint().width()
                found.append(f"{dock.windowTitle()}: {least} of {area.viewport().width()}")
    return found


@pytest.mark.parametrize("preset", ["rr-swing", *(pytest.param(key, marks=pytest.mark.long) for key in WIDEST)])
def test_no_panel_scrolls_sideways(shared_window: MainWindow, qtbot: QtBot, preset: str) -> None:
    window, session, found = shared_window, shared_window.session, list[str]()
    window.files.open_preset(preset)
    for size in ((1280, 720), (1920, 1080)):
        window.resize(*size)
        for theme in ("light", "dark", "projector"):
            session.view.set(theme=theme)
            # The projector's type is the largest; the other themes' is of one size.
            for percent in TEXT_SIZES if theme != "dark" else (200,):
                session.preferences.set_text_size(percent)
                found += [f"{size}, {theme}, {percent} %, {panel}" for panel in sideways(window, qtbot)]
    session.preferences.set_text_size(100)
    assert not found, "\n".join(found)
