"""The table of runs has the height of its rows, whatever window it is in, until a person drags its edge."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.app.settings import Settings
from gui.qt.panels.plots import LEAST_HEIGHT, PlotsPanel
from gui.qt.panels.runs import RunsPanel
from gui.qt.window.arrangement import BOTTOM
from gui.qt.window.docks import Dock
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE, drag, show_at, wait_done


def parts_of(window: MainWindow) -> tuple[Dock, RunsPanel]:
    dock = next(dock for dock in window.docks if dock.kind.key == "runs")
    assert isinstance(dock.panel, RunsPanel)
    return dock, dock.panel


def pin_until(window: MainWindow, runs: int) -> None:
    while len(window.session.runs.all) < runs:
        window.session.comparisons.pin()


def in_sight(panel: RunsPanel) -> int:
    """How many rows are."""
    model, room = panel.model, panel.table.viewport().height()
    rows = (panel.table.visualRect(model.index(row, 1)) for row in range(model.rowCount()))
    return sum(place.top() >= 0 and 0 < place.bottom() < room for place in rows)


def spare(panel: RunsPanel) -> int:
    """The height below the last row [px]."""
    last = panel.table.visualRect(panel.model.index(panel.model.rowCount() - 1, 1))
    return panel.table.viewport().height() - last.bottom()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_table_has_room_for_its_rows_in_a_low_window(shared_window: MainWindow, qtbot: QtBot, theme: str) -> None:
    """Two rows were whole, and the third was below the edge."""
    window = shared_window
    _, panel = parts_of(window)
    show_at(qtbot, window, theme, (1280, 720))
    pin_until(window, 3)
    qtbot.waitUntil(lambda: in_sight(panel) == 3, timeout=5000)
    wait_done(qtbot, window)
    plots = window.findChild(PlotsPanel)
    assert isinstance(plots, PlotsPanel)
    qtbot.waitUntil(lambda: len(plots.plots) == 4, timeout=PATIENCE)
    QApplication.processEvents()
    assert min(plots.plots[key].widget.height() for key in plots.shown) >= LEAST_HEIGHT


def test_the_table_follows_its_rows_and_the_window(shared_window: MainWindow, qtbot: QtBot) -> None:
    """Its dock kept the height of a smaller window."""
    window = shared_window
    dock, panel = parts_of(window)
    show_at(qtbot, window, "light", (1280, 720))
    for runs in (3, 12):
        pin_until(window, runs)
        qtbot.waitUntil(lambda runs=runs: panel.model.rowCount() == runs)
        QApplication.processEvents()
    low = in_sight(panel)
    assert 3 <= low < 12
    window.resize(1920, 1080)
    qtbot.waitUntil(lambda: in_sight(panel) > low, timeout=5000)
    assert dock.height() <= BOTTOM * window.height()
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: in_sight(panel) == low, timeout=5000)
    window.session.comparisons.remove(*panel.model.ids[3:])
    window.resize(1920, 1080)
    qtbot.waitUntil(lambda: in_sight(panel) == 3 and spare(panel) < panel.table.rowHeight(0), timeout=5000)


def test_a_height_that_a_person_has_dragged_stays(
    open_one: Callable[..., MainWindow], settings: Settings, qtbot: QtBot
) -> None:
    window = open_one(gallery=False)
    dock, panel = parts_of(window)
    edge = QPoint(dock.geometry().center().x(), dock.y() - 3)
    drag(window, edge, edge - QPoint(0, 20), edge - QPoint(0, 120), release=False)
    QApplication.processEvents()  # Qt moves an edge soon
    QTest.mouseRelease(window, Qt.MouseButton.LeftButton, pos=edge - QPoint(0, 120))
    chosen = dock.height()
    assert chosen > BOTTOM * window.height()
    pin_until(window, 3)
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: in_sight(panel) == 3, timeout=5000)
    QApplication.processEvents()
    assert dock.height() == chosen
    window.arrangement.remember()
    again, _ = parts_of(open_one(gallery=False))
    assert again.height() > BOTTOM * 800
    again.window().arrangement.usual()  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: again.height() < BOTTOM * 800, timeout=5000)
