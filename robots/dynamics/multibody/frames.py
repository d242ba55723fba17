"""Where the bodies of a constrained system are, as transforms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robots.model.robot import Array


def body_frames(positions: Array) -> Array:
    """`world_from_body` (m, bodies, 4, 4) for positions (m, n) of Cartesian coordinates and Euler parameters."""
    q = positions.reshape(len(positions), -1, 7)
    e = q[:, :, 3:] / np.linalg.norm(q[:, :, 3:], axis=2, keepdims=True)
    e0, u = e[:, :, 0, None, None], e[:, :, 1:]
    world = np.zeros((*q.shape[:2], 4, 4))
    cross = np.zeros((*q.shape[:2], 3, 3))
    cross[..., 0, 1], cross[..., 0, 2], cross[..., 1, 2] = -u[..., 2], u[..., 1], -u[..., 0]
    cross -= np.swapaxes(cross, 2, 3)
    world[..., :3, :3] = (2.0 * e0**2 - 1.0) * np.eye(3) + 2.0 * (u[..., :, None] * u[..., None, :] + e0 * cross)
    world[..., :3, 3] = q[:, :, :3]
    world[..., 3, 3] = 1.0
    return world


def towards(a: Array | Sequence[float], b: Array | Sequence[float]) -> tuple[Array, float]:
    """A frame midway between two points with z from a to b, (4, 4), and their distance [m]."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    length = float(np.linalg.norm(b - a))
    z = (b - a) / length
    x = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
    x /= np.linalg.norm(x)
    frame = np.eye(4)
    frame[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    frame[:3, 3] = 0.5 * (a + b)
    return frame, length
