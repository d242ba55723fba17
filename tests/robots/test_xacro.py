"""Xacro: what is expanded, what is refused with its line, and that nothing is executed or opened outside."""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from assets.errors import ArmstepError, BadInput
from gui.cli import main
from robots.files.folder import DiskFolder, NotFound, Place
from robots.files.reading import read_place, read_robot
from robots.files.xacro.expand import expand
from robots.files.xacro.expressions import evaluate
from robots.files.xacro.yaml import read_yaml
from robots.files.xml import Element

HEAD = '<robot xmlns:xacro="http://wiki.ros.org/xacro" name="arm">\n'


def opened(folder: Path, body: str, **arguments: str) -> Element:
    content = (HEAD + body + "\n</robot>").encode()
    return expand(content, Place(DiskFolder(folder), "arm.xacro"), arguments)


def only(folder: Path, body: str, **arguments: str) -> dict[str, str]:
    """The attributes of the one element that is left."""
    (element,) = opened(folder, body, **arguments).children
    return element.attributes


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 * pi / 3", "2.0943951023931953"),
        ("1 + 2", "3"),
        ("7 // 2 + 7 % 2", "4"),
        ("2 ** 3", "8.0"),
        ("-(1.5)", "-1.5"),
        ("radians(180) == pi", "True"),
        ("sin(0) + cos(0)", "1.0"),
        ("'a' + 'b' if 1 < 2 <= 2 else 'c'", "ab"),
        ("'x' in 'xyz' and not False", "True"),
        ("[1, 2, 3][1] + {'a': 4}['a']", "6"),
        ("dict(a=4).a", "4"),
        ("'0 1 2'.split(' ')[2]", "2"),
        ("'0 1 2'.split()[-1]", "2"),
        ("str(1.0) + 'x'", "1.0x"),
        ("min(3, 2) + abs(-1) + len([1])", "4"),
        ("xacro.warning('gone')", ""),
    ],
)
def test_expressions(tmp_path: Path, expression: str, value: str):
    assert only(tmp_path, f'<a v="${{{expression}}}"/>'.replace("<=", "&lt;=").replace(" < ", " &lt; "))["v"] == value


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os')", "open('/etc/passwd')", "().__class__", "'a'.__class__", "''.format(1)", "lambda: 1",
        "[x for x in [1]]", "eval('1')", "2 ** 10 ** 10", "9 ** 9 ** 9 ** 9", "'a' * 10", "[1] * 9", "unknown", "1 +",
        "1 / 0", "(-8) ** 0.5", "sum", "xacro.load_yaml", "dict(a=1).get", "1 &lt;&lt; 70", "[][1]", "{}['a']",
        "xacro.load_yaml('/etc/passwd')", "load_yaml('../x.yaml')", "xacro.load_yaml('http://x/y.yaml')", "x" * 3000,
        "'a'.join(1)", "min()", "(" * 500,
    ],
)  # fmt: skip
def test_what_is_no_arithmetic_is_refused_with_its_line(tmp_path: Path, expression: str):
    with pytest.raises(BadInput, match=r"arm\.xacro, line 3,") as refusal:
        only(tmp_path, f'\n<a v="${{{expression}}}"/>')
    assert len(str(refusal.value)) <= 620


def test_properties_are_evaluated_when_needed_and_keep_their_kind(tmp_path: Path):
    body = """
<xacro:property name="a" value="${b + 1}"/>
<xacro:property name="b" value="2"/>
<xacro:property name="early" value="${b}" lazy_eval="false"/>
<xacro:property name="b" value="${1.5 * 2}"/>
<xacro:property name="word" value="'007'"/>
<xacro:property name="b" default="9"/>
<x a="${a}" b="${b}" early="${early}" word="${word}" text="$${a} $$(b)" mixed="p${b}q"/>"""
    expected = {"a": "4.0", "b": "3.0", "early": "2", "word": "007", "text": "${a} $(b)", "mixed": "p3.0q"}
    assert only(tmp_path, body) == expected
    with pytest.raises(BadInput, match=r"line 3.*depends on itself"):
        opened(tmp_path, '<xacro:property name="a" value="${a}"/>\n<x a="${a}"/>')


