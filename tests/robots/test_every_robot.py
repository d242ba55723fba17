"""What every robot of the registry promises, whoever adds it: equations, derivatives, outputs, poses, files."""

from __future__ import annotations

import json

import numpy as np
import pytest

from robots.model.registry import find_robot, robots
from robots.scenario.scenario import Scenario, new_scenario
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from solvers.problem import OdeProblem

KEYS = list(robots())
SPAN = 0.2
STATES = {"top": {"p0", "w1"}, "hmmwv": {"z", "right_front_upper_arm_e1"}}


@pytest.fixture(scope="module", params=KEYS)
def run(request: pytest.FixtureRequest) -> Run:
    """A few steps from the robot's own start, by the method that it is usually run with."""
    return simulate(short(request.param))


def short(key: str) -> Scenario:
    """The robot's default scenario, for a short while."""
    scenario = new_scenario(key)
    return scenario.with_value("duration", min(SPAN, scenario.duration))


def test_its_default_scenario_moves(run: Run) -> None:
    assert run.status.value == "finished", run.message
    assert run.t[0] == 0.0
    assert run.t[-1] == run.scenario.duration
    assert np.isfinite(run.y).all()
    assert run.counts.rhs_evaluations > 0


def test_its_columns_are_named_and_complete(run: Run) -> None:
    columns = run.columns()
    assert STATES.get(run.scenario.robot, {"q1", "v1"}) <= set(columns)
    for name, values in columns.items():
        assert name.isidentifier(), name
        assert values.shape == run.t.shape, name
        assert np.isfinite(values).all(), name


def test_its_links_are_rigid_bodies(run: Run) -> None:
    poses = run.poses(run.t)
    shape = find_robot(run.scenario.robot).shape(run.scenario)
    assert poses.shape == (len(run.t), len(shape.links), 4, 4)
    turns = poses[:, :, :3, :3]
    np.testing.assert_allclose(turns @ np.swapaxes(turns, -1, -2), np.broadcast_to(np.eye(3), turns.shape), atol=1e-9)
    np.testing.assert_allclose(np.linalg.det(turns), 1.0, atol=1e-9)
    np.testing.assert_array_equal(poses[:, :, 3], np.broadcast_to([0.0, 0.0, 0.0, 1.0], poses[:, :, 3].shape))


def test_its_jacobian_is_the_derivative_of_its_right_hand_side(run: Run) -> None:
    """Central differences with a step for each component, wherever an exact Jacobian is offered."""
    problem = find_robot(run.scenario.robot).problem(run.scenario)
    if not isinstance(problem, OdeProblem) or problem.jacobian is None:
        pytest.skip("no exact Jacobian")
    params, y, n = problem.params.copy(), run.y[-1].copy(), problem.dimension
    exact, differences = np.empty((n, n)), np.empty((n, n))
    problem.jacobian(run.t[-1], y, params, exact)
    above, below = np.empty(n), np.empty(n)
    for j in range(n):
        h = 1e-6 * max(1.0, abs(y[j]))
        for sign, out in ((1.0, above), (-1.0, below)):
            moved = y.copy()
            moved[j] += sign * h
            problem.rhs(run.t[-1], moved, params, out)
        differences[:, j] = (above - below) / (2.0 * h)
    scale = np.abs(exact).max()
    assert scale > 0.0
    np.testing.assert_allclose(exact, differences, atol=1e-6 * scale)


def test_its_scenario_survives_a_file(run: Run) -> None:
    text = run.scenario.to_json()
    assert Scenario.from_json(text) == run.scenario
    json.dumps(run.to_dict(), allow_nan=False)


def test_every_number_of_the_robot_matters(run: Run) -> None:
    """A field that changes neither the run nor the picture is no field. All joints move, where they can be made to."""
    scenario, robot = run.scenario, find_robot(run.scenario.robot)
    rates = {f"initial.{field.key}": 0.3 for field in robot.initial if field.key[0] == "v"}
    if robot.group == "Robots":
        scenario = scenario.with_values(rates)
        run = simulate(scenario)
    for field in robot.parameters:
        if field.type is not float or field.when:
            continue
        value = float(scenario.parameters[field.key])
        other = scenario.with_value(f"robot.{field.key}", value * 1.01 if value else 0.01)
        changed = simulate(other)
        same_run = changed.y.shape == run.y.shape and np.array_equal(changed.y, run.y)
        assert not same_run or robot.shape(other) != robot.shape(scenario), f"robot.{field.key} changes nothing"


def test_its_equations_are_the_same_each_time(run: Run) -> None:
    """Nothing is kept from one run that the next would see."""
    again = simulate(run.scenario)
    np.testing.assert_array_equal(again.t, run.t)
    np.testing.assert_array_equal(again.y, run.y)
    assert again.counts == run.counts
