"""The stiff double pendulum of paper 4: equations, energy, an independent engine, tolerances met."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robots.catalog.double_pendulum.equations import pendulum_inertia
from robots.catalog.double_pendulum.robot import ROBOT
from robots.dynamics.multibody.reduction import reduce
from robots.scenario.presets import find_scenario
from robots.scenario.scenario import Scenario, new_scenario
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.simulate import simulate
from solvers.status import Status
from tests.robots.test_multibody import assert_exact

PRESET = find_scenario("double-pendulum")
states = st.tuples(*[st.floats(-6.0, 6.0)] * 4).map(np.array)
FREE = {"robot.C1": 0.0, "robot.C2": 0.0, "robot.k1": 40.0, "robot.k2": 30.0}


def slope(scenario: Scenario, y: np.ndarray) -> np.ndarray:
    problem = ROBOT.minimal(scenario)
    dy = np.empty(4)
    problem.rhs(0.0, np.array(y, dtype=float), problem.params, dy)
    return dy


def test_numbers_of_the_paper() -> None:
    """Inertias as they follow from slender rods, the printed initial state and the dominant eigenvalue."""
    assert pendulum_inertia(0.0, SimpleNamespace(**PRESET.parameters)) == pytest.approx((5.2, 0.9, 0.9))
    y = ROBOT.minimal(PRESET).initial
    first, second = np.exp(1j * y[0]), np.exp(1j * y[1])
    centre = 2.0 * first + 1.5 * second
    rate = 2.0j * first * y[2] + 1.5j * second * y[3]
    assert (centre.real, centre.imag) == pytest.approx((3.4488887, -0.388228), abs=1e-6)
    assert (rate.real, rate.imag) == pytest.approx((3.8822857, 14.4888887), abs=2e-6)
    problem = ROBOT.minimal(PRESET)
    J = np.empty((4, 4))
    problem.jacobian(0.0, y, problem.params, J)
    assert np.linalg.eigvals(J).real.min() == pytest.approx(-9.987e4, rel=1e-3)


@given(states)
def test_jacobian_is_the_derivative(y: np.ndarray) -> None:
    problem, h = ROBOT.minimal(PRESET), 1e-3
    exact = np.empty((4, 4))
    problem.jacobian(0.0, y, problem.params, exact)
    columns = []
    for unit in h * np.eye(4):
        near, far = slope(PRESET, y + unit) - slope(PRESET, y - unit), slope(PRESET, y + 2 * unit)
        columns.append((8.0 * near - (far - slope(PRESET, y - 2 * unit))) / (12.0 * h))
    assert exact == pytest.approx(np.stack(columns, axis=1), abs=1e-9 * np.abs(exact).max())


def test_agrees_with_mujoco() -> None:
    """Accelerations of two hinged slender rods in an independent engine, with its joint springs and dampers."""
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><option gravity="0 0 -9.81"/><compiler angle="radian"/><worldbody>
        <body><joint name="a" axis="0 -1 0" stiffness="400" damping="15" springref="4.71238898038469"/>
          <inertial pos="1 0 0" mass="3" diaginertia="1e-9 1 1"/>
          <body pos="2 0 0"><joint name="b" axis="0 -1 0" stiffness="3e5" damping="5e4"/>
            <inertial pos="1.5 0 0" mass="0.3" diaginertia="1e-9 0.225 0.225"/></body></body>
        </worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    for q1, q2, v1, v2 in [(6.3, 6.0, 0.0, 10.0), (4.7, 4.69, -3.0, -3.1), (1.0, 0.9, 2.0, 1.0)]:
        data.qpos[:], data.qvel[:] = (q1, q2 - q1), (v1, v2 - v1)
        mujoco.mj_forward(model, data)
        theirs = np.cumsum(data.qacc)
        ours = slope(PRESET, np.array([q1, q2, v1, v2]))[2:]
        assert ours == pytest.approx(theirs, rel=1e-8, abs=1e-6)


def test_energy_is_kept_without_dampers() -> None:
    run = simulate(PRESET.with_values({**FREE, "duration": 10.0, "method": "dop853", "rtol": 1e-12, "atol": 1e-12}))
    assert run.status is Status.FINISHED
    assert run.max_error["energy_J"] < 1e-8
    assert "energy_J" not in simulate(PRESET).max_error


@pytest.mark.parametrize("v2", [10.0, 0.0])
def test_the_tolerance_is_met(v2: float, tmp_path) -> None:
    """Errors of the order of the tolerance at the paper's four, a factor of about ten from each to the next."""
    scenario = PRESET.with_value("initial.v2", v2)
    exact = reference(scenario, cache_dir=tmp_path)
    assert exact is not None
    assert exact.trusted_until == 2.0
    found = []
    for k in (-2, -3, -4, -5):
        run = simulate(scenario.with_values({"rtol": 10.0**k, "atol": 10.0**k}))
        gaps = np.abs(run.y - exact.sample(run.t)).max(axis=0)
        assert 0.1 * 10.0**k < gaps[0] < 7.0 * 10.0**k
        assert 0.1 * 10.0**k < gaps[2] < 70.0 * 10.0**k
        found.append(compare_with_reference(run, exact).max["reference_q_rad"])
    assert np.log10(np.array(found[:-1]) / found[1:]) == pytest.approx(1.0, abs=0.25)


