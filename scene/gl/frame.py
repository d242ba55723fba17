"""The numbers of a frame that every shader reads: the uniform blocks, packed as std140."""

from __future__ import annotations

from math import cos, floor, log10, radians, sin, tan

import numpy as np
from numpy.typing import NDArray

from robots.model.shapes import ArmShape, Pose
from scene import camera as cameras
from scene.geometry.arm import MAX_LINKS
from scene.picture import Array, Colour, Picture
from scene.theme import SceneTheme

Box = tuple[int, int, int, int]
"""x and y of the lower left corner, width, height [px]."""

LAMP_AZIMUTH, LAMP_ELEVATION = radians(-122.0), radians(53.0)

TINT = 0.88
"""The fraction of a ghost's own colour; the rest is its materials'."""


def linear(colour: Colour) -> Array:
    """Linear light (3,) from a display colour (IEC 61966-2-1)."""
    c = np.asarray(colour, dtype=float)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def tint(colour: Colour | None) -> tuple[float, float, float, float]:
    """The linear colour of an arm, and how much of it replaces the materials."""
    if colour is None:
        return 0.0, 0.0, 0.0, 0.0
    red, green, blue = linear(colour).tolist()
    return red, green, blue, TINT


def lifted(colour: Colour, theme: SceneTheme) -> Colour:
    """A line's colour, lightened as the theme asks: dark colours vanish on a dark background."""
    lift = theme.numbers["lift"]
    red, green, blue = (c + lift * (1.0 - c) for c in colour)
    return red, green, blue


def lamp_direction() -> Array:
    """The unit vector (3,) towards the lamp that casts the shadow; it does not turn with the camera."""
    level = cos(LAMP_ELEVATION)
    return np.array([level * cos(LAMP_AZIMUTH), level * sin(LAMP_AZIMUTH), sin(LAMP_ELEVATION)])


def stage(picture: Picture) -> tuple[Array, float]:
    """A sphere (centre (3,), radius) [m] around everything that casts a shadow."""
    shapes = [actor.shape for actor in picture.actors if actor.opacity >= 1.0]
    shapes = shapes or [actor.shape for actor in picture.actors]
    spheres = [(np.asarray(shape.centre, dtype=float), float(shape.radius)) for shape in shapes]
    if not spheres:
        return np.asarray(picture.camera.target, dtype=float), max(0.2 * picture.camera.distance, 1e-3)
    centre = np.mean([c for c, _ in spheres], axis=0)
    return centre, max(float(max(np.linalg.norm(c - centre) + r for c, r in spheres)), 1e-3)


def shadow_from_world(picture: Picture) -> tuple[Array, float]:
    """The (4, 4) transform into the shadow map's unit cube, and the width that the map covers [m]."""
    centre, radius = stage(picture)
    radius *= 1.12
    back = lamp_direction()
    right = np.cross([0.0, 0.0, 1.0], back)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(back, right), back])
    transform = np.eye(4)
    # Depth runs away from the lamp, and further below the scene: the ground may lie deeper.
    scale = np.array([0.5 / radius, 0.5 / radius, -0.5 / (2.0 * radius)])
    transform[:3, :3] = rotation * scale[:, None]
    transform[:3, 3] = 0.5 - transform[:3, :3] @ centre
    return transform, 2 * radius


def shadow_on_ground(casters: Array, ground: float) -> tuple[Array, float]:
    """A circle (centre (2,), radius) [m] on the ground around the shadow of what the points (k, 3) enclose."""
    lamp = lamp_direction()
    drop = np.maximum(casters[:, 2:] - ground, 0.0)
    places = np.concatenate([casters[:, :2] - lamp[:2] / lamp[2] * drop, casters[:, :2]])
    low, high = places.min(axis=0), places.max(axis=0)
    return 0.5 * (low + high), 0.5 * float(np.linalg.norm(high - low))


def grid_spacing(size: float) -> float:
    """A round distance between fine grid lines (1, 2 or 5 times a power of ten) for a scene of `size` [m]."""
    rough = 0.14 * size
    power = 10.0 ** floor(log10(rough))
    return power * next(step for step in (1.0, 2.0, 5.0, 10.0) if rough / power <= step * 1.0001)


