"""No panel scrolls sideways: forms wrap in large type, in every theme and in the smallest window, too."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QDockWidget, QScrollArea
from pytestqt.qtbot import QtBot

from gui.app.session.preferences import TEXT_SIZES
from gui.qt.panels.plots import PlotsPanel
from gui.qt.plots.header import PlotHeader
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE

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


def crowded(header: PlotHeader) -> list[str]:
    """What of a plot's heading is cut, lies over its neighbour, or reaches beyond it."""
    parts = [one for one in (header.name, header.variants, header.reset, header.more) if one.isVisibleTo(header)]
    places = [one.geometry() for one in parts]
    ends = [*(place.left() for place in places[1:]), header.width()]
    found = [type(one).__name__ for one, place, end in zip(parts, places, ends, strict=True) if place.right() >= end]
    choice = header.variants
    if choice in parts and choice.shown_text() != choice.currentText():
        found.append(choice.shown_text())
    return found


@pytest.mark.parametrize("theme", ["light", "projector"])
def test_no_heading_is_wider_than_its_panel(shared_window: MainWindow, qtbot: QtBot, theme: str) -> None:
    """With "Reset zoom" beside the longest name and its choice, the panel reached under its scroll bar."""
    window, session = shared_window, shared_window.session
    window.files.open_preset("pa10-circle")
    qtbot.waitUntil(lambda: session.runs.current.state == "done", timeout=PATIENCE)
    session.playback.pause()
    window.resize(1280, 720)
    session.view.set(theme=theme)
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "plots")
    assert isinstance(panel, PlotsPanel)
    shown = [panel.plots[key] for key in panel.shown]
    qtbot.waitUntil(lambda: all(plot.settled for plot in shown), timeout=PATIENCE)
    session.time_range.show(0.2, 0.4)
    found: dict[int, object] = {}
    for percent in (100, max(TEXT_SIZES)):
        session.preferences.set_text_size(percent)
        qtbot.waitUntil(lambda: all(plot.settled for plot in shown), timeout=PATIENCE)
        assert not any(plot.header.reset.isHidden() for plot in shown)
        wide = sideways(window, qtbot)
        cut = {plot.plot.key: some for plot in shown if (some := crowded(plot.header))}
        if wide or (cut and percent == 100):  # in the largest type the choice and the name give way
            found[percent] = wide, cut
    session.preferences.set_text_size(100)
    session.time_range.show_whole()
    assert not found
