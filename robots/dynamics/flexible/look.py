"""How the flexible arms look, and where their links are; deflections can be drawn larger than they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robots.model.robot import Array
from robots.model.shapes import ALONG_X, ALONG_Y, ArmShape, Connector, Part, towards, translation

if TYPE_CHECKING:
    from robots.dynamics.flexible.structure import Build


def shoulder_height(build: Build) -> float:
    """Height of the first joint above the ground [m]: the arm never reaches the ground."""
    return 1.15 * float(build.lengths.sum())


def in_the_world(build: Build, places: Array) -> Array:
    """Places (x, z) of the arm's plane, (m, 2), in the world, (m, 3) [m]."""
    return np.column_stack([places[:, 0], np.zeros(len(places)), places[:, 1] + shoulder_height(build)])


def in_the_plane(build: Build, point: Array) -> tuple[float, float]:
    """A point of the world, (3,), as (x, z) of the arm's plane [m]."""
    return float(point[0]), float(point[2]) - shoulder_height(build)


def flexible_poses(build: Build, y: Array, magnified: float) -> Array:
    """Frames of base, links and motors, (m, 1 + n + motors, 4, 4).

    y begins with joints and motors; a reference's states are (joints, their rates, motors).
    """
    n, size = build.joints, build.coordinates
    first = 2 * n if y.shape[1] == n + size else n
    q = y[:, :n].copy()
    for joint in range(n):
        motor = int(build.motor_of[joint])
        if motor < 0:
            q[:, joint] *= magnified
        elif build.gears:
            q[:, joint] = y[:, first + motor] + magnified * (q[:, joint] - y[:, first + motor])
    frames = np.zeros((len(y), 1 + size, 4, 4))
    frames[:, :, 3, 3] = 1.0
    frames[:, 0] = np.eye(4)
    place = np.zeros((len(y), 3))
    place[:, 2] = shoulder_height(build)
    angle = np.zeros(len(y))
    for joint in range(n):
        motor = int(build.motor_of[joint])
        if motor >= 0 and build.gears:
            _turned(frames[:, 1 + n + motor], build.up * (angle + y[:, first + motor]), place)
        angle = angle + q[:, joint]
        _turned(frames[:, 1 + joint], build.up * angle, place)
        place = place + build.lengths[joint] * frames[:, 1 + joint, :3, 0]
    return frames


def _turned(frames: Array, angle: Array, place: Array) -> None:
    """Rotation about y by `angle` and translation to `place`."""
    c, s = np.cos(angle), np.sin(angle)
    frames[:, 0, 0], frames[:, 0, 2] = c, s
    frames[:, 1, 1] = 1.0
    frames[:, 2, 0], frames[:, 2, 2] = -s, c
    frames[:, :3, 3] = place


def flexible_shape(build: Build) -> ArmShape:
    """A pedestal, tapered links, motors beside their joints, pairs of springs at every flexible joint."""
    n, reach, height = build.joints, float(build.lengths.sum()), shoulder_height(build)
    radii = [0.05 * reach * (1.0 - 0.38 * joint / n) for joint in range(n)]
    names, parents = ["base", *[f"link {k + 1}" for k in range(n)]], [*range(-1, n)]
    parts = _pedestal(height, radii[0])
    springs: list[Connector] = []
    for joint, radius in enumerate(radii):
        motor = int(build.motor_of[joint])
        length = float(build.lengths[joint])
        parts += _link(joint, length, radius, motor >= 0, last=joint == n - 1)
        if motor >= 0 and build.gears:
            names.append(f"motor {motor + 1}")
            parents.append(joint)
            lugs, coils = _gear(1 + n + motor, 1 + joint, radius)
            parts += [*_motor(1 + n + motor, motor, radius), *lugs]
            springs += coils
        elif motor >= 0:
            place = (0.0, 0.0, height) if joint == 0 else (float(build.lengths[joint - 1]), 0.0, 0.0)
            parts += _housing(joint, motor, place, radius)
        else:
            lugs, coils = _bend(joint, radius, radii[joint - 1], float(build.lengths[joint - 1]), length)
            parts += lugs
            springs += coils
    return ArmShape(
        links=tuple(names),
        parts=tuple(parts),
        connectors=tuple(springs),
        tip=(n, (float(build.lengths[-1]), 0.0, 0.0)),
        centre=(0.3 * reach, 0.0, height),
        radius=1.1 * reach,
        ground=0.0,
        parents=tuple(parents),
        drives=tuple((1 + k, (0.0, 0.0, 0.0), (0.0, float(build.up), 0.0)) for k in range(n) if build.motor_of[k] >= 0),
    )


