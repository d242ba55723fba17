"""Neither panels nor sheets scroll sideways: forms wrap in large type, in every theme and the smallest window, too."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QDockWidget, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from gui.app.session.preferences import TEXT_SIZES
from gui.qt.export.dialog.rows import ExportRows
from gui.qt.panels.plots import PlotsPanel
from gui.qt.plots.header import PlotHeader
from gui.qt.widgets.scroll import SidewaysScroll
from gui.qt.window.main_window import MainWindow
from tests.window.dialogs import dialogs
from tests.window.hands import PATIENCE, wait_done
from tests.window.rules import CONTROLS, clipped, name_of

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


def beyond(sheet: QWidget) -> list[str]:
    """The controls of a sheet that reach beyond the right edge of what scrolls them."""
    found = []
    for area in sheet.findChildren(QScrollArea):
        if not area.isVisible() or isinstance(area, SidewaysScroll):  # a table scrolls sideways so that no form has to
            continue
        inside = [one for one in area.widget().findChildren(QWidget) if isinstance(one, CONTROLS) and one.isVisible()]
        for one in inside:
            right, room = one.mapTo(area.viewport(), QPoint(one.width(), 0)).x(), area.viewport().width()
            inner = next((part for part in area.findChildren(SidewaysScroll) if part.isAncestorOf(one)), None)
            if right > room and inner is None:
                found.append(f"{area.accessibleName()}: {name_of(one)} ends at {right} of {room}")
    return found


LOOKS = [(theme, percent) for theme in ("light", "dark", "projector") for percent in (100, 125, 150, 200)]
WIDE = ("light", 200), ("projector", 200)


@pytest.mark.parametrize(
    ("theme", "percent"), [look if look in WIDE else pytest.param(*look, marks=pytest.mark.long) for look in LOOKS]
)
def test_no_control_of_a_sheet_is_beyond_its_right_edge(
    shared_window: MainWindow, qtbot: QtBot, tmp_path: Path, theme: str, percent: int
) -> None:
    """In type of twice the size the rows of *Export an animation* were cut by the bar beside them.

    On a projector, where type is larger still, so were those of maps and of one's own method.
    """
    window, preferences = shared_window, shared_window.session.preferences
    wait_done(qtbot, window)
    window.resize(1280, 720)
    window.session.view.set(theme=theme)
    preferences.set_text_size(percent)
    found = []
    for name, sheet in dialogs(window, tmp_path, files=False):
        form = sheet.findChild(ExportRows)
        # Each format has rows of its own.
        for row in range(form.format.count()) if isinstance(form, ExportRows) else (0,):
            if isinstance(form, ExportRows):
                form.format.setCurrentIndex(row)
                form.format.activated.emit(row)
            QApplication.processEvents()
            found += [f"{name}, {row}: {one}" for one in beyond(sheet)]
            if form is not None:
                found += [f"{name}, {row}: {one}" for one in clipped(form)]
    preferences.set_text_size(100)
    assert not found, "\n".join(found)


def crowded(header: PlotHeader) -> list[str]:
    """What of a plot's heading is cut, lies over its neighbour, or reaches beyond it."""
    parts = [one for one in (header.name, header.variants, header.reset, header.more) if one.isVisibleTo(header)]
    found = [type(one).__name__ for one in parts if one.geometry().right() >= header.width()]
    found += [
        f"{type(one).__name__} over {type(other).__name__}"
        for one, other in combinations(parts, 2)
        if one.geometry().intersects(other.geometry())
    ]
    if header.name.shown_text() != header.name.text():
        found.append(header.name.shown_text())
    choice = header.variants
    if choice in parts and choice.shown_text() != choice.currentText():
        found.append(f"{choice.currentText()}: {choice.shown_text()!r}")
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
        if wide or cut:
            found[percent] = wide, cut
    session.preferences.set_text_size(100)
    session.time_range.show_whole()
    assert not found