def test_angle_1_settles_at_the_rest_angle_of_its_spring() -> None:
    run = simulate(PRESET.with_values({"duration": 20.0}))
    assert run.final["q1"] == pytest.approx(1.5 * math.pi, abs=1e-4)
    printed = simulate(PRESET)
    assert printed.y[:, 2].min() == pytest.approx(-9.7, abs=0.1)
    assert printed.y[:, 2].max() == pytest.approx(6.4, abs=0.1)


def test_an_explicit_method_creeps() -> None:
    explicit = simulate(PRESET.with_values({"method": "dopri5", "duration": 0.1}))
    implicit = simulate(PRESET.with_values({"duration": 0.1}))
    assert explicit.counts.steps > 50 * implicit.counts.steps
    assert 0.1 / explicit.counts.steps < 4e-5


def test_looks() -> None:
    scenario = new_scenario("double-pendulum")
    shape = ROBOT.shape(scenario)
    y = np.array([[0.3, -0.4, 0.0, 0.0], [7.0, 9.0, 1.0, 1.0]])
    frames, curves = ROBOT.poses(scenario, np.zeros(2), y), ROBOT.curves(scenario, np.zeros(2), y)
    assert frames.shape == (2, len(shape.links), 4, 4)
    assert {curve.name for curve in shape.curves} == set(curves)
    for k, (q1, q2, *_) in enumerate(y):
        tip = ROBOT.tip_path(scenario, np.zeros(1), y[k : k + 1])[0]
        wanted = 2.0 * np.exp(1j * q1) + 3.0 * np.exp(1j * q2)
        assert tip[0] + 1j * (tip[2] - frames[k, 0, 2, 3]) == pytest.approx(wanted)
        # The rim of each spring lies along the rod that it holds.
        for name, angle in (("spring 1", q1), ("spring 2", q2)):
            centre = frames[k, int(name[-1]) - 1, :3, 3]
            rim = curves[name][k, -1] - centre
            assert math.remainder(math.atan2(rim[2], rim[0]) - angle, 2 * math.pi) == pytest.approx(0.0, abs=1e-9)


CARTESIAN = PRESET.with_value("task.form", "cartesian")


def test_two_bodies_move_as_two_angles(tmp_path) -> None:
    """14 coordinates, 12 constraints, the same initial and final values, errors of the order of the tolerance."""
    problem = ROBOT.problem(CARTESIAN)
    assert (problem.system.coordinates, problem.system.constraints, problem.system.freedom) == (14, 12, 2)
    exact = reference(CARTESIAN, cache_dir=tmp_path)
    assert exact is not None
    found = []
    for k in (-3, -5, -7):
        run = simulate(CARTESIAN.with_values({"rtol": 10.0**k, "atol": 10.0**k}))
        start = [run.columns(np.zeros(1))[name][0] for name in ("q1", "q2", "v1", "v2")]
        assert start == pytest.approx([2 * math.pi, 23 / 12 * math.pi, 0.0, 10.0], abs=1e-12)
        assert run.max_error["constraint_m"] < 1e-12
        assert "coordinates were changed" in run.message
        found.append(compare_with_reference(run, exact).max["reference_q_rad"])
        assert found[-1] < 7.0 * 10.0**k
    minimal = simulate(PRESET.with_values({"rtol": 1e-8, "atol": 1e-8})).final
    final = simulate(CARTESIAN.with_values({"rtol": 1e-8, "atol": 1e-8})).final
    assert list(final) == list(minimal)
    assert final["q1"] == pytest.approx(minimal["q1"], abs=1e-7)
    assert final["v2"] == pytest.approx(minimal["v2"], abs=1e-6)


