"""Robots in folders and zips: found, chosen by their path, and nothing leaves the zip or the folder."""

from __future__ import annotations

import json
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from assets.errors import BadInput
from gui.cli import main
from robots.files.archive import ZipFolder
from robots.files.reading import is_robot_file, read_robot, robot_scenario
from robots.model.registry import robot_of
from robots.scenario.file import load_scenario
from tests.robots.test_meshes import CORNERS, CUBE, arm, binary_stl
from tests.robots.test_xacro import HEAD


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "arm_description"
    (folder / "urdf").mkdir(parents=True)
    (folder / "meshes").mkdir()
    (folder / "meshes" / "a.stl").write_bytes(binary_stl(CORNERS, CUBE))
    arm(folder / "urdf", "package://arm_description/meshes/a.stl")
    (folder / "urdf" / "notes.txt").write_text("not a robot")
    return folder


def zipped(folder: Path, file: Path, more: dict[str, bytes] | None = None, above: str = "") -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                made.write(path, above + path.relative_to(folder).as_posix())
        for name, content in (more or {}).items():
            made.writestr(name, content)
    return file


def meshes(file: Path) -> list[str]:
    found = read_robot(file)
    assert not found.missing
    return [visual.kind for visual in found.tree.links[1].visuals]


def test_a_folder_with_a_robot_is_one(package: Path):
    assert is_robot_file(package)
    assert meshes(package) == ["mesh"]
    assert not is_robot_file(package / "meshes")


@pytest.mark.parametrize("above", ["", "arm_description/", "downloaded-main/"])
def test_a_zip_with_a_robot_is_one(package: Path, tmp_path: Path, above: str, monkeypatch: pytest.MonkeyPatch):
    file = zipped(package, tmp_path / "arm.zip", above=above)
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setattr(zipfile.ZipFile, "extract", None)
    monkeypatch.setattr(zipfile.ZipFile, "extractall", None)
    assert is_robot_file(file)
    assert meshes(file) == meshes(file / above / "urdf" / "arm.urdf") == ["mesh"]
    assert sorted(tmp_path.rglob("*")) == before


