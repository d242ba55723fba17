"""URDF files: what is read, merged, left out, doubted and refused, each with its line; nothing else is opened."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from assets.errors import ArmstepError, BadInput
from gui.cli import main
from robots.files.reading import read_robot, robot_scenario
from robots.files.urdf import read_urdf
from robots.files.xml import parse
from robots.model.registry import robot_of
from robots.model.repair import repaired
from robots.model.tree import IDENTITY, Joint, Link, Tree
from robots.scenario.scenario import Scenario, scenario_of
from robots.simulation.simulate import simulate

ARM = """<?xml version="1.0"?>
<robot name="test arm">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
  <link name="upper">
    <inertial><origin xyz="0 0 0.2" rpy="0 0.5 0"/><mass value="2"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0.001" izz="0.04"/></inertial>
    <visual><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.05" length="0.4"/></geometry>
      <material name="red"/></visual>
  </link>
  <link name="lower">
    <inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial>
    <visual><geometry><mesh filename="package://somewhere/else.stl"/></geometry></visual>
  </link>
  <link name="tool"><inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.001" izz="0.001"/></inertial></link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" velocity="3" effort="40"/><dynamics damping="0.2" friction="0.1"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="upper"/><child link="lower"/><origin xyz="0 0 0.4" rpy="0 0 1.5707963267948966"/>
    <axis xyz="0 0 2"/><limit lower="0.1" upper="0.5"/>
  </joint>
  <joint name="mount" type="fixed"><parent link="lower"/><child link="tool"/><origin xyz="0 0 0.3"/></joint>
  <transmission name="motor"/>
