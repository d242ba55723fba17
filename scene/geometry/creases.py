"""The normals of a surface of triangles: smooth where it bends, sharp at its edges."""

from __future__ import annotations

from math import cos, radians
from weakref import WeakKeyDictionary

import numpy as np

from robots.model.shapes import Triangles
from scene.geometry.mesh import Mesh

_CREASE = cos(radians(35.0))


_MESHES: WeakKeyDictionary[Triangles, Mesh] = WeakKeyDictionary()


def creased(surface: Triangles) -> Mesh:
    """The mesh of a surface: at each corner the mean direction of the faces around it that differ by less than 35°.

    It is made once, and goes with the surface.
    """
    if surface not in _MESHES:
        _MESHES[surface] = _creased(surface)
    return _MESHES[surface]


def _creased(surface: Triangles) -> Mesh:
    points, faces = surface.points, surface.faces
    a, b, c = (points[faces[:, k]] for k in range(3))
    areas = np.cross(b - a, c - a)
    sizes = np.linalg.norm(areas, axis=1)
    flat = areas / np.maximum(sizes, 1e-300)[:, None]
    normals = _means(faces.ravel(), np.repeat(areas, 3, axis=0), np.repeat(flat, 3, axis=0))
    # Corners at one point with one normal are one vertex.
    keys = np.column_stack([faces.ravel(), np.round(normals * 64.0).astype(np.int64)])
    _, first, number = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    triangles = number.reshape(-1, 3).astype(np.int32)
    return Mesh(points[faces.ravel()[first]], normals[first], triangles)


def _means(corner: np.ndarray, areas: np.ndarray, flat: np.ndarray) -> np.ndarray:
    """For each corner the unit mean of the areas (k, 3) at its point whose directions `flat` are near its own."""
    order = np.argsort(corner, kind="stable")
    starts = np.flatnonzero(np.diff(corner[order], prepend=-1))
    counts = np.diff(np.append(starts, len(corner)))
    place = np.arange(len(corner)) - np.repeat(starts, counts)
    count = np.repeat(counts, counts)
    sums = np.zeros_like(areas)
    base = np.repeat(starts, counts)
    # Each corner against the next, the one after, ... of its point; hubs of fans meet their 64 nearest only.
    for shift in range(min(int(counts.max()), 64)):
        rows = np.flatnonzero(shift < count)
        mine, other = order[rows], order[base[rows] + (place[rows] + shift) % count[rows]]
        near = np.einsum("ij,ij->i", flat[mine], flat[other]) > _CREASE
        sums[mine[near]] += areas[other[near]]
    length = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.where(length > 0.0, sums / np.maximum(length, 1e-300), flat)
