"""The fields that every scenario has, whatever its robot and method."""

from __future__ import annotations

from assets.fields import Field
from robots.model.registry import FROM_FILE, ROBOTS
from robots.model.setup import Setup
from robots.scenario.method_selection import method_fields

DURATION = Field(
    "duration",
    "duration",
    "s",
    10.0,
    0.0,
    1e5,
    exclusive_minimum=True,
    slider=(0.1, 60.0),
    log=True,
    help="The simulated span of time.",
)


def own_fields(setup: Setup) -> dict[str, Field]:
    """By path, with their limits for the present method, robot and duration."""
    sampling = Field(
        "sampling",
        "output interval",
        "s",
        0.0,
        0.0,
        setup.duration,
        help="0 keeps every accepted step. It never changes the steps themselves.",
    )
    known = (*ROBOTS.keys(), *((FROM_FILE,) if setup.model is not None else ()))
    robot = Field("robot", "robot", default="rr", choices=known)
    texts = [Field(key, key, default="") for key in ("name", "title", "notes")]
    return {item.key: item for item in (*method_fields(setup), DURATION, sampling, robot, *texts)}
