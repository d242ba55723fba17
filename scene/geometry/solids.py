"""The solids that parts are made of, each centred at its origin with rounded edges."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, pi, sqrt

import numpy as np

from assets.errors import BadInput
from robots.model.shapes import Part
from scene.geometry.creases import creased
from scene.geometry.mesh import Mesh, grid_triangles
from scene.geometry.outlines import Outline, filled, rounded, signed_area
from scene.geometry.tubes import tube
from scene.picture import Array

Profile = tuple[tuple[float, ...], ...]

KINDS = ("box", "cylinder", "capsule", "sphere", "cone", "lathe", "prism", "tube", "mesh")


def segments(radius: float, tolerance: float) -> int:
    """The number of sides of a circle of `radius` that is accurate to `tolerance` [m]; a multiple of four."""
    return int(min(max(4 * ceil(pi * sqrt(radius / max(2 * tolerance, 1e-12)) / 4), 12), 96))


def part_mesh(part: Part, tolerance: float) -> Mesh:
    """The mesh of a part in its own frame, round to within `tolerance` [m]. Raises BadInput for an unknown kind."""
    if part.kind == "mesh" and part.triangles is not None:
        return creased(part.triangles)
    outline = None if part.outline is None else tuple(map(tuple, np.asarray(part.outline, dtype=float).tolist()))
    return _mesh(part.kind, tuple(map(float, part.size)), outline, float(part.bevel), tolerance)


@lru_cache(maxsize=128)
def _mesh(kind: str, size: tuple[float, ...], outline: Profile | None, bevel: float, tolerance: float) -> Mesh:
    """Cached: when a knob changes one part of an arm, the others are not built again."""
    match kind:
        case "box":
            x, y, z = (length / 2 for length in size)
            return prism(np.array([[-x, -y], [x, -y], [x, y], [-x, y]]), 2 * z, bevel)
        case "cylinder":
            return cone(size[0], size[0], size[1], bevel, tolerance)
        case "cone":
            return cone(size[0], size[1], size[2], bevel, tolerance)
        case "sphere":
            return capsule(size[0], 0.0, tolerance)
        case "capsule":
            return capsule(size[0], size[1], tolerance)
        case "lathe" if outline is not None:
            return lathe(np.array(outline), bevel, tolerance)
        case "prism" if outline is not None:
            return prism(np.array(outline), size[0], bevel)
        case "tube" if outline is not None:
            return tube(np.array(outline), size[0], sides=min(segments(size[0], tolerance), 14))
    raise BadInput(
        "part.kind", kind, "one of " + ", ".join(KINDS) + " (the last four with an outline or triangles)", KINDS
    )


def cone(bottom: float, top: float, height: float, bevel: float, tolerance: float) -> Mesh:
    """A cone's frustum along z, or a cylinder, with rounded rims."""
    h = height / 2
    return lathe(np.array([[0, -h], [bottom, -h], [top, h], [0, h]]), bevel, tolerance)


