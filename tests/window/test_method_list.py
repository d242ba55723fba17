"""The list of methods: found by name, taken by a click, and out of the way afterwards."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.widgets import method_tree
from gui.qt.widgets.method_tree import BOLD, good_for, searchable
from gui.qt.window.main_window import MainWindow
from solvers.method import Method
from solvers.method_registry import find_method
from tests.window.hands import press, wait_done


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    """The one window of this file."""
    return shared_window


@pytest.fixture
def panel(window: MainWindow) -> IntegratorPanel:
    found = next(dock.panel for dock in window.docks if dock.kind.key == "integrator")
    assert isinstance(found, IntegratorPanel)
    return found


def test_a_click_takes_a_method_and_the_keys_are_the_windows_again(
    window: MainWindow, panel: IntegratorPanel, qtbot: QtBot, artifacts: Path
) -> None:
    picker, session = panel.picker, window.session
    qtbot.mouseClick(picker.button, Qt.MouseButton.LeftButton)
    assert picker.list.isVisible()
    lane = window.timeline.mapToGlobal(QPoint(0, 0)).y()
    assert picker.list.geometry().bottom() <= lane, "the transport stays free"
    window.screen().grabWindow(0).save(str(artifacts / "method-list.png"))
    tree = picker.methods.tree
    for item in picker.methods.items.values():
        cell = tree.visualRect(tree.indexFromItem(item))
        assert tree.fontMetrics().horizontalAdvance(item.text(0)) <= cell.width(), item.text(0)
    item = picker.methods.items["rk2"]
    tree.scrollToItem(item)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualItemRect(item).center())
    assert session.scenario.method == "rk2"
    assert not picker.list.isVisible()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.viewport)
    press(qtbot, window, Qt.Key.Key_Space)
    assert session.playback.playing


def test_no_key_waits_for_what_methods_are_good_for(
    window: MainWindow, panel: IntegratorPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first letter typed waited for the stability regions of all methods: 70 ms of computing, 0.2 s under load."""
    methods, go, threads = panel.picker.methods, threading.Event(), set[threading.Thread]()

    def held(method: Method) -> str:
        threads.add(threading.current_thread())
        assert go.wait(20.0)
        return good_for(method)

    monkeypatch.setattr(method_tree, "good_for", held)
    methods._asked.clear()  # as if this were the first search
    panel.picker.open()

    def found() -> set[str]:
        return {key for key, item in methods.items.items() if not item.isHidden()}

    methods.words["radau5"] = searchable(find_method("radau5"))
    try:
        qtbot.keyClicks(methods.search, "rk4")
        assert "rk4" in found(), "names are found at once"
        methods.search.setText("l-stable radau5")
        assert not found()
        assert methods.answer.text() == "Computing…"
    finally:
        go.set()
    qtbot.waitUntil(lambda: found() == {"radau5"}, timeout=20_000)
    assert methods.answer.text() == BOLD
    methods.search.setText("nobody")
    assert methods.answer.text() == "No matches"
    assert threads
    assert threading.main_thread() not in threads
    methods.search.clear()
    panel.picker.list.hide()


def test_a_search_knows_what_methods_are_good_for(panel: IntegratorPanel, qtbot: QtBot) -> None:
    methods = panel.picker.methods
    for text, there, not_there in (
        ("stiff", {"bdf2", "radau5", "rosenbrock", "esdirk54", "cvode-bdf", "switching"}, {"rk4", "cvode-adams"}),
        ("a-stable", {"trapezoidal", "radau5"}, {"bdf3", "rk4"}),
        ("L-stable", {"radau5", "bdf2"}, {"trapezoidal", "rk4"}),
    ):
        methods.search.setText(text)
        qtbot.waitUntil(lambda: not methods._awaited, timeout=20_000)
        found = {key for key, item in methods.items.items() if not item.isHidden()}
        assert there & set(methods.items) <= found, text
        assert not found & not_there, text
    methods.search.clear()