def test_macros_have_defaults_blocks_and_the_callers_names(tmp_path: Path):
    body = """
<xacro:property name="size" value="5"/>
<xacro:macro name="part" params="name size:=^ far:=^|7 near=${2 * 2} place:='1 2 3' *first **rest">
  <link name="${name}" size="${size}" far="${far}" near="${near}" place="${place}">
    <xacro:insert_block name="first"/>
    <xacro:insert_block name="rest"/>
  </link>
  <xacro:property name="made" value="${name}" scope="parent"/>
</xacro:macro>
<xacro:part name="a"><origin xyz="${size}"/><more><b/><c/></more></xacro:part>
<last made="${made}"/>"""
    link, last = opened(tmp_path, body).children
    assert link.attributes == {"name": "a", "size": "5", "far": "7", "near": "4", "place": "1 2 3"}
    assert [child.tag for child in link.children] == ["origin", "b", "c"]
    assert link.children[0].attributes == {"xyz": "5"}
    assert (last.attributes, link.line) == ({"made": "a"}, 5)


def test_conditions_arguments_and_calls(tmp_path: Path):
    body = """
<xacro:arg name="kind" default="big"/><xacro:arg name="count" default="3"/>
<xacro:macro name="big" params="n"><made n="${n}" kind="$(arg kind)"/></xacro:macro>
<xacro:if value="${$(arg count) > 2}"><xacro:call macro="$(arg kind)" n="$(arg count)"/></xacro:if>
<xacro:unless value="$(arg flag)"><never/></xacro:unless>"""
    assert only(tmp_path, body, flag="true") == {"n": "3", "kind": "big"}
    with pytest.raises(BadInput, match=r"line 6.*unknown argument 'flag'"):
        opened(tmp_path, body)
    assert only(tmp_path, body, flag="1", count="9")["n"] == "9"


def test_includes_and_parameters_stay_inside_the_folder(tmp_path: Path):
    package = tmp_path / "arm_description"
    (package / "urdf").mkdir(parents=True)
    (package / "config").mkdir()
    (package / "package.xml").write_text("<package/>")
    (package / "urdf" / "parts.xacro").write_text(
        HEAD + '<xacro:macro name="part" params="n"><xacro:include filename="more.xacro"/></xacro:macro></robot>'
    )
    (package / "urdf" / "more.xacro").write_text(HEAD + '<more n="${n}"/></robot>')
    (package / "config" / "joints.yaml").write_text("joint1: {lower: !degrees -90, names: [a, 'b c']}\n")
    (tmp_path / "secret.yaml").write_text("a: 1")
    (package / "config" / "out.yaml").symlink_to(tmp_path / "secret.yaml")
    body = """
<xacro:include filename="$(find arm_description)/urdf/parts.xacro"/>
<xacro:property name="j" value="${xacro.load_yaml('$(find arm_description)/config/joints.yaml')}"/>
<xacro:part n="${j.joint1.lower} ${j['joint1']['names'][1]}"/>"""
    content = (HEAD + body + "</robot>").encode()
    place = Place(DiskFolder(package), "urdf/arm.xacro")
    (made,) = expand(content, place, {}).children
    assert made.attributes == {"n": f"{-math.pi / 2} b c"}
    for name in ("../../secret.yaml", "$(find arm_description)/config/out.yaml", str(tmp_path / "secret.yaml")):
        text = HEAD + f"\n<a v=\"${{xacro.load_yaml('{name}')}}\"/></robot>"
        with pytest.raises(BadInput, match=r"line 3, .*(never opened|leads out of the folder)"):
            expand(text.encode(), place, {})
        text = HEAD + f'\n<xacro:include filename="{name}"/></robot>'
        with pytest.raises(BadInput, match=r"line 3, .*(never opened|leads out of the folder)"):
            expand(text.encode(), place, {})


