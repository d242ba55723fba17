"""Trees of links: dynamics and derivatives agree with independent engines; energy stays; bad data is refused."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

from assets.errors import BadInput
from robots.dynamics.kernels.views import borrow, give_back, part, rows
from robots.dynamics.tree.kernels.derivative import tree_jacobian
from robots.dynamics.tree.kernels.forward import tree as forward
from robots.dynamics.tree.kernels.outputs import inertia, inverse
from robots.model.registry import robot_of
from robots.model.segments import Pull, Segment
from robots.model.tree import Joint, Link, Tree, entries, joined
from robots.scenario.scenario import Scenario, scenario_of
from robots.simulation.simulate import simulate
from solvers.kernels.signatures import VECTOR, compiled, void

pin = pytest.importorskip("pinocchio")
mujoco = pytest.importorskip("mujoco")


def rotation(rng) -> np.ndarray:
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0 else -q


def random_tree(n: int, seed: int, serial: bool = False) -> Tree:
    """Revolute and prismatic joints with slanted axes, joined depth first as Pinocchio wants them."""
    rng = np.random.default_rng(seed)
    links, joints = [Link("base")], []
    for k in range(n):
        chain = [k]
        while chain[-1]:
            chain.append(joints[chain[-1] - 1].parent)
        parent = k if serial else int(rng.choice(chain))
        axis = rng.normal(size=3)
        sides = rng.uniform(0.05, 1.0, 3)
        turn = rotation(rng)
        moments = turn @ np.diag([sides[1] + sides[2], sides[0] + sides[2], sides[0] + sides[1]]) @ turn.T
        links.append(Link(f"link{k}", rng.uniform(0.1, 2.0), tuple(0.2 * rng.normal(size=3)), entries(moments)))
        joints.append(
            Joint(
                f"joint{k}",
                "prismatic" if rng.random() < 0.3 else "revolute",
                parent,
                (*rotation(rng).ravel(), *(0.5 * rng.normal(size=3))),
                tuple(axis / np.linalg.norm(axis)),
                k,
                damping=rng.uniform(0.0, 0.5),
                armature=rng.uniform(0.0, 0.1),
            )
        )
    return Tree("random", tuple(links), tuple(joints), tip=(n, (0.1, 0.2, 0.3)))


def model_of(tree: Tree):
    """The same tree as Pinocchio's model."""
    model = pin.Model()
    for k, (joint, link) in enumerate(zip(tree.joints, tree.links[1:], strict=True)):
        axis = np.array(joint.axis)
        kind = pin.JointModelPrismaticUnaligned(axis) if joint.sliding else pin.JointModelRevoluteUnaligned(axis)
        place = pin.SE3(np.array(joint.place[:9]).reshape(3, 3), np.array(joint.place[9:]))
        model.addJoint(joint.parent, kind, place, joint.name)
        xx, xy, xz, yy, yz, zz = link.inertia
        body = pin.Inertia(link.mass, np.array(link.centre), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
        model.appendBodyToJoint(k + 1, body, pin.SE3.Identity())
    model.armature = np.array([joint.armature for joint in tree.joints])
    return model


def mujoco_of(tree: Tree) -> str:
    """The same tree as MuJoCo reads it; quaternions from Pinocchio."""

    def body(k: int) -> str:
        joint, link = tree.joints[k - 1], tree.links[k]
        turn = pin.Quaternion(np.array(joint.place[:9]).reshape(3, 3))
        place = f'pos="{text(joint.place[9:])}" quat="{text((turn.w, turn.x, turn.y, turn.z))}"'
        kind = "slide" if joint.sliding else "hinge"
        xx, xy, xz, yy, yz, zz = link.inertia
        moments = f'fullinertia="{text((xx, yy, zz, xy, xz, yz))}"'
        inside = "".join(body(i) for i, other in enumerate(tree.joints, start=1) if other.parent == k)
        return (
            f'<body {place}><joint type="{kind}" axis="{text(joint.axis)}" name="{joint.name}"'
            f' armature="{joint.armature!r}" damping="{joint.damping!r}"/>'
            f'<inertial pos="{text(link.centre)}" mass="{link.mass!r}" {moments}/>{inside}</body>'
        )

    def text(numbers) -> str:
        return " ".join(repr(float(number)) for number in numbers)

    roots = "".join(body(i) for i, joint in enumerate(tree.joints, start=1) if joint.parent == 0)
    option = '<option gravity="0 0 -9.81"/><compiler angle="radian" balanceinertia="false"/>'
    return f"<mujoco>{option}<worldbody>{roots}</worldbody></mujoco>"


def relative(ours, theirs) -> float:
    return float(np.max(np.abs(np.asarray(ours) - theirs)) / max(np.max(np.abs(theirs)), 1e-9))


@pytest.mark.parametrize("seed", [*range(60), *(pytest.param(k, marks=pytest.mark.long) for k in range(60, 300))])
def test_dynamics_and_their_derivatives_are_those_of_pinocchio(seed):
    tree = random_tree(1 + seed % 12, seed, serial=seed % 3 == 0)
    scenario, model = scenario_of(tree), model_of(tree)
    robot, data, n = robot_of(scenario), model.createData(), len(tree.joints)
    params, rng = robot.params(scenario), np.random.default_rng(1000 + seed)
    q, v, a = rng.normal(size=(3, n))
    friction = -v * [joint.damping for joint in tree.joints]

    M = np.empty((n, n))
    inertia(params, q, M)
    upper = np.triu(pin.crba(model, data, q))
    assert relative(M, upper + np.triu(upper, 1).T) < 1e-12

    torques = np.empty(n)
    inverse(params, q, v, a, torques)
    assert relative(torques, pin.rnea(model, data, q, v, a)) < 1e-12

    rates, y = np.empty(2 * n), np.concatenate([q, v])
    forward(0.0, y, params, rates)
    assert np.array_equal(rates[:n], v)
    assert relative(rates[n:], pin.aba(model, data, q, v, friction)) < 1e-11

    J = np.empty((2 * n, 2 * n))
    tree_jacobian(0.0, y, params, J)
    by_q, by_v, by_torque = pin.computeABADerivatives(model, data, q, v, friction)
    half = np.triu(by_torque) + np.triu(by_torque, 1).T
    assert relative(J[n:, :n], by_q) < 1e-10
    assert relative(J[n:, n:], by_v - half @ np.diag([joint.damping for joint in tree.joints])) < 1e-10

    kinetic, potential = robot.energies(scenario, y[None])
    assert kinetic[0] == pytest.approx(0.5 * v @ (upper + np.triu(upper, 1).T) @ v, rel=1e-12)
    assert potential[0] == pytest.approx(pin.computePotentialEnergy(model, data, q), rel=1e-10, abs=1e-10)
    frames = robot.poses(scenario, np.zeros(1), y[None])[0]
    assert max(np.abs(frames[k] - data.oMi[k].homogeneous).max() for k in range(1, n + 1)) < 1e-13


@pytest.mark.parametrize("seed", [*range(20), *(pytest.param(k, marks=pytest.mark.long) for k in range(20, 300))])
def test_accelerations_are_those_of_mujoco(seed):
    tree = random_tree(1 + seed % 12, 500 + seed)
    model = mujoco.MjModel.from_xml_string(mujoco_of(tree))
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    data, n = mujoco.MjData(model), len(tree.joints)
    rng = np.random.default_rng(seed)
    q, v = rng.normal(size=(2, n))
    places = [model.jnt_dofadr[model.joint(joint.name).id] for joint in tree.joints]
    data.qpos[places], data.qvel[places] = q, v
    mujoco.mj_forward(model, data)
    scenario, rates = scenario_of(tree), np.empty(2 * n)
    forward(0.0, np.concatenate([q, v]), robot_of(scenario).params(scenario), rates)
    assert relative(rates[n:], data.qacc[places]) < 1e-10


LAWS = ("none", "constant", "pd", "pd-gravity", "computed")


@pytest.mark.parametrize("law", LAWS)
def test_each_law_does_what_it_says(law):
    tree = random_tree(5, 7)
    changes = {"task.torque": law} | {f"task.tau{k}": 0.3 * k for k in range(1, 6)}
    changes |= {f"task.target{k}": 0.1 * k for k in range(1, 6)} | {f"initial.q{k}": -0.2 for k in range(1, 6)}
    scenario = scenario_of(tree).with_values(changes)
    robot, model = robot_of(scenario), model_of(tree)
    data, params, rng = model.createData(), robot.params(scenario), np.random.default_rng(3)
    q, v = rng.normal(size=(2, 5))
    y, t = np.concatenate([q, v]), 0.7
    task, numbers = scenario.task, range(1, 6)
    targets = np.array([task[f"target{k}"] for k in numbers])
    pd = np.array([task[f"kp{k}"] * (task[f"target{k}"] - q[k - 1]) - task[f"kd{k}"] * v[k - 1] for k in numbers])
    s, span = t / task["move_time"], task["move_time"]
    path = -0.2 + (targets + 0.2) * s**3 * (10.0 - 15.0 * s + 6.0 * s * s)
    rate = (targets + 0.2) / span * 30.0 * s**2 * (1.0 - s) ** 2
    push = (targets + 0.2) / span**2 * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s)
    wanted = push + 20.0 * (rate - v) + 100.0 * (path - q)
    torques = {
        "none": np.zeros(5),
        "constant": np.array([task[f"tau{k}"] for k in numbers]),
        "pd": pd,
        "pd-gravity": pd + pin.rnea(model, data, q, np.zeros(5), np.zeros(5)),
        "computed": pin.rnea(model, data, q, v, wanted),
    }[law]
    friction = -v * [joint.damping for joint in tree.joints]
    rates = np.empty(10)
    forward(t, y, params, rates)
    assert relative(rates[5:], pin.aba(model, data, q, v, torques + friction)) < 1e-10
    if law != "none":
        assert robot.torques(scenario, np.array([t]), y[None])[0] == pytest.approx(torques, rel=1e-10, abs=1e-12)
    J, step = np.empty((10, 10)), 1e-6
    tree_jacobian(t, y, params, J)
    for j in range(10):
        ahead, behind, moved = np.empty(10), np.empty(10), np.eye(10)[j] * step
        forward(t, y + moved, params, ahead)
        forward(t, y - moved, params, behind)
        assert np.abs((ahead - behind) / (2 * step) - J[:, j]).max() < 1e-6 * max(1.0, np.abs(J).max())