</robot>
"""


def read(text: str):
    return read_urdf(text.encode(), "arm.urdf")


def said(remarks) -> str:
    return "; ".join(f"{remark.line}: {remark.what}" for remark in remarks)


def test_what_is_there_is_read():
    found = read(ARM)
    shoulder, slide = found.tree.joints
    assert found.joints == ("shoulder", "slide")
    assert (shoulder.lower, shoulder.upper, shoulder.speed, shoulder.effort) == (-1.0, 2.0, 3.0, 40.0)
    assert (shoulder.damping, slide.damping) == (0.2, 0.0)
    assert slide.axis == (0.0, 0.0, 1.0)
    assert slide.rest == 0.1
    assert found.tree.links[1].visuals[0].colour == (1.0, 0.0, 0.0)
    assert found.moves == "dynamics"
    assert found.tree.tip == (2, (0.0, 0.0, 0.3))


def test_fields_and_legends_have_a_joints_name_and_of_a_long_one_its_ends():
    scenario = scenario_of(read(ARM.replace('"shoulder"', f'"first_{"x" * 300}last"')).tree)
    fields, robot = scenario.fields(), robot_of(scenario)
    assert [fields[key].label for key in ("initial.v2", "task.kp2")] == ["rate of slide", "gain P of slide"]
    assert fields["task.stop_low2"].label == "lower stop of slide"
    assert fields["robot.d1"].label == f"friction of {robot.joint_of('q1')}"
    panned = scenario_of(read(ARM.replace('"shoulder"', '"left_shoulder_pan_joint"')).tree)
    assert panned.fields()["initial.q1"].label.endswith(" of left_shoulder_pan"), "two lines are enough"
    assert robot.joint_of("u1") == f"first_{'x' * 14} ... xxxxxxlast"


def test_a_limit_out_of_sight_is_none():
    far = read(ARM.replace('lower="-1" upper="2"', 'lower="-1e16" upper="1e30"')).tree.joints[0]
    assert (far.lower, far.upper) == (-math.inf, math.inf)


def test_fixed_links_are_one_body():
    lower = read(ARM).tree.links[2]
    assert lower.mass == 1.5
    assert lower.centre == pytest.approx((0.0, 0.0, 0.1))
    assert lower.inertia[0] == pytest.approx(0.011 + 0.3**2 / 3.0)
    assert lower.inertia[5] == pytest.approx(0.011)


def test_nothing_is_lost_silently():
    found = read(ARM)
    assert said(found.merged) == "24: link tool is one body with lower (fixed joint mount)"
    assert said(found.ignored) == "18: Coulomb friction 0.1 of joint shoulder; 25: <transmission>"
    assert said(found.missing) == (
        "13: mesh 'package://somewhere/else.stl' of link lower is not drawn: no other file is opened"
    )
    assert said(found.suspicious) == "22: the axis of joint slide has length 2"


@pytest.mark.parametrize(
    ("old", "new", "topic", "words"),
    [
        ('<mass value="2"/>', '<mass value="-2"/>', "impossible", "link upper must have a mass above 0 kg, got -2"),
        ('izz="0.04"', 'izz="0.4"', "impossible", "any two add up to at least the third"),
        ('ixx="0.02"', 'ixx="-0.02"', "impossible", "no negative moment"),
        ('<mass value="2"/>', '<mass value="2000"/>', "suspicious", "are these grams?"),
        ('xyz="0 0 0.4"', 'xyz="0 0 400"', "suspicious", "are these millimetres?"),
        ('<limit lower="0.1" upper="0.5"/>', "", "suspicious", "slide is prismatic and has no <limit>"),
        ('lower="-1" upper="2"', 'lower="2" upper="-1"', "suspicious", "limits 2 and -1: they are left out"),
        ('type="fixed"', 'type="floating"', "ignored", "joint mount is floating: it is held still"),
        ('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><mimic joint="nobody"/>', "ignored", "it does not follow nobody"),
        ('radius="0.05"', 'radius="0"', "suspicious", "has no size"),
    ],
)
def test_doubtful_values_are_listed(old, new, topic, words):
    assert old in ARM
    found = read(ARM.replace(old, new))
    assert words in said(getattr(found, topic))
    assert found.moves == ("kinematics" if topic == "impossible" else "dynamics")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('<robot name="test arm">', '<!DOCTYPE x [<!ENTITY a "b">]><robot>', "line 2.*without a document type"),
        ("</robot>", "", "line 2.*must be XML"),
        ("<robot", "<model", "mismatched|must be a <robot>"),
        ('<link name="tool">', '<link name="base">', "line 15.*second link 'base'"),
        ('<child link="tool"/>', '<child link="toll"/>', "line 24.*did you mean 'tool'"),
        ('<child link="tool"/>', '<child link="upper"/>', "line 24.*second parent of link 'upper'"),
        ('<parent link="base"/>', '<parent link="tool"/>', "line 4.*a loop|two roots|loop through"),
        ('type="revolute"', 'type="revolut"', "line 16.*did you mean 'revolute'"),
        ('<axis xyz="0 1 0"/>', '<axis xyz="0 0 0"/>', "line 17.*an axis of joint shoulder with a direction"),
        (
            '<mass value="2"/>',
            '<mass value="two"/>',
            "line 6: value of <mass> must be a number from -1e9 to 1e9, got 'two'",
        ),
        ('<mass value="2"/>', '<mass value="nan"/>', "must be a number from -1e9 to 1e9, got 'nan'"),
        ('xyz="0 1 0"', 'xyz="0 1e200 0"', "line 17: xyz of <axis> must be 3 numbers from -1e9 to 1e9"),
        ('izz="0.04"', 'izz="1e308"', "line 7: izz of <inertia> must be a number from -1e9 to 1e9"),
        ('xyz="0 0 0.4"', 'xyz="0 0"', "line 21: xyz of <origin> must be 3 numbers from -1e9 to 1e9, got '0 0'"),
        ('damping="0.2"', 'damping="-1"', "line 18.*damping of joint shoulder of at least 0"),
        ('<joint name="mount" type="fixed">', '<joint type="fixed">', "line 24.*a <joint> with a name"),
    ],
)
def test_what_is_no_robot_is_refused_with_its_line(old, new, words):
    assert old in ARM
    with pytest.raises(BadInput, match=words):
        read(ARM.replace(old, new))


def test_a_missing_root_and_two_roots():
    with pytest.raises(BadInput, match="two roots, 'base' and 'other'"):
        read(ARM.replace("</robot>", '<link name="other"/></robot>'))
    with pytest.raises(BadInput, match="must be a robot with links"):
        read("<robot/>")
    with pytest.raises(BadInput, match="a robot with a joint that moves"):
        read('<robot><link name="a"/></robot>')


def test_endless_files_end():
    with pytest.raises(BadInput, match=r"^long, line 1 must be shorter, got 'more than 200000 elements'"):
        parse(b"<robot>" + b"<link/>" * 300_000 + b"</robot>", "long")
    with pytest.raises(BadInput, match="nested at most 64 deep"):
        read("<robot>" + "<a>" * 100)
    with pytest.raises(BadInput, match="at most 16 MiB"):
        read_urdf(b" " * (17 * 2**20), "long.urdf")
    with pytest.raises(BadInput, match="more than 2000 of <link>"):
        read("<robot>" + "".join(f'<link name="{k}"/>' for k in range(3000)) + "</robot>")


def test_the_scenario_is_at_rest_and_clipped_to_limits(tmp_path: Path):
    file = tmp_path / "arm.urdf"
    file.write_text(ARM)
    scenario = robot_scenario(file)
    assert scenario.initial == {"q1": 0.0, "q2": 0.1, "v1": 0.0, "v2": 0.0}
    assert (scenario.method, scenario.rtol, scenario.atol, scenario.duration) == ("dopri5", 1e-6, 1e-9, 5.0)
    run = simulate(scenario)
    assert run.status.ok
    assert run.to_dict()["joints"] == ["shoulder", "slide"]


IMPOSSIBLE = ARM.replace('<mass value="2"/>', '<mass value="0"/>').replace('ixx="0.01" iyy', 'ixx="1" iyy')


def test_an_arm_of_impossible_bodies_moves_by_kinematics_only(tmp_path: Path):
    file = tmp_path / "arm.urdf"
    file.write_text(IMPOSSIBLE)
    scenario = robot_scenario(file)
    assert scenario.model is not None
    run = simulate(scenario)
    assert run.status.ok
    assert not [name for name in run.to_dict()["final"] if name[0] == "u"]
    assert "energy_J" not in run.to_dict()["max_error"]
    for number, joint in enumerate(scenario.model.joints, start=1):
        assert run.to_dict()["final"][f"q{number}"] == pytest.approx(scenario.task[f"target{number}"], abs=1e-5)
        assert scenario.task[f"target{number}"] != joint.rest
    for law in ("none", "constant", "pd", "pd-gravity"):
        with pytest.raises(
            BadInput, match=r"must be one of computed, log-motion, path, since .* link upper must have a mass"
        ):
            scenario.with_value("task.torque", law)
    assert Scenario.from_json(scenario.to_json()) == scenario


def test_a_repair_leaves_a_possible_inertia_as_it_is():
    tree = read(ARM.replace('<mass value="2"/>', '<mass value="-2"/>')).tree
    mended = repaired(tree)
    assert [link.inertia for link in mended.links] == [link.inertia for link in tree.links]
    assert len(mended.repairs) == 1
    assert "inertia" not in mended.repairs[0]


def test_a_repair_is_explicit_and_gives_dynamics(tmp_path: Path):
    file = tmp_path / "arm.urdf"
    file.write_text(IMPOSSIBLE)
    broken = robot_scenario(file).model
    assert broken is not None
    tree = repaired(broken)
    assert (tree.fault(), broken.fault() != "") == ("", True)
    assert [change.split(":")[0] for change in tree.repairs] == ["upper", "lower"]
    assert "mass 0 -> " in tree.repairs[0]
    scenario = scenario_of(tree)
    assert "Repaired: upper: mass 0" in robot_of(scenario).summary
    run = simulate(scenario)
    assert run.status.ok
    assert Scenario.from_json(scenario.to_json()) == scenario
    for link, before in zip(tree.links[1:], broken.links[1:], strict=True):
        assert not link.fault()
        assert (link != before) == bool(before.fault())


@pytest.mark.parametrize("seed", range(200))
def test_any_body_can_be_repaired(seed: int):
    rng = np.random.default_rng(seed)
    mass = float(rng.choice([-1.0, 0.0, 1e-6, 2.0]))
    link = Link("a", mass, (0.0, 0.0, 0.0), tuple((rng.normal(size=6) * rng.choice([0.0, 1e-9, 1.0])).tolist()))
    joint = Joint("j", "continuous", 0, IDENTITY, (0.0, 0.0, 1.0), 0)
    tree = repaired(Tree("arm", (Link("base"), link), (joint,), impossible="link a must ..."))
    assert tree.links[1].fault() == ""


def test_a_file_that_is_not_there_or_is_none(tmp_path: Path):
    for name in ("none.urdf", "none/arm.xml", "none.zip"):
        with pytest.raises(BadInput, match=r"^robot file must be an existing file, got "):
            read_robot(tmp_path / name)
    (tmp_path / "folder.urdf").mkdir()
    with pytest.raises(BadInput, match=r"one with a file that ends in \.urdf"):
        read_robot(tmp_path / "folder.urdf")
    with pytest.raises(BadInput, match=r"one that ends in \.urdf"):
        read_robot(tmp_path / "arm.txt")


@pytest.mark.parametrize("count", [1500, pytest.param(10_000, marks=pytest.mark.long)])
def test_mutated_files_give_a_sentence(count: int):
    rng = random.Random(count)
    pieces = ["", "<", '"', "nan", "1e999", "-1", "<a/>", "\0", "é", '<link name="base"/>', "&a;", "]]>", "9" * 50]
    for _ in range(count):
        text = list(ARM)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(text))
            text[place : place + rng.randint(0, 30)] = rng.choice(pieces)
        try:
            answer = read("".join(text)).moves
        except ArmstepError as refusal:
            answer = str(refusal)
        assert 0 < len(answer) <= 700


def test_no_other_file_is_opened(tmp_path: Path):
    secret = tmp_path / "secret.stl"
    secret.write_text("private")
    (tmp_path / "arm.urdf").write_text(ARM.replace("package://somewhere/else.stl", str(secret)))
    script = f"""
