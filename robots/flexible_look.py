"""How the flexible arms look, and where their links are; deflections can be drawn larger than they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robots.robot import Array
from robots.shapes import ArmShape, Connector, Part, translation

if TYPE_CHECKING:
    from robots.flexible import Build, Move

# Pieces are built along the link's x axis; a lathe and a cylinder stand on z.
_ALONG_X = np.array([[0.0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]])
_ALONG_Y = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])


def shoulder_height(build: Build) -> float:
    """Height of the first joint above the ground [m]: the arm never reaches the ground."""
    return 1.15 * float(build.lengths.sum())


def flexible_poses(build: Build, y: Array, magnified: float) -> Array:
    """Frames of base, links and motors, (m, 1 + n + motors, 4, 4); y begins with joints and motors."""
    n, size = build.joints, build.coordinates
    q = y[:, :n].copy()
    for joint in range(n):
        motor = int(build.motor_of[joint])
        if motor < 0:
            q[:, joint] *= magnified
        elif build.gears:
            q[:, joint] = y[:, n + motor] + magnified * (q[:, joint] - y[:, n + motor])
    frames = np.zeros((len(y), 1 + size, 4, 4))
    frames[:, :, 3, 3] = 1.0
    frames[:, 0] = np.eye(4)
    place = np.zeros((len(y), 3))
    place[:, 2] = shoulder_height(build)
    angle = np.zeros(len(y))
    for joint in range(n):
        motor = int(build.motor_of[joint])
        if motor >= 0 and build.gears:
            _turned(frames[:, 1 + n + motor], build.up * (angle + y[:, n + motor]), place)
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


def flexible_shape(build: Build, move: Move) -> ArmShape:
    """A pedestal, tapered links, motors beside their joints, springs at every flexible joint."""
    n, reach, height = build.joints, float(build.lengths.sum()), shoulder_height(build)
    thick = 0.045 * reach
    names = ["base", *[f"link {k + 1}" for k in range(n)]]
    parts = [_pedestal(height, thick)]
    springs: list[Connector] = []
    for joint in range(n):
        motor = int(build.motor_of[joint])
        radius = thick * (1.0 - 0.45 * joint / n)
        parts += _link(joint, float(build.lengths[joint]), radius, motor >= 0, last=joint == n - 1)
        if motor >= 0 and build.gears:
            names.append(f"motor {motor + 1}")
            parts += _motor(1 + n + motor, radius)
            springs.append(_coil(1 + n + motor, 1 + joint, radius, 1.55 * radius))
        elif motor < 0:
            springs.append(_coil(joint, 1 + joint, radius, float(build.lengths[joint - 1])))
    return ArmShape(
        links=tuple(names),
        parts=tuple(parts),
        connectors=tuple(springs),
        tip=(n, (float(build.lengths[-1]), 0.0, 0.0)),
        centre=(0.3 * reach, 0.0, height),
        radius=1.15 * reach,
        ground=0.0,
        drives=tuple((1 + k, (0.0, 0.0, 0.0), (0.0, float(build.up), 0.0)) for k in range(n) if build.motor_of[k] >= 0),
    )


def _pedestal(height: float, thick: float) -> Part:
    r = 1.25 * thick
    foot, top = 2.6 * thick, height - 1.3 * thick
    profile = [
        (0.0, 0.0),
        (foot, 0.0),
        (foot, 0.35 * thick),
        (1.3 * r, 0.9 * thick),
        (r, 2.0 * thick),
        (0.9 * r, top),
        (0.0, top),
    ]
    return Part(0, "lathe", (), np.eye(4), "dark", "base", outline=np.array(profile))


def _link(joint: int, length: float, radius: float, driven: bool, last: bool) -> list[Part]:
    """A tapered beam from its joint to the next, with a drum at the joint and a tip at the end of the last."""
    name = f"link {joint + 1}"
    end = 0.72 * radius
    profile = [
        (0.0, 0.3 * radius),
        (0.8 * radius, 0.5 * radius),
        (0.82 * radius, 0.15 * length),
        (end, length - 0.3 * end),
        (0.0, length),
    ]
    parts = [
        Part(1 + joint, "lathe", (), _ALONG_X, "body", name, outline=np.array(profile)),
        Part(1 + joint, "cylinder", (radius, 1.9 * radius), _ALONG_Y, "joint" if driven else "accent", name),
    ]
    if last:
        parts.append(Part(1 + joint, "sphere", (0.75 * radius,), translation(length, 0.0, 0.0), "accent", "tool"))
    return parts


def _motor(link: int, radius: float) -> list[Part]:
    """A motor that turns beside its joint, with a pointer to see it turn."""
    side = translation(0.0, 1.75 * radius, 0.0)
    pointer = translation(0.8 * radius, 2.35 * radius, 0.0)
    return [
        Part(link, "cylinder", (1.15 * radius, 1.1 * radius), side @ _ALONG_Y, "dark", f"motor {link}"),
        Part(link, "box", (0.9 * radius, 0.2 * radius, 0.25 * radius), pointer, "accent", f"motor {link}", bevel=0.0),
    ]


def _coil(link_a: int, link_b: int, radius: float, reach: float) -> Connector:
    """The joint's spring, drawn from one side of the joint to the other above the drum."""
    along = 1.6 * radius
    start = (reach - along, 0.0, 1.25 * radius) if reach > 2.0 * along else (-along, 1.3 * radius, 1.25 * radius)
    return Connector(
        "spring", link_a, start, link_b, (along, start[1], 1.25 * radius), 0.32 * radius, 7, "steel", "spring"
    )