def _pedestal(height: float, thick: float) -> list[Part]:
    """A foot on the ground, and a slender column with a head for the first joint."""
    foot, top = 3.3 * thick, height - 0.2 * thick
    plate = [(0.0, 0.0), (foot, 0.0), (foot, 0.2 * thick), (0.93 * foot, 0.36 * thick), (0.0, 0.36 * thick)]
    column = [
        (0.0, 0.2 * thick),
        (1.7 * thick, 0.36 * thick),
        (1.5 * thick, 0.5 * thick),
        (1.25 * thick, 1.2 * thick),
        (1.1 * thick, 2.6 * thick),
        (0.95 * thick, 5.5 * thick),
        (0.82 * thick, top),
        (0.0, top),
    ]
    return [
        Part(0, "lathe", (), np.eye(4), "dark", "base", outline=np.array(plate)),
        Part(0, "lathe", (), np.eye(4), "body", "base", outline=np.array(column)),
    ]


def _link(joint: int, length: float, radius: float, driven: bool, last: bool) -> list[Part]:
    """A tapered beam from its joint to the next, with a drum at the joint and a tip at the end of the last."""
    name = f"link {joint + 1}"
    end = 0.66 * radius
    waist = min(0.3 * length, 3.0 * radius)
    profile = [
        (0.0, 0.2 * radius),
        (0.72 * radius, 0.5 * radius),
        (0.9 * radius, waist),
        (end, length - 0.2 * end),
        (0.8 * end, length),
        (0.0, length),
    ]
    drum = Part(1 + joint, "cylinder", (radius, 1.8 * radius), ALONG_Y, "joint" if driven else "accent", name)
    parts = [Part(1 + joint, "lathe", (), ALONG_X, "body", name, outline=np.array(profile)), drum]
    if last:
        parts.append(Part(1 + joint, "sphere", (0.8 * radius,), translation(length, 0.0, 0.0), "accent", "tool"))
    return parts


def _housing(link: int, motor: int, place: tuple[float, float, float], radius: float) -> list[Part]:
    """A motor without a gear, fixed at `place` to the body before its joint: its shaft turns the drum itself."""
    name = f"motor {motor + 1}"
    side = translation(place[0], -1.7 * radius, place[2]) @ ALONG_Y
    rim = translation(place[0], -2.5 * radius, place[2]) @ ALONG_Y
    return [
        Part(link, "cylinder", (1.25 * radius, 1.5 * radius), side, "dark", name),
        Part(link, "cylinder", (1.0 * radius, 0.2 * radius), rim, "steel", name),
    ]


def _motor(link: int, motor: int, radius: float) -> list[Part]:
    """A motor's rotor beside its joint, with a pointer to see it turn apart from the link."""
    name = f"motor {motor + 1}"
    side = translation(0.0, -1.6 * radius, 0.0) @ ALONG_Y
    rim = translation(0.0, -2.15 * radius, 0.0) @ ALONG_Y
    pointer = translation(0.75 * radius, -2.3 * radius, 0.0)
    return [
        Part(link, "cylinder", (1.3 * radius, 1.0 * radius), side, "dark", name),
        Part(link, "cylinder", (1.05 * radius, 0.2 * radius), rim, "steel", name),
        Part(link, "box", (1.1 * radius, 0.14 * radius, 0.22 * radius), pointer, "accent", name, bevel=0.0),
    ]


def _gear(motor: int, link: int, radius: float) -> tuple[list[Part], list[Connector]]:
    """Two springs between rotor and link, one longer while the other gets shorter."""
    out, side = 1.8 * radius, -1.05 * radius
    lugs, coils = [], []
    for sign in (1.0, -1.0):
        start, end = (0.15 * radius, side, sign * out), (1.9 * radius, side, sign * 1.15 * radius)
        lugs += [_lug(motor, (0.15 * radius, side, 0.0), start, radius), _lug(link, (1.9 * radius, 0, 0), end, radius)]
        coils.append(Connector("spring", motor, start, link, end, 0.4 * radius, 6, "steel", "gear"))
    return lugs, coils


def _bend(joint: int, radius: float, before: float, reach: float, length: float) -> tuple[list[Part], list[Connector]]:
    """Two springs across a passive joint, from the link before to the link behind it, above and below."""
    back, front = min(2.1 * radius, 0.4 * reach), min(2.1 * radius, 0.6 * length)
    high = 1.55 * max(radius, before)
    lugs, coils = [], []
    for sign in (1.0, -1.0):
        start, end = (reach - back, 0.0, sign * high), (front, 0.0, sign * high)
        lugs += [_lug(joint, (start[0], 0.0, 0.0), start, radius), _lug(1 + joint, (end[0], 0.0, 0.0), end, radius)]
        coils.append(Connector("spring", joint, start, 1 + joint, end, 0.46 * radius, 7, "steel", "spring"))
    return lugs, coils


def _lug(link: int, start: tuple[float, float, float], end: tuple[float, float, float], radius: float) -> Part:
    """A pin from `start` to `end`, both in the link's frame, that holds a spring."""
    frame, length = towards(start, end)
    return Part(link, "cylinder", (0.16 * radius, length + 0.2 * radius), frame, "dark", "pin", bevel=0.0)
