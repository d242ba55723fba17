"""Robot files move as in other engines: Pinocchio and MuJoCo, each with its own reader of the file."""

from __future__ import annotations

import math
from contextlib import chdir
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import numpy as np
import pytest

from assets import path, stems
from assets.errors import BadInput
from robots.files.reading import robot_scenario
from robots.model.registry import robot_of
from robots.scenario.scenario import Scenario, new_scenario


def moves_as_in_pinocchio(file: Path, scenario: Scenario) -> None:
    """The accelerations of a scenario's robot at some state are those of Pinocchio with its own reader of the file."""
    pin = pytest.importorskip("pinocchio")
    from robots.dynamics.tree.kernels.forward import tree as forward

    robot, model = robot_of(scenario), pin.buildModelFromUrdf(str(file))
    tree = robot.tree  # type: ignore[attr-defined]
    joints, n = tree.joints, len(tree.free)
    places = [model.idx_vs[model.getJointId(joint.name)] for joint in joints]
    y = np.random.default_rng(1).normal(size=(2, n))
    rest = tree.positions(np.zeros((1, n)))
    G = tree.positions(np.eye(n)).T - rest.T
    q, v = G @ y[0] + rest[0], G @ y[1]
    full, rates = pin.neutral(model), np.zeros(model.nv)
    for joint, angle in zip(joints, q, strict=True):
        number = model.getJointId(joint.name)
        width, first = model.nqs[number], model.idx_qs[number]
        full[first : first + width] = (math.cos(angle), math.sin(angle)) if width == 2 else (angle,)
    rates[places] = v
    friction = np.zeros(model.nv)
    friction[places] = [-speed * joint.damping for speed, joint in zip(v, joints, strict=True)]
    if n == len(joints):
        theirs = pin.aba(model, model.createData(), full, rates, friction)[places]
    else:
        data = model.createData()
        M = np.triu(pin.crba(model, data, full))
        M = (M + np.triu(M, 1).T)[np.ix_(places, places)]
        forces = (friction - pin.nonLinearEffects(model, data, full, rates))[places]
        theirs = np.linalg.solve(G.T @ M @ G, G.T @ forces)
    ours = np.empty(2 * n)
    forward(0.0, y.ravel(), robot.params(scenario), ours)  # type: ignore[attr-defined]
    assert np.abs(ours[n:] - theirs).max() <= 1e-10 * np.abs(theirs).max() + 1e-12, file.name


def bodies_alone(file: Path) -> str:
    """A URDF file without shapes, and without the bodies that nothing can move: MuJoCo refuses some of those."""
    robot = ElementTree.parse(file).getroot()
    moved = {child.get("link") for child in robot.iter("child")}
    for link in robot.findall("link"):
        body = link.find("inertial/mass")
        still = link.get("name") not in moved or (body is not None and not float(body.get("value", "0")))
        for part in link.findall("*"):
            if part.tag != "inertial" or still:
                link.remove(part)
    for part in robot.findall("*"):
        if part.tag not in ("link", "joint"):
            robot.remove(part)
    ElementTree.SubElement(ElementTree.SubElement(robot, "mujoco"), "compiler", balanceinertia="false")
    return ElementTree.tostring(robot, encoding="unicode")


def moves_as_in_mujoco(file: Path, scenario: Scenario) -> None:
    """Places, kinetic energy and accelerations of a robot at some state are those of MuJoCo with its own reader.

    Raises:
        ValueError: MuJoCo refuses the file.
    """
    mujoco = pytest.importorskip("mujoco")
    from robots.dynamics.tree.kernels.forward import tree as forward

    with TemporaryDirectory() as folder, chdir(folder):  # it writes its warnings to a file there
        model = mujoco.MjModel.from_xml_string(bodies_alone(file))
    # Coulomb friction and limits are constraints.
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    data, robot = mujoco.MjData(model), robot_of(scenario)
    tree = robot.tree  # type: ignore[attr-defined]
    joints, n = tree.joints, len(tree.free)
    places = [model.jnt_dofadr[model.joint(joint.name).id] for joint in joints]
    y = np.random.default_rng(1).normal(size=(2, n))
    rest = tree.positions(np.zeros((1, n)))
    G = np.zeros((model.nv, n))
    G[places] = tree.positions(np.eye(n)).T - rest.T
    data.qvel[:] = G @ y[1]
    data.qpos[places] = G[places] @ y[0] + rest[0]
    mujoco.mj_forward(model, data)
    by_mass = np.zeros((n, model.nv))
    for column, moved in zip(by_mass, G.T, strict=True):
        mujoco.mj_mulM(model, data, column, np.ascontiguousarray(moved))
    M = by_mass @ G
    theirs = np.linalg.solve(M, G.T @ (data.qfrc_passive - data.qfrc_bias))
    ours = np.empty(2 * n)
    forward(0.0, y.ravel(), robot.params(scenario), ours)  # type: ignore[attr-defined]
    assert np.abs(ours[n:] - theirs).max() <= 1e-10 * np.abs(theirs).max() + 1e-12, file.name
    kinetic = robot.energies(scenario, y.reshape(1, -1))[0][0]  # type: ignore[attr-defined]
    assert kinetic == pytest.approx(0.5 * y[1] @ M @ y[1], rel=1e-10), file.name
    frames = robot.poses(scenario, np.zeros(1), y.reshape(1, -1))[0]
    for link, frame in zip(tree.links[1:], frames[1:], strict=True):
        assert np.abs(frame[:3, 3] - data.body(link.name).xpos).max() < 1e-12, file.name


@pytest.mark.parametrize("key", stems("robots", ".urdf"))
def test_our_own_arms_move_as_in_other_engines(key: str):
    file, scenario = Path(str(path(f"robots/{key}.urdf"))), new_scenario(key)
    moves_as_in_pinocchio(file, scenario)
    moves_as_in_mujoco(file, scenario)


def test_files_of_others_move_as_in_other_engines():
    """Every fixed-base arm of `example-robot-data` with possible inertias, where that package is."""
    try:
        package = distribution("example-robot-data")
    except PackageNotFoundError:
        pytest.skip("example-robot-data is not installed")
    files = [Path(str(package.locate_file(file))) for file in package.files or () if file.suffix == ".urdf"]
    compared, refused = 0, []
    for file in files:
        try:
            scenario = robot_scenario(file)
        except BadInput:
            continue
        if robot_of(scenario).tree.fault():  # type: ignore[attr-defined]
            continue
        moves_as_in_pinocchio(file, scenario)
        compared += 1
        try:
            moves_as_in_mujoco(file, scenario)
        except ValueError:
            # Bodies that fixed joints merge may be impossible one by one.
            refused.append(file.name)
    assert compared >= 40
    assert len(refused) <= 8, refused
