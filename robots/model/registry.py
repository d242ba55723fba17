"""The registry of robots: every folder in `robots/catalog`, whose `robot.py` holds a `ROBOT`."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from assets.errors import BadInput
from robots import catalog
from robots.model.robot import Robot
from solvers.registry import find_modules


@cache
def robots() -> dict[str, Robot]:
    """All robots by key, in alphabetical order."""
    found = [import_module(f"{folder.__name__}.robot").ROBOT for folder in find_modules(catalog)]
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