def test_energy_stays_without_friction_and_is_no_invariant_with_it():
    tree = random_tree(4, 11)
    still = replace(tree, joints=tuple(replace(joint, damping=0.0) for joint in tree.joints))
    scenario = scenario_of(still).with_values({"duration": 2.0, "rtol": 1e-10, "atol": 1e-12})
    assert simulate(scenario).max_error["energy_J"] < 1e-6
    assert "energy_J" not in simulate(scenario_of(tree)).max_error


def test_a_hand_pulls_any_link():
    tree = random_tree(3, 5, serial=True)
    scenario = scenario_of(tree).with_values({"duration": 1.0})
    point = (0.1, -0.2, 0.3)
    pull = Pull(2, point, 40.0, 3.0, ((0.0, 1.0, 0.0, 0.5), (0.5, 1.2, 0.3, 0.5), (1.0, 1.0, 0.0, 0.7)))
    robot, model = robot_of(scenario), model_of(tree)
    data, rng = model.createData(), np.random.default_rng(9)
    q, v = rng.normal(size=(2, 3))
    pin.forwardKinematics(model, data, q, v)
    where = data.oMi[2].act(np.array(point))
    speed = data.oMi[2].rotation @ (data.v[2].linear + np.cross(data.v[2].angular, point))
    force = 40.0 * (np.array([1.2, 0.3, 0.5]) - where) - 3.0 * speed
    J = pin.computeJointJacobian(model, data, q, 2)
    turn = data.oMi[2].rotation
    arm = turn @ (J[:3] - np.cross(point, J[3:].T).T)
    torques = arm.T @ force - v * [joint.damping for joint in tree.joints]
    rates = np.empty(6)
    forward(0.5, np.concatenate([q, v]), robot.params(scenario, pull), rates)
    assert relative(rates[3:], pin.aba(model, data, q, v, torques)) < 1e-10
    run = simulate(scenario.with_segments(Segment(0.0, pull=pull)))
    assert run.status.ok
    assert "energy_J" not in run.max_error


