"""A triangle mesh: positions, normals, triangles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scene.picture import Array


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles, counter-clockwise seen from outside.

    Attributes:
        positions: (n, 3) [m].
        normals: (n, 3) outward unit vectors; a sharp edge has its vertices twice.
        triangles: (m, 3) indices.
    """

    positions: Array
    normals: Array
    triangles: NDArray[np.int32]

    def moved(self, transform: Array) -> Mesh:
        """The mesh carried by a rigid (4, 4) transform."""
        rotation = transform[:3, :3]
        return Mesh(self.positions @ rotation.T + transform[:3, 3], self.normals @ rotation.T, self.triangles)

    def raised(self, height: float) -> Mesh:
        """The mesh moved along z [m]."""
        transform = np.eye(4)
        transform[2, 3] = height
        return self.moved(transform)

    def without_collapsed(self) -> Mesh:
        """The mesh without triangles two of whose corners lie at the same place."""
        corners = self.positions[self.triangles]
        edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
        span = float(np.ptp(self.positions, axis=0).max())
        return Mesh(self.positions, self.normals, self.triangles[(edges > 1e-9 * span).all(axis=1)])


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """All meshes as one."""
    if not meshes:
        return Mesh(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32))
    offsets = np.cumsum([0, *(len(mesh.positions) for mesh in meshes[:-1])])
    return Mesh(
        np.concatenate([mesh.positions for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([mesh.triangles + o for mesh, o in zip(meshes, offsets, strict=True)]).astype(np.int32),
    )


def grid_triangles(rows: int, columns: int) -> NDArray[np.int32]:
    """Triangles over a (rows, columns) sheet of vertices whose last column joins the first."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns), indexing="ij")
    a, b = i * columns + j, i * columns + (j + 1) % columns
    c, d = a + columns, b + columns
    return np.stack([np.stack([a, b, d], -1), np.stack([a, d, c], -1)], 2).reshape(-1, 3).astype(np.int32)
