"""What carries an arm from a file never hides it, and stands beneath an arm that stands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robots.dynamics.tree.look import shape_of
from robots.dynamics.tree.poses import world_from_links
from robots.files.reading import read_robot
from robots.model.shapes import ArmShape, Pose
from robots.model.tree import Tree
from scene import camera as cameras
from scene.offscreen import Offscreen
from scene.picture import Actor, Picture
from tests.scene.conftest import SIZE

BODY = '<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>'
LONG, DOWN = 0.8, "0 0 -1"


def rod(name: str, along: str) -> str:
    """A link that is a rod of 0.8 m along -z or along x."""
    place = 'xyz="0 0 -0.4"' if along == DOWN else 'xyz="0.4 0 0" rpy="0 1.5707963 0"'
    shape = f'<cylinder radius="0.02" length="{LONG}"/>'
    return f'<link name="{name}">{BODY}<visual><origin {place}/><geometry>{shape}</geometry></visual></link>'


def joint(name: str, parent: str, child: str, axis: str, at: str = "0 0 0", kind: str = "continuous") -> str:
    limit = '<limit lower="-5" upper="5" effort="9" velocity="9"/>' if kind == "prismatic" else ""
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{at}"/><axis xyz="{axis}"/>{limit}</joint>'
    )


BARE, CUBE = '<link name="base"/>', '<visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual>'
SWING = joint("swing", "base", "rod", "0 1 0")
ARMS = {
    "hanging": (BARE + rod("rod", DOWN) + SWING, {"rod": 1}),
    "across": (BARE + rod("rod", DOWN) + joint("swing", "base", "rod", "1 0 0"), {"rod": 1}),
    "from the horizontal": (BARE + rod("rod", "1 0 0") + SWING, {"rod": 1}),
    "from a base of its own": (f'<link name="base">{CUBE}</link>' + rod("rod", DOWN) + SWING, {"rod": 1}),
    "two rods": (
        BARE + rod("rod", DOWN) + rod("more", DOWN) + SWING + joint("next", "rod", "more", "0 1 0", "0 0 -0.8"),
        {"rod": 1, "more": 2},
    ),
    "cart-pole": (
        f'{BARE}<link name="cart">{BODY}{CUBE}</link>'
        + rod("rod", DOWN)
        + joint("slide", "base", "cart", "1 0 0", kind="prismatic")
        + joint("swing", "cart", "rod", "0 1 0"),
        {"rod": 2},
    ),
    "to all sides": (
        f'{BARE}<link name="cross">{BODY}</link>'
        + rod("rod", DOWN)
        + joint("one", "base", "cross", "1 0 0")
        + joint("other", "cross", "rod", "0 1 0"),
        {"rod": 2},
    ),
}


def tree_of(xml: str, folder: Path) -> Tree:
    file = folder / "arm.urdf"
    file.write_text(f"<robot name='arm'>{xml}</robot>", encoding="utf-8")
    return read_robot(file).tree


def carriers(shape: ArmShape) -> list[str]:
    return [part.name for part in shape.parts if part.link < 0]


@pytest.mark.parametrize("view", ["iso", "front", "right"])
@pytest.mark.parametrize("name", ARMS)
def test_an_arm_that_hangs_is_seen(stages: dict[str, Offscreen], tmp_path: Path, name: str, view: str) -> None:
    xml, rods = ARMS[name]
    tree = tree_of(xml, tmp_path)
    shape, stage = shape_of(tree), stages["low"]
    camera = cameras.preset(view, shape.centre, shape.radius, 16 / 9)
    swinging = [k for k, one in enumerate(tree.joints) if not one.sliding]
    lowest, along_x = 0.0, name == "from the horizontal"
    for angle in np.array([0.0, 0.4, -0.4]) + (0.5 * np.pi if along_x else 0.0):
        q = np.zeros((1, len(tree.joints)))
        q[0, swinging[0]] = angle
        frames = world_from_links(tree, q)[0]
        picture = Picture(camera, (Actor(shape, Pose(frames)),), ground=shape.ground)
        for link in rods.values():
            along = frames[link] @ ([LONG, 0, 0, 0] if along_x else [0, 0, -LONG, 0])
            lowest = min(lowest, float(frames[link][2, 3] + along[2]))
            for far in (0.35, 0.6, 0.85):
                place = frames[link][:, 3] + far * along
                x, y, _ = cameras.project(camera, SIZE, place[None, :3])[0]
                hit = stage.pick(picture, x, y)
                assert hit is not None, (angle, link, far)
                assert hit.link > 0, (angle, link, far, hit.name)
    assert shape.ground is not None
    assert shape.ground < lowest, "nor does the floor hide its end"


@pytest.mark.parametrize("name", ARMS)
def test_what_carries_it_stands_where_the_arm_does_not_come(tmp_path: Path, name: str) -> None:
    expected = {"cart-pole": ["pedestal", "pedestal", "rail"], "to all sides": ["mount"]}
    assert carriers(shape_of(tree_of(ARMS[name][0], tmp_path))) == expected.get(name, ["pedestal", "pedestal", "axle"])


@pytest.mark.parametrize("file", sorted(Path("assets/robots").glob("*.urdf")), ids=lambda file: file.stem)
def test_an_arm_that_stands_has_its_column_beneath_it(file: Path) -> None:
    shape = shape_of(read_robot(file).tree)
    assert carriers(shape) == ["pedestal", "pedestal"]
    assert all((part.link_from_part[:2, 3] == 0.0).all() for part in shape.parts if part.link < 0)


def test_an_arm_that_swings_beside_its_column_keeps_it(tmp_path: Path) -> None:
    """A rod on a turning arm, as Furuta's."""
    turning = joint("turn", "base", "arm", "0 0 1") + joint("swing", "arm", "rod", "1 0 0", "0.3 0 0")
    shape = shape_of(tree_of(f'{BARE}<link name="arm">{BODY}</link>' + rod("rod", DOWN) + turning, tmp_path))
    assert carriers(shape) == ["pedestal", "pedestal"]


def test_an_arm_that_only_lies_flat_stands_on_the_floor(tmp_path: Path) -> None:
    flat = BARE + rod("rod", "1 0 0") + joint("turn", "base", "rod", "0 0 1", "0 0 0.3")
    assert carriers(shape_of(tree_of(flat, tmp_path))) == []
