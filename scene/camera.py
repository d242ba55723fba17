"""Moving a camera and projecting with it: pure functions from cameras to cameras, points and matrices.

Matrices act on column vectors; clip space is OpenGL's (-1 to 1 on each axis). Pixels count from the top left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import pairwise
from math import asin, cos, pi, sin, tan
from typing import NamedTuple

import numpy as np

from assets.errors import BadInput
from assets.fields import Data
from scene.picture import Array, Camera, Point

PRESETS: dict[str, tuple[float, float]] = {
    "iso": (-1.05, 0.32),
    "front": (-pi / 2, 0.0),
    "back": (pi / 2, 0.0),
    "right": (0.0, 0.0),
    "left": (pi, 0.0),
    "top": (-pi / 2, pi / 2),
    "bottom": (-pi / 2, -pi / 2),
}
"""Azimuth and elevation [rad] of each named view."""

NEAREST = 0.02
"""What is nearer to the eye than this share of the distance is not drawn."""
ZOOM_LIMITS = (1e-3, 1e4)

BESIDE = 1.15
"""What is framed stands beside a legend only where it is larger there by this factor than below it."""

FAR_AWAY = 1e3
"""From so many times its distance a parallel projection and a central one are the same."""

FLOOR_ROOM = 0.01
"""A hand keeps the eye above the ground by this part of its distance from the target."""


class Bars(NamedTuple):
    """What lies over a picture and is left free.

    Attributes:
        head: the share of the height, at the top.
        foot: the share of the height, at the bottom.
        left: the share of the width, at the left, that what lies at the top takes; none where it takes all.
        right: the share of the width, at the right.
    """

    head: float = 0.0
    foot: float = 0.0
    left: float = 1.0
    right: float = 0.0


WHOLE = Bars()


def axes(camera: Camera) -> tuple[Array, Array, Array]:
    """The unit vectors (3,) to the camera's right, up on its screen, and backwards from the target to the eye."""
    a, e = camera.azimuth, camera.elevation
    right = np.array([-sin(a), cos(a), 0.0])
    back = np.array([cos(e) * cos(a), cos(e) * sin(a), sin(e)])
    if camera.roll:
        right = cos(camera.roll) * right + sin(camera.roll) * _cross(back, right)
    return right, _cross(back, right), back


def _cross(a: Array, b: Array) -> Array:
    """The vector product, (3,): a frame needs many, and numpy takes ten times as long for one."""
    (a0, a1, a2), (b0, b1, b2) = a.tolist(), b.tolist()
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])


def eye(camera: Camera) -> Array:
    """The eye's position (3,) [m]."""
    return np.asarray(camera.target) + camera.distance * axes(camera)[2]


def view_from_world(camera: Camera) -> Array:
    """The (4, 4) transform from the world into the eye's frame (x right, y up, z backwards)."""
    rotation = np.array(axes(camera))
    view = np.eye(4)
    view[:3, :3] = rotation
    view[:3, 3] = -rotation @ (np.asarray(camera.target) + camera.distance * rotation[2])
    return view


def depth_range(camera: Camera) -> tuple[float, float]:
    """The nearest and the furthest distance from the eye that is drawn [m]."""
    return NEAREST * camera.distance, 100.0 * camera.distance


def clip_from_view(camera: Camera, aspect: float) -> Array:
    """The (4, 4) projection for a picture that is `aspect` times as wide as high."""
    near, far = depth_range(camera)
    slope = tan(camera.field_of_view / 2)
    projection = np.zeros((4, 4))
    if camera.orthographic:
        half = camera.distance * slope
        near = -far
        projection[0, 0], projection[1, 1] = 1 / (half * aspect), 1 / half
        projection[2, 2], projection[2, 3] = -2 / (far - near), -(far + near) / (far - near)
        projection[3, 3] = 1.0
        return projection
    projection[0, 0], projection[1, 1] = 1 / (slope * aspect), 1 / slope
    projection[2, 2], projection[2, 3] = -(far + near) / (far - near), -2 * far * near / (far - near)
    projection[3, 2] = -1.0
    return projection


def metres_per_pixel(camera: Camera, height: float) -> float:
    """The size of a pixel at the target in a picture of `height` pixels [m]."""
    return 2 * camera.distance * tan(camera.field_of_view / 2) / height


