from __future__ import annotations

from math import inf

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPalette
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from gui.app.computing.compute import BEGINS
from gui.app.session.session import Session
from gui.compose.picture import legend
from gui.qt.panels._runs_columns import LEAST_STATUS
from gui.qt.panels._runs_table import NameDelegate, copied_table
from gui.qt.panels._runs_widths import shared
from gui.qt.panels.runs import RunsPanel
from gui.qt.style.theme import look
from gui.qt.viewport.run_legend import at_most, brief
from robots.scenario.presets import find_scenario

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(session: Session, qtbot: QtBot) -> RunsPanel:
    made = RunsPanel(session)
    qtbot.addWidget(made)
    made.resize(1200, 220)
    with qtbot.waitExposed(made):
        made.show()
    return made


def cell(panel: RunsPanel, place: int, key: str, role: Qt.ItemDataRole = Qt.ItemDataRole.DisplayRole):
    return panel.model.index(place, panel.model.keys.index(key)).data(role)


def test_the_current_run_is_shown_in_one_row(panel: RunsPanel, session: Session) -> None:
    assert panel.model.rowCount() == 1
    assert "Runge-Kutta 4" in cell(panel, 0, "method")
    assert cell(panel, 0, "setting") == "step 10\u00a0ms"
    assert cell(panel, 0, "rhs") == "800"
    assert cell(panel, 0, "rejected") == "0"
    assert cell(panel, 0, "error").endswith("\u00a0rad")
    assert cell(panel, 0, "time").endswith("s")
    assert "reference" in cell(panel, 0, "error", Qt.ItemDataRole.ToolTipRole)


def test_pin_compare_edit_duplicate_remove(panel: RunsPanel, session: Session, qtbot: QtBot) -> None:
    qtbot.mouseClick(panel.buttons[0]["pin"], LEFT)
    assert panel.model.rowCount() == 2
    session.edit("step", 0.02)
    pinned = session.runs.all[1].id
    assert cell(panel, 0, "setting") == "step 20\u00a0ms"
    assert cell(panel, 1, "setting") == "step 10\u00a0ms"
    assert session.runs.current.colour != session.runs.all[1].colour
    assert session.runs.current.dash != session.runs.all[1].dash
    qtbot.mouseClick(panel.buttons[pinned]["duplicate"], LEFT)
    assert panel.model.rowCount() == 3
    qtbot.mouseClick(panel.buttons[pinned]["edit"], LEFT)
    assert session.scenario.step == 0.01
    qtbot.mouseClick(panel.buttons[pinned]["remove"], LEFT)
    assert panel.model.rowCount() == 2
    session.history.undo()
    assert panel.model.rowCount() == 3


def test_an_edit_shows_the_values_once(panel: RunsPanel, session: Session, qtbot: QtBot) -> None:
    QCoreApplication.processEvents()
    shown: list[bool] = []
    panel.model.dataChanged.connect(lambda first, last: shown.append(first.column() == 0))
    session.comparisons.pin()
    session.edit("step", 0.02)
    assert not shown
    qtbot.waitUntil(lambda: bool(shown))
    assert shown.count(True) == 1
    assert panel.buttons[session.runs.all[1].id]["show"].accessibleName().endswith("step 10\u00a0ms")


def test_a_run_is_hidden_and_shown(panel: RunsPanel, session: Session, qtbot: QtBot) -> None:
    qtbot.mouseClick(panel.buttons[0]["show"], LEFT)
    assert not session.runs.current.visible
    brush = cell(panel, 0, "method", Qt.ItemDataRole.ForegroundRole)
    assert brush.color() == QGuiApplication.palette().color(QPalette.ColorRole.PlaceholderText)
    qtbot.mouseClick(panel.buttons[0]["show"], LEFT)
    assert session.runs.current.visible


def test_a_pinned_run_says_in_what_it_differs(panel: RunsPanel, session: Session) -> None:
    session.comparisons.pin()
    session.edit("robot.m1", 2.0)
    assert cell(panel, 1, "setting") == "mass 1 = 1\u00a0kg"
    assert cell(panel, 1, "setting", Qt.ItemDataRole.ToolTipRole) == "mass 1 = 1\u00a0kg\nstep 10\u00a0ms"


def test_a_run_that_blows_up_says_why_in_its_row(panel: RunsPanel, session: Session) -> None:
    session.edit_many({"method": "rk1", "step": 0.5, "duration": 20.0})
    assert session.runs.current.state == "failed"
    assert "grew without bound" in cell(panel, 0, "status")
    brush = cell(panel, 0, "status", Qt.ItemDataRole.ForegroundRole)
    assert brush.color() == look().theme.colour("danger")
    # A row that is selected says so, too.
    panel.select([0])
    place = panel.table.visualRect(panel.model.index(0, panel.model.keys.index("status")))
    assert shows(panel.table.viewport().grab(place).toImage(), brush.color())


