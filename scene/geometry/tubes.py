"""Tubes along curves: flexible links, cables, and the wire of springs."""

from __future__ import annotations

from math import pi

import numpy as np

from scene.geometry.mesh import Mesh, grid_triangles, joined
from scene.picture import Array


def tube(path: Array, radius: float, sides: int = 10) -> Mesh:
    """A round tube along `path` (k, 3) [m]; its ends are closed flat."""
    path = np.asarray(path, dtype=float)
    along, across, up = _frames(path)
    angles = np.arange(sides) * (2 * pi / sides)
    ring = np.cos(angles)[:, None, None] * across + np.sin(angles)[:, None, None] * up
    normals = np.swapaxes(ring, 0, 1)
    positions = path[:, None, :] + radius * normals
    body = Mesh(positions.reshape(-1, 3), normals.reshape(-1, 3), grid_triangles(len(path), sides))
    fan = np.array([[0, i, i + 1] for i in range(1, sides - 1)], dtype=np.int32)
    front = Mesh(positions[-1], np.tile(along[-1], (sides, 1)), fan)
    rear = Mesh(positions[0], np.tile(-along[0], (sides, 1)), fan[:, ::-1])
    return joined([body, front, rear])


def _frames(path: Array) -> tuple[Array, Array, Array]:
    """Tangents and two normals (k, 3) that turn with the path without twisting about it."""
    along = np.gradient(path, axis=0) if len(path) > 2 else np.tile(path[-1] - path[0], (len(path), 1))
    along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-15)
    start = np.eye(3)[np.argmin(np.abs(along[0]))]
    across = np.empty_like(along)
    across[0] = np.cross(along[0], start)
    across[0] /= np.linalg.norm(across[0]) or 1.0
    for i in range(1, len(path)):
        carried = across[i - 1] - along[i] * (across[i - 1] @ along[i])
        length = np.linalg.norm(carried)
        across[i] = carried / length if length > 1e-9 else across[i - 1]
    return along, across, np.cross(along, across)
