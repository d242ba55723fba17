from __future__ import annotations

import math
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.panels.scenario import ScenarioPanel
from gui.qt.widgets.fields import ChoiceRow, NumberRow
from gui.qt.widgets.form import Form
from gui.qt.widgets.quiet import MAY_BREAK
from gui.qt.window.panel import panels
from robots.model.registry import robots
from robots.scenario.scenario import new_scenario
from tests.inline_jobs import InlineJobs
from tests.window.hands import give_focus


@pytest.fixture
def scenario_panel(session: Session, qtbot: QtBot) -> ScenarioPanel:
    return shown(ScenarioPanel(session), qtbot, 340, 900)


@pytest.fixture
def integrator(session: Session, qtbot: QtBot) -> IntegratorPanel:
    return shown(IntegratorPanel(session), qtbot, 340, 1200)


def shown(panel, qtbot: QtBot, width: int, height: int):
    qtbot.addWidget(panel)
    panel.resize(width, height)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def number(form: Form, path: str) -> NumberRow:
    row = form.rows[path]
    assert isinstance(row, NumberRow)
    return row


def typed(qtbot: QtBot, row: NumberRow, text: str) -> None:
    row.number.setFocus()
    row.number.selectAll()
    qtbot.keyClicks(row.number, text)
    qtbot.keyClick(row.number, Qt.Key.Key_Return)


def test_panels_are_found_in_order() -> None:
    found = [(panel.area, panel.key) for panel in panels().values()]
    assert found[:2] == [("left", "scenario"), ("left", "integrator")]
    assert ("right", "plots") in found
    assert ("bottom", "runs") in found


@pytest.mark.parametrize("path", ["robot.m1", "robot.m2", "robot.r1", "robot.r2", "robot.J1", "robot.J2", "robot.g"])
def test_every_parameter_is_changed_by_typing(
    path: str, session: Session, scenario_panel: ScenarioPanel, qtbot: QtBot
) -> None:
    typed(qtbot, number(scenario_panel.forms["robot."], path), "1.25")
    assert session.scenario.get(path) == 1.25
    assert session.runs.current.run is not None
    assert session.runs.current.run.scenario.get(path) == 1.25


def test_angles_are_typed_in_degrees(session: Session, scenario_panel: ScenarioPanel, qtbot: QtBot) -> None:
    typed(qtbot, number(scenario_panel.forms["initial."], "initial.q1"), "45")
    assert session.scenario.get("initial.q1") == pytest.approx(math.pi / 4)
    assert number(scenario_panel.forms["initial."], "initial.q1").number.text() == "45"


def test_stops_are_refused_in_the_unit_that_they_are_typed_in(
    session: Session, scenario_panel: ScenarioPanel, qtbot: QtBot
) -> None:
    session.edit("task.stops", "hard")
    task = scenario_panel.forms["task."]
    typed(qtbot, number(task, "task.stop_low1"), "-120")
    typed(qtbot, number(task, "task.stop_high1"), "-130")
    said = "Upper stop 1 must be above -120°, the lower stop, got -130"
    assert number(task, "task.stop_high1").complaint.text() == said
    assert session.scenario.get("task.stop_high1") is None
    typed(qtbot, number(task, "task.stop_high1"), "30")
    typed(qtbot, number(task, "task.stop_low1"), "5")
    assert session.messages.notice == "Angle 1 must be from 5 to 30°, between the stops of joint 1, got 0"
    row = number(task, "task.stop_high1").number
    row.setFocus()
    row.selectAll()
    qtbot.keyClick(row, Qt.Key.Key_Delete)
    qtbot.keyClick(row, Qt.Key.Key_Return)
    assert session.scenario.get("task.stop_high1") is None


def test_angles_are_typed_in_radians_if_wished(session: Session, scenario_panel: ScenarioPanel, qtbot: QtBot) -> None:
    session.view.set(degrees=False)
    row = number(scenario_panel.forms["initial."], "initial.q2")
    assert row.unit.symbol == "rad"
    assert row.number.text() == "0.5"
    typed(qtbot, row, "0.25")
    assert session.scenario.get("initial.q2") == 0.25
    typed(qtbot, row, "90°")
    assert session.scenario.get("initial.q2") == pytest.approx(math.pi / 2)