def shows(image: QImage, colour: QColor) -> bool:
    """Whether a pixel has nearly this colour."""
    wanted = np.array([colour.red(), colour.green(), colour.blue()])
    pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    found = np.array([(pixel.red(), pixel.green(), pixel.blue()) for pixel in pixels])
    return bool((np.abs(found - wanted).max(axis=1) < 30).any())


def test_a_run_beyond_its_stability_limit_is_no_plain_success(panel: RunsPanel, session: Session) -> None:
    friction = {"task.d1": 60.0, "task.d2": 30.0, "duration": 3.0}
    session.files.adopt(find_scenario("rr-friction").with_values({"step": 0.001, **friction}))
    assert cell(panel, 0, "status") == "Finished at t = 3 s."
    assert cell(panel, 0, "status", Qt.ItemDataRole.ForegroundRole) is None
    run = session.runs.current.run
    assert run is not None
    assert run.stability is not None
    stability = run.stability
    session.edit("step", 1.05 * float(stability.longest.min()))
    assert session.runs.current.state == "done"
    assert cell(panel, 0, "status").startswith("Unstable: at t = ")
    tip = cell(panel, 0, "status", Qt.ItemDataRole.ToolTipRole)
    assert tip.endswith(session.runs.current.message)
    brush = cell(panel, 0, "status", Qt.ItemDataRole.ForegroundRole)
    assert brush.color() == look().theme.colour("warning")
    assert "Unstable" in session.messages.notice
    (entry,) = legend(session.runs.all, 99.0)
    assert not entry.alarm


def test_numbers_of_the_run_before_step_back_while_a_long_one_computes(panel: RunsPanel, session: Session) -> None:
    muted = QGuiApplication.palette().color(QPalette.ColorRole.PlaceholderText)
    for progress in (0.0, 0.2):
        session.runs.update(0, state="computing", progress=progress)
        brush = cell(panel, 0, "rhs", Qt.ItemDataRole.ForegroundRole)
        assert (brush is not None and brush.color() == muted) == (progress > 0.0)
        assert cell(panel, 0, "method", Qt.ItemDataRole.ForegroundRole) is None


def test_names_stand_on_one_line(panel: RunsPanel, session: Session, qtbot: QtBot) -> None:
    session.comparisons.pin()
    session.edit("method", "dopri5")
    table, measure = panel.table, panel.table.fontMetrics().horizontalAdvance
    for width in (1400, 900, 560):
        panel.resize(width, 220)
        qtbot.waitUntil(lambda width=width: abs(panel.width() - width) < 2)
        assert not table.wordWrap()
        for row in range(2):
            for place, column in enumerate(panel.columns, 1):
                index = panel.model.index(row, place)
                text, room = index.data(), table.columnWidth(place)
                whole = table.isColumnHidden(place) or measure(text) < room
                assert whole or (column.words and text in index.data(Qt.ItemDataRole.ToolTipRole)), (width, text, room)
        longest = max(measure(panel.model.index(row, 1).data()) for row in range(2))
        status = table.columnWidth(panel.model.keys.index("status"))
        assert table.columnWidth(1) > longest or status <= LEAST_STATUS, "the status gives way before the names do"
    brief = max(measure(initials) for _, initials in panel.model.brief_names())
    assert table.columnWidth(1) > brief, "names are whole in a narrow table, as initials"
    delegate, place = table.itemDelegate(), panel.model.keys.index("status")
    assert isinstance(delegate, NameDelegate)
    for room, words in ((400, "Finished at t = 2 s."), (table.columnWidth(place), "Finished")):
        option = QStyleOptionViewItem()
        option.rect = QRect(0, 0, room, 30)  # type: ignore[attr-defined]
        option.fontMetrics = table.fontMetrics()  # type: ignore[attr-defined]
        delegate.initStyleOption(option, panel.model.index(0, place))
        assert option.text == words, "a word, never half a sentence"  # type: ignore[attr-defined]
        assert measure(words) < room
    session.edit("step", 0.03)
    assert "does not divide" in session.runs.current.message
    option.rect = QRect(0, 0, 2000, 30)  # type: ignore[attr-defined]
    delegate.initStyleOption(option, panel.model.index(0, place))
    assert "does not divide" in option.text, "all that is said of a run, where it has room"  # type: ignore[attr-defined]


def test_columns_share_the_room() -> None:
    wanted = {"method": 200.0, "setting": 80.0, "status": 150.0}
    assert shared(wanted, 500.0) == {"method": 200.0, "setting": 80.0, "status": 220.0}
    assert shared(wanted, 400.0) == {"method": 170.0, "setting": 80.0, "status": 150.0}
    assert sum(shared(wanted, 90.0).values()) == pytest.approx(90.0)
    assert shared({}, 100.0) == {}


