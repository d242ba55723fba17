"""How an arm looks, as plain data: all that the scene knows about robots.

A robot is a set of links. Each link has a frame; a pose gives every link's frame in the world. Parts are fixed to one
link, connectors stretch between two links, curves bend freely. Lengths in metres, Z up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Triangles:
    """A surface: corners (n, 3) [m], and three indices of corners for each face, counter-clockwise outside, (m, 3)."""

    points: Array
    faces: NDArray[np.int64]


def translation(x: float, y: float, z: float) -> Array:
    """The (4, 4) transform that moves by (x, y, z) [m]."""
    transform = np.eye(4)
    transform[:3, 3] = (x, y, z)
    return transform


def beside(z: Array) -> tuple[Array, Array]:
    """Two unit vectors that are right-handed with the unit vector `z`, (3,) each."""
    x = np.asarray(np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))]), dtype=float)
    x /= np.linalg.norm(x)
    return x, np.asarray(np.cross(z, x), dtype=float)


def towards(a: Sequence[float] | Array, b: Sequence[float] | Array) -> tuple[Array, float]:
    """A frame midway between two points with z from a to b, (4, 4), and their distance [m]."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    length = float(np.linalg.norm(b - a))
    z = (b - a) / length
    frame = translation(*(0.5 * (a + b)))
    frame[:3, :3] = np.column_stack([*beside(z), z])
    return frame, length


ALONG_X = np.array([[0.0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]])
"""The transform that lays what stands on z along x."""
ALONG_Y = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
"""The transform that lays what stands on z along -y, and stands upright what lies in x and y."""


def planar_frames(angles: Sequence[Array], length: float, height: float) -> Array:
    """`world_from_link` (n, 2, 4, 4) of two links in the x-z plane, x along the link.

    Args:
        angles: of both from the horizontal, (n,) each [rad].
        length: of the first, at whose end the second begins [m].
        height: of the first joint above the ground [m].
    """
    world = np.zeros((len(angles[0]), 2, 4, 4))
    for k, angle in enumerate(angles):
        cosine, sine = np.cos(angle), np.sin(angle)
        world[:, k, 0, 0], world[:, k, 0, 2] = cosine, -sine
        world[:, k, 2, 0], world[:, k, 2, 2] = sine, cosine
        world[:, k, 1, 1] = world[:, k, 3, 3] = 1.0
    world[:, :, 2, 3] = height
    world[:, 1, :3, 3] += length * world[:, 0, :3, 0]
    return world


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A rigid part fixed to a link.

    Attributes:
        link: index of the link that carries it; -1 is the world.
        kind: `box` (size x, y, z), `cylinder` (radius, height along z), `capsule` (radius, distance of the centres
            along z), `sphere` (radius,), `cone` (bottom radius, top radius, height along z), `lathe` (profile turned
            about z), `prism` (outline in x, y extruded along z by size[0], centred), `tube` (radius,
            along its outline), `mesh` (its triangles).
        size: the numbers of that kind [m].
        link_from_part: (4, 4) placement in the link's frame; every kind is centred at its own origin.
        material: a name of the theme: `body`, `accent`, `joint`, `dark`, `steel`, `rubber`, `glass`, `paint`; or a
            colour, `#rrggbb`.
        name: its name on the screen when picked.
        outline: (k, 2) profile (radius, z) of a `lathe`, the counter-clockwise outline of a `prism`, or the (k, 3) path
            of a `tube` [m].
        bevel: rounding of the edges [m].
        triangles: the surface of a `mesh`.
    """

    link: int
    kind: str
    size: tuple[float, ...]
    link_from_part: Array
    material: str = "body"
    name: str = ""
    outline: Array | None = None
    bevel: float = 0.004
    triangles: Triangles | None = None


def cable(link: int, through: Array, radius: float, link_from_part: Array, name: str = "cable") -> Part:
    """A cable of `radius` in a smooth curve `through` the points (k, 3), in the part's frame [m].

    Source: the cubic splines of Catmull and Rom (1974), six pieces between two points.
    """
    points = np.vstack([2.0 * through[0] - through[1], through, 2.0 * through[-1] - through[-2]])
    s = np.linspace(0.0, 1.0, 7)[1:, None]
    path = [through[0]]
    for before, start, end, after in zip(points, points[1:], points[2:], points[3:], strict=False):
        bend = 2.0 * before - 5.0 * start + 4.0 * end - after
        path.extend(start + 0.5 * s * (end - before + s * (bend + s * (3.0 * (start - end) + after - before))))
    return Part(link, "tube", (radius,), link_from_part, "rubber", name, outline=np.array(path))


@dataclass(frozen=True, slots=True, eq=False)
class Connector:
    """A part that stretches between two links: `spring`, `damper`, or `rod`.

    `a`, `b` are (3,) points in the frames of `link_a`, `link_b` (-1 is the world) [m].
    """

    kind: str
    link_a: int
    a: tuple[float, float, float]
    link_b: int
    b: tuple[float, float, float]
    radius: float = 0.02
    turns: int = 8
    material: str = "steel"
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A flexible tube of the given radius through the pose's points of the same `name`, (k, 3) in the world [m]."""

    name: str
    radius: float
    material: str = "body"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class ArmShape:
    """Everything that does not move.

    Attributes:
        links: names of the links, in the order of a pose's frames.
        parts, connectors, curves: the pieces.
        tip: (link, point) whose path is the trail, or None.
        centre, radius: a sphere that the arm moves in, for cameras and shadows [m].
        ground: height of the ground [m], or None.
        joints: the number of the joint that moves each link, 0 for none; empty where links count from the first joint.
        parents: the link that carries each link and stands before it, -1 for the world; empty if none carries another.
        drives: (link, point, axis) of each actuated joint, for torque arcs and joint axes, in the link's frame.
    """

    links: tuple[str, ...]
    parts: tuple[Part, ...]
    connectors: tuple[Connector, ...] = ()
    curves: tuple[Curve, ...] = ()
    tip: tuple[int, tuple[float, float, float]] | None = None
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radius: float = 1.0
    ground: float | None = 0.0
    joints: tuple[int, ...] = ()
    parents: tuple[int, ...] = ()
    drives: tuple[tuple[int, tuple[float, float, float], tuple[float, float, float]], ...] = ()

    def carried(self, link: int) -> int | None:
        """The first link that a link carries, by number; None if it carries none."""
        return next((k for k, parent in enumerate(self.parents) if parent == link), None)


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """An arm at one instant: `world_from_link` (n_links, 4, 4), and the points of each curve by name, (k, 3) [m]."""

    world_from_link: Array
    curves: Mapping[str, Array] = field(default_factory=dict)