def test_of_several_robots_one_is_named(package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (package / "urdf" / "other.urdf").write_text((package / "urdf" / "arm.urdf").read_text())
    file = zipped(package, tmp_path / "arm.zip")
    for source in (package, file):
        with pytest.raises(BadInput, match=r"the path of one robot: one of urdf/arm\.urdf, urdf/other\.urdf"):
            read_robot(source)
    assert meshes(file / "urdf" / "other.urdf") == ["mesh"]
    assert main(["run", str(file / "urdf" / "other.urdf"), "--set", "duration=0.01", "--json"]) == 0
    assert '"robot": "file"' in capsys.readouterr().out
    with pytest.raises(BadInput, match="an existing file"):
        read_robot(file / "urdf" / "none.urdf")
    bad = zipped(package, tmp_path / "bad.zip", {"urdf/bad.urdf": b"<robot>\n<link/></robot>"})
    with pytest.raises(BadInput, match=r"^urdf/bad\.urdf, line 2, must be a <link> with a name"):
        read_robot(bad / "urdf" / "bad.urdf")


def test_run_takes_a_folder_and_a_zip(package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for source in (package, zipped(package, tmp_path / "arm.zip")):
        assert main(["run", str(source), "--set", "duration=0.01", "--json"]) == 0
        assert '"joints": ["j"]' in capsys.readouterr().out
    assert main(["robot", str(package / "urdf" / "arm.urdf"), "--json", "--folder", str(package / "meshes")]) == 0
    assert '"missing": []' in capsys.readouterr().out
    assert robot_scenario(package).notes.startswith("From arm_description.")


@pytest.mark.parametrize(
    "name", ["../evil.urdf", "/etc/evil.urdf", "a/../../evil.urdf", "C:/evil.urdf", "//x/evil.urdf"]
)
def test_names_that_lead_out_of_a_zip_are_refused(package: Path, tmp_path: Path, name: str):
    file = zipped(package, tmp_path / "arm.zip", {name: b"<robot/>"})
    with pytest.raises(BadInput, match="a zip whose names stay inside"):
        read_robot(file)


def test_bombs_are_refused(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = zipped(package, tmp_path / "arm.zip", {"zeros.stl": bytes(50 * 2**20)})
    with pytest.raises(BadInput, match="grow at most 200 times"):
        read_robot(file)
    monkeypatch.setattr("robots.files.archive.MOST_FILES", 10)
    with pytest.raises(BadInput, match="at most 10 files, got '23 files'"):
        read_robot(zipped(package, tmp_path / "many.zip", {f"{k}.txt": b"" for k in range(20)}))


def test_a_length_that_lies_is_no_way_around_the_limit(package: Path, tmp_path: Path):
    file = zipped(package, tmp_path / "arm.zip")
    content = bytearray(file.read_bytes())
    at = content.rindex(b"urdf/arm.urdf") - 46 + 24  # the length in the directory's entry
    content[at : at + 4] = (100).to_bytes(4, "little")
    file.write_bytes(bytes(content))
    with pytest.raises(BadInput, match="must be"):
        read_robot(file)


def test_what_is_no_zip_or_is_damaged(package: Path, tmp_path: Path):
    file = tmp_path / "arm.zip"
    with pytest.raises(BadInput, match="an existing file"):
        read_robot(file)
    for content in (b"", b"PK", b"hello" * 100):
        file.write_bytes(content)
        with pytest.raises(BadInput, match="a readable zip"):
            read_robot(file)
    whole = zipped(package, file).read_bytes()
    for place in range(0, len(whole), 7):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with suppress(BadInput):
            read_robot(file)


def test_a_zip_is_a_folder_of_plain_names(package: Path, tmp_path: Path):
    opened = ZipFolder.opened(zipped(package, tmp_path / "arm.zip"))
    assert opened.files == ("meshes/a.stl", "urdf/arm.urdf", "urdf/notes.txt")
    assert opened.name == "arm"


def test_a_repair_is_asked_for_and_written(package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = package / "urdf" / "arm.urdf"
    file.write_text(file.read_text().replace('<mass value="1"/>', '<mass value="-1"/>'))
    for more, moves, torque in (
        ([], "kinematics only", "computed"),
        (["--repair"], "Repaired: upper: mass -1", "none"),
    ):
        out = tmp_path / "arm.json"
        assert main(["robot", str(file), "--json", "--out", str(out), *more]) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["moves"] == "kinematics"
        assert ("repairs" in report) == bool(more)
        scenario = load_scenario(out)
        assert moves in robot_of(scenario).summary
        assert scenario.task["torque"] == torque


def test_lines_of_included_files_are_named_with_their_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    parts = tmp_path / "arm" / "parts"
    parts.mkdir(parents=True)
    made = HEAD + '<xacro:macro name="rod" params="n">\n<link name="${n}"><inertial><mass value="1"/></inertial>\n'
    made += '<glue/></link>\n</xacro:macro>\n<link name="base"/></robot>'
    (parts / "rod.xacro").write_text(made)
    own = HEAD + '<xacro:include filename="parts/rod.xacro"/><xacro:rod n="a"/>\n<transmission/>\n'
    joint = '<joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint>'
    file = tmp_path / "arm" / "arm.xacro"
    file.write_text(own + joint + "</robot>")
    found = read_robot(file)
    said = [(one.place, one.what) for one in found.ignored]
    assert said == [("3", "<transmission>"), ("4 of parts/rod.xacro", "<glue> of link a")]
    assert found.to_data()["ignored"][1] == {"line": 4, "what": "<glue> of link a", "file": "parts/rod.xacro"}  # type: ignore[index]
    assert main(["robot", str(file)]) == 0
    assert "line 4 of parts/rod.xacro: <glue> of link a" in capsys.readouterr().out
    (parts / "rod.xacro").write_text(made.replace('mass value="1"', 'mass value="x"'))
    with pytest.raises(BadInput, match=r"^parts/rod\.xacro, line 3: value of <mass> must be a number"):
        read_robot(file)
    file.write_text(own + '<link name="base"/></robot>')
    (parts / "rod.xacro").write_text(made)
    with pytest.raises(BadInput, match=r"^arm\.xacro, line 4, .*\(see parts/rod\.xacro, line 6\)"):
        read_robot(file)