def project(camera: Camera, size: tuple[float, float], points: Array) -> Array:
    """Where `points` (k, 3) [m] are on the screen: (k, 3) of x, y [px] and the distance in front of the eye [m]."""
    points = np.atleast_2d(np.asarray(points, dtype=float))
    view = view_from_world(camera)
    in_view = points @ view[:3, :3].T + view[:3, 3]
    clip = np.concatenate([in_view, np.ones((len(points), 1))], axis=1) @ clip_from_view(camera, size[0] / size[1]).T
    w = np.where(np.abs(clip[:, 3]) < 1e-12, 1e-12, clip[:, 3])
    ndc = clip[:, :2] / w[:, None]
    return np.stack([(ndc[:, 0] + 1) / 2 * size[0], (1 - ndc[:, 1]) / 2 * size[1], -in_view[:, 2]], axis=1)


def ray(camera: Camera, size: tuple[float, float], x: float, y: float) -> tuple[Array, Array]:
    """The origin and the unit direction, both (3,), of the line of sight through pixel (x, y)."""
    right, up, back = axes(camera)
    half = tan(camera.field_of_view / 2)
    across = (2 * x / size[0] - 1) * half * size[0] / size[1]
    upwards = (1 - 2 * y / size[1]) * half
    if camera.orthographic:
        origin = eye(camera) + camera.distance * (across * right + upwards * up)
        return origin, -back
    direction = across * right + upwards * up - back
    return eye(camera), direction / np.linalg.norm(direction)


def seen_from(camera: Camera, point: Point | Array) -> Array:
    """A place (3,) on the line of sight through `point` [m]: the eye, or one far away in a parallel projection."""
    if not camera.orthographic:
        return eye(camera)
    return np.asarray(point) + FAR_AWAY * camera.distance * axes(camera)[2]


def on_screen_plane(camera: Camera, size: tuple[float, float], x: float, y: float, through: Point | Array) -> Array:
    """The point (3,) [m] under pixel (x, y) on the plane parallel to the screen that contains `through`."""
    origin, direction = ray(camera, size, x, y)
    back = axes(camera)[2]
    return origin + direction * (np.dot(np.asarray(through) - origin, back) / np.dot(direction, back))


def orbit(camera: Camera, right: float, up: float) -> Camera:
    """Turn the eye about the target by `right` about Z and by `up` in elevation [rad]; Z stays up."""
    elevation = min(max(camera.elevation + up, -pi / 2), pi / 2)
    return replace(camera, azimuth=(camera.azimuth + right + pi) % (2 * pi) - pi, elevation=elevation)


def pan(camera: Camera, dx: float, dy: float, height: float) -> Camera:
    """Move the target with the picture, dragged by (dx, dy) pixels (dy downwards) in a view of `height` pixels."""
    right, up, _ = axes(camera)
    moved = np.asarray(camera.target) + (dy * up - dx * right) * metres_per_pixel(camera, height)
    return replace(camera, target=_point(moved))


def zoom(
    camera: Camera, factor: float, cursor: tuple[float, float] | None = None, size: tuple[float, float] = (1, 1)
) -> Camera:
    """Zoom by `factor` (above 1 enlarges). The point under the cursor, in the target's plane, stays there."""
    distance = min(max(camera.distance / factor, ZOOM_LIMITS[0]), ZOOM_LIMITS[1])
    moved = replace(camera, distance=distance)
    if cursor is None:
        return moved
    held = on_screen_plane(camera, size, *cursor, through=camera.target)
    drifted = on_screen_plane(moved, size, *cursor, through=camera.target)
    return replace(moved, target=_point(np.asarray(camera.target) + held - drifted))


def above_floor(camera: Camera, before: Camera, floor: float | None) -> Camera:
    """`camera`, moved from `before` by hand, kept above the ground at height `floor` [m], if there is one.

    A camera that a named view has put below the ground moves freely.
    """
    if camera.orthographic:
        # Every line of sight has the camera's elevation, wherever the eye is.
        free = floor is None or before.elevation < 0.0
        return camera if free else replace(camera, elevation=max(camera.elevation, 0.0))
    if floor is None or eye(before)[2] < floor:
        return camera
    if camera.elevation < before.elevation:
        return replace(camera, elevation=max(camera.elevation, min(_lowest_elevation(camera, floor), before.elevation)))
    lowest = floor + FLOOR_ROOM * camera.distance
    x, y, z = camera.target
    return replace(camera, target=(x, y, z + max(lowest - float(eye(camera)[2]), 0.0)))