def moved_shape(shape: ArmShape, by: Array) -> ArmShape:
    """The shape with what is fixed to the world moved by (3,) [m]."""
    shift = translation(*by.tolist())

    def point(link: int, at: Point) -> Point:
        x, y, z = np.add(at, by).tolist() if link < 0 else at
        return (x, y, z)

    parts = [
        replace(one, link_from_part=shift @ np.asarray(one.link_from_part)) if one.link < 0 else one
        for one in shape.parts
    ]
    connectors = [replace(one, a=point(one.link_a, one.a), b=point(one.link_b, one.b)) for one in shape.connectors]
    drives = tuple((link, point(link, at), axis) for link, at, axis in shape.drives)
    ground = None if shape.ground is None else shape.ground + float(by[2])
    centre = point(-1, shape.centre)
    return replace(shape, parts=tuple(parts), connectors=tuple(connectors), drives=drives, centre=centre, ground=ground)


def moved_pose(pose: Pose, by: Array) -> Pose:
    """The pose of an arm that stands (3,) further away [m]."""
    frames = np.array(pose.world_from_link, dtype=float)
    frames[:, :3, 3] += by
    return Pose(frames, {name: points + by for name, points in pose.curves.items()})


FARTHEST = 1e9
"""Nothing is drawn further away [m]: graphics cards' numbers end at 3e38, and their squares at 2e19."""


def within_sight(pose: Pose) -> Pose:
    """The pose of a diverged run, drawn where it left the picture."""
    curves = {name: np.clip(points, -FARTHEST, FARTHEST) for name, points in pose.curves.items()}
    return Pose(np.clip(pose.world_from_link, -FARTHEST, FARTHEST), curves)