def test_lengths_and_angles_have_errors_of_their_own():
    tree = random_tree(6, 2)
    assert {joint.sliding for joint in tree.joints} == {True, False}
    scenario = scenario_of(tree)
    robot, y = robot_of(scenario), np.arange(24.0).reshape(2, 12)
    errors = robot.reference_errors(scenario, np.zeros(2), y, y + 1e-3 * np.arange(1, 13))
    sliding = [k for k, joint in enumerate(tree.joints) if joint.sliding]
    turning = [k for k in range(6) if k not in sliding]
    assert errors["reference_q_m"] == pytest.approx([1e-3 * (max(sliding) + 1)] * 2)
    assert errors["reference_q_rad"] == pytest.approx([1e-3 * (max(turning) + 1)] * 2)
    assert robot.unit(f"q{sliding[0] + 1}") == "m"
    assert robot.unit(f"v{turning[0] + 1}") == "rad/s"


def test_coordinates_have_the_order_of_the_file():
    tree = random_tree(3, 4, serial=True)
    mixed = replace(tree, joints=tuple(replace(j, number=k) for j, k in zip(tree.joints, (2, 0, 1), strict=True)))
    scenario = scenario_of(mixed).with_values({"initial.q1": 0.1, "initial.q2": 0.2, "initial.q3": 0.3})
    robot = robot_of(scenario)
    assert list(robot.problem(scenario).initial[:3]) == [0.3, 0.1, 0.2]
    assert robot.joints == ("joint1", "joint2", "joint0")
    first = robot.columns(scenario, np.zeros(1), robot.problem(scenario).initial[None])
    assert [first[f"q{k}"][0] for k in (1, 2, 3)] == [0.1, 0.2, 0.3]