@pytest.mark.parametrize("text", ["-3", "0", "nan", "heavy", "1e9", "inf"])
def test_a_refused_value_is_explained_below_and_changes_nothing(
    text: str, session: Session, scenario_panel: ScenarioPanel, qtbot: QtBot
) -> None:
    row = number(scenario_panel.forms["robot."], "robot.m1")
    typed(qtbot, row, text)
    assert session.scenario.get("robot.m1") == 1.0
    assert row.complaint.isVisible()
    assert row.complaint.text().startswith("Mass 1 must be a")
    assert "above 0" in row.complaint.text()
    assert row.number.text() == text
    typed(qtbot, row, "2")
    assert not row.complaint.isVisible()
    assert session.scenario.get("robot.m1") == 2.0


def test_another_edit_does_not_wipe_a_complaint_and_escape_does(
    session: Session, scenario_panel: ScenarioPanel, qtbot: QtBot
) -> None:
    row = number(scenario_panel.forms["robot."], "robot.m1")
    typed(qtbot, row, "-3")
    session.edit("robot.m2", 3.0)
    assert row.complaint.isVisible()
    assert row.number.text() == "-3"
    give_focus(qtbot, row.number)
    qtbot.keyClick(row.number, Qt.Key.Key_Escape)
    assert row.number.text() == "1"
    assert not row.complaint.isVisible()
    assert "robot.m1" not in session.messages.problems


def test_a_task_shows_only_what_it_needs(session: Session, scenario_panel: ScenarioPanel) -> None:
    form = scenario_panel.forms["task."]
    seen = {path for path, row in form.rows.items() if row.isVisible()}
    assert seen == {"task.torque", "task.stops"}
    choice = form.rows["task.torque"]
    assert isinstance(choice, ChoiceRow)
    choice.box.chosen.emit("pd")
    assert session.scenario.get("task.torque") == "pd"
    assert len({path for path, row in form.rows.items() if row.isVisible()}) > 3


def test_a_control_that_samples_is_chosen_and_typed(
    session: Session, scenario_panel: ScenarioPanel, qtbot: QtBot
) -> None:
    form = scenario_panel.forms["task."]
    for path, choice in (("task.torque", "pd"), ("task.sampling", "held"), ("task.stops", "hard")):
        row = form.rows[path]
        assert isinstance(row, ChoiceRow)
        assert row.isVisible()
        qtbot.keyClick(row.box, Qt.Key.Key_Down)
        while row.box.currentData() != choice:
            qtbot.keyClick(row.box, Qt.Key.Key_Down)
        assert session.scenario.get(path) == choice
    typed(qtbot, number(form, "task.sampling_period"), "20 ms")
    typed(qtbot, number(form, "task.stop_high1"), "2")
    assert session.scenario.get("task.sampling_period") == 0.02
    typed(qtbot, number(form, "task.sampling_jitter"), "0.5")
    assert "task.sampling_jitter" in session.messages.problems
    assert session.scenario.get("task.sampling_jitter") == 0.0
    session.edit("task.torque", "none")
    assert not form.rows["task.sampling"].isVisible()
    assert not form.rows["task.sampling_period"].isVisible()
    assert form.rows["task.restitution"].isVisible()


def test_undo_is_seen_in_the_form(session: Session, scenario_panel: ScenarioPanel, qtbot: QtBot) -> None:
    row = number(scenario_panel.forms["robot."], "robot.m1")
    typed(qtbot, row, "4")
    session.history.undo()
    assert row.number.text() == "1"


def test_a_drag_of_the_slider_is_one_undo_step(session: Session, scenario_panel: ScenarioPanel) -> None:
    row = number(scenario_panel.forms["robot."], "robot.m1")
    assert row.slider is not None
    row.slider.setSliderDown(True)
    for position in (520, 600, 700):
        row.slider.setValue(position)
    row.slider.setSliderDown(False)
    mass = session.scenario.get("robot.m1")
    assert isinstance(mass, float)
    assert mass > 1.5
    session.history.undo()
    assert session.scenario.get("robot.m1") == 1.0


