"""The PA-10: kinematics against Pinocchio, the control law against plain linear algebra, paper 3's claims as facts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assets.errors import BadInput
from robots.catalog.pa10.posture import posture
from robots.catalog.pa10.robot import ROBOT
from robots.dynamics.kernels import clik
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario, new_scenario
from robots.simulation.simulate import simulate
from solvers.status import Status

pinocchio = pytest.importorskip("pinocchio")


@pytest.fixture(scope="module")
def engine():
    """The same arm in an independent engine, joint by joint from the published link lengths."""
    d1, d3, d5, d7 = 0.315, 0.450, 0.500, 0.080
    model = pinocchio.Model()
    # Upright arm: S1, S3, E2, W2 turn about z, the pitch joints about y.
    steps = [(0.0, "z"), (d1, "y"), (0.0, "z"), (d3, "y"), (0.0, "z"), (d5, "y"), (0.0, "z")]
    parent = 0
    for k, (rise, axis) in enumerate(steps):
        joint = pinocchio.JointModelRZ() if axis == "z" else pinocchio.JointModelRY()
        placement = pinocchio.SE3(np.eye(3), np.array([0.0, 0.0, rise]))
        parent = model.addJoint(parent, joint, placement, f"j{k + 1}")
    tip = pinocchio.SE3(np.eye(3), np.array([0.0, 0.0, d7]))
    frame = model.addFrame(pinocchio.Frame("tip", parent, 0, tip, pinocchio.FrameType.OP_FRAME))
    return model, model.createData(), frame


def kinematics(q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tip, rotation and Jacobian by our kernels."""
    params = ROBOT.problem(new_scenario("pa10")).params
    clik.kinematics(q, params)
    end = params[clik.END : clik.END + 12].reshape(4, 3)
    return end[3].copy(), end[:3].T.copy(), clik.jacobian_of(params).copy()


def test_kinematics_agree_with_pinocchio(engine):
    model, data, frame = engine
    random = np.random.default_rng(1)
    for _ in range(1000):
        q = random.uniform(-np.pi, np.pi, 7)
        place, rotation, jacobian = kinematics(q)
        pinocchio.framesForwardKinematics(model, data, q)
        np.testing.assert_allclose(place, data.oMf[frame].translation, atol=1e-12)
        np.testing.assert_allclose(rotation, data.oMf[frame].rotation, atol=1e-12)
        reference = pinocchio.computeFrameJacobian(model, data, q, frame, pinocchio.LOCAL_WORLD_ALIGNED)
        np.testing.assert_allclose(jacobian, reference, atol=1e-12)


def test_link_frames_end_at_the_tip():
    q = np.radians([10.0, 20.0, -30.0, 60.0, 40.0, -50.0, 15.0])
    scenario = new_scenario("pa10")
    frames = ROBOT.poses(scenario, np.zeros(1), q[None])[0]
    place, rotation, _ = kinematics(q)
    np.testing.assert_allclose(frames[7, :3, 3], place, atol=1e-14)
    np.testing.assert_allclose(frames[7, :3, :3], rotation, atol=1e-14)


def law(scenario: Scenario, t: float, q: np.ndarray, **replaced: float) -> np.ndarray:
    """q' = J+ (xd' + K e) + (1 - J+ J) z by numpy, for the circle of constant orientation."""
    place, rotation, jacobian = kinematics(q)
    start, turned, _ = kinematics(np.array(ROBOT.problem(scenario).initial))
    r, rate, phase = 0.5, 0.2, 0.25
    angle = phase + rate * t
    centre = start - r * np.array([math.cos(phase), math.sin(phase), 0.0])
    wanted = centre + r * np.array([math.cos(angle), math.sin(angle), 0.0])
    speed = r * rate * np.array([-math.sin(angle), math.cos(angle), 0.0, 0.0, 0.0, 0.0])
    e_o = 0.5 * sum(np.cross(rotation[:, k], turned[:, k]) for k in range(3))
    command = speed + np.concatenate([wanted - place, e_o])
    gram = jacobian @ jacobian.T
    return jacobian.T @ np.linalg.solve(gram + replaced.get("damping", 0.0) * np.eye(6), command)