def test_a_folder_is_named_only_for_a_package_that_it_lacks(tmp_path: Path):
    folder = tmp_path / "downloaded"
    folder.mkdir()
    (folder / "package.xml").write_text("<package><name>own</name></package>")
    for package, advised in (("own", False), ("other", True)):
        for use in ("<xacro:include filename='$(find {})/a'/>", "<a v=\"${{load_yaml('$(find {})/a')}}\"/>"):
            with pytest.raises(BadInput, match="has no such file") as refusal:
                opened(folder, use.format(package))
            assert ("open the folder of" in str(refusal.value)) == advised


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("<xacro:nothing/>", "line 2, must be a known macro"),
        ('<xacro:macro name="part" params="a"/><xacro:prat a="1"/>', "did you mean 'part'"),
        ('<xacro:macro name="part" params="size"/>\n<xacro:part sise="1"/>', "line 3.*did you mean 'size'"),
        ('<xacro:macro name="part" params="size"/>\n<xacro:part/>', "line 3.*a value for 'size'"),
        ('<xacro:macro name="part" params="*b"/><xacro:part/>', r"an element for '\*b'"),
        ('<xacro:macro name="part" params="a 1b"/>', "line 2.*parameters of macro part"),
        ('<xacro:insert_block name="b"/>', "the name of a block"),
        ('<xacro:if value="maybe"><a/></xacro:if>', "neither true nor false"),
        ("<xacro:if/>", "<xacro:if> with 'value'"),
        ('<xacro:arg name="a"/>', "a value for argument 'a'"),
        ('<a v="$(env HOME)"/>', "is not supported"),
        ('<a v="$(eval 1)"/>', "is not supported"),
        ('<xacro:include filename="none.xacro"/>', "has no such file"),
        ('<xacro:include filename="$(find ur)/a.xacro"/>', "open the folder of ur, or name it with --folder"),
        ('<xacro:macro name="m"><xacro:m/></xacro:macro>\n<xacro:m/>', "called at most 40 deep"),
        ('<xacro:macro name="m"><xacro:m/><xacro:m/></xacro:macro>\n<xacro:m/>', "called at most 40 deep"),
        ('<xacro:property value="1"/>', "a property with a name"),
    ],
)
def test_what_cannot_be_expanded_is_a_sentence(tmp_path: Path, body: str, words: str):
    with pytest.raises(BadInput, match=words):
        opened(tmp_path, body)


def test_endless_files_end(tmp_path: Path):
    (tmp_path / "arm.xacro").write_text(HEAD + '<xacro:include filename="arm.xacro"/></robot>')
    with pytest.raises(BadInput, match=r"more than 200 includes|nested too deep"):
        read_robot(tmp_path / "arm.xacro")
    double = '<xacro:macro name="m{}"><xacro:m{}/><xacro:m{}/></xacro:macro>\n'
    body = "".join(double.format(k, k + 1, k + 1) for k in range(30)) + '<xacro:macro name="m30"/><xacro:m0/>'
    with pytest.raises(BadInput, match="more than 200000 elements"):
        opened(tmp_path, body)
    grown = '<xacro:property name="a0" value="xxxxxxxxxx"/>' + "".join(
        f'<xacro:property name="a{k + 1}" value="${{a{k}}}${{a{k}}}"/>' for k in range(40)
    )
    with pytest.raises(BadInput, match="at most 4000 characters"):
        opened(tmp_path, grown + '<x a="${a40}"/>')


