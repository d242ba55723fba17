"""What the teaching overlays show is what the integrator did."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.compose.kinematics import kinematics_of, tip_of
from gui.compose.overlays.stages import step_at
from gui.compose.picture import compose
from robots.scenario.presets import find_scenario
from robots.simulation.simulate import simulate

VIEW = ViewSettings().changed(error_vector=False, trail_seconds=0.0)


def row_of(preset: str, **changes: object) -> RunRow:
    scenario = find_scenario(preset).with_values({path.replace("__", "."): value for path, value in changes.items()})
    return RunRow(0, scenario, 0, pinned=False, run=simulate(scenario), state="done")


@pytest.fixture(scope="module")
def coarse() -> RunRow:
    return row_of("rr-swing", step=0.1, duration=1.0)


def test_there_is_a_dot_for_each_accepted_step(coarse) -> None:
    marks = compose([coarse], 0.55, VIEW.changed(step_dots=True)).dots[0]
    assert np.allclose(marks.points, coarse.run.tip(np.arange(1, 6) * 0.1), atol=1e-12)
    assert len(compose([coarse], 0.55, VIEW).dots) == 1
    late = compose([coarse], 0.55, VIEW.changed(step_dots=True, trail_seconds=0.2)).dots[0]
    assert len(late.points) == 2


def test_dots_of_a_controlled_run_are_its_log() -> None:
    row = row_of("rr-swing", method="dopri5", rtol=1e-4, atol=1e-6, duration=1.0)
    marks = compose([row], 1.0, VIEW.changed(step_dots=True)).dots[0]
    assert len(marks.points) == row.run.counts.steps


@pytest.mark.parametrize("method", ["rk1", "rk2", "rk4", "dopri5"])
def test_stages_of_a_step_end_where_the_step_ended(method) -> None:
    row = row_of("rr-pd", method=method, step=0.05, duration=1.0)
    step = step_at(row.run, 0.42)
    assert (step.start, step.length) == (pytest.approx(0.4), pytest.approx(0.05))
    assert np.array_equal(step.states[0], row.run.y[8])
    assert np.allclose(step.states[-1], row.run.y[9], rtol=1e-13, atol=1e-13)


def test_stages_follow_a_change_half_way() -> None:
    row = row_of("rr-switch")
    early, late = (step_at(row.run, t) for t in (0.3, row.run.t_end - 0.3))
    index = int(np.searchsorted(row.run.t, late.start + 1e-12, side="right")) - 1
    assert np.allclose(late.states[-1], row.run.y[index + 1], rtol=1e-12, atol=1e-12)
    assert early is not None


def test_only_explicit_runge_kutta_methods_have_stages() -> None:
    row = row_of("rr-swing", method="radau5", duration=0.5)
    assert step_at(row.run, 0.2) is None
    assert len(compose([row], 0.2, VIEW.changed(stages=True)).actors) == 1


def test_onion_skins_are_the_stages_and_small_steps_are_lengthened(coarse) -> None:
    picture = compose([coarse], 0.75, VIEW.changed(stages=True))
    assert len(picture.actors) == 1 + 5
    assert [label.text for label in picture.labels] == ["k₁", "k₂", "k₃", "k₄"]
    shape = kinematics_of(coarse.run).shape(0.7)
    first, last = tip_of(shape, picture.actors[1].pose), tip_of(shape, picture.actors[5].pose)
    assert np.allclose(first, coarse.run.tip(np.array([0.7]))[0], atol=1e-9)
    assert np.allclose(last, coarse.run.tip(np.array([0.8]))[0], atol=1e-9)
    fine = compose([row_of("rr-swing", step=0.001, duration=1.0)], 0.75, VIEW.changed(stages=True))
    assert [label.text for label in fine.labels][-1] == "stages × 10"


def test_torque_arcs_turn_the_way_the_torque_does() -> None:
    row = row_of("rr-pd")
    picture = compose([row], 0.05, VIEW.changed(torques=True))
    columns = row.run.columns(np.array([0.05]))
    shape, pose = kinematics_of(row.run).shape(0.05), kinematics_of(row.run).pose(0.05)
    assert len(picture.arrows) == 2
    for (link, point, axis), arrow, name in zip(shape.drives, picture.arrows, ("u1", "u2"), strict=True):
        frame = pose.world_from_link[link]
        centre = frame[:3, :3] @ point + frame[:3, 3]
        sense = np.cross(np.subtract(arrow.start, centre), np.subtract(arrow.end, arrow.start)) @ frame[:3, :3] @ axis
        assert np.sign(sense) == np.sign(columns[name][0])
    assert compose([row_of("rr-swing", duration=0.2)], 0.1, VIEW.changed(torques=True)).arrows == ()


@pytest.mark.parametrize("preset", ["rr-swing", "e1", "e12"])
def test_first_drive_turns_about_its_axis_as_the_joint_angle_grows(preset) -> None:
    """So that the arcs' sense is the torque's."""
    run = simulate(find_scenario(preset))
    times = np.linspace(0.0, run.t_end, 400)
    angle = run.columns(times)["q1"]
    link, _, axis = run.shape(0.0).drives[0]
    frames = run.poses(times)[:, link, :3, :3]
    k = int(np.argmax(np.abs(np.diff(angle))))
    turned = frames[k + 1] @ frames[k].T
    vector = np.array([turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]])
    assert np.sign(vector @ frames[k] @ axis) == np.sign(angle[k + 1] - angle[k])


def test_a_frozen_run_has_no_lessons(coarse) -> None:
    picture = compose([replace(coarse)], 5.0, VIEW.changed(stages=True, torques=True))
    assert len(picture.actors) == 1
