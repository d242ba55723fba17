"""Surfaces of mesh files, and their simplification."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assets.errors import ArmstepError
from robots.model.shapes import Array

MOST_FACES = 1_500_000
_FARTHEST = 1e6
_WELDED = 2**20
"""Corners closer than this fraction of the surface's size are merged."""


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Triangles of one colour.

    Attributes:
        points: corners (n, 3), in the file's unit.
        faces: three indices of corners each, (m, 3).
        colour: red, green, blue from 0 to 1; empty where the file has none.
    """

    points: Array
    faces: NDArray[np.int64]
    colour: tuple[float, ...] = ()


def checked(surface: Surface) -> Surface:
    """The surface with equal corners merged, without faces that have no area.

    Raises:
        ArmstepError: it has no faces, too many of them, or corners that are too far away.
    """
    if not len(surface.faces):
        raise ArmstepError("it has no triangles")
    if len(surface.faces) > MOST_FACES:
        raise ArmstepError(f"it must have at most {MOST_FACES} triangles, got {len(surface.faces)}")
    if surface.faces.min() < 0 or surface.faces.max() >= len(surface.points):
        raise ArmstepError("its faces must have corners that it lists")
    if not (np.abs(surface.points) <= _FARTHEST).all():
        raise ArmstepError(f"its corners must be finite and at most {_FARTHEST:g} away")
    first, number = _cells(surface.points, float(np.ptp(surface.points, axis=0).max()) / _WELDED)
    found = _without_slivers(surface.points[first], number[surface.faces], surface.colour)
    if not len(found.faces):
        raise ArmstepError("it has no triangles")
    return found


def scaled(surface: Surface, scale: Array) -> Surface:
    """The surface stretched along its axes; a mirrored one still faces outwards."""
    faces = surface.faces[:, ::-1] if np.prod(scale) < 0.0 else surface.faces
    return Surface(surface.points * scale, faces, surface.colour)


def simplified(surface: Surface, most: int) -> Surface:
    """The surface with at most `most` faces: corners in one cell of a grid become one.

    Each lies where the squared distances from the planes of the faces around it are smallest.

    Source: Lindstrom (2000), Out-of-core simplification of large polygonal models.
    """
    if len(surface.faces) <= most:
        return surface
    span = float(np.ptp(surface.points, axis=0).max())
    across, tries = np.sqrt(most), 0
    first, number = _cells(surface.points, span / across)
    while tries < 8 and not 0.8 * most < (count := _spread(number[surface.faces])) <= most:
        # A surface has about as many faces as the square of the cells across.
        across *= np.clip(np.sqrt(0.9 * most / max(count, 1)), 0.25, 4.0)
        first, number = _cells(surface.points, span / across)
        tries += 1
    best = _clustered(surface, span / across, first, number)
    if len(best.faces) > most or not len(best.faces):
        best = surface if not len(best.faces) else best
        corners = best.points[best.faces]
        areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        largest = np.sort(np.argsort(-areas, kind="stable")[:most])
        return Surface(best.points, best.faces[largest], best.colour)
    return best


def _spread(faces: NDArray[np.int64]) -> int:
    """How many faces have three different corners."""
    a, b, c = faces.T
    return int(((a != b) & (b != c) & (c != a)).sum())


def _cells(points: Array, cell: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first point in each used cell of a grid, and for each point the number of its cell."""
    places = np.floor((points - points.min(axis=0)) / max(cell, 1e-12)).astype(np.int64)
    keys = (places[:, 0] << 42) | (places[:, 1] << 21) | places[:, 2]
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    return first, number.ravel()


def _clustered(surface: Surface, cell: float, first: NDArray[np.int64], number: NDArray[np.int64]) -> Surface:
    """The surface with one corner in each used cell: `first` lies in it, `number` is each corner's cell."""
    low = surface.points.min(axis=0)
    places = np.floor((surface.points[first] - low) / cell)
    corners = surface.points[surface.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    count = len(first)
    sums, sizes = np.zeros((count, 3)), np.bincount(number, minlength=count)
    for axis in range(3):
        sums[:, axis] = np.bincount(number, surface.points[:, axis], count)
    middle = sums / sizes[:, None]
    matrices, rights = np.zeros((count, 3, 3)), np.zeros((count, 3))
    for k in range(3):
        of = number[surface.faces[:, k]]
        reach = np.einsum("ij,ij->i", normals, corners[:, 0] - middle[of])
        for i in range(3):
            rights[:, i] += np.bincount(of, normals[:, i] * reach, count)
            for j in range(3):
                matrices[:, i, j] += np.bincount(of, normals[:, i] * normals[:, j], count)
    values, vectors = np.linalg.eigh(matrices)
    kept = values > 1e-2 * values[:, -1:]
    inverse = np.where(kept, 1.0 / np.where(kept, values, 1.0), 0.0)
    moves = np.einsum("nij,nj,nkj,nk->ni", vectors, inverse, vectors, rights)
    centre = low + (places + 0.5) * cell
    points = np.clip(middle + moves, centre - 0.5 * cell, centre + 0.5 * cell)
    return _without_slivers(points, number[surface.faces], surface.colour)


def _without_slivers(points: Array, faces: NDArray[np.int64], colour: tuple[float, ...]) -> Surface:
    a, b, c = faces.T
    a, b, c = faces[(a != b) & (b != c) & (c != a)].T
    # Turned to its smallest corner first, a face that is there twice is found.
    for _ in range(2):
        turned = (b < a) | (c < a)
        a, b, c = np.where(turned, b, a), np.where(turned, c, b), np.where(turned, a, c)
    edges = a * len(points) + b
    order = np.lexsort((c, edges))
    again = (np.diff(edges[order]) == 0) & (np.diff(c[order]) == 0)
    kept = order[np.concatenate([[True], ~again])] if len(order) else order
    faces = np.stack([a, b, c], axis=1)[kept]
    used = np.zeros(len(points), dtype=bool)
    used[faces] = True
    return Surface(points[used], (np.cumsum(used) - 1)[faces], colour)
