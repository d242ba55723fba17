"""Maps as values: what they can show, and how their cells, borders and colours are drawn."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from assets.counting import NO_BREAK
from gui.app.desks.map_choices import first_field, first_range, numeric_fields, proposal, run_numbers_of
from gui.charts.map import NO_NUMBER, MapGrid, failures, map_chart, section_chart
from gui.qt.diagrams.map_diagram import MapDiagram
from gui.qt.dialogs.result_sheet import LEFT_OUT
from gui.qt.drawing.regions import field_pixels
from gui.qt.plots.plot import PlotWidget
from gui.qt.window.main_window import MainWindow
from robots.scenario.presets import find_preset, presets
from robots.sweeps.axes import SweepAxis
from robots.sweeps.borders import Border
from robots.sweeps.order import coarse_first, filled
from robots.sweeps.run_sweep import run_sweep
from robots.sweeps.runner import Runner
from robots.sweeps.sweep import Sweep, SweepResult
from tests.window.conftest import PATIENCE
from tests.window.hands import wait_done
from tests.window.rules import contrast
from tests.window.test_map import SWING, TWO, computed, described, opened_in


@pytest.mark.parametrize("key", sorted(presets()))
def test_every_preset_offers_ranges_that_its_fields_accept(key: str) -> None:
    scenario = find_preset(key)
    for path in numeric_fields(scenario):
        low, high = first_range(scenario, path)
        assert low < high, path
        for value in (low, high):
            numeric_fields(scenario)[path].check(path, value)


def test_what_a_map_can_show_has_the_robots_own_numbers() -> None:
    own = ["manipulability", "Jacobian − differences"]
    found = run_numbers_of(find_preset("pa10-circle"), ["q1"], ["position_m"], own)
    assert {"max_error.position_m", "manipulability", "order", "t_end", "status", "final.q1"} <= {*found}
    assert found["max_error.position_m"] == "largest error, tool position"
    assert not any("differences" in name for name in found), "a name that no readout can have"
    assert {"lyapunov" in run_numbers_of(find_preset(key), (), ()) for key in ("top-spin", "pa10-circle")} == {True}
    assert {"lyapunov" in run_numbers_of(find_preset(key), (), ()) for key in ("e12", "hmmwv", "two-springs")} == {
        False
    }


def test_what_a_fixed_step_decides_is_no_first_readout() -> None:
    """Before the run is there, a map proposed the number of steps over the step."""
    fixed, controlled = find_preset("rr-swing"), find_preset("rr-chaos")
    assert next(iter(run_numbers_of(fixed, (), ()))) == "t_end"
    assert [*run_numbers_of(fixed, ["q1"], ["energy_J"])][-2:] == ["steps", "rhs_evaluations"]
    assert next(iter(run_numbers_of(fixed, ["q1"], ["energy_J"]))) == "max_error.energy_J"
    assert next(iter(run_numbers_of(controlled, (), ()))) == "steps", "here they are found by computing"


def test_the_coarse_picture_comes_first() -> None:
    order = coarse_first((8, 8)).tolist()
    assert sorted(order) == list(range(64))
    assert set(order[:4]) == {0, 4, 32, 36}
    assert set(order[:16]) == {8 * i + j for i in range(0, 8, 2) for j in range(0, 8, 2)}


def test_cells_that_are_missing_look_like_their_coarse_block() -> None:
    values = np.arange(16.0).reshape(4, 4)
    known = np.zeros((4, 4), bool)
    known[::2, ::2] = True
    assert filled(values, known).tolist() == np.repeat(np.repeat(values[::2, ::2], 2, 0), 2, 1).tolist()


def test_a_map_says_that_no_run_has_the_number_only_once_there_are_runs() -> None:
    result = SweepResult.empty(Sweep(SWING, TWO, ("steps",)))
    chart = map_chart(result, "steps")
    assert (chart.note, chart.blank) == ("", True)
    result.status[0] = 1
    assert map_chart(result, "steps").note == NO_NUMBER


def test_each_cell_lies_at_its_values() -> None:
    result = run_sweep(Sweep(SWING, TWO, ("steps",)), workers=1)
    chart, grid = map_chart(result, "steps"), MapGrid(result)
    assert chart.x.label == "angle 1 [°]"
    assert chart.y.label == "step [s]"
    assert chart.colours is not None
    assert chart.colours.values[:, 2].tolist() == [50.0, 16.0, 5.0]
    for i, q1 in enumerate(np.degrees(TWO[0].values)):
        for j, step in enumerate(TWO[1].values):
            assert grid.number_at(float(q1), float(np.log10(step))) == 3 * i + j
    (left, right), (low, high) = (side.ends for side in grid.sides)
    assert grid.number_at(left - 1.0, low) is None
    assert grid.number_at(right, high) == 14


def test_a_map_is_read_from_a_file_to_the_last_bit_and_a_damaged_one_is_refused() -> None:
    result = run_sweep(Sweep(SWING, TWO, ("steps", "max_error.energy_J")), workers=1)
    result.numbers[3] = np.nan
    data = json.loads(json.dumps(result.to_data()))
    again = SweepResult.from_data(data)
    np.testing.assert_array_equal(again.numbers, result.numbers)
    np.testing.assert_array_equal(again.status, result.status)
    for damage in ({"status": "x"}, {"numbers": "!!"}, {"numbers": data["status"]}, {"numbers": None}, {"status": [1]}):
        with pytest.raises(ValueError, match=r"base64|buffer size|damaged|fill the ranges"):
            SweepResult.from_data(data | damage)


def test_failed_runs_are_striped_and_numbers_have_their_colours() -> None:
    beam = find_preset("beam").with_values({"method": "rk4", "step": 1e-3, "duration": 0.5})
    axes = SweepAxis("step", 0.001, 0.02, 2), SweepAxis("duration", 0.4, 0.5, 2)
    result = run_sweep(Sweep(beam, axes, ("t_end", "steps")), workers=1)
    assert result.statuses().tolist() == [["finished", "finished"], ["diverged", "diverged"]]
    field = map_chart(result, "t_end").colours
    assert field is not None
    assert field.hatched.tolist() == [[0, 1], [0, 1]]
    section = section_chart(result, "steps", 0, 0)
    assert section.view is not None
    assert section.view[2] <= section.curves[-1].y.min() <= section.view[3], "crosses of failed runs are at the edge"
    assert section.view[3] - section.view[2] < 100, "about the 400 steps of those that finished"
    pixels = field_pixels(field, 40, 40, 3)
    assert pixels.shape == (40, 40, 4)
    assert len({tuple(colour) for colour in pixels[:20, :20].reshape(-1, 4).tolist()}) == 1
    assert len({tuple(colour) for colour in pixels[:20, 20:].reshape(-1, 4).tolist()}) == 2
    shades = replace(field, values=np.linspace(0.0, 1.0, 64)[np.newaxis], hatched=np.ones((1, 64), np.int8))
    for mono in (False, True):
        pixels = field_pixels(shades, 64 * 12, 24, 3, mono=mono)
        for place in range(0, 64 * 12, 12):
            ground, stripe = {tuple(one) for one in pixels[:, place : place + 12, :3].reshape(-1, 3).tolist()}
            assert contrast(QColor(*ground), QColor(*stripe)) > 2.2, "a dark run's stripes are seen, too"


def test_cells_that_are_not_computed_yet_are_striped_like_the_coarser_one() -> None:
    beam = find_preset("beam").with_values({"method": "rk4", "step": 1e-3, "duration": 0.5})
    axes = SweepAxis("step", 0.02, 0.001, 2), SweepAxis("duration", 0.4, 0.5, 2)
    result = run_sweep(Sweep(beam, axes, ("steps", "t_end")), workers=1)
    result.status[1:] = -1
    field = map_chart(result, "steps").colours
    assert field is not None
    assert field.hatched.all(), "the only run that is known failed"
    assert field.known.size == 0, "no colour stands for its number"
    reached = map_chart(result, "t_end").colours
    assert reached is not None
    assert reached.span == pytest.approx((0.0, 0.36)), "but one stands for the time that it reached"


def test_how_runs_ended_is_a_colour_and_the_border_and_contours_are_lines() -> None:
    beam = find_preset("beam").with_values({"method": "rk4", "step": 1e-3, "duration": 0.5})
    axes = SweepAxis("step", 0.001, 0.02, 4), SweepAxis("duration", 0.4, 0.5, 4)
    result = run_sweep(Sweep(beam, axes, ("t_end",)), workers=1)
    field = map_chart(result, "status").colours
    assert field is not None
    assert field.axis.names == ("finished", "diverged")
    assert set(field.values.ravel().tolist()) == {0.5, -0.5}
    assert failures(result) == {"diverged": int((result.statuses() == "diverged").sum())}
    border = Border(np.array([0.002, 0.004, np.nan]), np.array([0.4, 0.5, 0.5]))
    chart = map_chart(result, "t_end", border)
    assert chart.colours is not None
    np.testing.assert_allclose(chart.colours.border, [[[0.002, 0.4], [0.004, 0.5]]])
    ends = run_sweep(Sweep(SWING, TWO, ("final.q1",)), workers=1)
    swing = map_chart(ends, "final.q1", contours=True)
    assert swing.colours is not None
    assert (swing.x.unit, swing.colours.axis.unit) == ("°", "°"), "one unit for angles"
    np.testing.assert_allclose(swing.colours.values.T, np.degrees(ends.readings()["final.q1"]))
    assert MapGrid(ends).facts(0) == ["angle 1 = −57.2958°", f"step = 0.01{NO_BREAK}s"]
    assert len(swing.colours.contours)
    assert chart.note == "dashed: where the equations linearised at the start become unstable"
    again = Border.from_data(json.loads(json.dumps(border.to_data())))
    np.testing.assert_array_equal(again.x, border.x)


LAST_DIVERGE = {"map-euler", "map-gain"}


@pytest.mark.parametrize("key", [key for key, preset in presets().items() if "map" in preset.view])
def test_what_a_preset_proposes_can_be_computed(key: str) -> None:
    scenario = find_preset(key)
    proposed = proposal(scenario)
    assert proposed is not None
    sweep = Sweep(scenario, proposed.axes, (proposed.show,))
    ends = Runner(sweep).rows([0, sweep.size - 1])
    assert [row.status for row in ends] == ["finished", "diverged" if key in LAST_DIVERGE else "finished"]


def test_in_a_low_window_the_section_stands_beside_the_map(shared_window: MainWindow, qtbot: QtBot) -> None:
    shared_window.session.edit("duration", 0.1)
    sheet = described(shared_window, "initial.q1", "robot.m1", 3)
    computed(sheet, qtbot)
    qtbot.mouseClick(sheet.sections.buttons["0"], Qt.MouseButton.LeftButton)
    for height, beside in ((1000, False), (700, True)):
        shared_window.resize(1280, height)
        qtbot.waitUntil(lambda beside=beside: (sheet.section.x() > sheet.diagram.x()) == beside, timeout=PATIENCE)
        assert sheet.diagram.height() > 220
        frames = sheet.section.laid_out().area, sheet.diagram.laid_out().area
        aligned = (frames[0].left(), frames[0].width()) == (frames[1].left(), frames[1].width())
        assert aligned != beside, "a cell and its number stand above each other"
    sheet.dismiss()


class Painted(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.Paint
        return False


def test_the_arms_behind_a_map_are_drawn_once_it_closes(
    shared_window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that is pinned in a map must not cost a frame that nobody sees."""
    window = shared_window
    view, frames = window.viewport, list[bool]()
    assert view is not None
    window.session.edit("duration", 0.5)
    sheet = described(window, "robot.m1", "robot.m2", 3)
    computed(sheet, qtbot)
    qtbot.waitUntil(lambda: not view.updatesEnabled(), timeout=PATIENCE)
    picture = view.picture
    monkeypatch.setattr(view, "picture", lambda: frames.append(True) or picture())
    sheet.open_cell(4, pinned=True)
    qtbot.waitUntil(lambda: all(row.state == "done" for row in window.session.runs.all), timeout=PATIENCE)
    qtbot.wait(100)
    assert not frames
    behind = [plot for plot in window.findChildren(PlotWidget) if plot.isVisible()]
    assert behind
    assert not any(plot.settled for plot in behind), "nobody sees them"
    painted = Painted(behind[0].widget.viewport())
    for text in ("a", "b"):
        sheet.facts.setText(text)
        qtbot.wait(50)
    assert not painted.times, "the card has no holes"
    sheet.dismiss()
    qtbot.waitUntil(lambda: bool(frames) and all(plot.settled for plot in behind), timeout=PATIENCE)
    again = described(window, "robot.m1", "robot.m2", 3)
    qtbot.waitUntil(lambda: not view.updatesEnabled(), timeout=PATIENCE)
    window.resize(window.width() + 20, window.height())
    qtbot.waitUntil(view.updatesEnabled, timeout=PATIENCE)  # another size needs another picture
    qtbot.waitUntil(lambda: not view.updatesEnabled(), timeout=PATIENCE)
    again.dismiss()


