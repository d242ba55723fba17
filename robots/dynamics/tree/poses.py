"""Where the links of a tree are, and what a person may choose for the position of a joint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from assets.counting import counted
from assets.fields import Data
from robots.model.robot import Array
from robots.model.tree import Joint, Tree, transform
from solvers.events import Trajectory


def world_from_links(tree: Tree, q: Array) -> Array:
    """Frames of the base and the links, (m, links, 4, 4), for positions of all joints (m, n) [rad or m]."""
    frames = np.zeros((len(q), len(tree.links), 4, 4))
    frames[:, :, 3, 3] = 1.0
    frames[:, 0, :3, :3] = np.eye(3)
    for k, joint in enumerate(tree.joints, start=1):
        moved = np.zeros((len(q), 4, 4))
        moved[:] = np.eye(4)
        if joint.sliding:
            moved[:, :3, 3] = q[:, k - 1, None] * np.array(joint.axis)
        else:
            moved[:, :3, :3] = _turns(np.array(joint.axis), q[:, k - 1])
        frames[:, k] = frames[:, joint.parent] @ transform(joint.place) @ moved
    return frames


def position_facts(joint: Joint) -> Data:
    """The field of a joint's position: unit, default, limits and slider."""
    low, high = max(joint.lower, -2.0 * np.pi), min(joint.upper, 2.0 * np.pi)
    if joint.sliding:
        low, high = max(joint.lower, -1.0), min(joint.upper, 1.0)
    slider = (float(low), float(high)) if low < high else None
    return {"unit": joint.unit, "default": joint.rest, "minimum": -1e3, "maximum": 1e3, "slider": slider}


def _turns(axis: Array, q: Array) -> Array:
    """Rotations about a unit vector by the angles q (m,), (m, 3, 3)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    sine, cosine = np.sin(q)[:, None, None], np.cos(q)[:, None, None]
    return np.eye(3) + sine * cross + (1.0 - cosine) * (cross @ cross)


def axis_frame(axis: Sequence[float]) -> Array:
    """A rotation (3, 3) whose z column is the unit vector `axis`; a permutation where the axis is a coordinate axis."""
    x, y, z = axis
    for k in range(3):
        if abs(axis[k]) == 1.0:
            turn = np.zeros((3, 3))
            turn[k, 2] = axis[k]
            turn[(k + 1) % 3, 0] = 1.0
            turn[(k + 2) % 3, 1] = axis[k]
            return turn
    first = np.cross((0.0, 0.0, 1.0), (x, y, z))
    first /= np.linalg.norm(first)
    return np.column_stack([first, np.cross((x, y, z), first), (x, y, z)])


def said_to_pass(
    what: str, names: Sequence[str], motion: Trajectory, beyond: Callable[[Array, Array], Array], why: str = ""
) -> str:
    """A sentence on the first joint that passes `what` ("its limit"); empty if none does.

    Args:
        what: the limit.
        names: of the joints.
        motion: of the run.
        beyond: by how much each joint is beyond it at times (m,) and states (m, d): (m, joints).
        why: what follows after a colon.
    """
    first = motion.first_above(beyond)
    if first is None:
        return ""
    when, joint = first
    others = int((beyond(motion.t, motion.y) > 0.0).any(axis=0).sum()) - 1
    more = f", and {counted(others, 'other joint')} later" if others else ""
    return f"Joint {names[joint]} passes {what} at t = {when:.4g} s{more}{': ' if why else ''}{why}."
