"""MJCF files: the same accelerations as MuJoCo's, files inside the folder alone, and what is refused or left out."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from assets.errors import BadInput
from gui.cli import main
from robots.dynamics.tree.robot import TreeRobot
from robots.files.mjcf import read as mjcf
from robots.files.reading import read_robot, robot_scenario
from robots.model.registry import robot_of
from tests.robots.test_meshes import CORNERS, CUBE, binary_stl

mujoco = pytest.importorskip("mujoco")

ARM = """<mujoco model="arm">
  <compiler angle="degree"/>
  <option><flag contact="disable" limit="disable"/></option>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body name="a" pos="0 0 1" euler="10 20 30">
      <joint name="j1" pos="0 0.1 0.2" axis="0 1 0.5" damping="0.1" armature="0.01"/>
      <geom type="capsule" fromto="0 0 0 0 0 .5" size=".05" rgba="1 0 0 1"/>
      <body name="fixed" pos="0.1 0 .2" euler="5 0 0"><geom type="box" size=".1 .05 .02"/></body>
      <body name="b" pos="0 0 .5" quat="0.9 0.1 0.3 0.2">
        <joint name="j2" type="slide" pos="0.3 0 0" axis="0 1 1" range="-1 2" limited="true"/>
        <geom type="cylinder" size=".04 .2" pos="0 .1 0"/>
        <body name="c" pos="0 .2 .5"><joint name="j3" axis="1 0 0"/><geom type="sphere" size=".1"/></body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="j1"/></actuator>
</mujoco>
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "arm.xml"
    path.write_text(ARM)
    return path


def test_accelerations_are_those_of_mujoco(file: Path):
    from robots.dynamics.tree.kernels.forward import tree as forward

    scenario = robot_scenario(file)
    robot = robot_of(scenario)
    assert isinstance(robot, TreeRobot)
    model = mujoco.MjModel.from_xml_string(ARM)
    data = mujoco.MjData(model)
    for seed in range(10):
        q, v = np.random.default_rng(seed).normal(size=(2, 3))
        data.qpos[:], data.qvel[:] = q, v
        mujoco.mj_forward(model, data)
        ours = np.empty(6)
        forward(0.0, np.concatenate([q, v]), robot.params(scenario), ours)
        assert np.abs(ours[3:] - data.qacc).max() <= 1e-9 * np.abs(data.qacc).max()
        frames = robot.poses(scenario, np.zeros(1), np.concatenate([q, v])[None])[0]
        place = data.xpos[model.body("c").id] + data.xmat[model.body("c").id].reshape(3, 3) @ model.jnt_pos[2]
        assert np.abs(frames[3, :3, 3] - place).max() < 1e-12


def test_what_is_left_out_is_listed(file: Path):
    found = read_robot(file)
    assert found.joints == ("j1", "j2", "j3")
    assert [(one.line, one.what) for one in found.merged] == [(9, "link fixed is one body with a")]
    assert [(one.line, one.what) for one in found.ignored] == [(0, "contacts"), (17, "1 actuator")]
    shapes = [[one.kind for one in link.visuals] for link in found.tree.links]
    assert shapes == [[], ["capsule", "box"], ["cylinder"], ["sphere"]]
    joint = found.tree.joints[1]
    assert (joint.kind, joint.lower, joint.upper) == ("prismatic", -1.0, 2.0)
    assert found.tree.links[1].visuals[0].colour == (1.0, 0.0, 0.0)


def test_an_arm_runs_from_the_command_line(file: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["run", str(file), "--set", "duration=0.05", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["joints"] == ["j1", "j2", "j3"]


def test_a_free_base_is_held_and_said_so(file: Path):
    joint = '<joint name="j1" pos="0 0.1 0.2" axis="0 1 0.5" damping="0.1" armature="0.01"/>'
    file.write_text(ARM.replace(joint, "<freejoint/>").replace('<motor joint="j1"/>', '<motor joint="j2"/>'))
    found = read_robot(file)
    assert "6: the joint of body a is free: it is held still" in [f"{one.line}: {one.what}" for one in found.ignored]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("<mujoco", '<!DOCTYPE m [<!ENTITY a "b">]><mujoco', "line 1.*document type"),
        ('<joint name="j1"', '<joint name="j0"/><joint name="j1"', "line 6.*body 'a' with 2 joints"),
        ('type="slide"', 'type="slip"', "a file that MuJoCo compiles, got.*line 11"),
        ('axis="1 0 0"', 'axis="0 0 0"', "a file that MuJoCo compiles"),
        ("<option>", '<include file="/etc/passwd"/><option>', "line 3.*absolute paths are never opened"),
        ("<option>", '<include file="../x.xml"/><option>', "line 3.*are never opened"),
        ("<option>", '<include file="arm.xml"/><option>', "line 3.*at most 100 includes"),
    ],
)
def test_what_is_refused(file: Path, old: str, new: str, words: str):
    assert old in ARM
    file.write_text(ARM.replace(old, new, 1))
    with pytest.raises(BadInput, match=words):
        read_robot(file)


def test_meshes_come_from_the_folder_alone(tmp_path: Path):
    folder = tmp_path / "arm"
    (folder / "meshes").mkdir(parents=True)
    (folder / "meshes" / "a.stl").write_bytes(binary_stl(CORNERS, CUBE))
    (tmp_path / "secret.stl").write_bytes(binary_stl(CORNERS, CUBE))
    named = {"a": "a.stl", "b": "../../secret.stl", "c": str(tmp_path / "secret.stl"), "d": "none.stl"}
    assets = "".join(f'<mesh name="{name}" file="{path}"/>\n' for name, path in named.items())
    geoms = "".join(f'<geom type="mesh" mesh="{name}" pos="1 0 0"/>' for name in named)
    text = ARM.replace('<compiler angle="degree"/>', '<compiler angle="degree" meshdir="meshes"/>')
    text = text.replace("  <worldbody>", f"<asset>{assets}<texture file='x.png'/></asset><worldbody>")
    (folder / "arm.xml").write_text(text.replace('<geom type="sphere"', geoms + '<geom type="sphere"'))
    found = read_robot(folder)
    assert [one.kind for one in found.tree.links[3].visuals] == ["mesh", "sphere"]
    said = " ".join(one.what for one in found.missing)
    assert [one.line for one in found.missing] == [5, 6, 7]
    assert "'..' are never opened" in said
    assert "none.stl' is not drawn: 'arm' has no such file" in said
    assert found.lost


def test_lines_of_included_files_are_named_with_their_file(file: Path):
    part = '<mujoco>\n<body name="d" pos="0 0 1">\n<geom size=".1"/>\n</body></mujoco>'
    (file.parent / "part.xml").write_text(part)
    file.write_text(ARM.replace('<geom type="plane"', '<include file="part.xml"/><geom type="plane"'))
    assert [one.place for one in read_robot(file).merged] == ["9", "2 of part.xml"]
    (file.parent / "part.xml").write_text(part.replace("size", "side"))
    with pytest.raises(BadInput, match=r"line 3 of part\.xml"):
        read_robot(file)
    (file.parent / "part.xml").write_text(part)
    file.write_text(file.read_text().replace('type="slide"', 'type="slip"'))
    with pytest.raises(BadInput, match="line 11"):
        read_robot(file)


def test_without_mujoco_the_extra_is_named(file: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(mjcf, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"pip install armstep\[mujoco\]"):
        read_robot(file)