@pytest.mark.parametrize("inverse", ["pinv", "svd", "dls-constant"])
def test_the_control_law_is_the_papers(inverse):
    scenario = find_preset("pa10-circle").with_value("task.inverse", inverse)
    problem = ROBOT.problem(scenario)
    random = np.random.default_rng(2)
    for _ in range(50):
        q, t = problem.initial + 0.3 * random.normal(size=7), random.uniform(0.0, 30.0)
        out = np.empty(7)
        problem.rhs(t, q, problem.params, out)
        damping = float(scenario.task["damping"]) if inverse == "dls-constant" else 0.0
        np.testing.assert_allclose(out, law(scenario, t, q, damping=damping), rtol=1e-9, atol=1e-11)


def test_manipulability_ascends_along_its_gradient():
    base = find_preset("pa10-circle")
    q = ROBOT.problem(base).initial + 0.3

    def manipulability(posture: np.ndarray) -> float:
        _, _, jacobian = kinematics(posture)
        return math.sqrt(np.linalg.det(jacobian @ jacobian.T))

    gradient = np.array(
        [(manipulability(q + h) - manipulability(q - h)) / 2e-6 for h in 1e-6 * np.eye(7)],
    )
    _, _, jacobian = kinematics(q)
    into_null_space = np.eye(7) - np.linalg.pinv(jacobian) @ jacobian
    rates = []
    for changes in ({}, {"task.null_task": "manipulability", "task.null_gain": 3.0}):
        problem = ROBOT.problem(base.with_values(changes))
        out = np.empty(7)
        problem.rhs(1.0, q, problem.params, out)
        rates.append(out)
    np.testing.assert_allclose(rates[1] - rates[0], into_null_space @ (3.0 * gradient), atol=1e-7)


def worst(preset: str, **changes: object) -> float:
    """Maximum position error of a run [m]."""
    values = {key.replace("__", "."): value for key, value in changes.items()}
    return simulate(find_preset(preset).with_values(values)).max_error["position_m"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("method", "order", "options"),
    [
        ("euler", 1, {}),
        ("midpoint", 2, {}),
        ("pc-trapezoid", 2, {}),
        ("rk4", 4, {}),
        ("ab4", 4, {"options__startup": "rk4"}),
        ("am4", 4, {"options__startup": "rk4"}),
    ],
)
def test_observed_order_of_the_papers_six(method, order, options):
    steps = (0.1, 0.05)
    coarse, fine = (worst("pa10-circle", method=method, step=step, **options) for step in steps)
    assert math.log2(coarse / fine) == pytest.approx(order, abs=0.25)


def test_claims_of_paper_3():
    assert 1e-8 < worst("pa10-circle") < 4e-8
    assert 1e-5 < worst("pa10-circle", method="midpoint") < 1e-4
    held = worst("pa10-circle", method="midpoint", task__feedback="held")
    assert held < 0.2 * worst("pa10-circle", method="midpoint")
    assert worst("pa10-drift", method="euler", step=1.0) > 0.5
    assert worst("pa10-drift", method="pc-trapezoid", step=1.0) < 0.05
    assert worst("pa10-singular") < 0.01 * worst("pa10-singular", method="euler")


def test_out_of_reach_costs_what_is_missing():
    error = worst("pa10-singular", task__delta=-2e-3, task__inverse="dls")
    assert 2e-3 <= error < 3e-3
    assert worst("pa10-singular", task__delta=-2e-3, method="ab4") > 50.0 * worst(
        "pa10-singular", task__delta=-2e-3, method="ab4", task__inverse="dls"
    )


def test_start_postures_of_the_singular_circle():
    near = np.degrees(posture(1e-4, ROBOT.table(new_scenario("pa10"))))
    expected = [0.0, 0.9989892536279884, 0.0, 109.48607518420208, 0.0, 39.5149355621699, 0.0]
    np.testing.assert_allclose(near, expected, atol=1e-11)
    beyond = np.degrees(posture(-2e-3, ROBOT.table(new_scenario("pa10"))))
    expected = [0.0, 1.1795323973026874, 0.0, 109.17384756317627, 0.0, 39.64662003952103, 0.0]
    np.testing.assert_allclose(beyond, expected, atol=1e-11)


