"""Joints that follow others: their dynamics on the free coordinates agree with Pinocchio, and energy stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assets.errors import BadInput
from robots.dynamics.tree.kernels.forward import tree as forward
from robots.files.urdf import read_urdf
from robots.model.registry import robot_of
from robots.model.tree import Tree
from robots.scenario.scenario import Scenario, scenario_of
from robots.simulation.simulate import simulate
from tests.robots.test_tree import model_of, mujoco, mujoco_of, pin, random_tree

GRIPPER = """<robot name="gripper"><link name="base"/>
<link name="hand"><inertial><origin xyz="0 0 0.1"/><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01"
 iyz="0" izz="0.01"/></inertial></link>
<link name="left"><inertial><mass value="0.1"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/>
</inertial></link>
<link name="right"><inertial><mass value="0.1"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/>
</inertial></link>
<joint name="wrist" type="continuous"><parent link="base"/><child link="hand"/><axis xyz="0 1 0"/></joint>
<joint name="right" type="prismatic"><parent link="hand"/><child link="right"/><axis xyz="0 -1 0"/>
 <limit lower="0" upper="0.04" effort="10" velocity="1"/><mimic joint="left" multiplier="1.5" offset="0.01"/></joint>
<joint name="left" type="prismatic"><parent link="hand"/><child link="left"/><axis xyz="0 1 0"/>
 <limit lower="0" upper="0.04" effort="10" velocity="1"/></joint>
</robot>"""


def coupled(seed: int) -> tuple[Tree, np.ndarray, np.ndarray]:
    """A random tree of which some joints follow others, and its G and b."""
    tree = random_tree(6, seed)
    rng = np.random.default_rng(seed)
    leaders = {1: 0, 4: 2, 5: 2}
    joints = []
    for k, joint in enumerate(tree.joints):
        number = [0, 2, 3].index(k) if k not in leaders else -1
        own = {"leader": leaders[k], "ratio": rng.normal(), "shift": 0.3 * rng.normal()} if k in leaders else {}
        joints.append(replace(joint, number=number, **own))
    G, b = np.zeros((6, 3)), np.zeros(6)
    for k, joint in enumerate(joints):
        G[k, [0, 2, 3].index(leaders.get(k, k))], b[k] = joint.ratio, joint.shift
    return replace(tree, joints=tuple(joints)), G, b


@pytest.mark.parametrize("seed", range(20))
def test_accelerations_are_those_of_the_reduced_equations(seed: int):
    tree, G, b = coupled(seed)
    scenario = scenario_of(tree)
    params = robot_of(scenario).params(scenario)  # type: ignore[attr-defined]
    y = np.random.default_rng(seed).normal(size=6)
    ours = np.empty(6)
    forward(0.0, y, params, ours)
    model = model_of(tree)
    data = model.createData()
    q, v = G @ y[:3] + b, G @ y[3:]
    M = pin.crba(model, data, q)
    M = np.triu(M) + np.triu(M, 1).T
    friction = np.array([joint.damping for joint in tree.joints]) * v
    theirs = np.linalg.solve(G.T @ M @ G, -G.T @ (pin.nonLinearEffects(model, data, q, v) + friction))
    np.testing.assert_allclose(ours[3:], theirs, rtol=1e-9, atol=1e-9 * np.abs(theirs).max())
    np.testing.assert_array_equal(ours[:3], y[3:])
    M, forces = mujocos(tree, q, v)
    theirs = np.linalg.solve(G.T @ M @ G, G.T @ forces)
    np.testing.assert_allclose(ours[3:], theirs, rtol=1e-9, atol=1e-9 * np.abs(theirs).max())


def test_the_kernel_compiled_for_it_computes_the_same():
    """The equations as operations are those of the tree, with a move, too, which is no operation."""
    scenario = scenario_of(read_urdf(GRIPPER.encode()).tree).with_values(
        {"task.torque": "computed", "task.target2": 0.02, "duration": 0.2, "method": "rk1", "step": 0.0025}
    )
    usual, ours = (simulate(scenario.with_value("options.specialised", on)) for on in (False, True))
    np.testing.assert_allclose(ours.y, usual.y, rtol=1e-11, atol=1e-11)


def mujocos(tree: Tree, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """MuJoCo's inertia matrix of all joints, and what is left to move them: damping less the bias."""
    model = mujoco.MjModel.from_xml_string(mujoco_of(tree))
    data = mujoco.MjData(model)
    places = [model.jnt_dofadr[model.joint(joint.name).id] for joint in tree.joints]
    data.qpos[places], data.qvel[places] = q, v
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    for row, unit in zip(M, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, row, unit)
    return M[np.ix_(places, places)], (data.qfrc_passive - data.qfrc_bias)[places]


