"""A whole arm as vertices for the graphics card: rigid parts once per shape, bending parts once per pose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assets.errors import BadInput
from robots.model.shapes import ArmShape, Part, Pose
from scene.colour import hex_colour
from scene.geometry.connectors import connector_mesh
from scene.geometry.mesh import Mesh
from scene.geometry.solids import part_mesh
from scene.geometry.tubes import tube
from scene.picture import Array

MATERIALS = ("body", "accent", "joint", "dark", "steel", "rubber", "glass", "paint")
VERTEX = np.dtype([("position", "<f4", 3), ("normal", "<f4", 3), ("tags", "<u2", 4)])
"""One vertex. `tags`: the frame that carries it (0 is the world, i + 1 is link i), the link that it belongs to when
picked (the same count), its material, and its part."""

COLOURED = 0x8000
"""From this number on a material is a colour of its own: `assets/shaders/arm.frag` reads its bits."""

MAX_LINKS = 255
ROUNDNESS = 3e-4
"""The largest deviation of a polygon from its circle, as a fraction of the arm's size."""


@dataclass(frozen=True, slots=True, eq=False)
class ArmMesh:
    """Vertices (n,) of `VERTEX` and triangles' indices (m * 3,), of which the first `base_indices` are the base's."""

    vertices: NDArray[np.void]
    indices: NDArray[np.uint32]
    base_indices: int = 0


def rigid_mesh(shape: ArmShape) -> ArmMesh:
    """All parts of the arm, each in its link's frame."""
    if len(shape.links) > MAX_LINKS:
        raise BadInput("shape.links", len(shape.links), f"at most {MAX_LINKS} links")
    pieces = []
    for number, part in sorted(enumerate(shape.parts), key=lambda entry: entry[1].link >= 0):
        tags = part.link + 1, part.link + 1, material_index(part.material), number
        pieces.append((placed_mesh(shape, part), tags))
    packed = _packed(pieces)
    base = sum(3 * len(mesh.triangles) for mesh, tags in pieces if tags[0] == 0)
    return ArmMesh(packed.vertices, packed.indices, base)


def placed_mesh(shape: ArmShape, part: Part) -> Mesh:
    """The mesh of a part of the arm, in its link's frame."""
    mesh = part_mesh(part, ROUNDNESS * max(shape.radius, 1e-6))
    return mesh.moved(np.asarray(part.link_from_part, dtype=float))


def bending_mesh(shape: ArmShape, pose: Pose) -> ArmMesh | None:
    """All connectors and curves of the arm in one pose, in the world's frame; None when it has none."""
    if not shape.connectors and not shape.curves:
        return None
    pieces = []
    for number, connector in enumerate(shape.connectors, len(shape.parts)):
        a = _world_point(pose, connector.link_a, connector.a)
        b = _world_point(pose, connector.link_b, connector.b)
        mesh = connector_mesh(connector.kind, a, b, connector.radius, connector.turns)
        pieces.append((mesh, (0, connector.link_b + 1, material_index(connector.material), number)))
    for number, curve in enumerate(shape.curves, len(shape.parts) + len(shape.connectors)):
        if curve.name in pose.curves:
            mesh = tube(pose.curves[curve.name], curve.radius, sides=14)
            pieces.append((mesh, (0, 0, material_index(curve.material), number)))
    return _packed(pieces)


def link_corners(mesh: ArmMesh) -> list[tuple[int, Array]]:
    """The corners (8, 3) [m] of the box around what each frame carries; frame 0 is the world, i + 1 is link i."""
    carriers = mesh.vertices["tags"][:, 0]
    boxes = []
    for carrier in np.unique(carriers):
        points = mesh.vertices["position"][carriers == carrier]
        ends = np.stack([points.min(axis=0), points.max(axis=0)]).astype(float)
        choice = np.indices((2, 2, 2)).reshape(3, 8)
        boxes.append((int(carrier), np.stack([ends[choice[axis], axis] for axis in range(3)], axis=1)))
    return boxes


def material_index(name: str) -> int:
    """The number of a material; of a colour, `#rrggbb`, 32768 and five bits each of red, green and blue.

    Raises:
        BadInput: no theme knows it.
    """
    if name.startswith("#"):
        red, green, blue = (round(31 * part) for part in hex_colour(name))
        return COLOURED | red << 10 | green << 5 | blue
    if name not in MATERIALS:
        raise BadInput("material", name, choices=MATERIALS)
    return MATERIALS.index(name)


def part_name(shape: ArmShape, number: int) -> str:
    """The name of the picked part on the screen: its own, or its link's."""
    pieces = (*shape.parts, *shape.connectors, *shape.curves)
    piece = pieces[number]
    if piece.name:
        return piece.name
    link = getattr(piece, "link", getattr(piece, "link_b", -1))
    return shape.links[link] if link >= 0 else "base"


def _packed(pieces: Sequence[tuple[Mesh, tuple[int, int, int, int]]]) -> ArmMesh:
    count = sum(len(mesh.positions) for mesh, _ in pieces)
    vertices = np.zeros(count, dtype=VERTEX)
    indices = []
    start = 0
    for mesh, tags in pieces:
        rows = vertices[start : start + len(mesh.positions)]
        rows["position"], rows["normal"], rows["tags"] = mesh.positions, mesh.normals, tags
        indices.append(mesh.triangles.reshape(-1) + start)
        start += len(mesh.positions)
    flat = np.concatenate(indices).astype(np.uint32) if indices else np.zeros(0, dtype=np.uint32)
    return ArmMesh(vertices, flat)


def _world_point(pose: Pose, link: int, point: tuple[float, float, float]) -> Array:
    if link < 0:
        return np.asarray(point, dtype=float)
    frame = np.asarray(pose.world_from_link)[link]
    return frame[:3, :3] @ np.asarray(point) + frame[:3, 3]
