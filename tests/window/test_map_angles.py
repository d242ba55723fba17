"""The run of a cell is the one that a person would type, over fields that have an effect."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from gui.app.desks.map_choices import numeric_fields
from gui.app.formatting import unit_of
from gui.qt.window.main_window import MainWindow
from tests.window.test_map import SWING, computed, described


def test_the_cell_of_round_angles_is_the_run_of_these_angles(shared_window: MainWindow, qtbot: QtBot) -> None:
    """The field of a run that a cell opened had 11.999999999999991 degrees."""
    shared_window.session.edit("duration", 0.1)
    sheet = described(shared_window, "initial.q2", "initial.q1", 16)
    assert not any(sheet.across.offers(path) for path in ("task.kp1", "task.d1", "task.sampling_seed"))
    for fields in (sheet.across, sheet.up):
        fields.low.setText("-180")
        fields.high.setText("180")
    result = computed(sheet, qtbot)
    typed = shared_window.session.scenario.edited({"initial.q2": "-36 deg", "initial.q1": "12 deg"})[0]
    number = result.sweep.number_of(typed)
    assert number == 6 * 16 + 8
    sheet.open_cell(number, pinned=False)
    scenario = shared_window.session.scenario
    assert [unit_of(scenario, path).exact(scenario.get(path)) for path in ("initial.q2", "initial.q1")] == ["-36", "12"]


def test_only_fields_that_have_an_effect_are_axes() -> None:
    """A map of 2,304 equal runs was computed over the gain of a control that the arm does not have."""
    idle = {"task.kp1", "task.target2", "task.d1", "task.tau1", "task.sampling_seed", "task.restitution"}
    free, driven = numeric_fields(SWING), numeric_fields(SWING.with_value("task.torque", "pd"))
    assert not idle & {*free}
    assert {"robot.m1", "initial.q1", "step", "duration"} <= {*free}
    assert idle & {*driven} == {"task.kp1", "task.target2"}
    stopped = numeric_fields(SWING.with_value("task.stops", "hard"))
    assert {"task.restitution", "task.stop_low1"} <= {*stopped}
