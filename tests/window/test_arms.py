"""The arms that come with Armstep, in the window: opened from the gallery, moved, with any number of links."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.gallery import Gallery
from gui.qt.panels.plots import PlotsPanel
from gui.qt.panels.scenario import ScenarioPanel
from gui.qt.plots.curve_menu import CurveMenu
from gui.qt.plots.plot import PlotWidget
from gui.qt.widgets.fields import NumberRow
from gui.qt.window.main_window import MainWindow
from tests.window.hands import wait_done


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    return shared_window


def _panel(window: MainWindow) -> ScenarioPanel:
    return next(dock.panel for dock in window.docks if isinstance(dock.panel, ScenarioPanel))


def test_an_arm_opens_from_its_group_in_the_gallery_and_moves(window: MainWindow, qtbot: QtBot) -> None:
    window.files.new()
    qtbot.waitUntil(lambda: isinstance(window.sheet, Gallery))
    gallery = window.sheet
    assert isinstance(gallery, Gallery)
    groups = {card.key: card.group for card in gallery.cards}
    assert {groups[key] for key in ("panda-drop", "so101-reach", "scara-pick", "pendulum-chain")} == {"Robots"}
    qtbot.keyClicks(gallery.search, "Panda motors")
    (card,) = gallery.found()
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.scenario.name == "panda-drop")
    wait_done(qtbot, window)
    run = window.session.runs.current.run
    assert run is not None
    assert run.status.ok
    assert run.y.shape[1] == 14


def test_the_number_of_links_is_typed_and_undone(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("pendulum-twins")
    wait_done(qtbot, window)
    row = _panel(window).forms["robot."].rows["robot.links"]
    assert isinstance(row, NumberRow)
    qtbot.mouseClick(row.number, Qt.MouseButton.LeftButton)
    row.number.selectAll()
    QTest.keyClicks(row.number, "12")
    qtbot.keyClick(row.number, Qt.Key.Key_Return)
    wait_done(qtbot, window)
    run = window.session.runs.current.run
    assert run is not None
    assert run.y.shape[1] == 24
    assert window.session.scenario.initial["q1"] == 1.2
    assert "initial.q12" in _panel(window).forms["initial."].rows
    window.session.history.undo()
    wait_done(qtbot, window)
    assert "initial.q12" not in _panel(window).forms["initial."].rows
    assert _panel(window).forms["robot."].rows["robot.links"] is row
    qtbot.mouseClick(row.number, Qt.MouseButton.LeftButton)
    row.number.selectAll()
    QTest.keyClicks(row.number, "40")
    qtbot.keyClick(row.number, Qt.Key.Key_Return)
    assert window.session.messages.problems["robot.links"] == "Links must be a whole number from 1 to 32, got 40"
    assert window.session.scenario.parameters["links"] == 3


def test_fields_of_many_joints_are_searched(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("pendulum-chain")
    wait_done(qtbot, window)
    panel = _panel(window)
    qtbot.waitUntil(panel.search.isVisible)

    def shown() -> set[str]:
        rows = [(path, row) for form in panel.forms.values() for path, row in form.rows.items()]
        return {path for path, row in rows if row.isVisibleTo(panel)}

    everything = shown()
    qtbot.mouseClick(panel.search, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(panel.search, "position 10")
    assert shown() == {"initial.q10"}
    panel.search.selectAll()
    qtbot.keyClicks(panel.search, "initial rate")
    assert shown() == {f"initial.v{number}" for number in range(1, 11)}
    assert panel.forms["initial."].rows["initial.v10"].name == "Rate of joint 10"
    panel.search.selectAll()
    qtbot.keyClicks(panel.search, "rad q7")
    assert shown() == {"initial.q7", "initial.v7", "robot.d7"}
    panel.search.selectAll()
    qtbot.keyClicks(panel.search, "no such thing")
    assert shown() == set()
    assert panel.unfound.isVisible()
    _search_curves(window, qtbot)
    window.session.files.new("rr-swing")
    wait_done(qtbot, window)
    assert panel.search.text() == ""
    assert panel.search.isHidden()
    window.session.files.new("pendulum-chain")
    wait_done(qtbot, window)
    assert shown() == everything


def _search_curves(window: MainWindow, qtbot: QtBot) -> None:
    """Many curves are searched in the plot's menu, and those that are found stay alone."""
    charts = next(dock.panel for dock in window.docks if isinstance(dock.panel, PlotsPanel))
    plot = next(view for view in charts.findChildren(PlotWidget) if view.plot.key == "joints")
    qtbot.waitUntil(lambda: len(plot.legend.entries) == 10)
    menu = plot.menu()
    curves = menu.findChild(CurveMenu)
    assert isinstance(curves, CurveMenu)
    menu.popup(plot.mapToGlobal(QPoint(0, 0)))
    curves.popup(plot.mapToGlobal(QPoint(20, 20)))
    qtbot.waitUntil(curves.search.hasFocus)
    qtbot.keyClicks(curves.search, "q10")
    found = [action.text() for action in curves.actions() if action.isCheckable() and action.isVisible()]
    assert found == ["q₁₀"]
    qtbot.mouseClick(curves, Qt.MouseButton.LeftButton, pos=curves.actionGeometry(curves.alone).center())
    qtbot.waitUntil(lambda: [entry.name for entry in plot.legend.entries if not entry.off] == ["q₁₀"])
    menu.close()