def test_yaml_of_robots():
    text = b"""# comment
joint_limits:
  one: {lower: -1, "upper": 2.5e-1}   # flow
  two:
    speed: !degrees 180.0
    name: "a # b"
    on: yes
    none:
list:
- a
- b: 1
  c: 2
-
  - 3
base: &base
  mass: 2
again: *base
path: package/urdf: no
"""
    with pytest.raises(ArmstepError, match="line"):
        read_yaml(b"a: [1\nb: >\n  text")
    found = read_yaml(text.replace(b"path: package/urdf: no\n", b""))
    assert found == {
        "joint_limits": {
            "one": {"lower": -1, "upper": 0.25},
            "two": {"speed": math.pi, "name": "a # b", "on": True, "none": None},
        },
        "list": ["a", {"b": 1, "c": 2}, [3]],
        "base": {"mass": 2},
        "again": {"mass": 2},
    }


@pytest.mark.parametrize(
    "text",
    ["a: *b", "a: !!python/object:os.system x", "\ta: 1", "a: |\n  b", "a:\n b: 1\n  c: 2\n", "a: {b"],
)
def test_other_yaml_is_refused_with_its_line(text: str):
    with pytest.raises(ArmstepError, match=r"line [123] "):
        read_yaml(text.encode())


def test_a_yaml_bomb_is_refused():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for k in range(9):
        lines += [f"a{k + 1}: &a{k + 1}", *([f"  - *a{k}"] * 10)]
    with pytest.raises(ArmstepError, match="at most 100000 values"):
        read_yaml("\n".join(lines).encode())


ARM = (
    HEAD
    + """<xacro:arg name="size" default="0.4"/>
<xacro:property name="mass" value="${2 * 1.5}"/>
<xacro:macro name="rod" params="name length:=^|0.3 *axis">
  <link name="${name}"><inertial><origin xyz="0 0 ${length / 2}"/><mass value="${mass}"/>
    <inertia ixx="${mass * length ** 2 / 12}" iyy="${mass * length ** 2 / 12}" izz="0.001" ixy="0" ixz="0" iyz="0"/>
  </inertial></link>
  <joint name="j_${name}" type="continuous"><parent link="base"/><child link="${name}"/>
    <xacro:insert_block name="axis"/></joint>
</xacro:macro>
<link name="base"/>
<xacro:rod name="a" length="$(arg size)"><axis xyz="0 1 0"/></xacro:rod>
<xacro:if value="${mass > 2}"><xacro:rod name="b"><axis xyz="1 0 0"/></xacro:rod></xacro:if>
</robot>
""".replace("mass > 2", "mass &gt; 2")
)


