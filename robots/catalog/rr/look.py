"""How the RR arm looks: plain data built from its lengths and masses."""

from __future__ import annotations

import math

import numpy as np

from robots.model.robot import Array
from robots.model.shapes import ALONG_Y, ArmShape, Part, planar_frames, translation


def shoulder_height(r1: float, r2: float) -> float:
    """Height of the first joint above the ground, so that the arm never reaches it [m]."""
    return 1.2 * (r1 + r2)


def frames(r1: float, r2: float, q1: Array, q2: Array) -> Array:
    """`world_from_link` (n, 2, 4, 4) for joint angles (n,): x along the link, y out of the plane of motion."""
    return planar_frames((q1, q1 + q2), r1, shoulder_height(r1, r2))


def shape(m1: float, m2: float, r1: float, r2: float) -> ArmShape:
    """The arm at rest in its links' frames.

    Link 1 swings in front of the pedestal and link 2 in front of link 1, so that no parts ever intersect.
    """
    unit = 0.5 * (r1 + r2)
    width = 0.09 * unit
    depth = 2.3 * width
    height = shoulder_height(r1, r2)
    parts = [
        *_pedestal(height, width, depth),
        *_link(0, r1, width, 0.0, "link 1"),
        *_link(1, r2, 0.8 * width, -depth, "link 2"),
        _across(0, (0.0, 0.1 * depth, 0.0), 1.28 * width, 1.5 * width, "joint", "joint 1"),
        _across(0, (0.0, 0.0, 0.0), 0.55 * width, 1.5 * width, "steel", "joint 1"),
        _across(0, (r1, -0.5 * depth, 0.0), 1.08 * width, depth + 1.5 * width, "joint", "joint 2"),
        _across(0, (r1, -0.5 * depth, 0.0), 0.48 * width, depth + 1.8 * width, "steel", "joint 2"),
        _payload(0, (r1, 0.0, 0.0), m1, unit, "mass 1"),
        _payload(1, (r2, -depth, 0.0), m2, unit, "mass 2"),
    ]
    return ArmShape(
        links=("link 1", "link 2"),
        parts=tuple(parts),
        tip=(1, (r2, -depth, 0.0)),
        centre=(0.0, 0.0, 0.94 * height),
        radius=1.16 * (r1 + r2),
        parents=(-1, 0),
        drives=((0, (0.0, 0.0, 0.0), (0.0, -1.0, 0.0)), (1, (0.0, -depth, 0.0), (0.0, -1.0, 0.0))),
    )


def _along_y(x: float, y: float, z: float) -> Array:
    """A part's frame whose z axis is the link's -y axis, the joints' direction."""
    return translation(x, y, z) @ ALONG_Y


def _across(link: int, at: tuple[float, float, float], radius: float, length: float, material: str, name: str) -> Part:
    return Part(link, "cylinder", (radius, length), _along_y(*at), material, name, bevel=0.18 * radius)


def _link(link: int, length: float, width: float, y: float, name: str) -> list[Part]:
    """A flat bar that tapers towards its end, rounded all around, with a slim inlay."""
    bar = _stadium(length, width, 0.74 * width)
    inlay = _stadium(0.56 * length, 0.17 * width, 0.12 * width) + np.array([0.22 * length, 0.0])
    return [
        Part(link, "prism", (0.95 * width,), _along_y(0.0, y, 0.0), "body", name, outline=bar, bevel=0.22 * width),
        Part(link, "prism", (1.03 * width,), _along_y(0.0, y, 0.0), "dark", name, outline=inlay, bevel=0.04 * width),
    ]


def _stadium(length: float, start: float, end: float) -> Array:
    """The outline of half circles of radius `start` about (0, 0) and `end` about (length, 0), (24, 2)."""
    turn = np.linspace(-0.5 * math.pi, 0.5 * math.pi, 12)
    right = np.stack([length + end * np.cos(turn), end * np.sin(turn)], axis=1)
    left = np.stack([-start * np.cos(turn), -start * np.sin(turn)], axis=1)
    return np.concatenate([right, left])


def _payload(link: int, at: tuple[float, float, float], mass: float, unit: float, name: str) -> Part:
    """A ball of constant density: its radius grows with the cube root of the mass, within drawable limits."""
    radius = unit * min(max(0.115 * mass ** (1.0 / 3.0), 0.05), 0.24)
    return Part(link, "sphere", (radius,), translation(*at), "accent", name)


def _pedestal(height: float, width: float, depth: float) -> list[Part]:
    """A foot on the ground, a slender column behind the plane of motion, and the housing that carries joint 1."""
    back = 1.25 * depth
    foot = 0.19 * height
    plate = [(0.0, 0.0), (foot, 0.0), (foot, 0.05 * foot), (0.93 * foot, 0.11 * foot), (0.0, 0.11 * foot)]
    top, middle = 0.92 * width, 0.98 * width
    column = [
        (0.0, 0.05 * foot),
        (0.46 * foot, 0.11 * foot),
        (0.40 * foot, 0.16 * foot),
        (0.29 * foot, 0.36 * foot),
        (1.45 * width, 0.75 * foot),
        (1.22 * width, 1.25 * foot),
        (middle, 2.4 * foot),
        (top, height),
        (0.0, height),
    ]
    behind = translation(0.0, back, 0.0)
    housing = _along_y(0.0, back - 0.1 * depth, height)
    rim = 1.5 * width
    return [
        Part(-1, "lathe", (), behind, "dark", "foot", outline=np.array(plate)),
        Part(-1, "lathe", (), behind, "body", "column", outline=np.array(column)),
        Part(-1, "cylinder", (rim, 1.6 * depth), housing, "body", "housing", bevel=0.3 * width),
        Part(-1, "cylinder", (0.72 * rim, 1.66 * depth), housing, "joint", "bearing", bevel=0.1 * width),
    ]
