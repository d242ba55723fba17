"""Every example of the page on robot files does what the page says."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from gui.cli import main
from gui.command import COMMANDS
from robots.files.reading import robot_scenario

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "robot-files.md").read_text(encoding="utf-8")
LINES = [line[4:] for line in PAGE.splitlines() if line.startswith("    ")]
INLINE = re.findall(r"`(armstep [^`]+)`", PAGE)
COMMAND_LINES = [line for line in [*LINES, *INLINE] if line.startswith("armstep ")]
XML = [line for line in LINES if line.startswith("<")]

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0 0 -0.2"/><mass value="2"/>
    <inertia ixx="0.02" iyy="0.02" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0 0 -0.2"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><axis xyz="0 1 0"/>
    <origin xyz="0 0 -0.4"/></joint>
  {frame}
</robot>
"""
XACRO = """<robot name="$(arg ur_type)" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="ur_type" default="ur3e"/>
  <xacro:include filename="$(find ur_description)/urdf/links.xacro"/>
</robot>
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that the page names."""
    frame = "\n".join(XML[:2])
    text = ARM.format(frame=frame)
    (tmp_path / "arm.urdf").write_text(text)
    with ZipFile(tmp_path / "arm.zip", "w") as packed:
        packed.writestr("urdf/arm.urdf", text)
        packed.writestr("urdf/other.urdf", text)
    (tmp_path / "walk.csv").write_text("t,q1,q2,u1,u2\n" + "".join(f"{k / 10},{k / 50},0,0,0\n" for k in range(11)))
    package = tmp_path / "ur_description" / "urdf"
    package.mkdir(parents=True)
    (package.parent / "package.xml").write_text("<package><name>ur_description</name></package>")
    (package / "ur.urdf.xacro").write_text(XACRO)
    inner = text[text.index("\n") + 1 :].replace("$", "$$")
    (package / "links.xacro").write_text(f'<robot xmlns:xacro="http://www.ros.org/wiki/xacro">\n{inner}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def arguments() -> Iterator[list[str]]:
    for line in COMMAND_LINES:
        words = shlex.split(line)[1:]
        if "FILE" not in words and len(words) > 1:
            yield words


def test_the_page_has_examples() -> None:
    assert len(list(arguments())) >= 10
    assert len(XML) == 3


@pytest.mark.parametrize("words", list(arguments()), ids=" ".join)
def test_the_command_does_what_the_page_says(
    words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No window is opened here: the words are read as those of its command, and its file exists."""
    if words == ["run", "arm.zip"]:
        with ZipFile("arm.zip", "w") as packed:
            packed.write("arm.urdf", "urdf/arm.urdf")
    if words[0] == "open":
        parser = argparse.ArgumentParser()
        COMMANDS.find("open").add_arguments(parser)
        assert Path(parser.parse_args(words[1:]).file).exists()
        return
    if words[0] == "render":  # it draws, in a process of its own: a small film
        small = ["--size", "96x54", "--fps", "5", "--quality", "low"]
        command = [sys.executable, "-m", "gui", *words, *small]
        done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert (folder / "film.mp4").stat().st_size > 1000
        return
    assert main(words) == 0
    said = capsys.readouterr().out
    if "--out" in words:
        kept = json.loads((folder / words[words.index("--out") + 1]).read_text())
        assert kept["format"] == "armstep-scenario"
    if words[0] == "run":
        assert "inished" in said
    if "ur_type=ur5e" in words and words[0] == "robot":
        assert "ur5e" in said
    if "--json" in words:
        assert json.loads(said)["joints"] == ["shoulder", "elbow"]


def test_several_robots_in_a_zip_have_to_be_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "arm.zip"]) != 0
    assert "urdf/other.urdf" in capsys.readouterr().err


def test_the_body_without_a_joint_is_the_tip_in_mjcf(folder: Path) -> None:
    pytest.importorskip("mujoco")
    shapes = '<joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05"/>'
    body = XML[2].replace("...", shapes)
    assert body != XML[2], "the example leaves a body's content out"
    (folder / "arm.xml").write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    scenario = robot_scenario(folder / "arm.xml")
    link, place = scenario.model.tip
    assert (scenario.model.links[link].name, place) == ("lower", (0.0, 0.0, -0.5))


def test_every_task_of_the_table_is_offered(folder: Path) -> None:
    table = PAGE[PAGE.index("| `task.torque` |") :].split("\n\n")[0]
    named = re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)
    choices = robot_scenario(folder / "arm.urdf").fields()["task.torque"].choices
    assert set(named) <= {*choices, "path", "log-motion", "log-torque"}
    assert {*choices} <= set(named)
