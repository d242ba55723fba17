"""A number field shows all of its value with the keys in it, in as few digits as are read as just that value."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QToolTip
from pytestqt.qtbot import QtBot

from gui.app.units import Unit, shortened
from gui.qt.dialogs._span_fields import NumberEdit
from gui.qt.dialogs.map import MapSheet
from gui.qt.dialogs.sheets import MARGIN
from gui.qt.dialogs.tableau_editor import TableauEditor, open_tableau_editor
from gui.qt.dialogs.work_precision import open_work_precision
from gui.qt.export.dialog.menu import open_export
from gui.qt.export.dialog.sheet import ExportSheet
from gui.qt.panels._ensemble import EnsembleSection
from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.panels.scenario import ScenarioPanel
from gui.qt.timeline.time_line import TimeLine
from gui.qt.widgets.fields import NumberRow
from gui.qt.widgets.parts import WrittenLine
from gui.qt.widgets.table_field import TableRow
from gui.qt.window.main_window import MainWindow
from robots.scenario.ensemble import Spread
from robots.sweeps.axes import SweepAxis
from tests.window.hands import give_focus, press
from tests.window.test_focus import row_of
from tests.window.test_map import opened_in
from tests.window.test_typed_numbers import come_to

Key = Qt.Key
LONG = 1.0 + 1.0 / 97.0


@pytest.fixture
def window(shared_window: MainWindow, qtbot: QtBot) -> MainWindow:
    give_focus(qtbot, shared_window)
    return shared_window


def lengthened(row: NumberRow) -> float | int | None:
    """A value of many digits near the present one."""
    begun = row.value if row.value is not None else row.field.default
    if row.field.type is int:
        return begun if isinstance(begun, int) else None
    size = float(begun) if isinstance(begun, int | float) and begun else (row.span or (0.0, 0.1))[1] / 7.0
    return next((one for one in (size * LONG, size / LONG) if row.field.minimum < one < row.field.maximum), None)


def judge(qtbot: QtBot, window: MainWindow, row: NumberRow) -> bool:
    """Give a row a value of many digits, come to it and leave it; whether the row takes such a value."""
    wanted = lengthened(row)
    if wanted is not None:
        row.edited.emit(wanted)
    if row.problem:
        press(qtbot, window, Key.Key_Escape)
    value, line, where = row.value, row.number, row.name
    if not isinstance(value, int | float):
        return False
    whole = row.unit.exact(value)
    # Between neighbouring numbers of degrees one of radians may have none.
    assert math.isclose(row.unit.read(whole) or 0.0, value, rel_tol=math.ulp(1.0)), where
    if line.text() != whole:
        assert "…" in line.text() or math.isclose(row.unit.read(line.text()) or 0.0, value, rel_tol=1e-14), where
        assert not line.has_room(whole), where
        assert whole in line.toolTip(), where
        assert whole in line.accessibleDescription(), where
    assert line.has_room(line.text()), where
    before = window.session.history.present, window.session.scenario
    line.setFocus(Qt.FocusReason.TabFocusReason)
    assert line.text() == whole, where
    assert line.selectedText() == whole, where
    assert line.accessibleDescription() == "", where
    press(qtbot, window, Key.Key_Return)
    assert (window.session.history.present, window.session.scenario) == before, where
    assert row.value == value, where
    return isinstance(value, float) and len(whole) > 9


@pytest.mark.parametrize("preset", ["rr-swing", "rr-chaos", "scara-pick", "pa10-weld"])
def test_every_number_of_the_panels_is_whole_with_the_keys_in_it(window: MainWindow, qtbot: QtBot, preset: str) -> None:
    window.session.files.new(preset)
    judged = 0
    for kind in (ScenarioPanel, IntegratorPanel):
        come_to(window, kind)
        panel = window.findChild(kind)
        assert panel is not None
        for row in [row for row in panel.findChildren(NumberRow) if row.isVisible()]:
            if row.isVisible() and row.isEnabled():  # another value may have made it matter no more
                judged += judge(qtbot, window, row)
    assert judged >= 5
    window.session.files.new("rr-swing")


def test_the_width_of_an_ensemble_is_whole_with_the_keys_in_it(window: MainWindow, qtbot: QtBot) -> None:
    assert window.session.ensembles.spread("initial.q2", Spread("normal", 0.01 / 3.0)) == ""
    section = window.findChild(EnsembleSection)
    assert isinstance(section, EnsembleSection)
    come_to(window, ScenarioPanel)
    for row in (section.rows["initial.q2"].amount, section.members, section.seed, section.number):
        judge(qtbot, window, row)
    window.session.files.new("rr-swing")


def test_a_step_has_its_last_digit(window: MainWindow, qtbot: QtBot) -> None:
    """0.0003125 s were 0.000313 in their field, and nowhere whole: another last digit changed the others, too."""
    window.session.files.new("rr-swing")
    come_to(window, IntegratorPanel)
    panel = window.findChild(IntegratorPanel)
    assert panel is not None
    row = next(row for row in panel.findChildren(NumberRow) if row.field.key == "step" and row.isVisible())
    for step, last in ((0.0003125, 0.0003126), (0.0123456, 0.0123457), (1.0 / 3000.0, 0.0003333333333333334)):
        window.session.edit("step", step)
        row.number.setFocus(Qt.FocusReason.TabFocusReason)
        press(qtbot, window, Key.Key_End)
        press(qtbot, window, Key.Key_Backspace)
        qtbot.keyClicks(row.number, repr(last)[-1])
        press(qtbot, window, Key.Key_Return)
        assert window.session.scenario.get("step") == last
    assert "…" in row.number.text()
    row.menu_asked.emit(row.mapToGlobal(row.rect().center()))
    menu = QApplication.activePopupWidget()
    assert menu is not None
    next(action for action in menu.actions() if action.text() == "Copy").trigger()
    menu.close()
    assert QGuiApplication.clipboard().text() == "0.0003333333333333334"
    window.session.files.new("rr-swing")


@pytest.mark.parametrize("degrees", [90.0, 30.3, -12.7, 45.0, 0.1, 359.99])
def test_degrees_that_were_typed_or_stepped_stay_short(window: MainWindow, qtbot: QtBot, degrees: float) -> None:
    row = row_of(window, "initial.q1")
    come_to(window, ScenarioPanel)
    window.session.edit("initial.q1", math.radians(degrees))
    row.number.setFocus(Qt.FocusReason.TabFocusReason)
    assert row.number.text() == f"{degrees:g}"
    press(qtbot, window, Key.Key_Up)
    assert len(row.number.text()) <= len("-359.99")
    press(qtbot, window, Key.Key_Escape)
    assert row.slider is not None
    for share in range(1, 1000, 37):
        row.slider.setValue(share)
        assert len(Unit.of("rad").exact(window.session.scenario.get("initial.q1"))) <= len("-359.9")
    window.session.files.new("rr-swing")


def test_the_time_is_whole_with_the_keys_in_it(window: MainWindow, qtbot: QtBot) -> None:
    playback, line = window.session.playback, window.findChild(TimeLine)
    assert line is not None
    playback.seek(1.0 / 3.0)
    line.setFocus(Qt.FocusReason.TabFocusReason)
    assert float(line.text()) == playback.t == 1.0 / 3.0
    press(qtbot, window, Key.Key_Return)
    assert playback.t == 1.0 / 3.0
    assert line.text() == "t = 0.333\u00a0s"


def test_the_numbers_of_sheets_are_whole(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    session = window.session
    session.edit_many({"duration": 1.0 / 3.0, "step": 0.1 / 97.0})
    sheet = opened_in(window)
    assert isinstance(sheet, MapSheet)
    axis = SweepAxis("initial.q1", 1.0 / 3.0, 2.0 / 3.0, 3, False)
    sheet.across.propose(axis)
    assert sheet.across.axis(session.scenario) == axis
    sheet.dismiss()
    work = open_work_precision(window, session)
    first, last = work.fixed.first, work.fixed.last
    proposed = first.value(), last.value()
    for line in (first, last):
        line.setFocus(Qt.FocusReason.TabFocusReason)
        assert float(line.text()) == line.value()
        press(qtbot, window, Key.Key_Return)
    assert (first.value(), last.value()) == proposed
    work.dismiss()
    assert NumberEdit("Target", 5e-5 / 3.0, "m").value() == 5e-5 / 3.0
    open_export(window.bench, "animation")
    form = window.sheet
    assert isinstance(form, ExportSheet)
    assert [float(line.text()) for line in (form.form.start, form.form.end)] == list(form.form.span)
    form.dismiss()
    session.files.new("rr-swing")


def test_a_number_of_a_sheet_that_there_is_no_room_for_ends_with_an_ellipsis(window: MainWindow, qtbot: QtBot) -> None:
    """It was cut off at the end of its line, or had six digits."""
    window.session.edit("step", 0.1 / 97.0)
    sheet = open_work_precision(window, window.session)
    line = sheet.fixed.last
    line.setText(repr(2e-7 / 3.0))
    assert not line.has_room(line.text())
    sheet.fixed.first.setFocus()
    QApplication.processEvents()
    cut = line.grab().toImage()
    line.setText(shortened(2e-7 / 3.0, line.has_room))
    assert line.has_room(line.text())
    QApplication.processEvents()
    assert line.grab().toImage() == cut
    sheet.dismiss()
    window.session.files.new("rr-swing")


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_a_coefficient_is_whole_or_ends_with_an_ellipsis(
    window: MainWindow, qtbot: QtBot, theme: str, size: tuple[int, int]
) -> None:
    """(-231+14*sqrt(21))/360 was cut behind its first 3, and a cell at the edge of the tableau within a digit."""
    window.session.view.set(theme=theme)
    window.resize(*size)
    editor = open_tableau_editor(window, window.session)
    editor.begin_from("rk8")
    QApplication.processEvents()
    assert all(cell.has_room(cell.text()) for cell in editor.grid.cells.values())
    room = min(size[0] - 2 * MARGIN, editor.preferred_size().width())
    assert editor.card.width() == room, "as wide as the tableau"
    bar = editor.grid.horizontalScrollBar()
    for at in range(0, bar.maximum() + 1, 41):
        bar.setValue(at)
        QApplication.processEvents()
        judge_coefficients(editor)
    editor.begin_from("v98")
    QApplication.processEvents()
    judge_coefficients(editor)
    cell = editor.grid.cells["A[3][1]"]
    assert not cell.has_room(cell.text())
    where = QPoint(40, 5)
    QApplication.sendEvent(cell, QHelpEvent(QEvent.Type.ToolTip, where, cell.mapToGlobal(where)))
    assert QToolTip.text() == f"{cell.text()}\nRow 3, column 1 of A"
    assert QAccessible.queryAccessibleInterface(cell).text(QAccessible.Text.Value) == cell.text()
    editor.dismiss()


def judge_coefficients(editor: TableauEditor) -> None:
    """What is not whole in sight has an ellipsis, and is drawn as the short text itself is."""
    window, grid = editor.window(), editor.grid
    for name, cell in grid.cells.items():
        seen = cell.visibleRegion().boundingRect()
        if seen.width() < 40 or seen.height() < cell.height() or cell.hasFocus():
            continue
        short = cell.in_short()
        assert cell.shown_whole() == (short == cell.text()), name
        assert cell.shown_whole() or "…" in short, name
        if seen.width() < cell.width() and name.startswith("b"):
            place = QRect(cell.mapTo(window, seen.topLeft()), seen.size())
            drawn, text = window.grab(place).toImage(), cell.text()
            cell.blockSignals(True)
            cell.setText(short)
            assert window.grab(place).toImage() == drawn, name
            cell.setText(text)
            cell.blockSignals(False)


def test_a_line_of_text_that_has_no_room_ends_with_an_ellipsis(window: MainWindow, qtbot: QtBot) -> None:
    for line in window.findChildren(QLineEdit):
        if line.isVisible() and not line.property("search"):
            assert isinstance(line, WrittenLine), line.accessibleName()
    editor = open_tableau_editor(window, window.session)
    editor.name.setText("A method with a name that is longer than its line " * 5)
    editor.grid.cells["b[1]"].setFocus()
    QApplication.processEvents()
    drawn = editor.name.grab().toImage()
    assert editor.name.in_short().endswith("…")
    editor.name.setText(editor.name.in_short())
    QApplication.processEvents()
    assert editor.name.grab().toImage() == drawn
    editor.dismiss()


def test_another_way_point_keeps_the_digits_of_this_one(window: MainWindow, tmp_path: Path) -> None:
    session = window.session
    session.files.new("pa10-weld")
    panel = window.findChild(ScenarioPanel)
    assert panel is not None
    table = panel.forms["task."].rows["task.points"]
    assert isinstance(table, TableRow)
    file = tmp_path / "points.csv"
    rows = [[0.4 + 0.1 / 3.0, 0.1, 0.5], [0.45, 0.123456789012345, 0.5], [0.5, 0.1, 0.5]]
    file.write_text("\n".join(", ".join(map(repr, row)) for row in rows))
    table.load_file(file)
    item = table.table.item(2, 0)
    assert item is not None
    item.setText("1/2.1")
    read = [[float(cell) for cell in row.split()] for row in str(session.scenario.get("task.points")).split(";")]
    assert read == [*rows[:2], [1 / 2.1, 0.1, 0.5]]
    session.files.new("rr-swing")
