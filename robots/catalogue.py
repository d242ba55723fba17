"""The registry of robots: every module in `robots/catalog` that holds a `ROBOT`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from assets.errors import BadInput
from robots import catalog
from robots.robot import Robot


@cache
def robots() -> dict[str, Robot]:
    """All robots by key, in alphabetical order."""
    modules = (import_module(f"{catalog.__name__}.{entry.name}") for entry in iter_modules(catalog.__path__))
    found = [module.ROBOT for module in modules if hasattr(module, "ROBOT")]
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
