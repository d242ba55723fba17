"""The registry of robots: every module in `robots/catalog` that holds a `ROBOT`."""

from __future__ import annotations

from functools import cache

from assets.errors import BadInput
from robots import catalog
from robots.robot import Robot
from solvers.registry import find_modules


@cache
def robots() -> dict[str, Robot]:
    """All robots by key, in alphabetical order."""
    found = [module.ROBOT for module in find_modules(catalog)]
    return {robot.key: robot for robot in sorted(found, key=lambda robot: robot.key)}


def find_robot(key: str) -> Robot:
    """The robot called `key`.

    Raises:
        BadInput: naming the nearest robot.
    """
    try:
        return robots()[key]
    except (KeyError, TypeError):
        raise BadInput("robot", key, "one of " + ", ".join(robots()), robots()) from None
