"""Undocked panels are windows over the window: they give way to what fills it, and come back."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from gui.qt.plots.plot import PlotWidget
from gui.qt.window.docks import Dock
from gui.qt.window.main_window import MainWindow
from tests.window.hands import give_focus, press
from tests.window.test_presentation import CONTROL

Key = Qt.Key


def undocked(qtbot: QtBot, window: MainWindow, kind: str) -> Dock:
    """By its button, which has the keys afterwards."""
    dock = next(dock for dock in window.docks if dock.kind.key == kind)
    button = next(one for one in dock.findChildren(QToolButton) if one.accessibleName().startswith("Undock"))
    give_focus(qtbot, button)
    qtbot.keyClick(button, Key.Key_Return)
    qtbot.waitUntil(lambda: dock.isFloating() and dock.isActiveWindow())
    return dock


def plot_of(window: MainWindow) -> PlotWidget:
    """The enlarged plot."""
    assert window.enlarged is not None
    assert window.enlarged.plot is not None
    return window.enlarged.plot


@pytest.fixture
def window(shared_window: MainWindow) -> Iterator[MainWindow]:
    yield shared_window
    shared_window.session.view.set(enlarged="", panels=True)
    for dock in shared_window.docks:
        dock.setFloating(False)


@pytest.mark.parametrize("leave", [Key.Key_Z, Key.Key_Escape])
def test_a_panel_over_the_middle_gives_way_to_an_enlarged_plot(window: MainWindow, qtbot: QtBot, leave: Key) -> None:
    dock = undocked(qtbot, window, "plots")
    place = dock.geometry()
    press(qtbot, window, Key.Key_Z)
    assert not dock.isVisible(), "it would lie over the plot"
    qtbot.waitUntil(window.isActiveWindow)
    assert QApplication.focusWidget() is plot_of(window).widget
    press(qtbot, window, leave)
    assert not window.session.view.settings.enlarged
    assert dock.isVisible()
    assert dock.isFloating()
    assert dock.geometry() == place
    qtbot.waitUntil(window.isActiveWindow)
    assert QApplication.focusWidget() is window.viewport


def test_a_panel_beside_the_middle_stays_and_the_plot_has_the_keys(window: MainWindow, qtbot: QtBot) -> None:
    dock = undocked(qtbot, window, "plots")
    dock.move(window.mapToGlobal(QPoint(window.width() + 50, 0)))
    press(qtbot, window, Key.Key_Z)
    assert dock.isVisible()
    qtbot.waitUntil(window.isActiveWindow)
    assert plot_of(window).widget.hasFocus()


def test_what_is_done_with_panels_meanwhile_counts(window: MainWindow, qtbot: QtBot) -> None:
    plots, runs = undocked(qtbot, window, "plots"), undocked(qtbot, window, "runs")
    press(qtbot, window, Key.Key_Z)
    assert not plots.isVisible()
    assert not runs.isVisible()
    runs.present()
    runs.close()
    give_focus(qtbot, plot_of(window).widget)
    press(qtbot, window, Key.Key_Escape)
    assert plots.isVisible()
    assert not runs.isVisible(), "a person closed it"
    runs.show()
    press(qtbot, window, Key.Key_Z)
    press(qtbot, window, Key.Key_B, CONTROL)
    press(qtbot, window, Key.Key_Z)
    assert not plots.isVisible(), "no panel is shown now"
    press(qtbot, window, Key.Key_B, CONTROL)
    assert plots.isVisible()
    assert runs.isVisible()


def test_a_panel_stays_away_while_a_plot_is_large_that_became_so_under_a_sheet(
    window: MainWindow, qtbot: QtBot
) -> None:
    over, beside = undocked(qtbot, window, "plots"), undocked(qtbot, window, "runs")
    beside.move(window.mapToGlobal(QPoint(window.width() + 50, 0)))
    place = over.geometry()
    window.actions_by_key["help.about"].trigger()
    assert not over.isVisible()
    assert not beside.isVisible()
    window.actions_by_key["plots.enlarge"].trigger()
    assert window.sheet is not None
    window.sheet.dismiss()
    assert not over.isVisible(), "it would lie over the plot"
    assert beside.isVisible()
    window.actions_by_key["help.about"].trigger()
    assert window.sheet is not None
    window.session.view.set(enlarged="")
    assert not over.isVisible(), "the sheet is still there"
    window.sheet.dismiss()
    assert over.isVisible()
    assert over.geometry() == place


@pytest.mark.parametrize("over", ["plots.enlarge", "help.about"])
def test_a_panel_that_gave_way_is_there_at_the_next_start(window: MainWindow, qtbot: QtBot, over: str) -> None:
    dock = undocked(qtbot, window, "plots")
    window.actions_by_key[over].trigger()
    assert not dock.isVisible()
    window.arrangement.remember()
    state = window.session.settings.get("window")["state"]
    if window.sheet is not None:
        window.sheet.dismiss()
    dock.close()
    assert window.restoreState(b64decode(state), 1)
    assert not dock.isHidden()
