"""What a person compares in the table of runs is there in type of every size: sideways, in whole columns."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from gui.app.table.columns import NOTHING
from gui.qt.panels.runs import RunsPanel
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE, press
from tests.window.test_low_runs import cut, panel_of

COMPARED = ("method", "setting", "error", "rhs", "rejected", "time")
METHODS = ("dopri5", "dop853", "bs32", "rkf78", "dverk", "tsit5")


@pytest.fixture(params=[1, 7], ids=["one run", "seven runs"])
def panel(shared_window: MainWindow, qtbot: QtBot, request: pytest.FixtureRequest) -> Iterator[RunsPanel]:
    """A run, or seven, that control their steps and reject some."""
    window, session = shared_window, shared_window.session
    window.resize(1280, 720)
    session.edit_many({"duration": 5.0, "method": "ck54", "rtol": 1e-8, "atol": 1e-10})
    for method in METHODS[: request.param - 1]:
        session.comparisons.pin()
        session.edit_many({"method": method})
    assert len(session.runs.all) == request.param
    done = ("done", "done")
    qtbot.waitUntil(
        lambda: all((row.state, row.reference_state) == done and row.judged for row in session.runs.all),
        timeout=PATIENCE,
    )
    session.playback.pause()
    panel = panel_of(window)
    # A time is said once it has been measured warm, and its column is there from then on.
    time = panel.model.keys.index("time")
    qtbot.waitUntil(lambda: panel.model.index(0, time).data() != NOTHING, timeout=PATIENCE)
    yield panel
    session.preferences.set_text_size(100)


def said(panel: RunsPanel, row: int, key: str) -> str:
    """What the table draws in a cell where it stands now; empty where that is out of sight or cut."""
    index, option = panel.model.index(row, panel.model.keys.index(key)), QStyleOptionViewItem()
    panel.table.initViewItemOption(option)
    option.rect = place = panel.table.visualRect(index)  # type: ignore[attr-defined]
    if not panel.table.viewport().rect().intersects(place):
        return ""
    panel.table.itemDelegate().initStyleOption(option, index)
    return str(option.text)  # type: ignore[attr-defined]


def narrow(panel: RunsPanel) -> list[str]:
    """The columns with less room than their heading or a number needs."""
    header, measure, found = panel.table.horizontalHeader(), panel.table.fontMetrics().horizontalAdvance, []
    for place, key in enumerate(panel.model.keys):
        if panel.table.isColumnHidden(place) or key in ("swatch", "actions", "method", "setting", "status"):
            continue
        texts = [str(panel.model.index(row, place).data()) for row in range(len(panel.model.ids))]
        if panel.table.columnWidth(place) < max(header.sectionSizeFromContents(place).width(), *map(measure, texts)):
            found.append(key)
    return found


def test_what_is_compared_is_reached_whole(panel: RunsPanel, qtbot: QtBot) -> None:
    """Seven runs had neither a time nor how many steps were rejected, and large type cut the tolerances."""
    session, model, table = panel.session, panel.model, panel.table
    bar = table.horizontalScrollBar()
    for theme, percent in (("light", 100), ("light", 150), ("projector", 200)):
        session.view.set(theme=theme)
        session.preferences.set_text_size(percent)
        QApplication.processEvents()
        look = theme, percent
        assert not set(panel.left_out) & set(COMPARED), look
        assert cut(panel) == narrow(panel) == [], look
        if percent == 100:
            assert bar.maximum() == 0 or len(session.runs.all) > 1, "one run needs no scrolling"
        reached: dict[str, str] = {}
        for at in range(bar.maximum() + 1):
            bar.setValue(at)
            QApplication.processEvents()
            for key in COMPARED:
                place = model.keys.index(key)
                text, whole = said(panel, 0, key), str(model.index(0, place).data())
                assert text in ("", whole) or key in ("method", "setting"), (look, at, key, text)
                left = table.visualRect(model.index(0, place))
                inside = left.left() >= 0 and left.right() < table.viewport().width()
                assert not text or inside or left.left() < 0, (look, at, key, "a number in part is another number")
                reached[key] = reached.get(key) or (text if inside else "")
        assert all(reached.values()), (look, reached)
        bar.setValue(0)


def test_keys_bring_a_column_beyond_the_edge_into_sight(panel: RunsPanel, qtbot: QtBot) -> None:
    window, session, table = panel.window(), panel.session, panel.table
    assert isinstance(window, MainWindow)
    session.preferences.set_text_size(200)
    QApplication.processEvents()
    qtbot.waitUntil(lambda: table.viewport().height() >= table.rowHeight(0), timeout=PATIENCE)
    bar, time = table.horizontalScrollBar(), panel.model.index(0, panel.model.keys.index("time"))
    assert bar.maximum() > 0
    table.setFocus()
    press(qtbot, window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert bar.value() == 0
    for _ in range(bar.maximum()):
        press(qtbot, window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert bar.value() == bar.maximum()
    assert session.playback.t == 0.0, "they are no keys of the time here"
    while not table.viewport().rect().contains(table.visualRect(time)):
        assert bar.value() > 0
        press(qtbot, window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert said(panel, 0, "time") == time.data()
