"""The robots: each folder in `robots/catalog` is one, whose `robot.py` defines `ROBOT`; scenarios may bring others."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from assets.registry import Registry
from robots.model.robot import Robot

if TYPE_CHECKING:
    from robots.model.setup import Setup
    from robots.model.tree import Tree

_REGISTRY: Registry[Robot] = Registry.of_modules("robot", "robots.catalog", attribute="ROBOT", inner="robot")
robots, find_robot = _REGISTRY.all, _REGISTRY.find

FROM_FILE = "file"
"""The key of a robot that a scenario brings as its `model`."""


def robot_of(setup: Setup) -> Robot:
    """The robot of a scenario: that of its model if it has one, else the one that its key names.

    Raises:
        BadInput: there is no robot of that key.
    """
    return find_robot(setup.robot) if setup.model is None else _of_model(setup.model)


@lru_cache(maxsize=32)
def _of_model(model: Tree) -> Robot:
    from robots.dynamics.tree.robot import tree_robot

    return tree_robot(model, FROM_FILE)
