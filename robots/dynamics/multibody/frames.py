"""Where the bodies of a constrained system are, as transforms."""

from __future__ import annotations

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
