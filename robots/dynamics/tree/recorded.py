"""A log of an arm's joints as its task has it: what the kernels read, and how far a run is from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assets.fields import Values
from robots.dynamics.tree.log import Joints, Log, log_of
from robots.model.robot import Array
from robots.model.tree import Tree

if TYPE_CHECKING:
    from robots.model.setup import Setup


def logged_joints(tree: Tree) -> Joints:
    """The joints q1, q2 and so on as a log names them."""
    return tuple((tree.joints[k].name, tree.joints[k].sliding) for k in tree.order)


def recorded(tree: Tree, task: Values) -> Log | None:
    """The log in a task; None without one. Raises BadInput if it cannot be read."""
    text = str(task["log"])
    return log_of(text, logged_joints(tree)) if text else None


def rows_of(log: Log, tree: Tree, scenario: Setup) -> Array:
    """The log as the kernels read it; joints that it lacks stay where they start, or have no torque."""
    n = len(tree.free)
    if scenario.task["torque"] == "log-torque":
        return log.table("u", np.zeros(n).tolist())
    return log.table("q", [float(scenario.initial[f"q{k}"]) for k in range(1, n + 1)])


def errors_against(log: Log, tree: Tree, t: Array, columns: dict[str, Array]) -> dict[str, Array]:
    """The largest distance from the log, of angles (`log_q_rad`) and of lengths (`log_q_m`); nan after its end.

    Args:
        log: with positions, or without.
        tree: the arm.
        t: (m,) [s].
        columns: `q1` and so on at these times, (m,) each.
    """
    found: dict[str, Array] = {}
    for number, place in enumerate(tree.order, start=1):
        if (name := f"q{number}") in log.columns:
            key = "log_q_m" if tree.joints[place].sliding else "log_q_rad"
            gap = np.abs(columns[name] - log.at(name, t))
            found[key] = np.maximum(found[key], gap) if key in found else gap
    return found
