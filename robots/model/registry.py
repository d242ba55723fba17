"""The robots: folders in `robots/catalog`, URDF files in `assets/robots`, plugins, and those that scenarios bring."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from assets.registry import Registry, expect
from robots.model.robot import Robot

if TYPE_CHECKING:
    from robots.model.setup import Setup
    from robots.model.tree import Tree


def _read(key: str, text: str) -> Robot:
    from robots.files.shipped import shipped_robot

    return shipped_robot(key, text)


def _adopt(key: str, value: object) -> Robot:
    """A plugin's robot: itself, or the path of a URDF file as those in `assets/robots`."""
    return _read(key, value.read_text(encoding="utf-8")) if isinstance(value, Path) else expect(value, Robot)


ROBOTS: Registry[Robot] = Registry.joined(
    Registry.of_modules("robot", "robots.catalog", attribute="ROBOT", inner="robot"),
    Registry.of_files("robot", "robots", ".urdf", _read),
    group="armstep.robots",
    adopt=_adopt,
)
robots, find_robot = ROBOTS.all, ROBOTS.find

FROM_FILE = "file"
"""The key of a robot that a scenario brings as its `model`."""


def robot_of(setup: Setup) -> Robot:
    """The robot of a scenario: that of its model if it has one, else the one that its key names.

    Raises:
        BadInput: there is no robot of that key.
    """
    robot = find_robot(setup.robot) if setup.model is None else _of_model(setup.model)
    return robot.shaped(setup) if robot.shaping else robot


@lru_cache(maxsize=32)
def _of_model(model: Tree) -> Robot:
    from robots.dynamics.tree.kinematic import robot_of_tree

    return robot_of_tree(model, FROM_FILE)