def test_another_robot_brings_its_own_fields(session: Session, scenario_panel: ScenarioPanel) -> None:
    other = next(key for key in session.scenario.fields()["robot"].choices if key != "rr")
    assert session.edit("robot", other)
    assert set(scenario_panel.forms["robot."].rows) == {
        path for path in session.scenario.fields() if path.startswith("robot.")
    }
    assert scenario_panel.robot_row.box.currentData() == other


def test_notes_are_kept(session: Session, scenario_panel: ScenarioPanel, qtbot: QtBot) -> None:
    scenario_panel.notes.setPlainText("for the first lecture")
    qtbot.waitUntil(lambda: session.scenario.notes == "for the first lecture", timeout=5000)


@pytest.mark.parametrize("robot", sorted(robots()))
def test_nothing_is_cut_off(robot: str, tmp_path: Path, qtbot: QtBot) -> None:
    session = Session(InlineJobs(), Settings(tmp_path), new_scenario(robot))
    for kind in (ScenarioPanel, IntegratorPanel):
        made = kind(session)
        panel = shown(made, qtbot, made.minimumSizeHint().width(), 700)
        for label in panel.findChildren(QLabel):
            if label.isVisible() and label.text() and not label.wordWrap():
                assert label.sizeHint().width() <= label.width() + 1, label.text()
            elif label.isVisible() and label.text():
                longest = max(label.text().replace(MAY_BREAK, " ").split(), key=len)
                assert label.fontMetrics().horizontalAdvance(longest) <= label.width() + 1, longest
        for row in panel.findChildren(NumberRow):
            if row.isVisible():
                assert row.number.has_room(row.number.text()), row.field.label


# -- integrator -------------------------------------------------------------------------------------------------------


def test_picking_a_method_uses_it_and_shows_its_card(session: Session, integrator: IntegratorPanel) -> None:
    integrator.methods.tree.setCurrentItem(integrator.methods.items["dopri5"])
    assert session.scenario.method == "dopri5"
    assert session.scenario.step == 0.01
    assert "order 5(4)" in integrator.card.facts.text()
    assert "FSAL" in integrator.card.facts.text()
    assert "3.307" in integrator.card.limits.text()


def test_the_search_finds_by_name_key_order_and_property(integrator: IntegratorPanel, qtbot: QtBot) -> None:
    def hits(text: str) -> set[str]:
        integrator.methods.search.setText(text)
        return {key for key, item in integrator.methods.items.items() if not item.isHidden()}

    assert "dopri5" in hits("dormand")
    assert "rk1" in hits("euler")
    assert "rk4" in hits("order 4 explicit")
    assert "dopri5" not in hits("order 4 explicit")
    assert hits("no such method") == set()
    integrator.picker.open()
    integrator.methods.search.setText("rkf45")
    qtbot.keyClick(integrator.methods.search, Qt.Key.Key_Return)
    assert integrator.session.scenario.method == "rkf45"
    assert not integrator.picker.list.isVisible()
    qtbot.keyClick(integrator.methods.search, Qt.Key.Key_Escape)
    assert integrator.methods.search.text() == ""


def test_down_goes_from_the_search_to_the_first_hit(integrator: IntegratorPanel, qtbot: QtBot) -> None:
    integrator.picker.open()
    integrator.methods.search.setText("rkf78")
    qtbot.keyClick(integrator.methods.search, Qt.Key.Key_Down)
    assert integrator.session.scenario.method == "rkf78"
    integrator.methods.search.setText("order 7")
    qtbot.keyClick(integrator.methods.search, Qt.Key.Key_Down)
    assert integrator.session.scenario.method == "rkf78"