def crop(size: tuple[int, int], part: Box) -> Array:
    """The (4, 4) clip transform that enlarges a part of a picture of `size` [px] to the whole screen."""
    x, y, width, height = part
    transform = np.eye(4)
    transform[0, 0], transform[1, 1] = size[0] / width, size[1] / height
    transform[0, 3] = (size[0] - 2 * x - width) / width
    transform[1, 3] = (size[1] - 2 * y - height) / height
    return transform


def frame_block(
    picture: Picture, theme: SceneTheme, size: tuple[int, int], scale: float, shadow_pixels: int, clip_crop: Array
) -> NDArray[np.float32]:
    """The contents of `FrameBlock` for a picture of `size` [px]; `clip_crop` (4, 4) cuts a part out of it."""
    camera = picture.camera
    view = cameras.view_from_world(camera)
    clip_from_view = clip_crop @ cameras.clip_from_view(camera, size[0] / size[1])
    clip = clip_from_view @ view
    shadow, width = shadow_from_world(picture)
    centre, radius = stage(picture)
    size_px = (size[0] / clip_crop[0, 0], size[1] / clip_crop[1, 1])
    colours, numbers = theme.colours, theme.numbers

    def four(values: Array | Colour, last: float = 0.0) -> list[float]:
        return [*(float(v) for v in values), float(last)]

    exposure = numbers["exposure"]
    rows = [
        four(cameras.eye(camera), camera.orthographic),
        four(-cameras.axes(camera)[2], picture.transparent),
        four(lamp_direction(), 1.0),
        four(linear(colours["key_colour"]) * numbers["key_light"], exposure),
        four(linear(colours["sky_colour"]) * numbers["sky_light"]),
        four(linear(colours["floor_colour"]) * numbers["sky_light"]),
        four(colours["zenith"]),
        four(colours["horizon"]),
        four(colours["nadir"]),
        four(colours["ground"], picture.ground or 0.0),
        four(colours["grid"], numbers["grid_strength"]),
        four(colours["shadow"], numbers["shadow_strength"]),
        [*size_px, scale, 1.0 / cameras.metres_per_pixel(camera, size[1])],
        four(centre, 1.6 * radius),
        [
            grid_spacing(radius),
            float(picture.grid),
            width / shadow_pixels,
            camera.distance * tan(camera.field_of_view / 2),
        ],
        [0.16 * radius, 0.0, 0.0, 0.0],
        four(colours["pool"]),
    ]
    matrices = [clip, np.linalg.inv(clip), shadow, clip_from_view, view]
    return np.concatenate([*(m.T.reshape(-1) for m in matrices), np.reshape(rows, -1)]).astype(np.float32)


def links_block(pose: Pose | None) -> NDArray[np.float32]:
    """The contents of `LinksBlock`: the upper three rows of the world's frame and of each link's."""
    frames = np.zeros((0, 4, 4)) if pose is None else np.asarray(pose.world_from_link, dtype=float).reshape(-1, 4, 4)
    rows = np.zeros((MAX_LINKS + 1, 3, 4), dtype=np.float32)
    rows[0] = np.eye(4)[:3]
    rows[1 : len(frames) + 1] = frames[:, :3]
    return rows.reshape(-1)


def materials_block(theme: SceneTheme) -> NDArray[np.float32]:
    """The contents of `MaterialsBlock`."""
    colours = [[*linear(material.colour), 0.0] for material in theme.materials]
    finish = [[material.roughness, material.metalness, 0.0, 0.0] for material in theme.materials]
    return np.array(colours + finish, dtype=np.float32).reshape(-1)


def distance(actor_shape: ArmShape, pose: Pose, eye: Array) -> float:
    """The distance of the middle of an arm's links from the eye [m], for drawing ghosts back to front."""
    frames = np.asarray(pose.world_from_link, dtype=float).reshape(-1, 4, 4)
    middle = frames[:, :3, 3].mean(axis=0) if len(frames) else np.asarray(actor_shape.centre)
    return float(np.linalg.norm(middle - eye))