def test_the_table_is_copied_as_text(panel: RunsPanel, session: Session) -> None:
    session.comparisons.pin()
    lines = copied_table(session).strip().split("\n")
    assert len(lines) == 3
    assert lines[0].split("\t")[:3] == ["Method", "Setting", "Step [s]"]
    panel.copy()
    assert QGuiApplication.clipboard().text() == copied_table(session)


def test_keys_remove_and_the_menu_offers_the_same(panel: RunsPanel, session: Session, qtbot: QtBot) -> None:
    pinned = session.comparisons.pin()
    panel.table.selectRow(1)
    panel.table.setFocus()
    texts = [action.text() for action in panel.menu_for(pinned).actions()]
    assert {"Hide", "Duplicate", "Remove", "Copy table"} <= set(texts)
    qtbot.keyClick(panel.table, Qt.Key.Key_Delete)
    assert [row.id for row in session.runs.all] == [0]


def test_names_and_settings_that_begin_alike_keep_their_ends(panel: RunsPanel) -> None:
    delegate, modes = panel.table.itemDelegate(), {}
    assert isinstance(delegate, NameDelegate)
    for place, key in enumerate(panel.model.keys):
        option = QStyleOptionViewItem()
        option.textElideMode = Qt.TextElideMode.ElideRight  # type: ignore[attr-defined]
        delegate.initStyleOption(option, panel.model.index(0, place))
        modes[key] = option.textElideMode  # type: ignore[attr-defined]
    middle = {key for key, mode in modes.items() if mode == Qt.TextElideMode.ElideMiddle}
    assert middle == {"method", "setting"}


def test_every_button_has_a_name(panel: RunsPanel, session: Session) -> None:
    session.comparisons.pin()
    QCoreApplication.processEvents()
    for buttons in panel.buttons.values():
        for button in buttons.values():
            assert button.accessibleName()
            assert button.toolTip()


def test_the_numbers_of_another_method_are_not_shown_beside_its_successor(panel: RunsPanel, session: Session) -> None:
    session.runs.update(0, **BEGINS, scenario=session.scenario.with_value("method", "dop853"))
    assert "Dormand" in cell(panel, 0, "method")
    assert [cell(panel, 0, key) for key in ("error", "rhs", "rejected", "time")] == ["…"] * 4
    assert [cell(panel, 0, key) for key in ("swatch", "status", "actions")] == ["", "computing", ""]
    assert "800" not in copied_table(session)
    assert cell(panel, 0, "error", Qt.ItemDataRole.ToolTipRole) == "…"
    assert legend(session.runs.all, 0.0)[0].setting.endswith("computing")
    session.runs.update(0, state="failed", message="It broke.")
    assert legend(session.runs.all, 0.0)[0].setting.endswith("failed")
    assert [cell(panel, 0, key) for key in ("error", "rhs", "rejected", "time")] == ["–"] * 4


def test_a_legend_of_many_runs_leaves_room_for_the_arm(session: Session) -> None:
    for _ in range(8):
        session.comparisons.pin()
    entries = legend(session.runs.all, 0.0)
    assert at_most(entries, 9) == entries
    few = at_most(entries, 4)
    assert few[:3] == entries[:3]
    assert few[0].current
    assert few[3].label == "and 6 more"


def test_a_short_legend_keeps_the_remarks_that_make_it_no_wider(session: Session, qtbot: QtBot) -> None:
    for method in ("rk1", "rk4"):
        session.edit("method", method)
        session.comparisons.pin()

    def names() -> list[str]:
        return [entry.label for entry in brief(legend(session.runs.all, 0.0), session.runs.all, inf)]

    session.edit_many({"method": "rkf45", "rtol": 1e-4, "atol": 1e-6})
    assert names() == ["Runge-Kutta-Fehlberg 4(5)", "Runge-Kutta 1 (explicit Euler)", "Runge-Kutta 4 (classical)"]
    session.edit_many({"method": "rk2", "step": 0.01})
    assert names() == ["Runge-Kutta 2", "Runge-Kutta 1", "Runge-Kutta 4"]


def test_the_setting_of_a_run_with_changes_on_the_way_is_written_in_full_in_its_tip(
    panel: RunsPanel, session: Session
) -> None:
    for at, method in ((0.5, "rk2"), (1.0, "rk1")):
        session.playback.seek(at)
        session.from_here.set(True)
        session.edit_many({"method": method})
    assert cell(panel, 0, "setting") == "step 10\u00a0ms, then 2 changes from 0.500\u00a0s"
    tip = cell(panel, 0, "setting", Qt.ItemDataRole.ToolTipRole)
    assert "from 0.500\u00a0s: Runge-Kutta 2 (Heun); from 1.000\u00a0s: Runge-Kutta 1 (explicit Euler)" in tip
