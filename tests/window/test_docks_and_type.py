"""Docks that were saved, or shown, with type of another size fit the type that there is now."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.app.settings import Settings
from gui.qt.widgets.quiet import LEAST_SLIDER, QuietSlider
from gui.qt.window.arrangement import RIGHT
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE


def dock_sizes(window: MainWindow) -> dict[str, tuple[int, int]]:
    QApplication.processEvents()
    return {dock.kind.key: (dock.width(), dock.height()) for dock in window.docks if dock.isVisible()}


def open_small(open_one: Callable[..., MainWindow], qtbot: QtBot) -> MainWindow:
    """A window for a projector."""
    window = open_one(gallery=False)
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: window.width() == 1280)
    return window


def test_an_arrangement_saved_in_large_type_fits_usual_type(
    open_one: Callable[..., MainWindow], settings: Settings, qtbot: QtBot
) -> None:
    window = open_small(open_one, qtbot)
    window.arrangement.usual()
    usual = dock_sizes(window)
    window.session.preferences.set_text_size(200)
    QApplication.processEvents()
    window.arrangement.usual()
    qtbot.waitUntil(lambda: dock_sizes(window)["scenario"][0] > 1.15 * usual["scenario"][0])
    window.arrangement.remember()
    kept = settings.get("window", {})
    window.session.preferences.set_text_size(100)
    window.close()
    settings.set("window", kept)
    again = open_small(open_one, qtbot)
    found = dock_sizes(again)
    assert found["scenario"][0] <= usual["scenario"][0] + 8, (found, usual)
    assert found["runs"][1] <= usual["runs"][1] + 8, (found, usual)
    assert found["plots"][0] <= usual["plots"][0] + 8, (found, usual)
    sliders = [one for one in again.findChildren(QuietSlider) if one.isVisible()]
    assert sliders
    assert min(one.width() for one in sliders) >= LEAST_SLIDER


def test_an_arrangement_of_a_large_screen_suits_a_small_one(
    open_one: Callable[..., MainWindow], settings: Settings, qtbot: QtBot
) -> None:
    window = open_small(open_one, qtbot)
    window.arrangement.usual()
    for key, size, across in (("plots", 510, Qt.Orientation.Horizontal), ("runs", 250, Qt.Orientation.Vertical)):
        window.resizeDocks([dock for dock in window.docks if dock.kind.key == key], [size], across)
    qtbot.waitUntil(lambda: dock_sizes(window)["plots"][0] > 480)
    window.arrangement.remember()
    kept = {**settings.get("window", {}), "size": [1920, 1080]}
    window.close()
    settings.set("window", kept)
    again = open_one(gallery=False)
    qtbot.waitUntil(lambda: dock_sizes(again)["plots"][0] < 370, timeout=10_000)
    assert dock_sizes(again)["runs"][1] < 190


def test_a_theme_of_larger_type_leaves_room_for_two_runs(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: window.width() == 1280)
    window.arrangement.usual()
    window.session.comparisons.pin()
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "runs")
    for theme in ("light", "projector", "dark"):
        window.session.view.set(theme=theme)
        table = panel.table  # type: ignore[union-attr]
        qtbot.waitUntil(lambda table=table: table.viewport().height() >= 2 * table.rowHeight(1))


def test_docks_of_usual_width_follow_the_window_and_others_stay(window: MainWindow, qtbot: QtBot) -> None:
    def wide(width: int, height: int, plots: float) -> None:
        window.resize(width, height)
        qtbot.waitUntil(lambda: abs(dock_sizes(window)["plots"][0] - plots) <= 2)

    wide(1440, 900, dock_sizes(window)["plots"][0])
    window.arrangement.usual()
    before = dock_sizes(window)
    slider = next(one for one in window.findChildren(QuietSlider) if one.isVisible() and one.accessibleName())
    narrow = slider.width()
    wide(1580, 980, RIGHT * 1580)
    after = dock_sizes(window)
    assert after["scenario"][0] > before["scenario"][0] + 20
    assert slider.width() > narrow + 20
    wide(1440, 900, before["plots"][0])
    assert dock_sizes(window)["scenario"][0] == before["scenario"][0]
    docks = {dock.kind.key: dock for dock in window.docks}
    window.resizeDocks([docks["scenario"], docks["plots"]], [400, 300], Qt.Orientation.Horizontal)
    chosen = dock_sizes(window)
    assert chosen["plots"][0] < before["plots"][0] - 20
    wide(1580, 980, chosen["plots"][0])
    assert dock_sizes(window)["scenario"][0] == chosen["scenario"][0]


def test_tabs_that_a_low_window_made_are_none_of_a_high_one(
    open_one: Callable[..., MainWindow], settings: Settings, qtbot: QtBot
) -> None:
    """After a lecture on a projector the next start had them, and the end of a presentation took them apart."""

    def stacked(window: MainWindow) -> bool:
        first, second = [dock for dock in window.docks if dock.kind.area == "left" and not dock.isHidden()][:2]
        return not window.tabifiedDockWidgets(first) and first.isVisible() and second.isVisible()

    low = open_one(gallery=False)
    low.session.view.set(theme="projector")
    low.resize(1280, 640)
    qtbot.waitUntil(lambda: not stacked(low), timeout=PATIENCE)
    low.close()
    settings.set("view.theme", "light")
    high = open_one(gallery=False)
    high.resize(1280, 1000)
    qtbot.waitUntil(lambda: stacked(high), timeout=PATIENCE)
