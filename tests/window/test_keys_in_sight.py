"""Whatever gets the keys is in sight, in a table and in every panel, sheet and list that scrolls, however low it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.panels.runs import RunsPanel
from gui.qt.widgets.fields import NumberRow
from gui.qt.window.commands.focus_frame import is_framed
from gui.qt.window.main_window import MainWindow
from tests.window.dialogs import dialogs
from tests.window.hands import give_focus, press, wait_done
from tests.window.test_focus import names
from tests.window.test_within_reach import find

Key = Qt.Key
BACK_AND_FORTH = (Key.Key_Tab, Key.Key_Backtab)


@pytest.fixture
def window(shared_window: MainWindow, qtbot: QtBot) -> MainWindow:
    """Three runs are pinned in a window of the least size."""
    wait_done(qtbot, shared_window)
    shared_window.session.playback.pause()
    for _ in range(3):
        shared_window.session.comparisons.pin()
    shared_window.resize(1280, 720)
    shared_window.arrangement.usual()
    give_focus(qtbot, shared_window)
    QApplication.processEvents()
    return shared_window


def out_of_sight(widget: QWidget) -> str:
    """Where a widget that its area has room for is not whole; empty where it is."""
    inner, outer = widget, widget.parentWidget()
    while outer is not None and not inner.isWindow():
        area = outer.parentWidget()
        if isinstance(area, QAbstractScrollArea) and area.viewport() is outer:
            place, room = QRect(widget.mapTo(outer, QPoint()), widget.size()), outer.rect()
            whole = room.top() <= place.top() and place.bottom() <= room.bottom()
            if not (whole or place.height() > room.height()) or not room.intersects(place):
                return f"{names([widget])}: {place.getRect()} of {room.getRect()}"
        inner, outer = outer, area
    return ""


def walk_in_sight(qtbot: QtBot, window: MainWindow) -> list[str]:
    """Tab and Shift+Tab through all that has keys; what of it is hidden when they come."""
    hidden = []
    for key in BACK_AND_FORTH:
        seen: set[QWidget] = set()
        while True:
            press(qtbot, window, key)
            focus = QApplication.focusWidget()
            assert focus is not None
            if focus in seen:
                break
            seen.add(focus)
            if why := out_of_sight(focus):
                hidden.append(why)
    return hidden


def test_tab_comes_to_nothing_hidden_in_low_panels(window: MainWindow, qtbot: QtBot) -> None:
    """The buttons of runs below the edge of their table removed runs unseen."""
    panel = window.findChild(RunsPanel)
    assert isinstance(panel, RunsPanel)
    for theme in ("light", "projector"):
        window.session.view.set(theme=theme)
        window.resizeDocks(list(window.docks), [140] * len(window.docks), Qt.Orientation.Vertical)
        QApplication.processEvents()
        assert panel.table.verticalScrollBar().maximum() > 0, "rows are hidden at first"
        assert not walk_in_sight(qtbot, window), theme


def test_tab_comes_to_nothing_hidden_in_a_sheet(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    for name, _ in dialogs(window, tmp_path, files=False):
        assert not walk_in_sight(qtbot, window), name


def test_the_row_that_the_keys_are_for_is_seen(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.findChild(RunsPanel)
    assert isinstance(panel, RunsPanel)
    window.resizeDocks(list(window.docks), [140] * len(window.docks), Qt.Orientation.Vertical)
    QApplication.processEvents()
    panel.select([panel.model.ids[-1]])
    panel.table.scrollToTop()
    last = panel.model.index(len(panel.model.ids) - 1, 1)
    assert panel.table.visualRect(last).bottom() > panel.table.viewport().height()
    panel.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
    assert panel.table.visualRect(last).bottom() <= panel.table.viewport().height()


def test_the_frame_comes_back_from_the_palette(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.view.set(enlarged="angles")
    find(window, qtbot, "next plot")
    plot = QApplication.focusWidget()
    assert plot is not None
    assert is_framed(plot)
    find(window, qtbot, "second cursor here")
    assert QApplication.focusWidget() is plot
    assert is_framed(plot)
    plot.clearFocus()
    plot.setFocus(Qt.FocusReason.MouseFocusReason)
    find(window, qtbot, "remove the second cursor")
    assert QApplication.focusWidget() is plot
    assert not is_framed(plot), "a mouse needs none"


def test_a_refused_value_is_seen_with_its_reason(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.findChild(IntegratorPanel)
    assert isinstance(panel, IntegratorPanel)
    row = next(one for one in panel.findChildren(NumberRow) if one.field.label == "step" and one.isVisible())
    row.number.setFocus(Qt.FocusReason.TabFocusReason)
    row.number.selectAll()
    qtbot.keyClicks(row.number, "banana")
    press(qtbot, window, Key.Key_Return)
    assert row.refused
    qtbot.waitUntil(lambda: not (out_of_sight(row) or out_of_sight(row.complaint)), timeout=3000)
    QApplication.processEvents()
    assert row.complaint.height() >= row.complaint.heightForWidth(row.complaint.width())
    assert not out_of_sight(row.complaint)
    press(qtbot, window, Key.Key_Escape)