def test_energy_stays_and_the_links_follow():
    tree, G, b = coupled(3)
    free = replace(tree, joints=tuple(replace(joint, damping=0.0) for joint in tree.joints))
    scenario = scenario_of(free).with_values({"duration": 1.0, "rtol": 1e-10, "atol": 1e-12, "initial.v1": 1.0})
    run = simulate(scenario)
    assert run.max_error["energy_J"] < 1e-6
    assert set(run.columns()) == {"q1", "q2", "q3", "v1", "v2", "v3"}
    np.testing.assert_allclose(free.positions(run.y[:, :3]), run.y[:, :3] @ G.T + b)
    assert Scenario.from_json(scenario.to_json()) == scenario


def test_torques_hold_what_follows_too():
    """With gravity compensation a posture at its target rests, whatever follows."""
    tree, _, _ = coupled(5)
    still = {f"task.target{k}": 0.2 for k in (1, 2, 3)} | {f"initial.q{k}": 0.2 for k in (1, 2, 3)}
    for law in ("pd-gravity", "computed"):
        run = simulate(scenario_of(tree).with_values({**still, "task.torque": law, "duration": 0.5}))
        np.testing.assert_allclose(run.y[:, :3], 0.2, atol=1e-9)
        assert {"u1", "u2", "u3"} <= set(run.columns())


def test_a_gripper_closes_with_one_coordinate():
    found = read_urdf(GRIPPER.encode())
    assert found.joints == ("wrist", "left")
    assert not found.ignored
    left, right = (next(j for j in found.tree.joints if j.name == name) for name in ("left", "right"))
    assert (right.ratio, right.shift, right.leader) == (1.5, 0.01, found.tree.joints.index(left))
    run = simulate(scenario_of(found.tree).with_value("duration", 0.5))
    assert run.y.shape[1] == 4


@pytest.mark.parametrize(
    ("old", "new"),
    [('mimic joint="left"', 'mimic joint="right"'), ('mimic joint="left"', 'mimic joint="nobody"')],
)
def test_a_leader_that_cannot_be_leaves_the_joint_free(old: str, new: str):
    found = read_urdf(GRIPPER.replace(old, new).encode())
    assert found.joints == ("wrist", "right", "left")
    assert "moves freely" in found.ignored[0].what


def test_a_chain_of_leaders_ends_at_the_one_that_is_free():
    """The left finger names a joint that is not there: it is free, and the right one follows it all the same."""
    text = GRIPPER.replace('velocity="1"/></joint>', 'velocity="1"/><mimic joint="nobody"/></joint>')
    found = read_urdf(text.encode())
    assert found.joints == ("wrist", "left")
    assert "joint left moves freely: it does not follow nobody" in found.ignored[0].what
    loop = read_urdf(GRIPPER.replace('velocity="1"/></joint>', 'velocity="1"/><mimic joint="right"/></joint>').encode())
    assert loop.joints == ("wrist", "right", "left")
    assert len(loop.ignored) == 2


def test_data_with_a_wrong_leader_is_refused():
    tree, _, _ = coupled(1)
    data = tree.to_data()
    data["joints"][1]["leader"] = 4  # type: ignore[index]
    with pytest.raises(BadInput, match="leader must be"):
        Tree.from_data(data)


def test_the_report_lists_who_follows_whom() -> None:
    found = read_urdf(GRIPPER.encode())
    assert found.followers == ("right = 1.5 × left + 0.01 m",)
    assert found.to_data()["followers"] == list(found.followers)
