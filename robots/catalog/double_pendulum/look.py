"""How the stiff double pendulum looks: two rods side by side and two spiral springs that wind with the angles."""

from __future__ import annotations

import math

import numpy as np

from assets.fields import Values
from robots.model.robot import Array
from robots.model.shapes import ALONG_X, ALONG_Y, ArmShape, Curve, Part, planar_frames, translation

TURNS = 3
POINTS = 72


def lengths(parameters: Values) -> tuple[float, float]:
    """The two half-lengths [m]."""
    return float(parameters["L1"]), float(parameters["L2"])


def pivot_height(L1: float, L2: float) -> float:
    """Height of the pivot above the ground, so that the rods never reach it [m]."""
    return 2.3 * (L1 + L2)


def frames(L1: float, L2: float, q1: Array, q2: Array) -> Array:
    """`world_from_link` of the two rods, (n, 2, 4, 4): origin at the upper end, x along the rod."""
    return planar_frames((q1, q2), 2.0 * L1, pivot_height(L1, L2))


def springs(L1: float, L2: float, q1: Array, q2: Array, rest1: float, rest2: float) -> dict[str, Array]:
    """Points of the spiral springs, name to (n, POINTS, 3) [m]: more turns when wound up, fewer when unwound."""
    thick = _thickness(L1, L2)
    radius, height = 4.4 * thick, pivot_height(L1, L2)
    joint = np.stack([2.0 * L1 * np.cos(q1), np.zeros_like(q1), height + 2.0 * L1 * np.sin(q1)], axis=1)
    fixed = np.zeros_like(joint)
    fixed[:, 2] = height
    # Inner end on the upper hub, outer end on what the spring holds.
    first = _spiral(np.full_like(q1, rest1), q1, radius)
    second = _spiral(q1 + rest2, q2, 0.85 * radius)
    fixed[:, 1], joint[:, 1] = 2.1 * thick, -1.2 * thick
    return {"spring 1": fixed[:, None] + first, "spring 2": joint[:, None] + second}


def _spiral(inner: Array, outer: Array, radius: float) -> Array:
    """A flat spiral from the angle `inner` at the hub to the angle `outer` at its rim, (n, POINTS, 3)."""
    part = np.linspace(0.0, 1.0, POINTS)
    wound = inner[:, None] + (outer - inner)[:, None] * part + 2.0 * math.pi * TURNS * part
    reach = radius * (0.3 + 0.7 * part)
    return np.stack([reach * np.cos(wound), np.zeros_like(wound), reach * np.sin(wound)], axis=2)


def _thickness(L1: float, L2: float) -> float:
    return 0.042 * (L1 + L2)


def shape(L1: float, L2: float) -> ArmShape:
    """A column with a bearing, two tapered rods in planes of their own, hubs and springs."""
    thick, height = _thickness(L1, L2), pivot_height(L1, L2)
    parts = [
        *_stand(height, thick),
        *_rod(0, 2.0 * L1, thick, 0.0, "rod 1"),
        *_rod(1, 2.0 * L2, 0.72 * thick, -2.4 * thick, "rod 2"),
        _across(0, (0.0, 0.9 * thick, 0.0), 1.1 * thick, 4.2 * thick, "joint", "pivot"),
        _across(0, (0.0, 0.0, 0.0), 0.5 * thick, 7.2 * thick, "steel", "pivot"),
        _across(0, (2.0 * L1, -1.2 * thick, 0.0), 1.0 * thick, 4.4 * thick, "joint", "hinge"),
        _across(0, (2.0 * L1, -1.2 * thick, 0.0), 0.45 * thick, 5.4 * thick, "steel", "hinge"),
        Part(1, "sphere", (1.35 * thick,), translation(2.0 * L2, -2.4 * thick, 0.0), "accent", "end of rod 2"),
    ]
    wire = 0.3 * thick
    return ArmShape(
        links=("rod 1", "rod 2"),
        parts=tuple(parts),
        curves=(Curve("spring 1", wire, "steel"), Curve("spring 2", wire, "accent")),
        tip=(1, (2.0 * L2, -2.4 * thick, 0.0)),
        centre=(0.0, 0.0, 0.85 * height),
        radius=2.1 * (L1 + L2),
        parents=(-1, 0),
        drives=((0, (0.0, 0.0, 0.0), (0.0, -1.0, 0.0)), (1, (0.0, -1.2 * thick, 0.0), (0.0, -1.0, 0.0))),
    )


def _across(link: int, at: tuple[float, float, float], radius: float, length: float, material: str, name: str) -> Part:
    placed = translation(*at) @ ALONG_Y
    return Part(link, "cylinder", (radius, length), placed, material, name, bevel=0.15 * radius)


def _rod(link: int, length: float, radius: float, y: float, name: str) -> list[Part]:
    """A slender rod, a little thinner at its ends, with a bright ring at its centre of mass."""
    profile = np.array([(0.0, 0.0), (0.7 * radius, 0.0), (radius, 0.5 * length), (0.7 * radius, length), (0.0, length)])
    ring = translation(0.5 * length, y, 0.0) @ ALONG_X
    return [
        Part(link, "lathe", (), translation(0.0, y, 0.0) @ ALONG_X, "body", name, outline=profile),
        Part(link, "cylinder", (1.12 * radius, 0.5 * radius), ring, "accent", f"centre of {name}"),
    ]


def _stand(height: float, thick: float) -> list[Part]:
    """A foot and a column behind the plane of motion, with the plate that holds spring 1."""
    back = 4.2 * thick
    foot = [(0.0, 0.0), (6.5 * thick, 0.0), (6.5 * thick, 0.5 * thick), (1.6 * thick, 1.6 * thick), (0.0, 1.6 * thick)]
    column = height - 1.6 * thick
    plate = translation(0.0, 2.9 * thick, height) @ ALONG_Y
    return [
        Part(-1, "lathe", (), translation(0.0, back, 0.0), "dark", "foot", outline=np.array(foot)),
        Part(
            -1,
            "cone",
            (1.5 * thick, 1.0 * thick, column),
            translation(0.0, back, height - 0.5 * column),
            "body",
            "column",
        ),
        Part(-1, "cylinder", (1.7 * thick, 1.6 * thick), plate, "dark", "bearing", bevel=0.2 * thick),
    ]
