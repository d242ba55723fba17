"""How a tree looks: the solids of its file, and a skeleton for links that have none."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from robots.dynamics.tree.poses import axis_frame
from robots.dynamics.tree.stand import stand_of
from robots.model.mesh import unpacked
from robots.model.shapes import ArmShape, Part
from robots.model.tree import Link, Tree, Visual, transform

SLENDER = 0.045
"""Thickness of a skeleton's bones and of its joints, as a share of their length."""


@lru_cache(maxsize=32)
def shape_of(tree: Tree) -> ArmShape:
    """The shape of the arm.

    It stands as high above the ground as it reaches down, since it swings freely.
    """
    parts = [_part(k, one, link) for k, link in enumerate(tree.links) for one in link.visuals]
    reach = reach_of(tree)
    for k in range(len(tree.links)):
        if not any(link.visuals for link in tree.links[1:]) or (k and not tree.links[k].visuals):
            parts += _bones(tree, k, reach)
    below, carriers = stand_of(tree, parts, reach, SLENDER * reach)
    parts += carriers
    return ArmShape(
        links=("base", *(link.name for link in tree.links[1:])),
        parts=tuple(parts),
        tip=tree.tip,  # type: ignore[arg-type]
        centre=(0.0, 0.0, 0.1 * reach),
        radius=1.15 * reach,
        ground=-below,
        parents=(-1, *(joint.parent for joint in tree.joints)),
        joints=(0, *(joint.number + 1 for joint in tree.joints)),
        drives=tuple((k, (0.0, 0.0, 0.0), joint.axis) for k, joint in enumerate(tree.joints, start=1)),  # type: ignore[misc]
    )


def _part(link: int, visual: Visual, carrier: Link) -> Part:
    return Part(
        link,
        visual.kind,
        visual.size,
        transform(visual.place),
        "#" + "".join(f"{round(255 * part):02x}" for part in visual.colour) if visual.colour else "body",
        visual.name or carrier.name,
        bevel=min(0.004, 0.2 * min(visual.size, default=0.0)),
        triangles=unpacked(visual.mesh) if visual.kind == "mesh" else None,
    )


def reach_of(tree: Tree) -> float:
    """How far the arm can stretch from its first joint [m]: the lengths of its longest chain."""
    lengths = np.zeros(len(tree.links))
    for k, joint in enumerate(tree.joints, start=1):
        own = float(np.linalg.norm(joint.place[9:]))
        slide = min(joint.upper, 2.0) - max(joint.lower, -2.0) if joint.sliding else 0.0
        lengths[k] = lengths[joint.parent] + own + 0.5 * slide
    link, point = tree.tip
    lengths[link] += float(np.linalg.norm(point))
    visuals = [visual for body in tree.links for visual in body.visuals]
    drawn = max((float(np.linalg.norm(visual.place[9:])) + _extent(visual) for visual in visuals), default=0.0)
    return max(float(lengths.max()), drawn, 1e-3)


def _extent(visual: Visual) -> float:
    """How far a solid reaches from its own origin [m], roughly."""
    if visual.kind == "mesh":
        return float(np.linalg.norm(unpacked(visual.mesh).points, axis=1).max())
    return max(visual.size)


def _bones(tree: Tree, k: int, reach: float) -> list[Part]:
    """A slim rod from a link's joint to each that it carries, or to the tip, and a drum about the joint's axis."""
    thick, name = SLENDER * reach, tree.links[k].name
    ends = [np.array(joint.place[9:]) for joint in tree.joints if joint.parent == k]
    if tree.tip[0] == k:
        ends.append(np.array(tree.tip[1]))
    parts = []
    for end in ends:
        length = float(np.linalg.norm(end))
        if length > thick:
            frame = np.eye(4)
            frame[:3, :3], frame[:3, 3] = axis_frame((end / length).tolist()), 0.5 * end
            parts.append(Part(k, "capsule", (0.5 * thick, length), frame, "body", name))
    if k:
        joint, frame = tree.joints[k - 1], np.eye(4)
        frame[:3, :3] = axis_frame(joint.axis)
        size = (thick, thick, 2.2 * thick) if joint.sliding else (0.8 * thick, 2.0 * thick)
        kind = "box" if joint.sliding else "cylinder"
        parts.append(Part(k, kind, size, frame, "joint", joint.name, bevel=0.1 * thick))
    return parts
