"""Lines, arrows and frames as strips of vertices that a shader widens on the screen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scene import camera as cameras
from scene.picture import Array, Arrow, Camera, Colour, Frame, Ribbon

LINE = np.dtype(
    [("before", "<f4", 3), ("here", "<f4", 3), ("after", "<f4", 3), ("colour", "<f4", 4), ("trim", "<f4", 3)]
)
"""One vertex of a strip. `trim`: side (-1, 1), width [px], length along the line [m]."""

HEAD_WIDTH, HEAD_LENGTH = 3.6, 4.2
"""An arrow's head, in widths of its shaft."""

FRAME_WIDTH = 2.5
"""Width of a frame's axes [px]."""

HIDDEN_LINES, HIDDEN_ARROWS = 0.16, 0.6
"""The opacity of lines, and of arrows and frames, behind a surface."""


@dataclass(frozen=True, slots=True, eq=False)
class Strips:
    """Vertices (n,) of `LINE` and triangles' indices (m * 3,)."""

    vertices: NDArray[np.void]
    indices: NDArray[np.uint32]


def strip(points: Array, colours: Array, widths: Array | float) -> Strips:
    """One line through `points` (k, 3) [m] with `colours` (k, 4) and `widths` (k,) [px]."""
    k = len(points)
    rows = np.zeros((k, 2), dtype=LINE)
    rows["here"] = points[:, None]
    rows["before"] = points[np.maximum(np.arange(k) - 1, 0)][:, None]
    rows["after"] = points[np.minimum(np.arange(k) + 1, k - 1)][:, None]
    rows["colour"] = colours[:, None]
    rows["trim"][:, :, 0] = (-1.0, 1.0)
    rows["trim"][:, :, 1] = np.broadcast_to(widths, k)[:, None]
    rows["trim"][:, :, 2] = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))][:, None]
    i = 2 * np.arange(k - 1)
    triangles = np.stack([i, i + 1, i + 2, i + 2, i + 1, i + 3], axis=1)
    return Strips(rows.reshape(-1), triangles.reshape(-1).astype(np.uint32))


def ribbon_strip(ribbon: Ribbon) -> Strips | None:
    """The strip of a ribbon; None when fewer than two of its points are finite."""
    points = np.asarray(ribbon.points, dtype=float).reshape(-1, 3)
    finite = np.isfinite(points).all(axis=1)
    if np.count_nonzero(finite) < 2:
        return None
    if ribbon.colours is not None:
        colours = np.asarray(ribbon.colours, dtype=float)
    else:
        times = np.arange(len(points)) if ribbon.times is None else np.asarray(ribbon.times)
        age = (times - times[0]) / max(times[-1] - times[0], 1e-12)
        alpha = age**1.5 if ribbon.fade else np.ones(len(points))
        colours = np.c_[np.tile(ribbon.colour, (len(points), 1)), alpha]
    return strip(points[finite], colours[finite], ribbon.width_px)


def arrow_strip(arrow: Arrow, camera: Camera, height: float) -> Strips | None:
    """The strip of an arrow in a view of `height` logical pixels; None when it has no length or is not finite."""
    start, end = np.asarray(arrow.start, dtype=float), np.asarray(arrow.end, dtype=float)
    length = float(np.linalg.norm(end - start))
    if not np.isfinite(length) or length <= 0:
        return None
    depth = cameras.project(camera, (height, height), end[None])[0, 2]
    pixel = cameras.metres_per_pixel(camera, height)
    if not camera.orthographic:
        pixel *= max(depth / camera.distance, 0.02)
    # A short arrow is only a head, which shrinks as a whole.
    width = min(arrow.width_px, length / pixel / (1.15 * HEAD_LENGTH))
    head = HEAD_LENGTH * width * pixel / length
    base = end + (start - end) * head
    points = np.array([start, base, base, end])
    colours = np.tile([*arrow.colour, 1.0], (4, 1))
    return strip(points, colours, np.array([width, width, HEAD_WIDTH * width, 0.0]))


def frame_arrows(frame: Frame, axes: tuple[Colour, Colour, Colour]) -> list[Arrow]:
    """The three arrows of a coordinate frame."""
    transform = np.asarray(frame.transform, dtype=float)
    origin = transform[:3, 3]
    return [Arrow(origin, origin + frame.length * transform[:3, i], axes[i], FRAME_WIDTH) for i in range(3)]


def gathered(strips: Iterable[Strips | None]) -> Strips:
    """Several strips as one."""
    kept = [s for s in strips if s is not None]
    if not kept:
        return Strips(np.zeros(0, dtype=LINE), np.zeros(0, dtype=np.uint32))
    offsets = np.cumsum([0, *(len(s.vertices) for s in kept[:-1])])
    return Strips(
        np.concatenate([s.vertices for s in kept]),
        np.concatenate([s.indices + o for s, o in zip(kept, offsets, strict=True)]).astype(np.uint32),
    )