def test_a_kept_map_is_drawn_once_when_its_sheet_opens(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.session.edit("duration", 0.5)
    sheet = described(window, "initial.q1", "step", 4)
    result = computed(sheet, qtbot)
    sheet.dismiss()
    shown: list[object] = []
    show_result = MapDiagram.show_result

    def counted(diagram: MapDiagram, result: SweepResult | None, *args: Any, **options: Any) -> None:
        shown.append(diagram)
        show_result(diagram, result, *args, **options)

    monkeypatch.setattr(MapDiagram, "show_result", counted)
    again = opened_in(window)
    assert shown.count(again.diagram) == 1
    assert again.desk.result is not None
    np.testing.assert_array_equal(again.desk.result.numbers, result.numbers)
    again.dismiss()


def test_a_readout_that_the_map_lacks_is_computed_once_a_person_says_so(window: MainWindow, qtbot: QtBot) -> None:
    """It was computed by itself, and Compute, which one presses next, had become Stop under the hand."""
    window.session.edit("duration", 0.5)
    sheet = described(window, "initial.q1", "step", 4)
    first = computed(sheet, qtbot)
    assert "order" not in first.sweep.show
    sheet.number.show_data("order")
    sheet.number.chosen.emit("order")
    assert (sheet.measure.text(), sheet.desk.measuring, sheet.desk.result) == ("Compute", False, first)
    assert sheet.readout == first.sweep.show[0], "the map stays until then"
    assert "yet: press Compute" in sheet.facts.text()
    sheet.contours.click()
    assert sheet.number.currentData() == "order", "the choice stays, too"
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not sheet.desk.measuring, timeout=PATIENCE)
    assert sheet.number.currentData() == "order"
    assert sheet.desk.result is not None
    assert sheet.desk.result.sweep.show[0] == sheet.readout == "order"
    shown = sheet.desk.result
    sheet.number.show_data("steps")
    sheet.number.chosen.emit("steps")
    assert sheet.desk.result is shown, "what the map has is shown at once"
    sheet.dismiss()


