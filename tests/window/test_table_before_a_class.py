"""The table of runs before an audience: every run of a comparison is there without scrolling, its setting whole."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from gui.qt.panels._runs_table import NameDelegate
from gui.qt.panels._runs_widths import LINE_END
from gui.qt.panels.runs import RunsPanel
from gui.qt.window.main_window import MainWindow
from gui.qt.window.presentation import Presentation
from tests.window.hands import PATIENCE, press


def whole(panel: RunsPanel) -> bool:
    """Whether the last run is in sight."""
    last = panel.table.visualRect(panel.model.index(panel.model.rowCount() - 1, 1))
    return 0 < last.bottom() < panel.table.viewport().height()


def empty_rows(panel: RunsPanel) -> float:
    """How many more rows there is room for."""
    last = panel.table.visualRect(panel.model.index(panel.model.rowCount() - 1, 1))
    return (panel.table.viewport().height() - last.bottom()) / last.height()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_a_class_sees_every_run_of_a_comparison(window: MainWindow, qtbot: QtBot, size: tuple[int, int]) -> None:
    window.resize(*size)
    session = window.session
    session.files.new("rr-swing")
    session.settings.set("presentation.layout", ["plots"])
    press(qtbot, window, Qt.Key.Key_F5)
    window.resize(*size)
    QApplication.processEvents()
    show = next(one for one in window.findChildren(Presentation) if one.active)
    press(qtbot, window, Qt.Key.Key_M)
    panel = show.docks["runs"].widget()
    assert isinstance(panel, RunsPanel)
    bar = panel.table.verticalScrollBar()
    for runs in (1, 3, 5):
        while len(session.runs.all) < runs:
            session.comparisons.pin()
        qtbot.waitUntil(lambda runs=runs: panel.model.rowCount() == runs and whole(panel), timeout=5000)
        qtbot.waitUntil(lambda: empty_rows(panel) < 1, timeout=5000)  # no strip below the last one
    while len(session.runs.all) < 12:
        session.comparisons.pin()
    qtbot.waitUntil(lambda: bar.maximum() > 0, timeout=5000)
    assert show.docks["runs"].height() < window.height() / 2, "the arm keeps its room"
    show.leave()


def settings(panel: RunsPanel) -> list[tuple[str, str]]:
    """What each row says of its setting, on one line or two, and what that is."""
    table, delegate, found = panel.table, panel.table.itemDelegate(), []
    assert isinstance(delegate, NameDelegate)
    for row in range(panel.model.rowCount()):
        index, option = panel.model.index(row, panel.model.keys.index("setting")), QStyleOptionViewItem()
        table.initViewItemOption(option)
        option.rect = table.visualRect(index)  # type: ignore[attr-defined]
        delegate.initStyleOption(option, index)
        lines = option.text.split(LINE_END)  # type: ignore[attr-defined]
        assert len(lines) * option.fontMetrics.height() <= option.rect.height()  # type: ignore[attr-defined]
        found.append((" ".join(lines), str(index.data())))
    return found


@pytest.mark.parametrize(("theme", "percent"), [("light", 100), ("light", 150), ("projector", 100), ("projector", 125)])
def test_a_setting_with_two_tolerances_is_whole_beside_the_other_panels(
    shared_window: MainWindow, qtbot: QtBot, theme: str, percent: int
) -> None:
    """It was "rtol 1e-10, …" in a window of 1280 x 720 px."""
    window, session = shared_window, shared_window.session
    window.resize(1280, 720)
    session.files.new("rr-chaos")
    session.view.set(theme=theme)
    session.preferences.set_text_size(percent)
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "runs")
    assert isinstance(panel, RunsPanel)
    qtbot.waitUntil(lambda: all(row.state == "done" for row in session.runs.all), timeout=PATIENCE)
    session.playback.pause()

    def cut() -> list[str]:
        return [said for said, whole in settings(panel) if said != whole]

    try:
        assert len(settings(panel)) == 2
        qtbot.waitUntil(lambda: not cut(), timeout=5000)
    finally:
        session.preferences.set_text_size(100)
