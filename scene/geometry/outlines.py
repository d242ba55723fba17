"""Plane outlines with rounded corners, and how to fill them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scene.picture import Array

SMOOTH_TURN = np.radians(28.0)
"""A corner that turns by less belongs to a smooth curve and is not rounded [rad]."""

ARC = 3
"""The edges of a quarter of an arc."""


class Outline(NamedTuple):
    """A line in the plane with its normals, both (k, 2). A sharp corner appears twice, with either side's normal."""

    points: Array
    normals: Array


def signed_area(points: Array) -> float:
    """The area inside a closed polygon (k, 2) [m^2], positive when it runs counter-clockwise."""
    x, y = points.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) / 2)


def rounded(points: Array, radius: float, closed: bool) -> Outline:
    """The outline through `points` (k, 2), its corners replaced by arcs of `radius` or what room there is.

    The normals stand on the right of the direction of travel: outside for a counter-clockwise outline.
    """
    points = _without_repeats(np.asarray(points, dtype=float), closed)
    k = len(points)
    edges = np.roll(points, -1, axis=0) - points if closed else np.diff(points, axis=0)
    lengths = np.linalg.norm(edges, axis=1)
    ways = edges / lengths[:, None]
    out_points, out_normals = [], []
    for i in range(k):
        first, last = not closed and i == 0, not closed and i == k - 1
        way_in = ways[i] if first else ways[i - 1]
        way_out = ways[i - 1] if last else ways[i]
        room = 0.0 if first or last else 0.5 * min(lengths[i - 1], lengths[i])
        corner_points, corner_normals = _corner(points[i], way_in, way_out, radius, room)
        out_points.extend(corner_points)
        out_normals.extend(corner_normals)
    return Outline(np.array(out_points), np.array(out_normals))


def _corner(point: Array, way_in: Array, way_out: Array, radius: float, room: float) -> tuple[list[Array], list[Array]]:
    """The points and normals that stand for one corner: one if smooth, two if sharp, else an arc."""
    turn = np.arctan2(way_in[0] * way_out[1] - way_in[1] * way_out[0], way_in @ way_out)
    normal_in, normal_out = np.array([way_in[1], -way_in[0]]), np.array([way_out[1], -way_out[0]])
    if abs(turn) < SMOOTH_TURN:
        mean = normal_in + normal_out
        return [point], [mean / np.linalg.norm(mean)]
    half = np.tan(abs(turn) / 2)
    cut = min(radius * half, 0.98 * room)
    if cut <= 1e-9:
        return [point, point], [normal_in, normal_out]
    side = np.sign(turn)
    centre = point - cut * way_in - side * (cut / half) * normal_in
    count = max(1, int(np.ceil(ARC * abs(turn) / (np.pi / 2))))
    angles = np.linspace(0.0, turn, count + 1)
    normals = [
        np.array(
            [np.cos(a) * normal_in[0] - np.sin(a) * normal_in[1], np.sin(a) * normal_in[0] + np.cos(a) * normal_in[1]]
        )
        for a in angles
    ]
    return [centre + side * (cut / half) * n for n in normals], normals


def _without_repeats(points: Array, closed: bool) -> Array:
    span = float(np.ptp(points, axis=0).max()) or 1.0
    gaps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    points = points[np.r_[True, gaps > 1e-9 * span]]
    if closed and len(points) > 1 and np.linalg.norm(points[0] - points[-1]) <= 1e-9 * span:
        points = points[:-1]
    return points


def filled(points: Array) -> NDArray[np.int32]:
    """Triangles (k - 2, 3) over a simple counter-clockwise polygon (k, 2), by clipping ears."""
    left = list(range(len(points)))
    triangles = []
    while len(left) > 3:
        ear = _find_ear(points, left)
        triangles.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
        del left[ear]
    triangles.append(tuple(left))
    return np.array(triangles, dtype=np.int32)


def _find_ear(points: Array, left: list[int]) -> int:
    polygon = points[left]
    before, after = np.roll(polygon, 1, axis=0), np.roll(polygon, -1, axis=0)
    doubled = _cross(polygon - before, after - polygon)
    # The fattest ear first: it leaves no slivers behind.
    for i in np.argsort(-doubled):
        a, b, c = before[i], polygon[i], after[i]
        inside = (_cross(b - a, polygon - a) > 0) & (_cross(c - b, polygon - b) > 0) & (_cross(a - c, polygon - c) > 0)
        if doubled[i] >= 0 and not inside.any():
            return int(i)
    return int(np.argmax(doubled))


def _cross(a: Array, b: Array) -> Array:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
