"""Springs, dampers and rods between two points. They change with the pose and are cheap to rebuild."""

from __future__ import annotations

from math import pi

import numpy as np

from assets.errors import BadInput
from scene.geometry.mesh import Mesh, joined
from scene.geometry.solids import cone
from scene.geometry.tubes import tube
from scene.picture import Array

CONNECTORS = ("spring", "damper", "rod")

SMOOTH = 14
"""Points in a turn of a spring."""


def connector_mesh(kind: str, a: Array, b: Array, radius: float, turns: int) -> Mesh:
    """The part that stretches from `a` to `b` (3,) [m]. Raises BadInput for an unknown kind."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    length = float(np.linalg.norm(b - a))
    frame = _along(a, b)
    if kind == "rod":
        return cone(radius, radius, length, 0.3 * radius, 0.02 * radius).moved(_middle(frame, length))
    if kind == "spring":
        return _spring(length, radius, turns).moved(frame)
    if kind == "damper":
        return _damper(length, radius).moved(frame)
    raise BadInput("connector.kind", kind, choices=CONNECTORS)


def _spring(length: float, radius: float, turns: int) -> Mesh:
    """A coil along z from 0 to `length`, with straight ends on the axis."""
    wire = min(0.2 * radius, 0.35 * length / max(turns, 1))
    ends = min(0.12 * length, radius)
    count = max(turns, 1) * SMOOTH + 1
    s = np.linspace(0.0, 1.0, count)
    # The first and the last half turn grow out of the axis.
    grow = np.clip(np.minimum(s, 1 - s) * max(turns, 1) * 2, 0.0, 1.0)
    reach = (radius - wire) * grow * grow * (3 - 2 * grow)
    angle = 2 * pi * turns * s
    coil = np.stack([reach * np.cos(angle), reach * np.sin(angle), ends + (length - 2 * ends) * s], axis=1)
    path = np.concatenate([[[0, 0, 0]], coil, [[0, 0, length]]])
    return tube(path, wire, sides=7)


def _damper(length: float, radius: float) -> Mesh:
    """A cylinder over the lower part and a piston rod out of it."""
    barrel = 0.55 * length
    body = cone(radius, radius, barrel, 0.2 * radius, 0.02 * radius)
    rod = cone(0.4 * radius, 0.4 * radius, length, 0.05 * radius, 0.02 * radius)
    return joined([body.raised(0.5 * barrel + 0.05 * length), rod.raised(0.5 * length)])


def _along(a: Array, b: Array) -> Array:
    """The frame at `a` whose z points to `b`."""
    z = b - a
    length = float(np.linalg.norm(z))
    z = z / length if length > 0 else np.array([0.0, 0.0, 1.0])
    x = np.cross(np.eye(3)[np.argmin(np.abs(z))], z)
    x /= np.linalg.norm(x)
    frame = np.eye(4)
    frame[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
    frame[:3, 3] = a
    return frame


def _middle(frame: Array, length: float) -> Array:
    moved = frame.copy()
    moved[:3, 3] += 0.5 * length * frame[:3, 2]
    return moved
