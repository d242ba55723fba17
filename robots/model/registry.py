"""The robots: each folder in `robots/catalog` is one, whose `robot.py` defines `ROBOT`."""

from __future__ import annotations

from assets.registry import Registry
from robots.model.robot import Robot

_REGISTRY: Registry[Robot] = Registry.of_modules("robot", "robots.catalog", attribute="ROBOT", inner="robot")
robots, find_robot = _REGISTRY.all, _REGISTRY.find