@pytest.mark.parametrize("path", ["circle", "line", "rounded-square", "figure-eight", "helix", "way-points"])
@pytest.mark.parametrize("law_name", ["constant", "trapezoid", "quintic"])
@pytest.mark.parametrize("turn", ["constant", "turning", "tangent"])
def test_every_path_moves_as_its_speed_says(path, law_name, turn):
    from robots.dynamics.kernels.paths import BLOCK, desired_many

    changes = {"task.path": path, "task.law": law_name, "task.orientation": turn, "task.size": 0.2}
    params = ROBOT.problem(find_preset("pa10-free").with_values(changes)).params
    block, spline = params[clik.PATH : clik.PATH + BLOCK].copy(), params[clik.spline_place(params) :].reshape(-1, 13)
    times = np.linspace(0.013, 2.2, 40)
    h = 1e-6
    rows = [np.empty((len(times), 36)) for _ in range(3)]
    for shift, out in zip((-h, 0.0, h), rows, strict=True):
        desired_many(times + shift, block, spline, out)
    before, now, after = rows
    np.testing.assert_allclose((after[:, :3] - before[:, :3]) / (2 * h), now[:, 3:6], atol=2e-6)
    for k, row in enumerate(now):
        frame = row[6:15].reshape(3, 3).T
        np.testing.assert_allclose(frame.T @ frame, np.eye(3), atol=1e-13)
        change = (after[k, 6:15] - before[k, 6:15]).reshape(3, 3).T / (2 * h)
        spin = change @ frame.T
        np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], row[15:18], atol=2e-6)


def test_zero_and_huge_gain():
    open_loop = worst("pa10-circle", method="euler", task__gain=0.0)
    assert open_loop > worst("pa10-circle", method="euler")
    run = simulate(find_preset("pa10-circle").with_values({"task.gain": 1e5, "method": "rk4"}))
    assert run.status is Status.FINISHED
    assert np.isfinite(run.y).all()
    assert "exceed their angle limits" in run.message


def test_singular_start_is_never_nan():
    changes = {f"initial.q{k + 1}": 0.0 for k in range(7)}
    run = simulate(find_preset("pa10-circle").with_values(changes))
    assert np.isfinite(run.y).all()


def test_speed_limits_can_be_respected():
    fast = find_preset("pa10-circle").with_values({"task.speed": 2.0, "duration": 1.0, "step": 0.01})
    free, slowed = simulate(fast), simulate(fast.with_value("task.clamp", "speeds"))
    share = {key: np.abs(run.series()["speeds"].values).max() for key, run in (("free", free), ("slowed", slowed))}
    assert share["free"] > 1.0
    assert share["slowed"] <= 1.0 + 1e-9
    assert "speed limit" in free.message
    assert "speed limit" not in slowed.message


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"task.points": "0 0; 1 1"}, "task.points"),
        ({"task.inverse": "pinvv"}, "task.inverse"),
        ({"task.gain": -1.0}, "task.gain"),
        ({"task.path": "rounded-square", "task.corner": 1.0}, "task.corner"),
        ({"task.feedback": "held", "method": "dopri5", "rtol": 1e-6}, "task.feedback"),
    ],
)
def test_bad_input_names_the_field(changes, field):
    with pytest.raises(BadInput) as caught:
        find_preset("pa10-circle").with_values({"task.path": "way-points", **changes})
    assert caught.value.what == field


def test_way_points_are_handles_and_dragging_one_moves_only_that():
    weld = find_preset("pa10-weld")
    places = ROBOT.handles(weld)
    assert places is not None
    assert len(places) == 4
    goal = places[1] + [0.01, -0.02, 0.03]
    moved = ROBOT.handles(weld.with_values(ROBOT.drag(weld, 1, goal)))
    assert moved is not None
    np.testing.assert_allclose(moved[1], goal, atol=1e-4)
    np.testing.assert_allclose(moved[[0, 2, 3]], places[[0, 2, 3]], atol=1e-12)
    assert ROBOT.handles(find_preset("pa10-circle")) is None


def test_the_path_runs_through_its_way_points():
    weld = find_preset("pa10-weld").with_value("task.law", "constant")
    path = ROBOT.desired_path(weld, np.linspace(0.0, 20.0, 20_001))
    places = ROBOT.handles(weld)
    assert places is not None
    for place in places:
        assert np.linalg.norm(path - place, axis=1).min() < 1e-4


def test_the_ellipsoid_is_that_of_the_jacobian_and_warns_near_a_singular_posture():
    q = np.array([0.3, 0.5, -0.4, 1.2, 0.2, 0.7, 0.1])
    mobility = ROBOT.mobility(new_scenario("pa10"), 0.0, q)
    linear = kinematics(q)[2][:3]
    np.testing.assert_allclose(mobility.axes @ mobility.axes.T, linear @ linear.T, atol=1e-12)
    assert not mobility.singular
    q[3] = 1e-3
    assert ROBOT.mobility(new_scenario("pa10"), 0.0, q).singular
