"""Any chain of three or more joints follows a path by closed-loop inverse kinematics."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from assets.errors import BadInput
from gui.app.runs import RunRow
from gui.charts.registry import plots
from gui.charts.shown import Shown
from robots.dynamics.path.chain import chain_of, joints_to_tip
from robots.dynamics.path.task import natural_pieces
from robots.model.registry import find_robot, robot_of
from robots.model.segments import Segment
from robots.model.setup import Setup
from robots.model.tree import Joint, Link, Tree
from robots.scenario.scenario import Scenario, new_scenario, scenario_of
from robots.simulation.reference import reference
from robots.simulation.simulate import simulate
from tests.robots.test_tree import model_of, pin, random_tree

POSTURES = {
    "panda": (0.0, -0.785, 0.0, -2.356, 0.0, 1.571, 0.785),
    "ur5e": (-1.4, -1.9, 2.0, -1.6, -1.57, 0.0),
    "xarm7": (1.0, 0.3, 0.0, 0.6, 0.0, 0.9, 0.5),
    "so101": (0.0, -0.6, 0.8, 0.5, 0.0, 0.0),
    "scara": (-0.8, 1.4, 0.0, 0.0),
}


def on_path(key: str, **changes: object) -> Scenario:
    start = {f"initial.q{k}": value for k, value in enumerate(POSTURES[key], start=1)}
    task = {"task.torque": "path", "method": "rk4", "step": 0.02, "duration": 6.0}
    return new_scenario(key).with_values(start | task | {name.replace("__", "."): v for name, v in changes.items()})  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(12))
def test_a_chain_moves_its_tip_as_pinocchio_does(seed: int):
    """Random slanted and sliding joints: place, rotation and Jacobian of the tip."""
    from robots.dynamics.kernels.serial import forward, jacobian

    n = 3 + seed % 5
    tree = random_tree(n, seed, serial=True)
    chain, model = chain_of(tree, 6), model_of(tree)
    data = model.createData()
    q = np.random.default_rng(seed).normal(size=n)
    axes, origins, end, J = np.empty((n, 3)), np.empty((n, 3)), np.empty((4, 3)), np.empty((6, n))
    forward(chain.table, q, chain.base, chain.tool, axes, origins, end)
    jacobian(chain.table, axes, origins, end[3], J)
    place = pin.SE3(np.eye(3), np.array(tree.tip[1]))
    frame = model.addFrame(pin.Frame("tip", n, 0, place, pin.FrameType.OP_FRAME))
    data = model.createData()
    pin.framesForwardKinematics(model, data, q)
    theirs = pin.computeFrameJacobian(model, data, q, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
    np.testing.assert_allclose(end[3], data.oMf[frame].translation, atol=1e-12)
    np.testing.assert_allclose(end[:3].T, data.oMf[frame].rotation, atol=1e-12)
    np.testing.assert_allclose(J, theirs, atol=1e-12)


def with_followers(tree: Tree, followers: dict[int, tuple[int, float, float]]) -> tuple[Tree, np.ndarray, np.ndarray]:
    """A tree in which some joints follow others (leader, ratio, shift), and q = G y + b of all its joints."""
    free = [k for k in range(len(tree.joints)) if k not in followers]
    joints, G, b = [], np.zeros((len(tree.joints), len(free))), np.zeros(len(tree.joints))
    for k, joint in enumerate(tree.joints):
        leader, ratio, shift = followers.get(k, (-1, 1.0, 0.0))
        number = free.index(k) if k in free else -1
        joints.append(replace(joint, number=number, leader=leader, ratio=ratio, shift=shift))
        G[k, free.index(leader if k in followers else k)], b[k] = ratio, shift
    return replace(tree, joints=tuple(joints)), G, b


MIMICS = {
    "leaders on the way": {1: (0, -0.7, 0.1), 4: (2, 1.5, -0.2)},
    "leader above": {0: (3, 0.5, 0.1)},
    "leader elsewhere": {2: (7, -1.0, 0.3), 5: (7, 2.0, 0.0)},
}


@pytest.mark.parametrize("followers", MIMICS.values(), ids=MIMICS)
def test_joints_that_follow_move_the_tip_with_their_leader(followers: dict[int, tuple[int, float, float]]):
    """The Jacobian is Pinocchio's times dq/dy, and that of finite differences; the tip follows its path."""
    arm, side = random_tree(7, 5, serial=True), random_tree(1, 6).joints[0]
    whole = replace(arm, links=(*arm.links, arm.links[-1]), joints=(*arm.joints, replace(side, number=7, parent=0)))
    tree, G, b = with_followers(whole, followers)
    scenario = scenario_of(tree).with_values({"task.torque": "path", "duration": 1.0})
    scenario = scenario.with_values({f"initial.q{k + 1}": 0.2 + 0.1 * k for k in range(G.shape[1])})
    robot = robot_of(scenario)
    numbers = [int(name[1:]) - 1 for name in robot.coordinates]  # type: ignore[attr-defined]
    assert sorted(numbers) == [k for k in range(G.shape[1]) if np.any(G[:7, k])]
    y = np.array([scenario.initial[f"q{k + 1}"] for k in range(G.shape[1])], dtype=float)
    ours = robot.jacobian(scenario, y[numbers])  # type: ignore[attr-defined]
    model = model_of(whole)
    place = pin.SE3(np.eye(3), np.array(tree.tip[1]))
    frame = model.addFrame(pin.Frame("tip", 7, 0, place, pin.FrameType.OP_FRAME))
    data, q = model.createData(), G @ y + b
    pin.framesForwardKinematics(model, data, q)
    theirs = pin.computeFrameJacobian(model, data, q, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED) @ G
    np.testing.assert_allclose(ours, theirs[:, numbers], atol=1e-12)

    def tip(y: np.ndarray) -> np.ndarray:
        pose = robot.poses(scenario, np.zeros(1), y[None, :])[0, tree.tip[0]]
        return pose[:3, :3] @ tree.tip[1] + pose[:3, 3]

    np.testing.assert_allclose(tip(y[numbers]), data.oMf[frame].translation, atol=1e-12)
    steps = 1e-6 * np.eye(len(numbers))
    differences = [(tip(y[numbers] + h) - tip(y[numbers] - h)) / 2e-6 for h in steps]
    np.testing.assert_allclose(ours[:3], np.transpose(differences), atol=1e-8)
    task = {"task.inverse": "pinv", "task.law": "quintic", "task.speed": 0.02, "method": "rk4", "step": 0.02}
    task |= {"task.tracked": "position"} if len(numbers) == 6 else {}
    assert simulate(scenario.with_values(task), repeat=False).max_error["position_m"] < 1e-6