def test_a_payload_is_a_point_mass_at_the_tip():
    tree = random_tree(3, 6, serial=True)
    scenario = scenario_of(tree).with_value("robot.payload", 2.5)
    place = np.eye(4)
    place[:3, 3] = tree.tip[1]
    loaded = joined("link2", [(tree.links[3], np.eye(4)), (Link("load", 2.5), place)])
    heavier = scenario_of(replace(tree, links=(*tree.links[:3], loaded)))
    assert robot_of(scenario).params(scenario) == pytest.approx(robot_of(heavier).params(heavier))


def test_a_scenario_carries_its_robot():
    scenario = scenario_of(random_tree(4, 8)).with_values({"robot.g": 3.0, "task.torque": "pd"})
    again = Scenario.from_json(scenario.to_json())
    assert again == scenario
    assert again.hash() == scenario.hash()
    assert again.hash() != scenario_of(random_tree(4, 9)).with_values({"robot.g": 3.0, "task.torque": "pd"}).hash()
    assert simulate(again).final == simulate(scenario).final


def test_another_robot_takes_the_place_of_one_from_a_file():
    changed = scenario_of(random_tree(2, 1)).with_value("robot", "rr")
    assert (changed.robot, changed.model) == ("rr", None)
    with pytest.raises(BadInput, match="robot must be one of"):
        changed.with_value("robot", "file")