import sys
from robots.files.reading import read_robot
from pathlib import Path
opened = []
sys.addaudithook(lambda name, args: opened.append(str(args[0])) if name == "open" else None)
read_robot(Path({str(tmp_path / "arm.urdf")!r}))
print([name for name in opened if not name.endswith((".py", ".pyc"))])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == repr([str(tmp_path / "arm.urdf")])


def test_a_file_without_a_tool_frame_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    """The tip is then at the last joint; it is not where a frame lies beyond the joint."""
    assert read(ARM).tip == ""
    bare = ARM.replace('xyz="0 0 0.3"', 'xyz="0 0 0"')
    assert read(bare).tip == "Its tip is at joint slide: no frame lies beyond it."
    help_of = {text: scenario_of(read(text).tree).fields()["robot.payload"].help for text in (ARM, bare)}
    assert help_of[ARM] == "A point mass at the tip."
    assert help_of[bare] == "A point mass at the tip, which is at joint slide, since the arm has no tool frame."
    for text, said in ((ARM, False), (bare, True)):
        file = tmp_path / "arm.urdf"
        file.write_text(text, encoding="utf-8")
        assert main(["robot", str(file)]) == 0
        assert ("joint slide: the file has no tool frame" in capsys.readouterr().out) == said


def test_the_tool_frame_of_the_documentation_is_the_tip():
    page = (Path(__file__).parents[2] / "docs" / "robot-files.md").read_text(encoding="utf-8")
    frame = page[page.index('    <link name="tip"/>') :].split("\n\n")[0]
    bare = ARM.replace('xyz="0 0 0.3"', 'xyz="0 0 0"')
    assert read(bare.replace("</robot>", f"{frame}</robot>")).tree.tip == (2, (0.0, 0.0, -0.5))