def test_jacobians_of_two_bodies_are_exact() -> None:
    for changes in ({}, {"initial.q1": 1.0, "initial.q2": 8.0, "initial.v1": -3.0}):
        problem = ROBOT.problem(CARTESIAN.with_values(changes))
        assert_exact(problem, reduce(problem).initial)


def test_angles_of_two_bodies_are_never_wrapped() -> None:
    """The springs count whole turns: a rod that is flung round winds its spring up."""
    free = {"robot.k1": 1.0, "robot.C1": 0.0, "robot.k2": 50.0, "robot.C2": 1.0, "initial.v1": 20.0, "initial.v2": 20.0}
    settings = {**free, "initial.q1": 9.0, "initial.q2": 9.5, "duration": 1.5, "rtol": 1e-9, "atol": 1e-9}
    cartesian, minimal = simulate(CARTESIAN.with_values(settings)), simulate(PRESET.with_values(settings))
    assert abs(minimal.final["q1"] - 9.0) > 2 * math.pi
    for name in ("q1", "q2", "v1", "v2"):
        assert cartesian.final[name] == pytest.approx(minimal.final[name], abs=1e-5)


def test_constraints_hold_for_100_seconds() -> None:
    swing = {**FREE, "initial.v2": 0.0, "duration": 100.0, "method": "dop853", "rtol": 1e-9, "atol": 1e-9}
    run = simulate(CARTESIAN.with_values(swing))
    assert run.status is Status.FINISHED
    assert run.max_error["constraint_m"] < 1e-12
    assert run.max_error["energy_J"] < 1e-4


def test_the_form_cannot_change_on_the_way() -> None:
    from assets.errors import BadInput
    from robots.model.segments import Segment

    with pytest.raises(BadInput, match=r"task\.form"):
        PRESET.with_segments(Segment(1.0, {"task.form": "cartesian"}))
    forked = simulate(CARTESIAN.with_segments(Segment(1.0, {"robot.k1": 800.0})))
    plain = simulate(PRESET.with_segments(Segment(1.0, {"robot.k1": 800.0})))
    assert forked.final["q1"] == pytest.approx(plain.final["q1"], abs=1e-3)


# t*, Delta and RelErr [%] as printed in the paper's tables 1 and 2.
TABLE_1 = ((0.592127, 5.223e-2, 0.12126), (0.599954, 4.198e-3, 0.00964), (0.626135, 4.916e-4, 0.00108))
TABLE_2 = ((0.795548, 4.061e-2, 1.84434), (0.373114, 3.792e-3, 0.12340), (0.217757, 8.652e-4, 0.00922))


def test_the_tables_belong_to_a_start_from_rest(tmp_path) -> None:
    """Delta / RelErr is our solution at t* from rest; Delta of table 1 is printed ten times too large."""
    rest = reference(find_scenario("double-pendulum-rest"), cache_dir=tmp_path)
    printed = reference(PRESET, cache_dir=tmp_path)
    assert rest is not None
    assert printed is not None
    for column, scale, table in ((0, 0.1, TABLE_1), (2, 1.0, TABLE_2)):
        for k, (time, delta, share) in enumerate(table):
            value = scale * delta / (0.01 * share)
            digits = (1e-4, 1e-3, 1e-2)[k]
            assert abs(rest.sample(np.array([time]))[0, column]) == pytest.approx(value, rel=digits)
            assert abs(printed.sample(np.array([time]))[0, column]) != pytest.approx(value, rel=digits)
