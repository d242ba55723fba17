"""Meshes of robot files: readers, limits, what is opened, fewer triangles, and how they travel in a scenario."""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from assets.errors import ArmstepError, BadInput
from robots.files.folder import DiskFolder, NotFound, Place, checked_path
from robots.files.meshes import scenes
from robots.files.meshes.obj import read_obj
from robots.files.meshes.scenes import read_scene
from robots.files.meshes.stl import read_stl
from robots.files.meshes.surface import Surface, checked, scaled, simplified
from robots.files.reading import read_robot
from robots.model.mesh import MOST_TRIANGLES, packed, unpacked
from robots.model.registry import robot_of
from robots.model.tree import Tree
from robots.scenario.scenario import Scenario, scenario_of
from robots.simulation.simulate import simulate
from scene.geometry.creases import creased

CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
_SIDES = "023 031 457 476 015 054 267 273 046 062 137 175"
CUBE = np.array([[int(corner) for corner in side[::-1]] for side in _SIDES.split()])


def binary_stl(points: np.ndarray, faces: np.ndarray) -> bytes:
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *points[face].ravel(), 0) for face in faces)
    return b"solid but binary".ljust(80, b" ") + struct.pack("<I", len(faces)) + rows


def text_stl(points: np.ndarray, faces: np.ndarray) -> bytes:
    facets = (
        "facet normal 0 0 0\nouter loop\n"
        + "".join("vertex {} {} {}\n".format(*corner) for corner in points[face])
        + "endloop\nendfacet\n"
        for face in faces
    )
    return ("solid cube\n" + "".join(facets) + "endsolid cube\n").encode()


def ball(rows: int) -> Surface:
    """A sphere of radius 1 with 2 rows (rows - 1) faces."""
    angle, turn = np.meshgrid(np.linspace(0, np.pi, rows), np.linspace(0, 2 * np.pi, rows + 1)[:-1], indexing="ij")
    points = np.stack([np.sin(angle) * np.cos(turn), np.sin(angle) * np.sin(turn), np.cos(angle)], axis=-1)
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(rows), indexing="ij")
    a, b = i * rows + j, i * rows + (j + 1) % rows
    faces = np.concatenate([np.stack([a, a + rows, b], -1), np.stack([b, a + rows, b + rows], -1)])
    return checked(Surface(points.reshape(-1, 3), faces.reshape(-1, 3)))