def test_escape_takes_back_the_methods_that_the_arrows_tried(
    window: MainWindow, panel: IntegratorPanel, qtbot: QtBot
) -> None:
    picker, session = panel.picker, window.session
    session.edit("method", "rk4")
    qtbot.mouseClick(picker.button, Qt.MouseButton.LeftButton)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down):
        press(qtbot, window, key)
    assert session.scenario.method not in ("rk4", "")
    QTest.keyClick(picker.list.windowHandle(), Qt.Key.Key_Escape)
    assert session.scenario.method == "rk4"
    assert not picker.list.isVisible()
    qtbot.mouseClick(picker.button, Qt.MouseButton.LeftButton)
    press(qtbot, window, Qt.Key.Key_Down)
    press(qtbot, window, Qt.Key.Key_Down)
    tried = session.scenario.method
    QTest.keyClick(picker.list.windowHandle(), Qt.Key.Key_Return)
    assert not picker.list.isVisible()
    assert session.scenario.method == tried != "rk4"


@pytest.mark.parametrize(
    ("text", "found"), [("rk4", "rk4"), ("euler", "rk1"), ("rkdp54", "dopri5"), ("RK4", "rk4"), ("kutta3", "rk3")]
)
def test_the_method_of_that_name_comes_first(
    window: MainWindow, panel: IntegratorPanel, qtbot: QtBot, text: str, found: str
) -> None:
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):
        window.session.edit("method", "rk8")
        panel.picker.open()
        search = panel.methods.search
        assert search.text() == "", "a search is not kept"
        qtbot.keyClicks(search, text)
        assert [key for key, item in panel.methods.items.items() if item.font(0).bold()] == [found], "what Enter takes"
        qtbot.keyClick(search, key)
        assert window.session.scenario.method == found
        panel.picker.list.hide()
    panel.picker.open()
    for words, answer in ((text, BOLD), (f"{text} nobody", "No matches"), ("", "")):
        panel.methods.search.setText(words)
        assert (panel.methods.answer.text() if panel.methods.answer.isVisible() else "") == answer
    panel.picker.list.hide()
    wait_done(qtbot, window)


def test_a_method_that_cannot_solve_the_equations_is_grey_and_says_why(
    window: MainWindow, panel: IntegratorPanel, qtbot: QtBot
) -> None:
    item = panel.picker.methods.items["taylor"]
    assert not item.isDisabled()
    window.session.edit_many({"task.torque": "pd", "task.sampling": "held"})
    assert item.isDisabled()
    reason = "Cannot solve these equations while torques are held: it needs them in elementary operations."
    assert item.toolTip(0).endswith(reason)
    assert item.data(0, Qt.ItemDataRole.AccessibleDescriptionRole) == reason
    window.session.edit("method", "taylor")
    assert "while torques are held" in panel.complaint.text()
    assert window.session.scenario.method == "rk4"
    window.session.edit("task.torque", "none")
    assert not item.isDisabled()
    assert reason not in item.toolTip(0)
    wait_done(qtbot, window)


def test_a_typed_tableau_is_found_by_its_own_name(window: MainWindow, panel: IntegratorPanel, qtbot: QtBot) -> None:
    methods, usual = panel.picker.methods, panel.picker.methods.items["own"].text(0)
    tableau = "tableau 1; name Thursday; A 1/3; A 0, 2/3; b 1/4, 0, 3/4"
    window.session.edit_many({"method": "own", "options.tableau": tableau})
    panel.picker.open()
    qtbot.keyClicks(methods.search, "thursd")
    assert [key for key, item in methods.items.items() if not item.isHidden()] == ["own"]
    assert [methods.items["own"].text(column) for column in range(3)] == ["Thursday", "3", "3"]
    qtbot.keyClick(methods.search, Qt.Key.Key_Return)
    assert window.session.scenario.method == "own"
    window.session.edit("method", "rk4")
    assert methods.items["own"].text(0) == usual, "of the open scenario alone"
    wait_done(qtbot, window)