def from_above(frame: Callable[[Camera], Camera], before: Camera, floor: float | None) -> Camera:
    """What `frame` makes of the camera `before`: seen from higher up where the eye would come to lie under the ground.

    A look upwards from close by is one from under the ground when the camera moves away.
    """
    wanted = frame(before)
    if wanted.orthographic or floor is None or eye(before)[2] < floor or eye(wanted)[2] >= floor:
        return wanted
    raised = frame(replace(before, elevation=_lowest_elevation(wanted, floor)))
    return replace(raised, elevation=max(raised.elevation, _lowest_elevation(raised, floor)))


def _lowest_elevation(camera: Camera, floor: float) -> float:
    """The elevation at which the eye is just above the ground, with the target where it is [rad]."""
    lowest = floor + FLOOR_ROOM * camera.distance
    return asin(min(max((lowest - camera.target[2]) / camera.distance, -1.0), 1.0))


def look_along(camera: Camera, preset: str) -> Camera:
    """Turn to one of `PRESETS`, keeping target and distance. Raises BadInput for any other name."""
    if preset not in PRESETS:
        raise BadInput("camera", preset, choices=PRESETS)
    azimuth, elevation = PRESETS[preset]
    return replace(camera, azimuth=azimuth, elevation=elevation, roll=0.0)


def fit(camera: Camera, centre: Point | Array, radius: float, aspect: float = 1.6) -> Camera:
    """Frame the sphere about `centre` [m], keeping the direction: all of it is visible, whatever the aspect."""
    narrow = camera.field_of_view / 2
    if aspect < 1:
        narrow = np.arctan(tan(narrow) * aspect)
    reach = tan(narrow) if camera.orthographic else sin(narrow)
    return replace(camera, target=_point(centre), distance=max(radius, 1e-3) * 0.96 / reach)


def frame(camera: Camera, points: Array, aspect: float = 1.6, margin: float = 1.0, bars: Bars = WHOLE) -> Camera:
    """Show `points` (k, 3) [m] as large as they fit, keeping the direction.

    Args:
        camera: where one looks from.
        points: what must be visible.
        aspect: width over height.
        margin: above 1 leaves room around.
        bars: what is left free.
    """
    above = _framed(camera, points, aspect, margin, bars)
    room = bars.left + bars.right < 1.0
    beside = _framed(camera, points, aspect, margin, bars, beside=True) if room else above
    return beside if BESIDE * beside.distance < above.distance else above


def _framed(camera: Camera, points: Array, aspect: float, margin: float, bars: Bars, *, beside: bool = False) -> Camera:
    """The same below what lies at the top, or `beside` it."""
    turn = np.stack(axes(camera))
    seen = points @ turn.T
    depth = 0.5 * (seen[:, 2].min() + seen[:, 2].max())
    slope = tan(camera.field_of_view / 2) / margin
    left, head = (bars.left, 0.0) if beside else (0.0, bars.head)
    low = np.array([slope * aspect * (1.0 - 2.0 * left), slope * (1.0 - 2.0 * bars.foot)])
    high = np.array([slope * aspect * (1.0 - 2.0 * bars.right), slope * (1.0 - 2.0 * head)])
    # Each point sets a minimum distance of the eye: by its place in the picture and, in perspective, by its depth.
    nearer = np.zeros((len(points), 1)) if camera.orthographic else seen[:, 2:] - depth
    before, after = (nearer * low - seen[:, :2]).max(axis=0), (nearer * high + seen[:, :2]).max(axis=0)
    # Nor may one be nearer to the eye than what is drawn; in parallel projection all are.
    distance = float(max(((before + after) / (low + high)).max(), nearer.max() / (1.0 - NEAREST)))
    target = np.array([*(0.5 * (after - before + (low - high) * distance)), depth]) @ turn
    return replace(camera, target=_point(target), distance=min(max(distance, ZOOM_LIMITS[0]), ZOOM_LIMITS[1]))


