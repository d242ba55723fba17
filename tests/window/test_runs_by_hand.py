"""The table of runs in the real window: by mouse and by keys alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QItemSelectionModel, QMimeData, QPoint, Qt, qInstallMessageHandler
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from gui.app.runs import CURRENT
from gui.charts.colours import COLOURS
from gui.qt.panels.runs import RunsPanel
from gui.qt.widgets.fields import NumberRow
from gui.qt.window.main_window import MainWindow
from tests.window.hands import give_focus, press, wait_done

Key, Modifier, LEFT = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton.LeftButton
NAME = "Coarse"


@pytest.fixture
def window(shared_window: MainWindow, qtbot: QtBot) -> MainWindow:
    """The one window of this file, with runs at 20 and 10 ms pinned, the current one at 5 ms."""
    made = shared_window
    for step in (0.02, 0.01):
        made.session.edit("step", step)
        wait_done(qtbot, made)
        made.session.comparisons.pin()
    made.session.edit("step", 0.005)
    wait_done(qtbot, made)
    rows, model = made.session.runs, panel_of(made).model
    qtbot.waitUntil(lambda: all(row.judged and row.reference_state == "done" for row in rows.all), timeout=60_000)
    qtbot.waitUntil(lambda: "order" in model.keys and model.ids == [row.id for row in rows.all], timeout=60_000)
    return made


def panel_of(window: MainWindow) -> RunsPanel:
    panel = window.findChild(RunsPanel)
    assert isinstance(panel, RunsPanel)
    return panel


def labels(window: MainWindow) -> list[str]:
    return [row.setting.rpartition(", ")[2] for row in window.session.runs.all]


def click_cell(panel: RunsPanel, row: int, key: str, modifier: Qt.KeyboardModifier = Modifier.NoModifier) -> None:
    rect = panel.table.visualRect(panel.model.index(row, panel.model.keys.index(key)))
    QTest.mouseClick(panel.table.viewport(), LEFT, modifier, rect.center())


def text(panel: RunsPanel, row: int, key: str) -> str:
    return panel.model.index(row, panel.model.keys.index(key)).data()


def act(menu: QMenu, *path: str) -> None:
    """Choose an entry of a menu."""
    for name in path[:-1]:
        menu = next(one for action in menu.actions() if action.text() == name and (one := action.menu()) is not None)  # type: ignore[assignment]
    next(one for one in menu.actions() if one.text().removesuffix(" (no room now)") == path[-1]).trigger()


def begin_to_name(panel: RunsPanel, qtbot: QtBot, window: MainWindow) -> QLineEdit:
    """F2 on the first pinned run; returns the field."""
    # `selectRow` would heed modifiers that another test left pressed.
    flags = QItemSelectionModel.SelectionFlag
    panel.table.selectionModel().setCurrentIndex(panel.model.index(1, 0), flags.ClearAndSelect | flags.Rows)
    assert panel.selected() == [window.session.runs.all[1].id]
    press(qtbot, window, Key.Key_F2)
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    return editor


def test_f2_names_the_current_run_wherever_the_keys_are(window: MainWindow, qtbot: QtBot) -> None:
    panel, runs, pulls = panel_of(window), window.session.runs, window.session.scenario.segments
    for name, selected in (("my Pulse", []), ("kept Loop", [runs.all[2].id])):
        panel.table.clearSelection()
        panel.select(selected)
        assert window.viewport is not None
        window.viewport.setFocus()
        press(qtbot, window, Key.Key_F2)
        qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
        editor = QApplication.focusWidget()
        assert isinstance(editor, QLineEdit)
        qtbot.keyClicks(editor, name)
        press(qtbot, window, Key.Key_Return)
    assert [row.tag.name for row in runs.all] == ["my Pulse", "", "kept Loop"]
    assert window.session.scenario.segments == pulls, "letters of a name are no keys"


def test_naming_a_run_leaves_no_warning_in_the_log(window: MainWindow, qtbot: QtBot) -> None:
    """Enter commits the cell's field once: when the focus leaves it, the field is no longer the table's."""
    panel, said = panel_of(window), list[str]()
    before = qInstallMessageHandler(lambda kind, context, message: said.append(message))
    give_focus(qtbot, panel.table)
    qtbot.keyClicks(begin_to_name(panel, qtbot, window), NAME)
    press(qtbot, window, Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.runs.all[1].tag.name == NAME)
    QApplication.processEvents()
    qInstallMessageHandler(before)
    assert not [message for message in said if "editor" in message]


def test_a_run_is_named_moved_and_removed_by_keys_alone(window: MainWindow, qtbot: QtBot) -> None:
    panel, session = panel_of(window), window.session
    give_focus(qtbot, panel.table)
    editor = begin_to_name(panel, qtbot, window)
    qtbot.keyClicks(editor, NAME)
    session.runs.update(0, message="still there")
    assert editor.text() == NAME
    press(qtbot, window, Key.Key_Return)
    assert session.runs.all[1].label == NAME
    assert text(panel, 1, "method") == NAME
    assert NAME in window.viewport.legend.accessibleName()
    qtbot.waitUntil(lambda: not isinstance(QApplication.focusWidget(), QLineEdit))
    give_focus(qtbot, panel.table)
    press(qtbot, window, Key.Key_Down, Modifier.AltModifier)
    assert [row.label == NAME for row in session.runs.all] == [False, False, True]
    assert panel.selected() == [session.runs.all[2].id]
    press(qtbot, window, Key.Key_Up, Modifier.AltModifier)
    assert session.runs.all[1].label == NAME
    press(qtbot, window, Key.Key_Delete)
    assert labels(window) == ["step 5\u00a0ms", "step 10\u00a0ms"]
    for _ in range(4):
        session.history.undo()
    assert labels(window) == ["step 5\u00a0ms", "step 20\u00a0ms", "step 10\u00a0ms"]
    assert session.runs.all[1].label != NAME


def test_escape_leaves_the_name_and_the_method_as_they_were(window: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(window)
    give_focus(qtbot, panel.table)
    qtbot.keyClicks(begin_to_name(panel, qtbot, window), "x")
    press(qtbot, window, Key.Key_Escape)
    assert window.session.runs.all[1].tag.name == ""
    assert window.session.scenario.method == "rk4"


def test_a_click_on_a_heading_sorts_and_again_the_other_way(window: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(window)
    header = panel.table.horizontalHeader()
    place = panel.model.keys.index("error")
    at = QPoint(header.sectionViewportPosition(place) + 20, header.height() // 2)
    qtbot.mouseClick(header.viewport(), LEFT, pos=at)
    assert labels(window) == ["step 5\u00a0ms", "step 10\u00a0ms", "step 20\u00a0ms"]
    headings = [panel.model.headerData(k, Qt.Orientation.Horizontal) for k in range(len(panel.model.keys))]
    assert [heading for heading in headings if str(heading).endswith(("↑", "↓"))] == ["Max error ↑"]
    qtbot.mouseClick(header.viewport(), LEFT, pos=at)
    assert labels(window) == ["step 5\u00a0ms", "step 20\u00a0ms", "step 10\u00a0ms"]
    assert panel.model.headerData(place, Qt.Orientation.Horizontal) == "Max error ↓"
    window.session.comparisons.move(panel.model.ids[1], 1)
    assert panel.model.headerData(place, Qt.Orientation.Horizontal) == "Max error", "a hand has moved a run"
    window.session.history.undo()
    window.session.history.undo()
    assert labels(window) == ["step 5\u00a0ms", "step 10\u00a0ms", "step 20\u00a0ms"]


def test_a_selected_run_is_compared_in_words_and_has_a_note(window: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(window)
    assert panel.footer.isHidden()
    click_cell(panel, 1, "method")
    assert panel.footer.words.text().startswith("Against the current run: step 20\u00a0ms instead of 5\u00a0ms. Error ")
    click_cell(panel, 2, "method", Modifier.ControlModifier)
    assert panel.footer.words.text().startswith(
        "Against Runge-Kutta 4 (classical): step 20\u00a0ms instead of 10\u00a0ms."
    )
    click_cell(panel, 2, "method")
    act(panel.menu_for(window.session.runs.all[2].id), "Note…")
    assert QApplication.focusWidget() is panel.footer.note
    qtbot.keyClicks(panel.footer.note, "as on slide 7 p")
    press(qtbot, window, Key.Key_Return)
    assert window.session.runs.all[2].tag.note == "as on slide 7 p"
    qtbot.waitUntil(panel.table.hasFocus)  # as after F2: the next key is for this run
    assert len(window.session.runs.all) == 3
    tip = panel.model.index(2, panel.model.keys.index("method")).data(Qt.ItemDataRole.ToolTipRole)
    assert tip.endswith("as on slide 7 p")
    window.session.files.new("rr-pd")
    assert panel.selected() == [], "another document: nothing of it has been selected"
    qtbot.waitUntil(panel.footer.isHidden)


def test_order_and_ratio_are_columns_and_a_typed_duration_is_that_of_every_run(
    window: MainWindow, qtbot: QtBot
) -> None:
    panel, runs = panel_of(window), window.session.runs
    assert float(text(panel, 0, "order")) == pytest.approx(4.0, abs=0.3)
    assert float(text(panel, 2, "ratio").rstrip("×")) == pytest.approx(16.0, rel=0.3)
    number = next(row.number for row in window.findChildren(NumberRow) if row.field.key == "duration")
    qtbot.mouseClick(number, LEFT)
    qtbot.keyClicks(number, "8")
    press(qtbot, window, Key.Key_Return)
    qtbot.waitUntil(lambda: all(row.run is not None and row.run.t_end == 8.0 for row in runs.all), timeout=60_000)


def test_until_when_the_reference_can_be_trusted_stands_in_the_status_line(window: MainWindow, qtbot: QtBot) -> None:
    assert window.session.files.new("rr-chaos")
    window.resize(1600, 900)
    wait_done(qtbot, window)
    said = "The reference can be trusted until"
    qtbot.waitUntil(lambda: said in window.notice.text(), timeout=60_000)


def test_colour_order_and_columns_are_in_the_menu(window: MainWindow, qtbot: QtBot) -> None:
    panel, session = panel_of(window), window.session
    first = session.runs.all[1].id
    act(panel.menu_for(first), "Colour", "Sky blue")
    assert session.runs.find(first).colour == COLOURS[3]
    plots = next(dock.panel for dock in window.docks if dock.kind.key == "plots")
    energy = plots.plots["energy"]  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: COLOURS[3] in {curve.colour for curve in energy.chart.curves})
    session.comparisons.rename(first, "Mine")
    qtbot.waitUntil(lambda: "Mine" in {curve.run for curve in energy.chart.curves})
    session.comparisons.rename(first, "")
    act(panel.menu_for(first), "Move down")
    assert session.runs.all[2].id == first
    act(panel.menu_for(first), "Sort by", "Max error")
    assert labels(window)[1] == "step 10\u00a0ms"
    act(panel.menu_for(first), "Columns", "Time")
    assert "time" not in panel.model.keys
    act(panel.menu_for(first), "Columns", "At the playhead", "q₁")
    session.playback.seek(1.0)
    before = text(panel, 1, "at.q1")
    session.playback.seek(2.0)
    assert before != text(panel, 1, "at.q1")
    act(panel.menu_for(first), "Columns", "Reset columns")
    assert "time" in panel.model.keys
    panel.table.selectRow(1)
    give_focus(qtbot, panel.table)
    press(qtbot, window, Key.Key_Menu)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert "Duplicate" in [action.text() for action in menu.actions()]
    menu.close()


@pytest.mark.parametrize(
    ("key", "modifier"), [(Key.Key_Menu, Modifier.NoModifier), (Key.Key_F10, Modifier.ShiftModifier)]
)
@pytest.mark.parametrize("row", [1, 2])
def test_the_menu_by_keys_is_that_of_the_selected_run(
    window: MainWindow, qtbot: QtBot, row: int, key: Qt.Key, modifier: Qt.KeyboardModifier
) -> None:
    panel, rows = panel_of(window), window.session.runs
    panel.table.clearSelection()
    panel.select([rows.all[row].id])
    give_focus(qtbot, panel.table)
    press(qtbot, window, key, modifier)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    act(menu, "Hide")
    menu.close()
    assert [one.visible for one in rows.all] == [place != row for place in range(3)]


def test_a_run_is_dragged_to_another_place(window: MainWindow) -> None:
    panel, session = panel_of(window), window.session
    model = panel.model
    first, second = (row.id for row in session.runs.all[1:])
    data: QMimeData = model.mimeData([model.index(1, 1)])
    move = Qt.DropAction.MoveAction
    assert not model.dropMimeData(data, move, -1, -1, model.index(2, 1))
    assert [row.id for row in session.runs.all[1:]] == [second, first]
    model.dropMimeData(data, move, 0, -1, model.index(-1, -1))
    assert [row.id for row in session.runs.all[1:]] == [first, second]
    model.dropMimeData(data, move, 3, -1, model.index(-1, -1))
    assert [row.id for row in session.runs.all[1:]] == [second, first]
    model.dropMimeData(QMimeData(), move, 1, -1, model.index(-1, -1))
    assert not model.flags(model.index(0, 1)) & Qt.ItemFlag.ItemIsDragEnabled


def test_a_choice_is_compared_by_its_menu(open_one: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = open_one(gallery=False)
    window.session.files.new("e12")
    window.session.edit("duration", 0.02)
    wait_done(qtbot, window)
    from gui.qt.widgets.form import Form

    form = next(form for form in window.findChildren(Form) if "task.formulation" in form.rows)
    act(form.menu_of("task.formulation"), "Compare all, side by side")
    panel = panel_of(window)
    qtbot.waitUntil(lambda: "condition" in panel.model.keys and len(panel.model.ids) == 4, timeout=60_000)
    assert all("formulation = " in text(panel, row, "setting") for row in range(4))


def test_every_choice_that_makes_another_run_is_compared_by_its_menu(
    open_one: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    """How the step is controlled is such a choice, too; how much a drawing exaggerates is not, and a number is none."""
    window = open_one(gallery=False)
    window.session.edit_many({"duration": 0.5, "method": "rkf45", "rtol": 1e-6, "atol": 1e-6})
    wait_done(qtbot, window)
    from gui.qt.widgets.form import Form

    compare = "Compare all, side by side"
    offered = {
        path: compare in [action.text() for action in form.menu_of(path).actions()]
        for form in window.findChildren(Form)
        for path in form.rows
        if form.fields[path].choices or path == "rtol"
    }
    assert offered["controller"]
    assert not offered["rtol"]
    assert {path for path, able in offered.items() if not able} == {
        path for path in offered if path.startswith("view.") or path == "rtol"
    }
    form = next(form for form in window.findChildren(Form) if "controller" in form.rows)
    act(form.menu_of("controller"), compare)
    wanted = set(form.fields["controller"].choices)
    assert {row.scenario.controller for row in window.session.runs.all} == wanted


def test_a_run_alone_is_named_without_being_selected(window: MainWindow, qtbot: QtBot) -> None:
    panel, session = panel_of(window), window.session
    for row in session.runs.all[1:]:
        session.comparisons.remove(row.id)
    panel.table.selectionModel().clear()
    give_focus(qtbot, panel.table)
    press(qtbot, window, Key.Key_F2)
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    qtbot.keyClicks(QApplication.focusWidget(), "Mine")
    press(qtbot, window, Key.Key_Return)
    assert session.runs.current.label == "Mine"
    session.history.undo()


def test_after_a_run_is_removed_its_neighbour_is_selected(window: MainWindow, qtbot: QtBot) -> None:
    panel, session = panel_of(window), window.session
    while len(session.runs.all) < 4:
        session.comparisons.pin()
        session.edit("step", 0.01 + 0.001 * len(session.runs.all))
    second, third, last = (row.id for row in session.runs.all[1:4])
    give_focus(qtbot, panel.table)
    panel.select([third])
    for gone, then in ((third, last), (last, second)):
        press(qtbot, window, Key.Key_Delete)
        assert gone not in panel.model.ids
        assert panel.selected() == [then]
    while len(session.runs.all) > 2:
        session.history.undo()


def test_a_copy_of_a_run_is_selected(window: MainWindow, qtbot: QtBot) -> None:
    panel, session = panel_of(window), window.session
    pinned = session.comparisons.pin()
    panel.select([pinned])
    for copy in (panel.buttons[pinned]["duplicate"].click, lambda: act(panel.menu_for(pinned), "Duplicate")):
        copy()
        (chosen,) = panel.selected()
        assert chosen not in (pinned, CURRENT)
        assert panel.model.ids[panel.model.ids.index(pinned) + 1] == chosen
        assert panel.table.visualRect(panel.table.currentIndex()).intersects(panel.table.viewport().rect())
        session.history.undo()
        panel.select([pinned])


def test_a_note_is_shown_from_its_beginning(window: MainWindow, qtbot: QtBot) -> None:
    panel, session = panel_of(window), window.session
    session.comparisons.note(CURRENT, "Every step adds a little energy, and nobody sees it until the arm swings over.")
    panel.table.clearSelection()
    panel.select([CURRENT])
    panel.footer.refresh()
    assert panel.footer.note.cursorPosition() == 0
    session.history.undo()
