"""The RR arm's equations: energy, derivatives, and agreement with an independent engine."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robots.catalog.rr.robot import ROBOT
from robots.model.segments import Pull
from robots.scenario.scenario import Scenario, new_scenario

angles = st.floats(-7.0, 7.0)
rates = st.floats(-5.0, 5.0)
scales = st.floats(0.1, 5.0)
TORQUES = {
    "none": {},
    "constant": {"tau1": 3.0, "tau2": -2.0},
    "viscous": {"d1": 0.7, "d2": 1.3},
    "pd": {"kp1": 20.0, "kp2": 9.0, "kd1": 4.0, "kd2": 2.0, "target1": 1.0, "target2": -0.5},
}
PULLS = (
    None,
    Pull(0, (0.7, 0.0, 0.1), 40.0, 3.0, ((0.0, 1.0, 0.0, 2.0), (0.5, 0.6, 0.0, 2.6), (1.0, -0.4, 0.0, 2.2))),
    Pull(
        1,
        (0.9, 0.0, -0.2),
        60.0,
        5.0,
        ((0.0, 1.0, 0.0, 2.0), (0.3, 0.2, 0.0, 3.0), (1.0, 0.1, 0.0, 1.0), (2.0, 0.0, 0.0, 1.0)),
    ),
)


@st.composite
def arms(draw: st.DrawFn) -> Scenario:
    """Any RR arm in any state under any torque."""
    kind = draw(st.sampled_from(list(TORQUES)))
    changes = {f"robot.{key}": draw(scales) for key in ("m1", "m2", "r1", "r2", "J1", "J2", "g")}
    changes |= {f"initial.q{k}": draw(angles) for k in (1, 2)} | {f"initial.v{k}": draw(rates) for k in (1, 2)}
    changes |= {f"task.{key}": value for key, value in TORQUES[kind].items()}
    return new_scenario("rr").with_values({**changes, "task.torque": kind})


def accelerations(scenario: Scenario, y: np.ndarray, pull: Pull | None = None, t: float = 0.4) -> np.ndarray:
    problem = ROBOT.problem(scenario, pull)
    dy = np.empty(4)
    problem.rhs(t, y, problem.params, dy)
    return dy


def state(scenario: Scenario) -> np.ndarray:
    return np.array([scenario.initial[key] for key in ("q1", "q2", "v1", "v2")])


def lengths(scenario: Scenario) -> tuple[float, ...]:
    return tuple(float(scenario.parameters[key]) for key in ("m1", "m2", "r1", "r2", "J1", "J2", "g"))


@given(arms())
def test_equation_6(scenario: Scenario) -> None:
    """The accelerations satisfy T = J qdd + C + G, term by term as printed, with the chosen torque for T."""
    m1, m2, r1, r2, J1, J2, g = lengths(scenario)
    y = state(scenario)
    q1, q2, v1, v2 = y
    v1_, v2_, a1, a2 = accelerations(scenario, y)
    assert (v1_, v2_) == (v1, v2)
    C1, C2, S2, C12 = math.cos(q1), math.cos(q2), math.sin(q2), math.cos(q1 + q2)
    J = np.array(
        [
            [(m1 + m2) * r1**2 + m2 * r2**2 + 2 * m2 * r1 * r2 * C2 + J1, m2 * r2**2 + m2 * r1 * r2 * C2],
            [m2 * r2**2 + m2 * r1 * r2 * C2, m2 * r2**2 + J2],
        ]
    )
    C = np.array([-m2 * r1 * r2 * S2 * v2**2 - 2 * m2 * r1 * r2 * S2 * v1 * v2, m2 * r1 * r2 * S2 * v1**2])
    G = np.array([g * (m1 * r1 * C1 + m2 * r1 * C1 + m2 * r2 * C12), g * m2 * r2 * C12])
    named = ROBOT.columns(scenario, np.zeros(1), y[None])
    T = np.array([named[f"u{k}"][0] if f"u{k}" in named else 0.0 for k in (1, 2)])
    scale = np.abs(J).max() * np.abs([a1, a2]).max() + np.abs(C).max() + np.abs(G).max() + 1.0
    assert J @ [a1, a2] + C + G == pytest.approx(T, abs=1e-13 * scale)


@given(arms())
def test_power_of_the_torque_is_the_rate_of_the_energy(scenario: Scenario) -> None:
    """dE/dt along the flow equals the power of whatever is not in E: nothing, or the dampers."""
    y = state(scenario)
    dy = accelerations(scenario, y)
    h = 1e-5

    def energy(states: np.ndarray) -> float:
        return float(sum(part[0] for part in ROBOT.energies(scenario, states[None])))

    slope = (8 * (energy(y + h * dy) - energy(y - h * dy)) - (energy(y + 2 * h * dy) - energy(y - 2 * h * dy))) / (
        12 * h
    )
    task = scenario.task
    damping = {"viscous": (task["d1"], task["d2"]), "pd": (task["kd1"], task["kd2"])}.get(
        str(task["torque"]), (0.0, 0.0)
    )
    power = -float(damping[0]) * y[2] ** 2 - float(damping[1]) * y[3] ** 2
    assert slope == pytest.approx(power, abs=1e-6 * (1.0 + np.abs(dy).max() ** 2 + abs(energy(y))))


@pytest.mark.parametrize("pull", PULLS)
@given(arms())
def test_jacobian_is_the_derivative(pull: Pull | None, scenario: Scenario) -> None:
    problem = ROBOT.problem(scenario, pull)
    y, t = state(scenario), 0.4
    exact = np.empty((4, 4))
    problem.jacobian(t, y, problem.params, exact)
    h, columns = 1e-4, []
    for unit in np.eye(4):
        near = accelerations(scenario, y + h * unit, pull) - accelerations(scenario, y - h * unit, pull)
        far = accelerations(scenario, y + 2 * h * unit, pull) - accelerations(scenario, y - 2 * h * unit, pull)
        columns.append((8 * near - far) / (12 * h))
    assert exact == pytest.approx(np.stack(columns, axis=1), abs=1e-6 * np.abs(exact).max())


@pytest.mark.parametrize("pull", PULLS[1:])
@given(arms())
def test_pull_does_the_work_of_its_force(pull: Pull, scenario: Scenario) -> None:
    """The pull changes the accelerations by M^-1 times the force at the pulled point, projected by numbers."""
    y, t, h = state(scenario), 0.4, 1e-5
    problem = ROBOT.problem(scenario, pull)

    def place(q: np.ndarray) -> np.ndarray:
        frame = ROBOT.poses(scenario, np.zeros(1), np.append(q, [0.0, 0.0])[None])[0, pull.link]
        return frame[:3, :3] @ pull.point + frame[:3, 3]

    columns = [(place(y[:2] + h * unit) - place(y[:2] - h * unit)) / (2 * h) for unit in np.eye(2)]
    J = np.stack(columns, axis=1)
    track = np.array(pull.track)
    k = np.searchsorted(track[:, 0], t, side="right") - 1
    from scipy.interpolate import CubicHermiteSpline

    slopes = np.gradient(track[:, 1:], track[:, 0], axis=0, edge_order=1)
    for i in range(1, len(track) - 1):
        slopes[i] = (track[i + 1, 1:] - track[i - 1, 1:]) / (track[i + 1, 0] - track[i - 1, 0])
    target = CubicHermiteSpline(track[k : k + 2, 0], track[k : k + 2, 1:], slopes[k : k + 2])(t)
    force = pull.stiffness * (target - place(y[:2])) - pull.damping * (J @ y[2:])
    m1, m2, r1, r2, J1, J2, _ = lengths(scenario)
    b = m2 * r1 * r2 * math.cos(y[1])
    M = np.array([[(m1 + m2) * r1**2 + m2 * r2**2 + 2 * b + J1, m2 * r2**2 + b], [m2 * r2**2 + b, m2 * r2**2 + J2]])
    dy = np.empty(4)
    problem.rhs(t, y, problem.params, dy)
    change = (dy - accelerations(scenario, y))[2:]
    wanted = np.linalg.solve(M, J.T @ force)
    assert change == pytest.approx(wanted, rel=1e-6, abs=1e-6 * (1 + np.abs(wanted).max()))


def pinocchio_arm(scenario: Scenario):
    pin = pytest.importorskip("pinocchio")
    m1, m2, r1, r2, J1, J2, g = lengths(scenario)
    model = pin.Model()
    # Pinocchio's revolute axis is -y: angles turn from +x to +z.
    axis = np.array([0.0, -1.0, 0.0])
    first = model.addJoint(0, pin.JointModelRevoluteUnaligned(axis), pin.SE3.Identity(), "joint1")
    model.appendBodyToJoint(first, pin.Inertia(m1, np.array([r1, 0.0, 0.0]), np.zeros((3, 3))), pin.SE3.Identity())
    place = pin.SE3(np.eye(3), np.array([r1, 0.0, 0.0]))
    second = model.addJoint(first, pin.JointModelRevoluteUnaligned(axis), place, "joint2")
    model.appendBodyToJoint(second, pin.Inertia(m2, np.array([r2, 0.0, 0.0]), np.zeros((3, 3))), pin.SE3.Identity())
    model.gravity.linear = np.array([0.0, 0.0, -g])
    model.armature = np.array([J1, J2])
    return pin, model, model.createData()


@given(arms())
def test_agrees_with_pinocchio(scenario: Scenario) -> None:
    """Articulated-body dynamics of an independent engine, the rotor inertias as its armature."""
    scenario = scenario.with_value("task.torque", "none")
    pin, model, data = pinocchio_arm(scenario)
    y = state(scenario)
    theirs = pin.aba(model, data, y[:2], y[2:], np.zeros(2))
    assert accelerations(scenario, y)[2:] == pytest.approx(theirs, rel=1e-10, abs=1e-10)
    kinetic, potential = ROBOT.energies(scenario, y[None])
    # Its kinetic energy leaves the armature out.
    rotors = 0.5 * float(model.armature @ y[2:] ** 2)
    assert kinetic[0] == pytest.approx(pin.computeKineticEnergy(model, data, y[:2], y[2:]) + rotors, rel=1e-12)
    assert potential[0] == pytest.approx(pin.computePotentialEnergy(model, data, y[:2]), rel=1e-10, abs=1e-10)


@given(arms())
def test_tip_and_frames(scenario: Scenario) -> None:
    """Frames are rotations; the tip is r1, r2 along the links from the shoulder, and never below the ground."""
    _, _, r1, r2, *_ = lengths(scenario)
    y = state(scenario)
    frames = ROBOT.poses(scenario, np.zeros(1), y[None])[0]
    for frame in frames:
        assert frame[:3, :3] @ frame[:3, :3].T == pytest.approx(np.eye(3), abs=1e-14)
        assert np.linalg.det(frame[:3, :3]) == pytest.approx(1.0)
    tip = ROBOT.tip_path(scenario, np.zeros(1), y[None])[0]
    shoulder = frames[0][:3, 3]
    arm = r1 * np.exp(1j * y[0]) + r2 * np.exp(1j * (y[0] + y[1]))
    assert tip[0] + 1j * (tip[2] - shoulder[2]) == pytest.approx(arm)
    assert tip[2] > 0.0
    if r1 == r2 == 1.0:
        assert shoulder[2] == pytest.approx(2.4)


def test_shape_is_lean_and_named() -> None:
    shape = ROBOT.shape(new_scenario("rr"))
    assert shape.links == ("link 1", "link 2")
    assert len(shape.parts) < 20
    assert all(part.name for part in shape.parts)
    heavy = ROBOT.shape(new_scenario("rr").with_value("robot.m2", 8.0))
    ball = next(part for part in shape.parts if part.name == "mass 2")
    heavier = next(part for part in heavy.parts if part.name == "mass 2")
    assert heavier.size[0] == pytest.approx(2.0 * ball.size[0])


def test_the_ellipse_of_velocities_is_that_of_the_jacobian_and_warns_of_a_stretched_arm():
    scenario = new_scenario("rr").with_values({"robot.r1": 1.3, "robot.r2": 0.7})
    state = np.array([0.4, 0.9, 0.0, 0.0])
    near = state + 1e-6 * np.vstack([np.eye(4)[:2], -np.eye(4)[:2]])
    tips = ROBOT.tip_path(scenario, np.zeros(4), near)
    jacobian = (tips[:2] - tips[2:]).T / 2e-6
    mobility = ROBOT.mobility(scenario, 0.0, state)
    np.testing.assert_allclose(mobility.axes @ mobility.axes.T, jacobian @ jacobian.T, atol=1e-8)
    assert np.prod(np.linalg.norm(mobility.axes, axis=0)[:2]) == pytest.approx(1.3 * 0.7 * np.sin(0.9))
    assert not mobility.singular
    assert ROBOT.mobility(scenario, 0.0, np.array([0.4, np.pi - 0.01, 0.0, 0.0])).singular
