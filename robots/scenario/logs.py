"""A recorded log in a scenario: as the motion to follow, as the torques to apply, or as a ghost."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from assets.errors import BadInput
from assets.fields import Data
from assets.reading import read_bounded
from robots.dynamics.tree.log import Joints, Log, log_of, read_log
from robots.dynamics.tree.recorded import errors_against, logged_joints
from robots.dynamics.tree.robot import TreeRobot
from robots.model.registry import robot_of
from robots.model.robot import Array
from robots.scenario.scenario import Scenario

USES = {"follow": "log-motion", "torques": "log-torque", "ghost": "log-motion"}
"""What a log can be for, and the task that does it."""

_MOST_BYTES = 64 * 1024 * 1024
_ACCURATE: Data = {"method": "dopri5", "rtol": 1e-10, "atol": 1e-12}
_USUAL = ("gain_p", "gain_d", "sampling", "stops")
"""Settings that a ghost has by default, so that it stays where the log has it."""


def joints_for_log(scenario: Scenario) -> Joints:
    """The joints that a log may name.

    Raises:
        BadInput: the robot is no arm of rigid links.
    """
    robot = robot_of(replace(scenario, task={}, initial={}, segments=()))
    if not isinstance(robot, TreeRobot):
        raise BadInput("robot", scenario.robot, "an arm from a robot file, or one of the group Robots, for a log")
    return logged_joints(robot.tree)


def log_text(path: Path) -> str:
    """The text of a log's file.

    Raises:
        BadInput: it cannot be read.
    """
    try:
        return read_bounded(path, "log", _MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput("log", str(path), "a CSV file in UTF-8") from None


def uses_of(log: Log) -> tuple[str, ...]:
    """What a log can be for, the usual use first."""
    motion = ("follow", "ghost") if log.has("q") else ()
    return (*motion, *(("torques",) if log.has("u") else ()))


def log_changes(log: Log, use: str) -> Data:
    """The edits with which a scenario follows a log or applies its torques; it starts where the log does.

    Raises:
        BadInput: the log has no such columns.
    """
    if use not in (able := uses_of(log)):
        raise BadInput("use of the log", use, choices=able)
    changes: Data = {"task.torque": USES[use], "task.log": log.text(), "duration": float(log.times[-1])}
    for name in log.columns:
        if name[0] == "q":
            changes[f"initial.{name}"] = float(log.columns[name][0])
            changes[f"initial.v{name[1:]}"] = float(log.spline(name)(0.0, 1))
    return changes


def ghost_of(scenario: Scenario, log: Log) -> Scenario:
    """The arm as the log has it, to be pinned beside a scenario: accurate, whatever the scenario's method."""
    plain = scenario.alone().without_segments()
    settled = plain.with_value("task.torque", USES["ghost"])
    return settled.with_values({**_undisturbed(settled), **log_changes(log, "ghost")})


def _undisturbed(scenario: Scenario) -> Data:
    """The edits with which a scenario that follows a log is where the log is."""
    usual: Data = {f"task.{item.key}": item.default for item in robot_of(scenario).task if item.key in _USUAL}
    # The torques that are computed along a log do not carry friction.
    smooth: Data = {f"robot.d{k}": 0.0 for k in range(1, len(joints_for_log(scenario)) + 1)}
    return {**usual, **smooth, **_ACCURATE}


def is_recording(scenario: Scenario) -> bool:
    """Whether a scenario is what `ghost_of` makes of the log that it has: where its arm is, the log has it."""
    follows = scenario.task.get("torque") == USES["ghost"] and bool(scenario.task.get("log"))
    return follows and not scenario.segments and _starts_and_stays(scenario)


@lru_cache(maxsize=64)
def _starts_and_stays(scenario: Scenario) -> bool:
    if any(scenario.get(path) != value for path, value in _undisturbed(scenario).items()):
        return False
    starts = log_changes(log_in(scenario), "ghost")
    return all(
        math.isclose(float(str(scenario.get(path))), float(value), rel_tol=1e-9, abs_tol=1e-12)
        for path, value in starts.items()
        if path.startswith("initial.")
    )


def log_in(scenario: Scenario) -> Log:
    """The log that a scenario carries.

    Raises:
        BadInput: the robot takes none, or it cannot be read.
    """
    return log_of(str(scenario.task["log"]), joints_for_log(scenario))


def distances(recording: Scenario, times: Array, columns: dict[str, Array]) -> dict[str, Array]:
    """How far joints are from where a recording has them, as `errors_against`.

    Args:
        recording: of the same robot.
        times: (m,) [s].
        columns: `q1` and so on at these times, (m,) each.
    """
    robot = robot_of(replace(recording, task={}, initial={}, segments=()))
    assert isinstance(robot, TreeRobot)
    return errors_against(log_in(recording), robot.tree, times, columns)


def log_from(path: Path, scenario: Scenario, angles: str = "") -> Log:
    """The log in a file, for the joints of a scenario's robot; `angles` as in `read_log`.

    Raises:
        BadInput: the robot takes no log, or the file has none.
    """
    return read_log(log_text(path), joints_for_log(scenario), angles, path.name)


def with_log(scenario: Scenario, log: Log, use: str | None = None, name: str = "log") -> Scenario:
    """A scenario with a log.

    Args:
        scenario: of the same robot.
        log: what was recorded.
        use: one of `USES`; None for what the log has: a motion to follow, or else torques.
        name: of the pinned run that a ghost is.

    Raises:
        BadInput: it has no columns for this use.
    """
    use = use or next(iter(uses_of(log)))
    if use != "ghost":
        return scenario.with_values(log_changes(log, use))
    entry = {"scenario": json.loads(ghost_of(scenario, log).to_json()), "name": name}
    return replace(scenario, pins=(*scenario.pins, entry))