def test_a_driven_arm_has_a_map_of_its_error_against_the_reference(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("rr-pd")
    window.session.edit("duration", 0.5)
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: window.session.runs.current.reference_state == "done", timeout=PATIENCE)
    sheet, error = described(window, "initial.q1", "rtol", 3), "max_error.reference_q_rad"
    first = computed(sheet, qtbot).sweep
    assert error not in first.show, "nobody has asked for references"
    assert not first.reference
    assert sheet.number.findData(error) > 0
    sheet.number.show_data(error)
    sheet.number.chosen.emit(error)
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not sheet.desk.measuring, timeout=PATIENCE)
    assert sheet.trouble.text() == ""
    result = sheet.desk.result
    assert result is not None
    assert result.sweep.show[0] == error
    errors = result.numbers[:, result.sweep.show.index(error)]
    assert np.isfinite(errors).all()
    row = window.session.runs.current
    assert 0.0 < errors.min() < row.reference.max["reference_q_rad"] * 1e4
    sheet.diagram.point(0)
    assert "largest error, joint angles" in sheet.facts.text()
    sheet.dismiss()


def test_a_sheet_says_that_changes_during_the_run_are_left_out(window: MainWindow) -> None:
    sheet = opened_in(window)
    assert sheet.left.text() == ""
    sheet.dismiss()
    window.session.files.new("rr-switch")
    sheet = opened_in(window)
    assert sheet.left.text() == LEFT_OUT
    sheet.dismiss()


