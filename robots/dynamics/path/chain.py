"""A serial arm as the kernels of inverse kinematics read it, and how a tree's chain from base to tip becomes one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robots.model.robot import Array
from robots.model.shapes import beside
from robots.model.tree import Tree, transform

BEYOND = 1e6
"""Replaces a missing limit [rad, m, rad/s or m/s]; its sums and squares stay finite."""

FEWEST = 3
"""Joints to the tip that a path in space needs."""

_PARALLEL, _SAME = 1e-9, 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """A serial arm. Its n coordinates move its joints, one each unless some joints follow others.

    Attributes:
        table: a row a joint, `robots.dynamics.kernels.serial`, (joints, 12).
        base, tool: the first joint's frame in the world, and the tool's in the last link's: columns of the rotation in
            rows 0..2, position in row 3, (4, 3) [m].
        rows: 6 if position and orientation follow the path, 3 for the position alone.
    """

    table: Array
    base: Array
    tool: Array
    rows: int = 6

    @property
    def coordinates(self) -> int:
        """Their number n."""
        return int(self.table[:, 9].max()) + 1

    @property
    def mimics(self) -> bool:
        """Whether joints follow others."""
        return bool((self.table[:, 9:] != own_coordinates(len(self.table))).any())

    def places(self, q: Array) -> Array:
        """Positions of all joints, (joints,), for those of the coordinates, (n,) [rad or m]."""
        at, ratio, shift = self.table[:, 9:].T
        return ratio * q[at.astype(int)] + shift

    @property
    def limits(self) -> Array:
        """Lowest and highest position of each coordinate, (2, n) [rad or m]."""
        return self.table[: self.coordinates, 6:8].T

    @property
    def speeds(self) -> Array:
        """Largest rate of each coordinate, (n,) [rad/s or m/s]."""
        return self.table[: self.coordinates, 8]


def own_coordinates(joints: int) -> Array:
    """The last columns of a table in which each joint has its own coordinate, (joints, 3)."""
    return np.column_stack([np.arange(float(joints)), np.ones(joints), np.zeros(joints)])


IDENTITY = np.vstack([np.eye(3), np.zeros(3)])
"""The base that is the world, and the tool that is the last link."""


def joints_to_tip(tree: Tree) -> tuple[int, ...]:
    """The joints that move the tip, from the base on, as indices."""
    found, link = [], tree.tip[0]
    while link:
        found.append(link - 1)
        link = tree.joints[link - 1].parent
    return tuple(reversed(found))


def coordinates_to_tip(tree: Tree) -> tuple[int, ...]:
    """The free joints that move the tip, themselves or through joints that follow them, as indices."""
    joints = tree.joints
    return tuple(dict.fromkeys(k if joints[k].leader < 0 else joints[k].leader for k in joints_to_tip(tree)))


def _limits(tree: Tree, lead: int) -> tuple[float, float, float]:
    """Lowest and highest position and largest rate of a free joint and of those to the tip that follow it."""
    joint = tree.joints[lead]
    low, high, speed = joint.lower, joint.upper, joint.speed
    for other in (tree.joints[k] for k in joints_to_tip(tree)):
        if other.leader == lead and other.ratio:
            ends = sorted((end - other.shift) / other.ratio for end in (other.lower, other.upper))
            if max(low, ends[0]) < min(high, ends[1]):
                low, high = max(low, ends[0]), min(high, ends[1])
            speed = min(speed, other.speed / abs(other.ratio))
    return max(low, -BEYOND), min(high, BEYOND), min(speed, BEYOND)


def chain_of(tree: Tree, rows: int) -> Chain:
    """The chain from base to tip, in Denavit and Hartenberg's parameters.

    Source: J. Denavit, R. S. Hartenberg, J. Appl. Mech. 22 (1955): each x axis is the common normal of two joint axes.
    """
    frame, axes, points = np.eye(4), [], []
    numbers = joints_to_tip(tree)
    for k in numbers:
        frame = frame @ transform(tree.joints[k].place)
        axes.append(frame[:3, :3] @ tree.joints[k].axis)
        points.append(frame[:3, 3])
    tip = frame[:3, :3] @ tree.tip[1] + frame[:3, 3]
    z, o = axes[0], points[0]
    x, y = beside(z)
    base = np.vstack([x, y, z, o])
    table = np.zeros((len(numbers), 12))
    for row, k, after, point in zip(table, numbers, [*axes[1:], z], [*points[1:], o], strict=True):
        joint = tree.joints[k]
        row[5] = joint.sliding
        if k == numbers[-1]:
            row[2] = 1.0
            break
        d, a, normal = _common_normal(z, o, x, after, point)
        turn = np.arctan2(np.cross(x, normal) @ z, x @ normal)
        row[:5] = a, d, z @ after, np.cross(z, after) @ normal, turn
        x, z, o = normal, after, o + d * z + a * normal
    last = np.vstack([x, np.cross(z, x), z])
    tool = np.vstack([(last @ frame[:3, :3]).T, last @ (tip - o)])
    leads = coordinates_to_tip(tree)
    table[: len(leads), 6:9] = [_limits(tree, lead) for lead in leads]
    for row, k in zip(table, numbers, strict=True):
        joint = tree.joints[k]
        row[9:] = leads.index(k if joint.leader < 0 else joint.leader), 1.0, 0.0
        if joint.leader >= 0:
            row[10:] = joint.ratio, joint.shift
    return Chain(table, base, np.array(tool, dtype=float, order="C"), rows)


def _common_normal(z: Array, o: Array, x: Array, after: Array, point: Array) -> tuple[float, float, Array]:
    """How far along the axis z through o the normal to the next axis begins, its length, and its direction."""
    cross, gap = np.cross(z, after), point - o
    if (sine := float(np.linalg.norm(cross))) > _PARALLEL:
        normal = cross / sine
        d, a, _ = np.linalg.solve(np.column_stack([z, normal, after]), gap)
        return float(d), float(a), normal
    d = float(gap @ z)
    beside = gap - d * z
    a = float(np.linalg.norm(beside))
    return (d, a, beside / a) if a > _SAME else (d, 0.0, x)