def volume(surface: Surface) -> float:
    a, b, c = (surface.points[surface.faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


@pytest.mark.parametrize("written", [binary_stl, text_stl])
def test_stl_is_read(written):
    (found,) = map(checked, read_stl(written(CORNERS, CUBE)))
    assert (len(found.points), len(found.faces)) == (8, 12)
    assert volume(found) == pytest.approx(1.0)


def test_obj_is_read_with_polygons_colours_and_relative_corners():
    text = b"""mtllib cube.mtl
v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0 1 1 1
usemtl red paint\nf 1/1/1 2/2/1 3//1 4
usemtl other\nf -4 -2 -3"""
    colours = {"cube.mtl": b"newmtl red paint\nKd 1 0.5 2\nnewmtl x\nKd a b c"}
    first, second = read_obj(text, colours.get)
    assert (len(first.faces), first.colour, len(second.faces), second.colour) == (1, (), 2, (1.0, 0.5, 1.0))
    assert second.faces.tolist() == [[0, 1, 2], [0, 2, 3]]


@pytest.mark.parametrize(
    ("read", "content", "words"),
    [
        (read_stl, b"", "an STL file as long as its faces need"),
        (read_stl, b"x" * 80 + struct.pack("<I", 4_000_000_000), "got 84 bytes for 4000000000 faces"),
        (read_stl, b"solid a\nfacet\nvertex 1 2 x\n", "three corners of three numbers"),
        (lambda c: read_obj(c, lambda name: None), b"v 0 0 0\nf 1 2", None),
        (lambda c: [checked(one) for one in read_obj(c, lambda name: None)], b"v 0 0 0\nf 1 2 3", "that it lists"),
        (lambda c: read_obj(c, lambda name: None), b"v 0 0 0\nf 0 1 1", "line 2 must be a corner or a face"),
        (lambda c: read_obj(c, lambda name: None), b"v 0 zero 0", "line 1 must be"),
        (lambda c: [checked(one) for one in read_stl(c)], binary_stl(CORNERS * np.nan, CUBE), "must be finite"),
        (lambda c: [checked(one) for one in read_stl(c)], binary_stl(CORNERS * 0.0, CUBE), "no triangles"),
    ],
)
def test_what_is_no_mesh_is_refused_in_a_sentence(read, content, words):
    if words is None:
        assert read(content) == []
        return
    with pytest.raises(ArmstepError, match=words):
        read(content)


def test_mutated_meshes_give_a_sentence():
    rng = random.Random(3)
    for seed in (binary_stl(CORNERS, CUBE), text_stl(CORNERS, CUBE), b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n" * 4):
        for _ in range(300):
            content = bytearray(seed)
            for _ in range(rng.randint(1, 5)):
                content[rng.randrange(len(content))] = rng.randrange(256)
            for read in (read_stl, lambda c: read_obj(c, lambda name: None)):
                with suppress(ArmstepError):
                    for one in read(bytes(content)):
                        checked(one)


def test_a_mirrored_mesh_still_faces_outwards():
    cube = checked(Surface(CORNERS, CUBE))
    assert volume(scaled(cube, np.array([-2.0, 1.0, 1.0]))) == pytest.approx(2.0)


@pytest.mark.parametrize("most", [50, 500, 5000])
def test_fewer_triangles_keep_the_form(most):
    fewer = simplified(ball(100), most)
    assert 0.4 * most < len(fewer.faces) <= most
    off = np.abs(np.linalg.norm(fewer.points, axis=1) - 1.0).max()
    assert off < 6.0 / most**0.5
    assert volume(fewer) == pytest.approx(4.0 * np.pi / 3.0, rel=20.0 / most)


def test_edges_stay_where_they_are_when_there_are_fewer_triangles():
    """A cube of many triangles: planes and edges are kept to the grid's error squared, not rounded off."""
    n = 41
    side = np.linspace(0.0, 1.0, n)
    x, y = (one.ravel() for one in np.meshgrid(side, side, indexing="ij"))
    i, j = (one.ravel() for one in np.meshgrid(np.arange(n - 1), np.arange(n - 1), indexing="ij"))
    a = i * n + j
    faces = np.concatenate([np.stack([a, a + n, a + 1], -1), np.stack([a + 1, a + n, a + n + 1], -1)])
    points, all_faces = [], []
    for axis in range(3):
        for level, turned in ((0.0, faces[:, ::-1]), (1.0, faces)):
            points.append(np.roll(np.stack([x, y, np.full_like(x, level)], -1), axis, axis=1))
            all_faces.append(turned + len(x) * (len(points) - 1))
    cube = checked(Surface(np.concatenate(points), np.concatenate(all_faces)))
    assert volume(cube) == pytest.approx(1.0)
    assert volume(simplified(cube, 600)) == pytest.approx(1.0, abs=0.005)


def test_edges_are_sharp_and_bends_are_smooth():
    cube = checked(Surface(CORNERS, CUBE))
    mesh = creased(unpacked(packed(cube.points, cube.faces)))
    assert len(mesh.positions) == 24
    assert np.allclose(np.abs(mesh.normals).max(axis=1), 1.0)
    round_ = ball(60)
    smooth = creased(unpacked(packed(round_.points, round_.faces)))
    assert np.einsum("ij,ij->i", smooth.normals, smooth.positions).min() > 0.99


def test_a_mesh_travels_as_text():
    cube = checked(Surface(0.37 * CORNERS + 5.0, CUBE))
    text = packed(cube.points, cube.faces)
    again = unpacked(text)
    assert len(again.faces) == 12
    assert np.abs(np.sort(again.points, axis=0) - np.sort(cube.points, axis=0)).max() < 1e-5
    for broken in ("", "?", "AAAA", text[:-8], text[:20] + "AAAA" + text[24:]):
        with pytest.raises(BadInput, match=f"a mesh of at most {MOST_TRIANGLES} triangles"):
            unpacked(broken)


def arm(folder: Path, mesh: str, more: str = "") -> Path:
    file = folder / "arm.urdf"
    file.write_text(
        f"""<robot name="arm"><link name="base"/><link name="upper">
  <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
  <visual><origin xyz="0 0 1"/><geometry>
<mesh filename="{mesh}" {more}/></geometry><material name="m"><color rgba="0 0.5 1 1"/></material></visual>
</link><joint name="j" type="continuous"><parent link="base"/><child link="upper"/></joint></robot>"""
    )
    return file


def mesh_of(file: Path, folder: Path | None = None) -> str:
    """`drawn`, or the report's sentence."""
    found = read_robot(file, folder)
    if not found.missing:
        assert [visual.kind for visual in found.tree.links[1].visuals] == ["mesh"]
        return "drawn"
    assert found.missing[0].line == 4
    return found.missing[0].what


@pytest.fixture
def opened(tmp_path: Path) -> Path:
    (tmp_path / "private.stl").write_bytes(binary_stl(CORNERS, CUBE))
    folder = tmp_path / "arm_description"
    (folder / "meshes").mkdir(parents=True)
    (folder / "meshes" / "a.stl").write_bytes(binary_stl(CORNERS, CUBE))
    (folder / "meshes" / "folder.stl").mkdir()
    (folder / "meshes" / "inside.stl").symlink_to("a.stl")
    (folder / "meshes" / "outside.stl").symlink_to(tmp_path / "private.stl")
    (folder / "up").symlink_to(tmp_path)
    os.mkfifo(folder / "meshes" / "pipe.stl")
    with (folder / "meshes" / "huge.stl").open("wb") as stream:
        stream.truncate(4 * 2**30)
    return folder


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("meshes/a.stl", "drawn"),
        ("./meshes//a.stl", "drawn"),
        ("meshes\\a.stl", "drawn"),
        ("meshes/inside.stl", "drawn"),
        ("package://arm_description/meshes/a.stl", "drawn"),
        ("package://else/deeper/meshes/a.stl", "drawn"),
        ("package://arm_description/meshes/b.stl", "'arm_description' has no such file"),
        ("meshes/folder.stl", "it is a folder"),
        ("meshes/pipe.stl", "it is not a regular file"),
        ("meshes/huge.stl", "at most 64 MiB, got 4096 MiB"),
        ("meshes/outside.stl", "it leads out of the folder that was opened"),
        ("up/private.stl", "it leads out of the folder that was opened"),
        ("../private.stl", "paths with '..' are never opened"),
        ("meshes/../../private.stl", "paths with '..' are never opened"),
        ("package://../private.stl", "'..' are never opened"),
        ("package:///etc/passwd.stl", "'arm_description' has no such file"),
        ("/etc/passwd.stl", "absolute paths are never opened"),
        ("C:\\private.stl", "absolute paths are never opened"),
        ("\\\\server\\share\\a.stl", "network paths are never opened"),
        ("//server/share/a.stl", "network paths are never opened"),
        ("http://somewhere/a.stl", "http: addresses are never opened"),
        ("file:///private.stl", "file: addresses are never opened"),
        ("meshes/a.png", "a mesh must end in .stl, .obj, .dae, .glb"),
        ("meshes/a\x7f.stl", "no such file"),
        ("", "a mesh must end in"),
    ],
)
def test_meshes_only_from_the_folder_that_was_opened(opened: Path, name: str, words: str):
    assert words in mesh_of(arm(opened, name))


def test_another_folder_may_have_the_mesh(opened: Path, tmp_path: Path):
    (tmp_path / "urdf").mkdir()
    file = arm(tmp_path / "urdf", "package://arm_description/meshes/a.stl")
    assert "no such file" in mesh_of(file)
    assert read_robot(file).lost
    for folder in (tmp_path, opened, opened / "meshes"):
        assert mesh_of(file, folder) == "drawn"


def test_nothing_outside_the_folder_is_opened(opened: Path):
    names = ["meshes/outside.stl", "up/private.stl", "../private.stl", str(opened.parent / "private.stl")]
    names += ["package://../private.stl", "http://localhost/a.stl", "meshes/a.stl", "//localhost/a.stl"]
    files = []
    for k, name in enumerate(names):
        (opened / f"{k}.urdf").write_text(arm(opened, name).read_text())
        files.append(str(opened / f"{k}.urdf"))
    script = f"""
import sys
from pathlib import Path
from robots.files.reading import read_robot
read_robot(Path({files[0]!r}))
opened = []
def note(name, args):
    if name == "open" or name.startswith(("socket.", "urllib.", "subprocess.", "os.system")):
        opened.append(name + " " + str(args[0]))
sys.addaudithook(note)
for file in {files!r}:
    read_robot(Path(file))
print([name for name in opened if not name.endswith((".py", ".pyc", ".so"))])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    inside = [f"open {file}" for file in files]
    inside.insert(inside.index(f"open {files[6]}") + 1, f"open {opened.resolve() / 'meshes' / 'a.stl'}")
    assert done.stdout.strip() == repr(inside)


def test_the_scenario_carries_the_mesh_with_scale_colour_and_place(opened: Path):
    file = arm(opened, "meshes/a.stl", 'scale="0.001 0.002 -0.003"')
    scenario = scenario_of(read_robot(file).tree)
    again = Scenario.from_json(scenario.to_json())
    assert again == scenario
    assert again.model is not None
    (visual,) = again.model.links[1].visuals
    assert (visual.colour, visual.place[9:]) == ((0.0, 0.5, 1.0), (0.0, 0.0, 1.0))
    surface = unpacked(visual.mesh)
    assert np.allclose(np.ptp(surface.points, axis=0), (0.001, 0.002, 0.003))
    assert volume(Surface(surface.points, surface.faces)) == pytest.approx(6e-9, rel=1e-3)


def test_how_a_link_looks_decides_no_number(opened: Path):
    bare = scenario_of(read_robot(arm(opened, "meshes/none.stl")).tree)
    drawn = scenario_of(read_robot(arm(opened, "meshes/a.stl")).tree)
    assert drawn != bare
    assert drawn.hash() == bare.hash()
    assert drawn.physics() == bare.physics()
    shown = simulate(bare.with_value("duration", 0.01)).shown_as(drawn.with_value("duration", 0.01))
    assert "mesh" in [part.kind for part in shown.shape().parts]
    assert shown.robot is robot_of(drawn)


def test_collision_meshes_stand_for_visual_ones_that_cannot_be_drawn(opened: Path):
    file = arm(opened, "meshes/none.dae")
    collision = '<collision><geometry><mesh filename="meshes/a.stl"/></geometry></collision></link><joint'
    file.write_text(file.read_text().replace("</link><joint", collision))
    found = read_robot(file)
    assert len(found.missing) == 1
    assert [visual.kind for visual in found.tree.links[1].visuals] == ["mesh"]


def test_all_meshes_together_stay_within_what_a_scenario_carries(opened: Path):
    many = ball(120)
    for k in range(3):
        (opened / "meshes" / f"{k}.stl").write_bytes(binary_stl(many.points * (k + 1), many.faces))
    file = arm(opened, "meshes/0.stl")
    one = '<visual><geometry>\n<mesh filename="meshes/{}.stl"/></geometry></visual></link><joint'
    for name in (1, 2, "a", 2):
        file.write_text(file.read_text().replace("</link><joint", one.format(name)))
    visuals = read_robot(file).tree.links[1].visuals
    counts = [len(unpacked(visual.mesh).faces) for visual in visuals]
    assert 0.7 * MOST_TRIANGLES < sum(counts) <= MOST_TRIANGLES
    assert counts[3] == 12


def test_a_file_with_a_broken_mesh_is_refused(opened: Path):
    data = json.loads(json.dumps(read_robot(arm(opened, "meshes/a.stl")).tree.to_data()))
    data["links"][1]["visuals"][0]["mesh"] = "eJwDAAAAAAE="
    with pytest.raises(BadInput, match="the text of a mesh"):
        Tree.from_data(data)


@pytest.mark.parametrize("name", ["a/../b", "..", "", "/a", "a:b", "\\\\a", "\0"])
def test_paths_that_lead_elsewhere(name: str):
    with pytest.raises(ArmstepError):
        checked_path(name)


def test_a_package_is_found_by_its_folder(opened: Path):
    place = Place(DiskFolder(opened.parent), "urdf/arm.urdf")
    assert place.find_package("arm_description") == "arm_description"
    with pytest.raises(NotFound):
        place.find_package("other")


DAE = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.1"/><up_axis>Z_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><lambert><diffuse><color>1 0.5 0 1</color></diffuse>
</lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>
<accessor source="#a" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4" material="x"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p>
</triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="x" target="#m"/></technique_common></bind_material></instance_geometry></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def test_dae_is_read_in_metres_with_its_colour():
    pytest.importorskip("trimesh")
    pytest.importorskip("collada")
    (found,) = map(checked, read_scene(DAE.encode(), "dae"))
    assert volume(found) == pytest.approx(1e-3 / 6.0)
    assert found.colour == pytest.approx((1.0, 0.5, 0.0), abs=0.01)
    assert read_scene(DAE.replace("0 2 1 0", "0 9 1 0").encode(), "dae") == []
    for broken in ("", "<a/>", DAE[:500], DAE.replace('meter="0.1"', 'meter="0"')):
        with pytest.raises(ArmstepError):
            read_scene(broken.encode(), "dae")


def test_faces_have_corners_that_are_there():
    with pytest.raises(ArmstepError, match="faces must have corners that it lists"):
        checked(Surface(CORNERS, CUBE + 1))


def test_without_the_extra_dae_and_glb_name_it(opened: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scenes, "find_spec", lambda name: None)
    for kind in ("dae", "glb"):
        (opened / "meshes" / f"a.{kind}").write_text(DAE)
        words = f"{kind.upper()} needs an extra: pip install armstep[meshes]"
        assert words in mesh_of(arm(opened, f"meshes/a.{kind}"))