def preset(name: str, centre: Point | Array, radius: float, aspect: float = 1.6, orthographic: bool = False) -> Camera:
    """The camera called `name` (see `PRESETS`), framing the sphere about `centre` [m]."""
    return fit(look_along(Camera(orthographic=orthographic), name), centre, radius, aspect)


def flight(start: Camera, end: Camera, fraction: float) -> Camera:
    """The camera at `fraction` (0 to 1) of a smooth flight, turning the shorter way round."""
    s = min(max(fraction, 0.0), 1.0)
    s = s * s * (3 - 2 * s)
    turn = (end.azimuth - start.azimuth + pi) % (2 * pi) - pi
    return Camera(
        target=_point((1 - s) * np.asarray(start.target) + s * np.asarray(end.target)),
        distance=start.distance ** (1 - s) * end.distance**s,
        azimuth=start.azimuth + s * turn,
        elevation=start.elevation + s * (end.elevation - start.elevation),
        field_of_view=start.field_of_view + s * (end.field_of_view - start.field_of_view),
        orthographic=end.orthographic if s > 0.5 else start.orthographic,
        roll=start.roll + s * ((end.roll - start.roll + pi) % (2 * pi) - pi),
    )


def along(keys: Sequence[tuple[float, Camera]], t: float) -> Camera:
    """The camera at `t` [s] on a path through `keys` (time, camera), times increasing: smooth flights between them."""
    for (start, before), (end, after) in pairwise(keys):
        if t < end:
            return flight(before, after, (t - start) / (end - start))
    return keys[-1][1]


def carried(camera: Camera, before: Array, after: Array) -> Camera:
    """The camera as if it were fixed to a body that moved from the frame `before` to `after`, both (4, 4)."""
    turn = after[:3, :3] @ before[:3, :3].T
    _, up, back = (turn @ axis for axis in axes(camera))
    elevation = float(np.arcsin(min(max(back[2], -1.0), 1.0)))
    azimuth = float(np.arctan2(back[1], back[0])) if abs(back[2]) < 1 - 1e-9 else camera.azimuth
    target = after[:3, 3] + turn @ (np.asarray(camera.target) - before[:3, 3])
    level = replace(camera, target=_point(target), azimuth=azimuth, elevation=elevation, roll=0.0)
    right, upright, _ = axes(level)
    return replace(level, roll=float(np.arctan2(-np.dot(up, right), np.dot(up, upright))))


def to_json(camera: Camera) -> Data:
    """The camera as plain JSON values (a scenario's `view.camera`)."""
    return {**asdict(camera), "target": list(camera.target)}


def from_json(values: Mapping[str, object]) -> Camera:
    """The camera that `to_json` described. Raises BadInput for a value that is not a camera."""
    known = to_json(Camera())
    for key in values:
        if key not in known:
            raise BadInput("view.camera", key, choices=known)
    merged = {**known, **values}
    try:
        target = np.asarray(merged["target"], dtype=float)
        wanted = ("distance", "azimuth", "elevation", "field_of_view", "roll")
        numbers = {k: float(merged[k]) for k in wanted}
    except (TypeError, ValueError) as error:
        raise BadInput("view.camera", values, "an object of numbers") from error
    orthographic = merged["orthographic"]
    good = target.shape == (3,) and np.isfinite(target).all() and np.isfinite(list(numbers.values())).all()
    if (
        not good
        or not isinstance(orthographic, bool)
        or not ZOOM_LIMITS[0] <= numbers["distance"] <= ZOOM_LIMITS[1]
        or not 0.01 <= numbers["field_of_view"] <= 3.0
    ):
        must = "a target of three finite numbers, a distance from 0.001 to 10000 and a field_of_view from 0.01 to 3"
        raise BadInput("view.camera", values, f"{must}, and orthographic true or false")
    numbers["elevation"] = min(max(numbers["elevation"], -pi / 2), pi / 2)
    return Camera(target=_point(target), orthographic=orthographic, **numbers)


def _point(values: Point | Array) -> Point:
    x, y, z = np.asarray(values, dtype=float)
    return float(x), float(y), float(z)