def test_manipulability_rises_along_its_gradient_where_joints_follow():
    """The null motion is the gradient of sqrt(det J J'), projected: compared with finite differences of it."""
    tree, _, _ = with_followers(random_tree(7, 5, serial=True), {2: (1, -0.8, 0.1), 5: (0, 1.2, 0.0)})
    still = {"task.torque": "path", "task.inverse": "pinv", "task.speed": 1e-12}
    still |= {"task.null_task": "manipulability", "task.null_gain": 1.0}
    scenario = scenario_of(tree).with_values(still)  # type: ignore[arg-type]
    robot, q = robot_of(scenario), np.array([0.3, -0.5, 0.7, 0.2, 0.9])
    scenario = scenario.with_values({f"initial.q{k}": value for k, value in enumerate(q.tolist(), start=1)})

    def w(q: np.ndarray) -> float:
        J = robot.jacobian(scenario, q)[:3]  # type: ignore[attr-defined]
        return float(np.sqrt(np.linalg.det(J @ J.T)))

    gradient = np.array([(w(q + h) - w(q - h)) / 2e-6 for h in 1e-6 * np.eye(5)])
    J = robot.jacobian(scenario, q)[:3]  # type: ignore[attr-defined]
    wanted = gradient - np.linalg.pinv(J) @ (J @ gradient)
    np.testing.assert_allclose(robot.rates(scenario, np.zeros(1), q[None, :])[0], wanted, atol=1e-7)  # type: ignore[attr-defined]