def test_methods_are_swapped_with_the_list_open_and_by_arrow_keys(
    session: Session, integrator: IntegratorPanel, qtbot: QtBot
) -> None:
    qtbot.mouseClick(integrator.picker.button, Qt.MouseButton.LeftButton)
    assert integrator.picker.list.isVisible()
    integrator.methods.tree.setCurrentItem(integrator.methods.items["rk8"])
    assert session.scenario.method == "rk8"
    assert integrator.picker.list.isVisible()
    qtbot.keyClick(integrator.methods.search, Qt.Key.Key_Return)
    assert not integrator.picker.list.isVisible()
    assert "order 8" in integrator.picker.facts.text()
    assert integrator.picker.button.text().startswith("Runge-Kutta 8")
    qtbot.keyClick(integrator.picker.button, Qt.Key.Key_Down)
    after = session.scenario.method
    assert after != "rk8"
    qtbot.keyClick(integrator.picker.button, Qt.Key.Key_Up)
    assert session.scenario.method == "rk8"


def test_the_step_is_changed_by_typing_with_a_unit(session: Session, integrator: IntegratorPanel, qtbot: QtBot) -> None:
    typed(qtbot, number(integrator.steps, "step"), "20 ms")
    assert session.scenario.step == 0.02


@pytest.mark.parametrize("text", ["0", "-1", "5", "nan", "soon"])
def test_an_impossible_step_is_refused(text: str, session: Session, integrator: IntegratorPanel, qtbot: QtBot) -> None:
    row = number(integrator.steps, "step")
    typed(qtbot, row, text)
    assert session.scenario.step == 0.01
    assert row.complaint.isVisible()
    assert row.complaint.text().startswith("Step must be ")


def test_a_method_without_an_error_estimate_says_why_it_has_no_control(integrator: IntegratorPanel) -> None:
    assert not integrator.mode.buttons["controlled"].isEnabled()
    assert "no error estimate" in integrator.mode_reason.text()
    assert integrator.mode_reason.isVisible()


def test_switching_between_step_and_tolerances_and_back(
    session: Session, integrator: IntegratorPanel, qtbot: QtBot
) -> None:
    session.edit("method", "dopri5")
    assert not integrator.mode_reason.isVisible()
    qtbot.mouseClick(integrator.mode.buttons["controlled"], Qt.MouseButton.LeftButton)
    assert session.scenario.step is None
    assert (session.scenario.rtol, session.scenario.atol) == (1e-6, 1e-9)
    typed(qtbot, number(integrator.steps, "rtol"), "1e-4")
    typed(qtbot, number(integrator.steps, "max_step"), "50 ms")
    assert session.scenario.rtol == 1e-4
    assert session.scenario.max_step == 0.05
    controller = integrator.steps.rows["controller"]
    assert isinstance(controller, ChoiceRow)
    controller.box.chosen.emit("paper")
    assert session.scenario.controller == "paper"
    qtbot.mouseClick(integrator.mode.buttons["fixed"], Qt.MouseButton.LeftButton)
    assert session.scenario.step == 0.01
    qtbot.mouseClick(integrator.mode.buttons["controlled"], Qt.MouseButton.LeftButton)
    assert session.scenario.rtol == 1e-4


def test_the_output_interval_never_changes_the_steps(
    session: Session, integrator: IntegratorPanel, qtbot: QtBot
) -> None:
    assert session.runs.current.run is not None
    steps = session.runs.current.run.counts.steps
    typed(qtbot, number(integrator.output, "sampling"), "0.1")
    assert session.scenario.sampling == 0.1
    assert session.runs.current.run.counts.steps == steps


def test_from_here_on_keeps_the_past(session: Session, integrator: IntegratorPanel, qtbot: QtBot) -> None:
    before = session.runs.current.run
    assert before is not None
    session.playback.seek(1.0)
    qtbot.mouseClick(integrator.scope.buttons["here"], Qt.MouseButton.LeftButton)
    integrator.methods.tree.setCurrentItem(integrator.methods.items["rk1"])
    after = session.runs.current.run
    assert after is not None
    assert session.scenario.method == "rk4"
    assert [segment.at for segment in session.scenario.segments] == [1.0]
    past = before.t <= 1.0
    assert after.y[: past.sum()] == pytest.approx(before.y[past], abs=1e-12)
    assert integrator.changes.count() == 1
    item = integrator.changes.itemAt(0)
    assert item is not None
    assert isinstance(item.widget(), QWidget)
    session.from_here.remove(0)
    assert session.scenario.segments == ()
    assert integrator.changes.count() == 0