def test_the_sheet_offers_what_the_scenario_that_it_maps_has(window: MainWindow, qtbot: QtBot) -> None:
    """The run of another motion of the same robot may still be drawn when the sheet opens."""
    runs, session = window.session.runs, window.session
    wait_done(qtbot, window)
    old = runs.current.run
    assert old is not None
    assert "energy_J" in old.max_error
    sheet = opened_in(window)
    assert sheet.number.currentData() == "max_error.energy_J"
    sheet.dismiss()
    session.edit("task.torque", "pd")
    runs.update(runs.current.id, run=old)
    sheet = opened_in(window)
    assert sheet.number.findData("max_error.energy_J") < 0, "nothing keeps the energy"
    sheet.dismiss()


def test_blank_cells_are_explained(window: MainWindow, qtbot: QtBot) -> None:
    window.session.edit("duration", 0.5)
    sheet = described(window, "duration", "step", 4)
    sheet.across.low.setText("0.1")
    sheet.across.high.setText("0.4")
    sheet.proposed = "value(q1, 0.25)"
    sheet._offer()
    sheet.number.show_data(sheet.proposed)
    result = computed(sheet, qtbot)
    short = int(np.isnan(result.numbers[:, 0]).sum())
    assert 0 < short < result.sweep.size
    sheet.diagram.point(None)
    assert f"Blank: no value in {short} runs, the run did not reach 250" in sheet.facts.text()
    assert sheet.diagram.chart.note.startswith("blank: no value")
    sheet.diagram.point(0)
    assert "no value, the run did not reach 250" in sheet.facts.text()
    sheet.dismiss()


def test_a_map_goes_first_over_what_chooses_the_steps() -> None:
    assert first_field(find_preset("rr-swing")) == "step"
    assert first_field(find_preset("rr-chaos")) == "tolerance"


def test_a_map_that_was_only_chosen_is_there_again(window: MainWindow, qtbot: QtBot) -> None:
    """Whoever first chooses another method has not to fill in everything again."""
    sheet = opened_in(window)
    sheet.up.field.show_data("robot.m1")
    sheet.up.suggest("robot.m1")
    sheet.up.low.setText("0.5")
    sheet.contours.setChecked(True)
    chosen = sheet.up.written()
    sheet.dismiss()
    window.session.edit("method", "rk2")
    again = opened_in(window)
    assert (again.up.written(), again.contours.isChecked()) == (chosen, True)
    again.dismiss()
    window.session.files.new("rr-pd")
    fresh = opened_in(window)
    assert fresh.up.written() != chosen, "another scenario has maps of its own"
    assert not fresh.contours.isChecked()
    fresh.dismiss()
