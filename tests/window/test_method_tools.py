"""The editor of one's own method and the work-precision sheet, in a real window."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot

import assets
from assets.errors import BadInput
from gui.app.desks.work_precision import halved, steps_around
from gui.app.units import quantity
from gui.app.verdict import modes_text, verdict
from gui.charts.plots.order_conditions import Shape
from gui.qt.dialogs.tableau_editor import TableauEditor, open_tableau_editor
from gui.qt.dialogs.work_precision import WorkPrecisionSheet, open_work_precision
from gui.qt.drawing.marks import mark_size
from gui.qt.drawing.style import style_of
from gui.qt.widgets.method_card import numbers_text
from gui.qt.widgets.quiet import QuietComboBox
from gui.qt.widgets.scroll import FormScroll
from gui.qt.window.main_window import MainWindow
from robots.sweeps.work_precision import Point, work_precision
from solvers.method_registry import find_method
from solvers.tableaux.order_conditions import trees
from solvers.tableaux.own_tableau import from_text
from tests.window.hands import drag, screenshot
from tests.window.points import open_by_keys

PATIENCE = 60_000


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    return shared_window


def settled(editor: TableauEditor, qtbot: QtBot, words: str) -> None:
    qtbot.waitUntil(lambda: words in editor.order.text(), timeout=PATIENCE)


def test_a_tableau_is_judged_while_it_is_typed_used_and_kept(
    window: MainWindow, qtbot: QtBot, artifacts: Path, tmp_path: Path
) -> None:
    window.actions_by_key["run.own_method"].trigger()
    editor = window.findChildren(TableauEditor)[0]
    settled(editor, qtbot, "Order 4")
    assert editor.trees.isVisible()
    assert [curve.mark for curve in editor.trees.chart.curves] == ["circle"] * 8 + ["cross"] * 9
    cell = next(one for one in editor.grid.cells.values() if one.accessibleName() == "Weight b4")
    cell.setText("1/5")
    editor.grid.changed.emit()
    qtbot.waitUntil(lambda: "no step is short enough" in editor.trouble.text(), timeout=PATIENCE)
    assert editor.use.isEnabled(), "what is not consistent may run, with a warning"
    assert editor.order.text() == "Not consistent"
    cell.setText("one")
    editor.grid.changed.emit()
    qtbot.waitUntil(lambda: cell.property("refused") is True, timeout=PATIENCE)
    assert editor.trouble.text().startswith("Weight b4 must be a whole number, decimal, ")
    assert editor.trouble.text().endswith(", got 'one'")
    screenshot(qtbot, window, artifacts / "own-method-refused.png")
    editor.show_cells(from_text("tableau 1; name Heun; A 1/3; A 0, 2/3; b 1/4, 0, 3/4"))
    settled(editor, qtbot, "Order 3")
    assert editor.use.isEnabled()
    qtbot.mouseClick(editor.use, Qt.MouseButton.LeftButton)
    assert window.session.scenario.method == "own"
    qtbot.waitUntil(lambda: window.session.runs.current.state == "done", timeout=PATIENCE)
    run = window.session.runs.current.run
    assert run is not None
    assert run.counts.rhs_evaluations == 3 * run.counts.steps
    window.session.edit("method", "rk4")
    window.session.edit("method", "own")
    assert window.session.runs.current.label == "Heun"
    window.session.edit("method", "rk4")
    window.session.files.save(tmp_path / "typed.json")
    window.session.files.new("rr-pd")
    window.session.files.open(tmp_path / "typed.json")
    window.session.edit("method", "own")
    assert window.session.runs.current.label == "Heun"
    sheet = open_work_precision(window, window.session)
    assert "Heun" in [sheet.methods.item(row).text() for row in range(sheet.methods.count())]
    again = open_tableau_editor(window, window.session)
    assert again.start.itemText(1) == "Heun"
    again.name.setText("Half done")
    again.dismiss()
    again = open_tableau_editor(window, window.session)
    assert again.name.text() == "Half done", "what was not used is kept"
    again.dismiss()
    window.session.history.undo()
    assert window.session.scenario.method == "rk4"


def test_size_estimate_and_files(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    editor = open_tableau_editor(window, window.session)
    editor.stages.show_data(6)
    editor.stages.chosen.emit(6)
    assert editor.typed().stages == 6
    editor.estimate.setChecked(True)
    editor.nodes.setChecked(True)
    assert editor.typed().b_error is not None
    assert editor.typed().c == ("0", "1/2", "1/2", "1", "0", "0")
    file = tmp_path / "mine.json"
    file.write_text(assets.read_text("tableaux/rkf45.json"))
    editor.open_file(file)
    settled(editor, qtbot, "Order 4(5)")
    data = json.loads(file.read_text())
    data["A"][2][1] = "nonsense"
    file.write_text(json.dumps(data))
    editor.open_file(file)
    assert "A[2][1]" in editor.trouble.text()
    editor.open_file(tmp_path / "missing.json")
    assert "missing.json" in editor.trouble.text()
    editor.dismiss()


def test_a_file_without_a_tableau_leaves_what_was_typed(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    editor = open_tableau_editor(window, window.session)
    settled(editor, qtbot, "Order 4")
    before, file = editor.typed(), tmp_path / "mine.json"
    known = json.loads(assets.read_text("tableaux/rkf45.json"))
    for broken in ({"A": 5}, {"A": [None] * 6}, {"b": None}, {"notes": 5}, {"c": ["1"]}):
        file.write_text(json.dumps(known | broken))
        editor.open_file(file)
        assert editor.trouble.text().startswith("mine.json")
        assert "Python" not in editor.trouble.text()
        assert "object" not in editor.trouble.text()
        assert editor.typed() == before
        assert editor.order.text() == "Order 4"
        assert editor.use.isEnabled()
    for text in ("", "[]", '{"a":' * 100_000, "tableau 1; A 1"):
        file.write_text(text)
        editor.open_file(file)
        assert editor.typed() == before
    file.write_bytes(b"\xff\xfe\x00")
    editor.open_file(file)
    assert "must be one of Armstep's tableau files, or " in editor.trouble.text()
    editor.dismiss()


def test_long_numbers_are_read_from_their_beginning(window: MainWindow, qtbot: QtBot) -> None:
    editor = open_tableau_editor(window, window.session)
    editor.begin_from("feagin108")
    settled(editor, qtbot, "Order 10")
    assert editor.grid.cells["A[3][1]"].cursorPosition() == 0
    for label in editor.grid.sums:
        assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width()
    editor.dismiss()


def test_a_number_beyond_all_bounds_is_refused_in_its_cell(window: MainWindow, qtbot: QtBot) -> None:
    editor = open_tableau_editor(window, window.session)
    settled(editor, qtbot, "Order 4")
    cell = editor.grid.cells["A[2][1]"]
    for text in ("1e400", "1e9999", "1e-9999", "1/" + "3" * 250):
        cell.setText(text)
        editor.grid.changed.emit()
        settled(editor, qtbot, "Not a method")
        assert cell.property("refused") is True
        assert len(editor.trouble.text()) < 250
        cell.setText("1/2")
        editor.grid.changed.emit()
        settled(editor, qtbot, "Order 4")
    editor.dismiss()


def test_trees_are_laid_out_without_overlap() -> None:
    for tree in trees(6):
        shape = Shape.of(tree)
        spots = set(shape.walk)
        assert len(spots) == 6
        assert len(shape.walk) == 11, "there and back along each of five edges"
        assert all(0.0 < x < shape.wide <= 5.0 and y in range(6) for x, y in spots)


def test_marks_of_trees_leave_their_edges_visible_in_large_type() -> None:
    style = style_of("projector")
    for edge in (6.0, 12.0, 60.0):
        size = mark_size(replace(style, scale=3.0), lambda x, edge=edge: np.array(edge * x), bare=True)
        assert 0.0 < 2.0 * size < 0.5 * edge
    assert mark_size(style, np.array, bare=True) < mark_size(style, np.array, bare=False)


def pick(box: QuietComboBox, data: object) -> None:
    """Choose the entry with this data, as a person does."""
    box.show_data(data)
    box.chosen.emit(data)


def test_a_point_of_the_diagram_is_a_run_to_open_and_the_diagram_is_kept(
    window: MainWindow, qtbot: QtBot, artifacts: Path, tmp_path: Path
) -> None:
    sheet = open_work_precision(window, window.session)
    assert set(sheet.chosen()) >= {"rk4", "dop853"}
    measure_with_fixed_steps(sheet, qtbot, "rk4", "dopri5")
    assert sheet.labels() == ["rk4", "dopri5"]
    assert len(sheet.diagram.points) == 2 * len(halved(*steps_around(sheet.desk.scenario)))
    sheet.target.setText("1e-3 mrad")
    sheet.target.editingFinished.emit()
    assert sheet.answer.text().startswith("10⁻⁶\u00a0rad: Runge-Kutta-Dormand-Prince 5(4), 2")
    assert "evaluations" in sheet.answer.text()
    assert any(curve.dash == "dash-dot" for curve in sheet.diagram.chart.curves)
    sheet.target.setText("-1")
    sheet.target.editingFinished.emit()
    assert sheet.trouble.text() == "Target error must be a number above 0\u00a0rad, got '-1'"
    sheet.target.clear()
    pick(sheet.cost, "tolerance")
    assert sheet.diagram.points == []  # fixed steps have no tolerance
    assert sheet.answer.text() == "Measure a method with three tolerances or more to see how its error follows them."
    assert "fixed steps alone, so not here: Runge" in sheet.facts.text()
    pick(sheet.cost, "seconds")
    screenshot(qtbot, window, artifacts / "work-precision.png")
    try_another_step(sheet, qtbot)
    pick(sheet.error, "energy_J")
    sheet.target.setText("1/1000")
    sheet.flipped.setChecked(True)
    chart = sheet.diagram.chart
    assert chart.x.title == "largest error, energy against its initial value [J]"
    assert chart.y.title == "evaluations of the right-hand side"
    point = next(one for one in sheet.diagram.points if one.method == "dopri5")
    sheet_points, spot = list(sheet.desk.points), sheet.diagram.place(point)
    assert sheet.diagram.nearest(spot + QPointF(2, 2)) is point
    qtbot.mouseMove(sheet.diagram, spot.toPoint())
    qtbot.mouseClick(sheet.diagram, Qt.MouseButton.LeftButton, pos=spot.toPoint())
    assert window.session.scenario.method == "dopri5"
    assert window.session.scenario.step == point.step
    check_kept_diagram(window, qtbot, sheet_points, tmp_path)


def check_kept_diagram(window: MainWindow, qtbot: QtBot, points: list[Point], folder: Path) -> None:
    """The diagram opens again as it was, with a name of its own; another document has none."""
    again = open_by_keys(window, qtbot)
    assert again.chosen() == ["rk4", "dopri5"]
    assert (again.error.currentData(), again.flipped.isChecked(), again.target.text()) == ("energy_J", True, "1/1000")
    assert again.answer.text().startswith("10⁻³")
    assert again.labels() == ["rk4", "dopri5"]
    assert again.kept.name.text() == "Runge-Kutta 4 (classical), Runge-Kutta-Dormand-Prince 5(4)"
    again.kept.name.selectAll()
    qtbot.keyClicks(again.kept.name, "Two old")
    again.show_all()
    qtbot.keyClicks(again.kept.name, " friends")
    qtbot.keyClick(again.kept.name, Qt.Key.Key_Return)
    window.session.files.save(folder / "kept.json")
    window.session.files.new("rr-pd")
    assert again.labels() == []
    window.session.files.open(folder / "kept.json")
    again.desk.look()
    assert again.kept.list.currentText() == again.kept.name.text() == "Two old friends"
    assert [one.scenario for one in again.desk.points] == [one.scenario for one in points]
    qtbot.mouseClick(again.kept.remove, Qt.MouseButton.LeftButton)
    assert again.labels() == []
    window.session.history.undo()
    assert window.session.results.of("work-precision")
    again.dismiss()


def measure_with_fixed_steps(sheet: WorkPrecisionSheet, qtbot: QtBot, *methods: str) -> None:
    for row in range(sheet.methods.count()):
        item = sheet.methods.item(row)
        chosen = item.data(Qt.ItemDataRole.UserRole) in methods
        item.setCheckState(Qt.CheckState.Checked if chosen else Qt.CheckState.Unchecked)
    sheet.controlled.box.setChecked(False)
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    assert sheet.desk.measuring
    qtbot.waitUntil(lambda: not sheet.desk.measuring, timeout=PATIENCE)
    assert sheet.trouble.text() == ""
    qtbot.keyClick(sheet.diagram, Qt.Key.Key_Return)
    assert sheet.diagram.near is sheet.diagram.points[0]
    assert not sheet.desk.measuring, "Enter in the diagram is not for the sheet's button"


def try_another_step(sheet: WorkPrecisionSheet, qtbot: QtBot) -> None:
    """Drag a point to where its method costs twice as much: that is half the step, and one more point."""
    pick(sheet.cost, "rhs_evaluations")
    diagram, before = sheet.diagram, len(sheet.desk.points)
    assert [float(label.text) for label in diagram.chart.labels] == pytest.approx([4.0, 5.0], abs=0.3)
    point = next(one for one in diagram.points if one.method == "rk4" and one.step == 0.005)
    start, laid = diagram.place(point), diagram.laid_out()
    end = QPointF(float(laid.across(2.0 * (point.cost("rhs_evaluations") or 0.0))), start.y())
    drag(diagram, start.toPoint(), end.toPoint(), release=False)
    qtbot.waitUntil(lambda: sheet.desk.trial is not None, timeout=PATIENCE)
    assert sheet.desk.trial is not None
    assert sheet.desk.trial.step == pytest.approx(0.0025, rel=0.02)
    assert "Runge-Kutta 4 (classical), step 2.5" in sheet.facts.text()
    qtbot.mouseRelease(diagram, Qt.MouseButton.LeftButton, pos=end.toPoint())
    qtbot.waitUntil(lambda: not sheet.desk.measuring, timeout=PATIENCE)
    assert len(sheet.desk.points) == before + 1
    assert sheet.kept.name.text() == "Runge-Kutta 4 (classical), Runge-Kutta-Dormand-Prince 5(4)"


def test_measuring_can_be_stopped(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    sheet = open_work_precision(window, window.session)
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(sheet.desk.points) >= 2, timeout=PATIENCE)
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not sheet.desk.measuring, timeout=PATIENCE)
    assert 2 <= len(sheet.desk.points) < 30
    sheet.charted.write_data(tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_text().count("\n") == len(sheet.desk.points) + 1
    with pytest.raises(BadInput, match=r"table\.csv"):
        sheet.charted.write_data(tmp_path / "no" / "table.csv")
    assert work_precision([]).points == ()
    sheet.dismiss()


def test_the_card_names_limits_and_principal_error() -> None:
    rk4, ida = find_method("rk4"), find_method("ida")
    text = numbers_text(rk4)
    assert "real limit −2.785" in text
    assert f"Principal error norm {rk4.principal_error_norm():.3g}." in text
    assert numbers_text(ida) == ""
    text = numbers_text(find_method("switching"))
    assert "Dormand-Prince 5(4): real limit −3.307, " in text
    assert "; ESDIRK 5(4), Kennedy-Carpenter: A-stable, L-stable, " in text


def test_modes_of_a_run_that_blew_up_are_described_soberly(window: MainWindow, qtbot: QtBot) -> None:
    grown, decaying = np.array([3.0]), np.array([0.5])
    assert "grow 3-fold" in modes_text(grown, decaying, 0.0)
    for beyond in (1e78, np.inf, np.nan):
        assert "more than a million-fold" in modes_text(np.array([beyond]), decaying, 0.0)
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "integrator")
    assert panel is not None
    window.session.files.new("rr-stiff")
    qtbot.waitUntil(lambda: window.session.runs.current.state in ("done", "failed"), timeout=PATIENCE)
    run = window.session.runs.current.run
    assert run is not None
    assert run.t_end < 1.0
    window.session.playback.pause()
    window.session.playback.seek(4.0)
    panel.card.show_modes()
    assert panel.card.picture.isVisibleTo(panel)
    qtbot.waitUntil(lambda: f"t = {run.t_end:.3f}\u00a0s" in panel.card.modes.text(), timeout=PATIENCE)
    qtbot.waitUntil(lambda: bool(panel.card.longest.text()), timeout=PATIENCE)
    bar = panel.findChild(FormScroll).verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    window.session.files.new("rr-stiffening")
    card = panel.card
    qtbot.waitUntil(lambda: not (card.modes.text() or card.longest.text()), timeout=PATIENCE)
    assert card.take_longest.isHidden(), "this method has two regions: nothing of the one before stays"
    assert card.picture.isVisibleTo(panel)
    assert [region.dash for region in card.picture.chart.regions] == ["solid", "dash"]
    first, second = (name for name, _ in card.method.regions)
    assert card.lines.text() == f"Solid line: {first}. Dashed line: {second}."
    assert bar.value() == 0, "another scenario is read from its beginning"


def test_the_card_says_what_specialising_gains(window: MainWindow, qtbot: QtBot) -> None:
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "integrator")
    assert panel is not None
    assert panel.gain.isHidden()
    assert window.session.edit("options.specialised", True)
    qtbot.waitUntil(lambda: "times as fast" in panel.gain.text.text(), timeout=PATIENCE)
    assert "instead of" in panel.gain.text.text()
    window.session.edit("options.specialised", False)
    assert panel.gain.isHidden()


def test_the_card_offers_the_longest_stable_step(window: MainWindow, qtbot: QtBot) -> None:
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "integrator")
    assert panel is not None
    window.session.files.new("rr-stiff")
    row = window.session.runs

    def judged() -> bool:
        run = row.current.run
        return row.current.judged and run is not None and run.scenario == window.session.scenario

    qtbot.waitUntil(judged, timeout=PATIENCE)
    card = panel.card
    card.show_modes()
    assert card.longest.text().startswith("Longest stable step: ")
    assert card.take_longest.isEnabled()
    assert card.take_longest.text() == "Find and use the longest stable step", "its beginning alone is sound"
    qtbot.mouseClick(card.take_longest, Qt.MouseButton.LeftButton)

    def kept() -> bool:
        """One click: the run keeps to its own limit; the spoilt one before showed only that of its start."""
        offered, step = window.session.stable_step.offered, window.session.scenario.step
        stands = judged() and row.current.state == "done"
        return stands and offered is not None and step is not None and offered >= step

    qtbot.waitUntil(kept, timeout=PATIENCE)
    assert not verdict(row.current).unstable
    card.show_modes()
    assert not card.take_longest.isEnabled(), "the step is the one that was found"
    found = quantity(window.session.scenario.step or 0.0, "s")
    assert window.session.edit("step", 0.001)
    qtbot.waitUntil(judged, timeout=PATIENCE)
    card.show_modes()
    assert card.take_longest.isEnabled()
    assert card.take_longest.text() == f"Use {found}", "the same answer, not that of another run"
    window.session.history.undo()
    window.session.history.undo()
    assert window.session.scenario.step == 0.05, "one step to undo"