def broken(path: str, value: object) -> str:
    data = json.loads(scenario_of(random_tree(2, 1)).to_json())
    place, keys = data["model"], path.split(".")
    for key in keys[:-1]:
        place = place[int(key) if key.isdigit() else key]
    last = int(keys[-1]) if keys[-1].isdigit() else keys[-1]
    place[last] = value
    return json.dumps(data)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("joints", [], "model.joints must be a list of 1 to 200 joints"),
        ("links", [], "model.links must be a list of 3 links"),
        ("joints.1.parent", 2, "parent must be a whole number from 0 to 1"),
        ("joints.0.axis", [0.0, 0.0, 0.0], "axis must be a unit vector"),
        ("joints.0.place", [2.0] * 12, "place must be a rotation by rows"),
        ("joints.0.kind", "ball", "kind must be one of"),
        ("joints.1.number", 0, "number must be each number from 0 to 1 once"),
        ("joints.0.damping", -1, "damping must be at least 0"),
        ("links.1.mass", "heavy", "mass must be a number from -1e9 to 1e9 kg"),
        ("links.1.mass", 0.0, "link 'link0' must have a mass above 0 kg"),
        ("links.1.inertia", [1, 0, 0, 1, 0, 9], "any two add up to at least the third, got 1, 1 and 9 kg·m²"),
        ("links.1.colour", 1, "field must be one of"),
        ("links.1.visuals", [{"kind": []}], "kind must be one of box, cylinder"),
        ("tip", [7, [0, 0, 0]], "tip must be a whole number from 0 to 2"),
        ("name", 5, "model.name must be text"),
    ],
)
def test_a_broken_model_is_refused_by_its_entry(path, value, said):
    with pytest.raises(BadInput, match=said):
        Scenario.from_json(broken(path, value))


def test_a_file_robot_needs_its_model():
    data = json.loads(scenario_of(random_tree(2, 1)).to_json())
    del data["model"]
    with pytest.raises(BadInput, match="model must be given"):
        Scenario.from_json(json.dumps(data))


def test_limits_are_reported_and_infinite_ones_are_null():
    tree = random_tree(2, 1)
    tight = replace(tree, joints=(replace(tree.joints[0], lower=-1e-3, upper=1e-3), tree.joints[1]))
    scenario = scenario_of(tight)
    assert json.loads(scenario.to_json())["model"]["joints"][1]["lower"] is None
    assert "Joint joint0 passes its limit at t = " in simulate(scenario).message
    assert math.isinf(Scenario.from_json(scenario.to_json()).model.joints[1].lower)


@pytest.mark.parametrize("values", [{"rtol": 1e-3}, {"rtol": 1e-9}, {"method": "rk4", "step": 0.05}])
def test_the_time_at_which_a_limit_is_passed_is_that_of_the_motion_and_not_of_a_step(values):
    tree = random_tree(2, 1)
    within = replace(tree, joints=(replace(tree.joints[0], lower=-0.4, upper=0.4), tree.joints[1]))
    scenario = scenario_of(within).with_values({"method": "dopri5", "duration": 2.0} | values)
    run = simulate(scenario)
    (said,) = re.findall(r"Joint joint0 passes its limit at t = (\S+) s", run.message)
    there = run.columns(np.array([float(said)]))["q1"]
    assert abs(abs(there[0]) - 0.4) < 1e-3
    exact = simulate(scenario.with_values({"method": "dopri5", "rtol": 1e-11, "atol": 1e-12}))
    assert abs(exact.columns(np.array([float(said)]))["q1"][0] - there[0]) < 3e-3
    assert np.abs(run.t - float(said)).min() > 1e-3, "no state of the run is there"
    outside = replace(tree, joints=(replace(tree.joints[0], lower=-0.4, upper=-0.1), tree.joints[1]))
    assert "passes its limit at t = 0 s" in simulate(scenario_of(outside).with_value("initial.q1", 0.0)).message


def sums_of_borrowed(numbers, found):
    room = borrow(6 + numbers.size)
    table, rest = rows(room, 0, 2, 3), part(room, 6, numbers.size)
    for k in range(numbers.size):
        table[k % 2, k % 3] += numbers[k]
        rest[k] += numbers[k] * numbers[k]
    found[0], found[1] = table[1, 2], rest[numbers.size - 1]
    give_back(room)


def test_borrowed_memory_is_zero_whatever_was_in_it_before() -> None:
    """Compiled as in Python; a part of it is a vector or a matrix by rows."""
    run = compiled(void(VECTOR, VECTOR))(sums_of_borrowed)
    numbers, found, expected = np.arange(1.0, 40.0), np.empty(2), np.empty(2)
    sums_of_borrowed(numbers, expected)
    assert expected.tolist() == [sum(range(6, 40, 6)), 39.0 * 39.0]
    for _ in range(100):
        run(numbers, found)
        assert found.tolist() == expected.tolist()