@pytest.mark.parametrize("key", POSTURES)
@pytest.mark.parametrize("path", ["circle", "line", "rounded-square", "figure-eight", "helix", "way-points"])
def test_a_shipped_arm_follows_a_path(key: str, path: str):
    """Without damping, what is left is RK4's error, largest at the corners."""
    small = {"task__size": 0.03, "task__speed": 0.03}
    run = simulate(on_path(key, task__path=path, task__inverse="pinv", task__law="quintic", duration=3.0, **small))
    assert run.status.ok
    assert run.max_error["position_m"] < 1e-5
    assert ("orientation_rad" in run.errors) == (len(POSTURES[key]) >= 6 and key != "so101")
    assert set(run.series()) == {"manipulability", "singular-value", "pivot", "limits", "speeds"}


@pytest.mark.parametrize("count", [2, 3, 4, 60])
def test_the_spline_through_way_points_is_that_of_scipy(count: int):
    from scipy.interpolate import CubicSpline

    random = np.random.default_rng(count)
    knots, points = np.cumsum(random.uniform(0.1, 1.0, count)), random.uniform(-1.0, 1.0, (count, 3))
    wanted = CubicSpline(knots, points, bc_type="natural").c
    np.testing.assert_allclose(natural_pieces(knots, points), wanted[::-1].swapaxes(0, 1), rtol=1e-11, atol=1e-11)


def test_the_error_falls_with_the_methods_order():
    for method, order in (("rk1", 1.0), ("rk4", 4.0)):
        long, short = (
            simulate(on_path("panda", method=method, step=h, task__inverse="pinv")).max_error["position_m"]
            for h in (0.1, 0.05)
        )
        assert np.log2(long / short) == pytest.approx(order, abs=0.3)


def test_the_position_alone_leaves_the_orientation_free():
    run = simulate(on_path("panda", task__tracked="position", task__inverse="pinv"))
    assert set(run.errors) == {"position_m"}
    assert run.max_error["position_m"] < 1e-6
    turned = run.poses(run.t)[:, 7, :3, :3]
    assert np.abs(turned - turned[0]).max() > 0.05


def test_spare_joints_raise_manipulability():
    lazy, keen = (
        simulate(
            on_path("panda", task__tracked="position", task__inverse="pinv", task__null_task=task, task__null_gain=20.0)
        )
        for task in ("none", "manipulability")
    )
    last = [run.series()["manipulability"].values[-1] for run in (lazy, keen)]
    assert last[1] > 1.2 * last[0]
    assert keen.max_error["position_m"] < 1e-5


def test_a_torch_follows_a_seam_with_its_tangent():
    """A weld: way-points, the tool turns with them."""
    seam = on_path("ur5e", step=0.005, task__path="way-points", task__orientation="tangent", task__inverse="pinv")
    run = simulate(seam.with_values({"task.points": "0 0 0; 0.05 0.02 0; 0.1 0 0; 0.15 -0.02 0", "task.speed": 0.05}))
    assert run.status.ok
    assert run.max_error["position_m"] < 1e-4
    assert run.max_error["orientation_angle_rad"] < 1e-5


def test_feedback_held_over_a_step_and_damping_by_hand():
    held = simulate(on_path("ur5e", task__feedback="held", task__gain=10.0))
    damped = simulate(on_path("ur5e", task__inverse="dls-constant", task__damping=0.05))
    plain = simulate(on_path("ur5e", task__inverse="pinv"))
    assert held.status.ok
    assert held.max_error["position_m"] < 1e-4
    assert not np.array_equal(held.y, plain.y)
    assert plain.max_error["position_m"] < damped.max_error["position_m"]
    with pytest.raises(BadInput, match="held"):
        on_path("ur5e", task__feedback="held", method="dopri5", step=None, rtol=1e-6, atol=1e-9)


def test_joints_that_do_not_move_the_tip_stay():
    run = simulate(on_path("so101", initial__q6=0.7))
    assert run.y.shape[1] == 5
    jaw = run.poses(run.t)[:, 6] @ np.linalg.inv(run.poses(run.t)[:, 5])
    assert "q6" not in run.columns()
    relative = np.linalg.inv(run.poses(run.t)[:, 5]) @ run.poses(run.t)[:, 6]
    np.testing.assert_allclose(relative, np.broadcast_to(relative[0], relative.shape), atol=1e-12)
    assert jaw.shape == relative.shape


