"""What carries the base of a tree: a column where the arm does not come, beneath it or behind it, or a plate above."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robots.dynamics.tree.poses import world_from_links
from robots.model.robot import Array
from robots.model.shapes import Part, towards, translation
from robots.model.tree import Tree, rotation

_BEHIND = np.array([-0.5, 0.87, 0.0])
"""Away from the eye of the first view, and from those of the views Front and Right."""
_FARTHEST = 0.3
"""How far from its base an arm is carried, as a share of its reach: what it needs more for has a plate."""
_LONGEST = 2.0
"""How far a joint slides in the picture at most, to each side [m]."""
_POSITIONS = 49


class _Swept(NamedTuple):
    """Where an arm comes: points (k, 3) on the long axes of its solids, and how thick these are there, (k,) [m]."""

    points: Array
    girths: Array

    def lower(self, than: float) -> _Swept:
        """What comes below a height [m]."""
        deep = self.points[:, 2] + self.girths < than
        return _Swept(self.points[deep], self.girths[deep])


def stand_of(tree: Tree, parts: list[Part], reach: float, thick: float) -> tuple[float, list[Part]]:
    """How far the ground lies below the base [m], and the parts that carry the base.

    Nothing of them hides the arm: a column stands beneath the base if no part of the arm comes there, else behind the
    plane that the arm swings in. An arm that swings to all sides hangs from a plate.

    Args:
        tree: the arm.
        parts: the solids of its links.
        reach: how far it can stretch [m].
        thick: the radius of a column beneath the base [m].
    """
    swept = _swept(tree, parts, thick)
    below, deepest = 1.05 * _below(tree, reach), -float((swept.points[:, 2] - swept.girths).min(initial=0.0))
    if deepest > below:
        below = 1.05 * deepest
    if below < thick:
        return below, []
    if not _meets(swept.lower(-thick), thick):
        return below, _column(np.zeros(3), 0.0, below, thick)
    return below, _behind(tree, swept, below, reach, min(thick, 0.06 * below)) or _plate(thick)


def _meets(low: _Swept, thick: float) -> bool:
    """Whether an arm comes into a column about the vertical through the base."""
    return bool((np.hypot(low.points[:, 0], low.points[:, 1]) < thick + low.girths).any())


def _behind(tree: Tree, swept: _Swept, below: float, reach: float, thick: float) -> list[Part]:
    """A column behind an arm that swings in a plane, with an axle or a rail to it; empty if the arm leaves no room."""
    axes, _ = _at_rest(tree)
    turning = [axis for joint, axis in zip(tree.joints, axes, strict=True) if not joint.sliding and abs(axis[2]) < 0.9]
    if not turning:
        return []
    back = np.array([*turning[0][:2], 0.0])
    back /= np.linalg.norm(back)
    back *= np.sign(back @ _BEHIND) or 1.0
    room = float((swept.points @ back + swept.girths).max())
    if room > _FARTHEST * reach:
        return []
    first, along = tree.joints[0], axes[0]
    slides = first.sliding and abs(along[2]) < 0.9
    far = room + (1.7 if slides else 1.2) * thick
    parts = _column(far * back, thick, below, thick)
    if slides:
        ends = np.clip([first.lower, first.upper], -_LONGEST, _LONGEST)
        beside = np.array(first.place[9:]) + (room + 0.35 * thick) * back
        rail, length = towards(beside + ends[0] * along, beside + ends[1] * along)
        return [*parts, Part(-1, "cylinder", (0.35 * thick, length), rail, "dark", "rail", bevel=0.1 * thick)]
    axle, length = towards(np.zeros(3), far * back)
    return [*parts, Part(-1, "cylinder", (0.7 * thick, length), axle, "dark", "axle", bevel=0.1 * thick)]


def _column(foot: Array, above: float, below: float, thick: float) -> list[Part]:
    """A column and its foot.

    Args:
        foot: where it stands, beneath or beside the base, (3,) [m].
        above: how high it ends above the base [m].
        below: how far the ground lies below the base [m].
        thick: its radius [m].
    """
    x, y = float(foot[0]), float(foot[1])
    upright = translation(x, y, 0.5 * (above - below))
    return [
        Part(-1, "cylinder", (thick, below + above), upright, "dark", "pedestal", bevel=0.1 * thick),
        Part(-1, "cylinder", (3.2 * thick, 0.4 * thick), translation(x, y, 0.2 * thick - below), "dark", "pedestal"),
    ]


def _plate(thick: float) -> list[Part]:
    """What an arm hangs from that swings to all sides."""
    return [Part(-1, "cylinder", (1.2 * thick, 0.3 * thick), translation(0.0, 0.0, 0.15 * thick), "dark", "mount")]


def _swept(tree: Tree, parts: list[Part], thick: float) -> _Swept:
    """Where an arm comes at rest, and as its joints move one at a time from there.

    An arm on a turret stands: its shoulder turns about the vertical and is raised above the base, and nobody lets it
    hang through what it stands on. Its own joints count at rest only.
    """
    rest = np.array([joint.rest for joint in tree.joints])
    poses, standing = [rest], _standing(tree, thick)
    for k, joint in enumerate(tree.joints):
        if standing[k + 1]:
            continue
        most = _LONGEST if joint.sliding else np.pi
        moved = np.tile(rest, (_POSITIONS, 1))
        moved[:, k] = np.linspace(max(joint.lower, rest[k] - most), min(joint.upper, rest[k] + most), _POSITIONS)
        poses.extend(moved)
    for joint, follower in enumerate(tree.joints):
        if follower.leader >= 0:
            for pose in poses:
                pose[joint] = follower.ratio * pose[follower.leader] + follower.shift
    frames = world_from_links(tree, np.array(poses))
    points, girths = [np.zeros((0, 3))], [np.zeros(0)]
    for part in parts:
        if part.link < 1:
            continue
        line, girth = _line_of(part)
        world = frames[:, part.link] @ part.link_from_part
        points.append((np.einsum("mij,kj->mki", world[:, :3, :3], line) + world[:, None, :3, 3]).reshape(-1, 3))
        girths.append(np.full(len(points[-1]), girth))
    return _Swept(np.concatenate(points), np.concatenate(girths))


def _line_of(part: Part) -> tuple[Array, float]:
    """Points along the longest side of a solid, (17, 3) in its own frame, and half its thinnest side [m]."""
    low, high = _box_of(part)
    sides = high - low
    line = np.tile(0.5 * (low + high), (17, 1))
    longest, girth = int(np.argmax(sides)), 0.5 * float(sides.min())
    line[:, longest] = np.linspace(low[longest], high[longest], 17)
    return line, girth


def _box_of(part: Part) -> tuple[Array, Array]:
    """The least and largest coordinates of a solid in its own frame, (3,) each [m]."""
    if part.triangles is not None:
        return part.triangles.points.min(axis=0), part.triangles.points.max(axis=0)
    if part.kind == "box":
        half = 0.5 * np.array(part.size)
    else:
        radius = part.size[0]
        length = {"cylinder": 0.5, "capsule": 0.5}.get(part.kind, 0.0) * part.size[-1]
        half = np.array([radius, radius, length + (0.0 if part.kind == "cylinder" else radius)])
    return -half, half


def _standing(tree: Tree, thick: float) -> list[bool]:
    """Which links belong to an arm on a turret, from its shoulder on."""
    turned, standing, hanging = [False], [False], [False]
    for joint, axis, height in zip(tree.joints, *_at_rest(tree), strict=True):
        before, upright = joint.parent, abs(axis[2]) > 0.999
        raised = turned[before] and not hanging[before] and height > thick
        standing.append(standing[before] or (raised and not upright))
        hanging.append(hanging[before] or not (upright or standing[-1]))
        turned.append(turned[before] or (upright and not joint.sliding))
    return standing


def _at_rest(tree: Tree) -> tuple[list[Array], list[float]]:
    """Of every joint at rest: its axis in the world, (3,), and its height above the base [m]."""
    frames = world_from_links(tree, np.array([[joint.rest for joint in tree.joints]]))[0, 1:]
    axes = [frame[:3, :3] @ joint.axis for joint, frame in zip(tree.joints, frames, strict=True)]
    return axes, [float(frame[2, 3]) for frame in frames]


def _below(tree: Tree, reach: float) -> float:
    """How far below its base the arm may come [m]: it swings freely, and the ground is where it cannot reach.

    What only turns about vertical axes stays at its height.
    """
    frames, heights, swings, lowest = [np.eye(3)], [0.0], [-1.0], 0.0
    for k, joint in enumerate(tree.joints, start=1):
        above, swing, offset = frames[joint.parent], swings[joint.parent], np.array(joint.place[9:])
        frame, slide = above @ rotation(joint.place), max(-joint.lower, 0.0) if joint.sliding else 0.0
        upright = abs((frame @ joint.axis)[2])
        height = heights[joint.parent] + (0.0 if swing >= 0.0 else float((above @ offset)[2]))
        if swing >= 0.0:
            swing += float(np.linalg.norm(offset)) + min(slide, _LONGEST)
        elif joint.sliding:
            height -= upright * min(slide, _LONGEST)
        elif upright < 0.999:
            swing = 0.0
        frames.append(frame)
        heights.append(height)
        swings.append(swing)
        ends = [np.array(visual.place[9:]) for visual in tree.links[k].visuals]
        ends += [np.array(tree.tip[1])] if tree.tip[0] == k else []
        for end in ends or [np.zeros(3)]:
            low = swing + np.linalg.norm(end) if swing >= 0.0 else 0.1 * reach - (frame @ end)[2]
            lowest = max(lowest, float(low) - height)
    return lowest