def test_a_xacro_arm_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "arm.xacro"
    file.write_text(ARM)
    assert main(["run", str(file), "--set", "duration=0.05", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["joints"] == ["j_a", "j_b"]
    out = tmp_path / "arm.json"
    assert main(["robot", str(file), "--arg", "size=1.2", "--json", "--out", str(out)]) == 0
    assert json.loads(capsys.readouterr().out)["joints"] == ["j_a", "j_b"]
    assert json.loads(out.read_text())["model"]["links"][1]["centre"][2] == 0.6
    assert main(["robot", str(file), "--arg", "sise=1"]) == 2
    assert "did you mean 'size'" in capsys.readouterr().err


def mutated(text: str, rng: random.Random) -> str:
    pieces = [
        "", "<", '"', "${", "}", "$(", "'", "nan", "1e999", "<xacro:rod/>", "\0", "é", "&a;", "**", "9" * 50, "${a}",
    ]  # fmt: skip
    signs = list(text)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(signs))
        signs[place : place + rng.randint(0, 30)] = rng.choice(pieces)
    return "".join(signs)


class OneFile:
    """A folder with one file, in memory: thousands of files on disk take seconds."""

    name = "folder"
    files = ("arm.xacro",)

    def __init__(self, text: str) -> None:
        self._content = text.encode()

    def read(self, path: str, most: int) -> bytes:
        if path not in self.files:
            raise NotFound(f"{self.name!r} has no such file")
        return self._content


@pytest.mark.parametrize(("count", "seed"), [(800, 7), pytest.param(10_000, 8, marks=pytest.mark.long)])
def test_mutated_files_give_a_sentence(count: int, seed: int):
    rng = random.Random(seed)
    for _ in range(count):
        try:
            answer = read_place(Place(OneFile(mutated(ARM, rng)), "arm.xacro")).moves
        except ArmstepError as refusal:
            answer = str(refusal)
        assert 0 < len(answer) <= 700


def test_nothing_is_executed_and_nothing_outside_is_opened(tmp_path: Path):
    folder = tmp_path / "opened"
    folder.mkdir()
    (tmp_path / "secret.yaml").write_text("a: 1")
    (folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    names = ["../secret.yaml", "link.yaml", str(tmp_path / "secret.yaml"), "http://localhost/a.yaml", "a.yaml"]
    for k, name in enumerate(names):
        (folder / f"{k}.xacro").write_text(HEAD + f"<a v=\"${{xacro.load_yaml('{name}')}}\"/></robot>")
    (folder / "5.xacro").write_text(HEAD + "<a v=\"${__import__('os').system('touch bad')}\"/></robot>")
    script = f"""
import os, sys
from pathlib import Path
from assets.errors import ArmstepError
from robots.files.reading import read_robot
found = []
def note(name, args):
    if name == "open" or name.startswith(("socket.", "subprocess.", "os.system", "os.exec", "exec", "compile")):
        found.append((name, str(args[0])))
files = [Path({str(folder)!r}) / f"{{k}}.xacro" for k in range(6)]
def read():
    for file in files:
        try:
            read_robot(file)
        except ArmstepError as problem:
            pass
read()
sys.addaudithook(note)
read()
print(sorted({{args for name, args in found if name != "compile"}}))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=os.getcwd())
    assert done.stdout.strip() == repr([str(folder / f"{k}.xacro") for k in range(6)])
    assert not (folder / "bad").exists()


def test_names_are_looked_up_before_constants():
    assert evaluate("pi + e", {"e": 1}.__getitem__, lambda name: None) == math.pi + 1


def test_commands_take_the_folder_and_the_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "arm_description" / "urdf" / "arm.xacro"
    file.parent.mkdir(parents=True)
    (tmp_path / "arm_description" / "own.xacro").write_text(HEAD + "</robot>")
    include = '<xacro:include filename="$(find arm_description)/own.xacro"/>'
    file.write_text(ARM.replace(HEAD, HEAD + include))
    given = [str(file), "--folder", str(tmp_path / "arm_description"), "--arg", "size=1.2"]
    for command in (["run"], ["compare", "--methods", "dopri5"]):
        words = [command[0], *given, *command[1:], "--set", "duration=0.01", "--set", "initial.q1=1", "--json"]
        assert main(words) == 0
        found = json.loads(capsys.readouterr().out)
        assert "finished" in json.dumps(found)
    tilted = ["--set", "initial.q1=1", "--set", "duration=0.1", "--json"]
    assert main(["run", *given[:3], *tilted]) == 0
    other = json.loads(capsys.readouterr().out)
    assert main(["run", *given, *tilted]) == 0
    assert json.loads(capsys.readouterr().out)["final"] != other["final"]
    for words, said in (
        (["run", str(file), "--json"], "own.xacro"),
        (["run", *given, "--arg", "nobody=1"], "argument must be 'size', got 'nobody'"),
        (["run", *given, "--arg", "=1"], "--arg must be NAME=VALUE, got '=1'"),
        (["run", "rr-swing", "--arg", "size=1"], "--arg must be left out: rr-swing is not a robot file"),
        (["open", "rr-swing", "--folder", str(tmp_path)], "--folder must be used together with a robot file"),
        (["run", "rr-swing", "--log-as", "ghost"], "--log-as must be used together with --log"),
    ):
        assert main(words) == 2
        assert said in capsys.readouterr().err