def test_a_sliding_joint_has_metres():
    run = simulate(on_path("scara"))
    robot = run.robot
    assert [robot.unit(name) for name in ("q1", "q3", "v3")] == ["rad", "m", "m/s"]
    assert set(robot.reference_errors(run.scenario, run.t, run.y, run.y)) == {"reference_q_rad", "reference_q_m"}
    assert reference(run.scenario.with_value("duration", 1.0)).trusted_until == 1.0


def test_torques_and_paths_are_other_coordinates_and_the_file_keeps_them():
    follows = on_path("panda")
    assert "v1" not in follows.initial
    assert Scenario.from_json(follows.to_json()) == follows
    free = follows.with_value("task.torque", "pd")
    assert free.initial["q4"] == -2.356
    assert free.initial["v1"] == 0.0
    assert not free.same_robot(follows)
    with pytest.raises(BadInput, match="the coordinates cannot change during a run"):
        free.with_segments(Segment(1.0, {"task.torque": "path"}))
    assert free.with_segments(Segment(1.0, {"task.torque": "constant"}))


def test_limits_and_singular_postures_are_reported():
    stretched = new_scenario("ur5e").with_values({"task.torque": "path", "task.inverse": "dls", "duration": 1.0})
    assert "Nearly singular at t = 0 s" in simulate(stretched).message
    fast = simulate(on_path("panda", task__speed=3.0, task__law="quintic", duration=1.0))
    (said,) = re.findall(r"Joint (\w+) passes its largest rate at t = (\S+) s", fast.message)
    chain, number = fast.robot.chain(fast.scenario), fast.robot.joints.index(said[0])
    there = fast.columns(np.array([float(said[1])]))[f"v{number + 1}"][0]
    assert abs(there) == pytest.approx(chain.speeds[number], rel=2e-3)
    assert float(said[1]) > 0.0
    stopped = simulate(on_path("panda", task__speed=3.0, task__clamp="speeds", duration=1.0))
    assert "passes its largest rate" not in stopped.message


def chain_of_rods(n: int, mass: float) -> Tree:
    """A chain with turned axes whose masses are no masses."""
    links = [
        Link("base"),
        *(Link(f"rod{k}", mass, (0.1, 0.0, 0.0), (0.01, 0.0, 0.0, 0.01, 0.0, 0.01)) for k in range(n)),
    ]
    place = (1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.2, 0.0, 0.0)
    joints = [Joint(f"joint{k}", "continuous", k, place, (0.0, 0.0, 1.0), k) for k in range(n)]
    return Tree("rods", tuple(links), tuple(joints), tip=(n, (0.2, 0.0, 0.0)))


def test_an_arm_without_possible_masses_follows_a_path():
    scenario = scenario_of(chain_of_rods(4, 0.0)).with_values({"task.torque": "path", "duration": 0.5})
    assert simulate(scenario).status.ok
    with pytest.raises(BadInput, match="rod0"):
        scenario.with_value("task.torque", "none")
    assert robot_of(scenario).summary.startswith("Moves by kinematics only: link ")


def test_a_path_needs_three_joints():
    with pytest.raises(BadInput, match="at least 3 joints"):
        scenario_of(chain_of_rods(2, 1.0)).with_value("task.torque", "path")


def test_the_shape_and_the_tree_are_those_of_the_arm_with_dynamics():
    follows = robot_of(Setup("panda", task={"torque": "path"}))
    assert follows.tree is find_robot("panda").tree  # type: ignore[attr-defined]
    assert follows.shape(on_path("panda")) is follows.shape(on_path("panda"))
    assert joints_to_tip(follows.tree) == tuple(range(7))  # type: ignore[attr-defined]
    assert replace(on_path("panda")) == on_path("panda")


def test_a_chart_says_that_the_orientation_is_free():
    scenario = new_scenario("scara").with_values({"task.torque": "path", "duration": 0.1})
    row = RunRow(0, scenario, 0, pinned=False, run=simulate(scenario, repeat=False), state="done", progress=1.0)
    assert plots()["orientation"].drawn(Shown.of([row])).empty == "The task leaves the orientation free"