def capsule(radius: float, length: float, tolerance: float) -> Mesh:
    """Two half spheres whose centres are `length` apart along z, and the cylinder between them."""
    quarter = max(3, segments(radius, tolerance) // 4)
    angles = np.linspace(-pi / 2, pi / 2, 2 * quarter + 1)
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    lower, upper = normals[: quarter + 1], normals[quarter:]
    halves = [lower, upper] if length > 0 else [lower, upper[1:]]
    shift = np.concatenate([np.full(len(halves[0]), -length / 2), np.full(len(halves[1]), length / 2)])
    all_normals = np.concatenate(halves)
    points = radius * all_normals + np.stack([np.zeros_like(shift), shift], axis=1)
    points[[0, -1], 0] = 0.0
    return _turned(Outline(points, all_normals), segments(radius, tolerance), closed=False)


def lathe(profile: Array, bevel: float, tolerance: float) -> Mesh:
    """The profile (k, 2) of radius and z turned about z.

    An open profile is closed along the axis, a closed one makes a ring.
    """
    profile = np.asarray(profile, dtype=float)
    ring = len(profile) > 3 and bool(np.allclose(profile[0], profile[-1]))
    if ring:
        profile = profile[:-1]
    else:
        first, last = profile[0], profile[-1]
        ends = ([[0.0, first[1]]] if first[0] > 0 else []), ([[0.0, last[1]]] if last[0] > 0 else [])
        profile = np.concatenate([np.reshape(ends[0], (-1, 2)), profile, np.reshape(ends[1], (-1, 2))])
    if signed_area(profile) < 0:
        profile = profile[::-1]
    outline = rounded(profile, bevel, closed=ring)
    # Rounding must not pull a ring that touches the axis across it.
    outline.points[:, 0] = np.maximum(outline.points[:, 0], 0.0)
    if not ring:
        _straighten_poles(outline)
    return _turned(outline, segments(float(profile[:, 0].max()), tolerance), closed=ring)


def prism(outline: Array, height: float, bevel: float) -> Mesh:
    """A counter-clockwise or clockwise outline (k, 2) in x, y, drawn out along z, all edges rounded."""
    corners = np.asarray(outline, dtype=float)
    if signed_area(corners) < 0:
        corners = corners[::-1]
    bevel = min(bevel, 0.45 * height)
    side = rounded(corners, bevel, closed=True)
    around = len(side.points)
    steps = 2 if bevel > 0 else 0
    angles = np.linspace(0.0, pi / 2, steps + 1) if steps else np.zeros(1)
    inset, raised = bevel * (1 - np.cos(angles)), bevel * np.sin(angles)
    # Rows run up the side: the lower rim inwards to outwards, then the upper rim.
    rows = [(inset[i], -height / 2 + bevel - raised[i], angles[i], -1.0) for i in range(len(angles) - 1, -1, -1)]
    rows += [(inset[i], height / 2 - bevel + raised[i], angles[i], 1.0) for i in range(len(angles))]
    positions, normals = [], []
    for depth, z, angle, sign in rows:
        flat = side.points - depth * side.normals
        positions.append(np.c_[flat, np.full(around, z)])
        normals.append(np.c_[np.cos(angle) * side.normals, np.full(around, sign * np.sin(angle))])
    wall = Mesh(np.concatenate(positions), np.concatenate(normals), grid_triangles(len(rows), around))
    cap = filled(positions[-1][:, :2])
    count = len(wall.positions)
    upper = Mesh(positions[-1], np.tile([0.0, 0.0, 1.0], (around, 1)), cap)
    lower = Mesh(positions[0], np.tile([0.0, 0.0, -1.0], (around, 1)), cap[:, ::-1])
    return Mesh(
        np.concatenate([wall.positions, upper.positions, lower.positions]),
        np.concatenate([wall.normals, upper.normals, lower.normals]),
        np.concatenate([wall.triangles, upper.triangles + count, lower.triangles + count + around]).astype(np.int32),
    ).without_collapsed()


def _straighten_poles(outline: Outline) -> None:
    """On the axis a smooth surface faces along it."""
    for end in (0, -1):
        normal = outline.normals[end]
        if outline.points[end, 0] == 0.0 and abs(normal[1]) > 0.7:
            outline.normals[end] = (0.0, np.sign(normal[1]))


def _turned(outline: Outline, count: int, closed: bool) -> Mesh:
    """A surface of revolution with `count` sides."""
    points, normals = outline
    if closed:
        points, normals = np.concatenate([points, points[:1]]), np.concatenate([normals, normals[:1]])
    angles = np.arange(count) * (2 * pi / count)
    c, s = np.cos(angles), np.sin(angles)

    def turn(values: Array) -> Array:
        r, z = values[:, :1], values[:, 1:]
        return np.stack([r * c, r * s, np.broadcast_to(z, (len(values), count))], axis=-1).reshape(-1, 3)

    positions = turn(points)
    triangles = grid_triangles(len(points), count)
    return Mesh(positions, turn(normals), triangles).without_collapsed()
