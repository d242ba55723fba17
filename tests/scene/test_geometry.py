"""Meshes are closed, face outwards, and have the volume of the solid they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from assets.errors import BadInput
from robots.model.shapes import ArmShape, Part, cable, translation
from scene.geometry.arm import VERTEX, bending_mesh, link_corners, part_name, rigid_mesh
from scene.geometry.connectors import CONNECTORS, connector_mesh
from scene.geometry.lines import arrow_strip, gathered, ribbon_strip
from scene.geometry.mesh import Mesh
from scene.geometry.outlines import filled, rounded, signed_area
from scene.geometry.solids import part_mesh, segments
from scene.geometry.tubes import tube
from scene.picture import Arrow, Camera, Ribbon
from tests.scene.arms import springy, swing_arm, swing_pose

L_SHAPE = np.array([[0, 0], [1, 0], [1, 0.2], [0.2, 0.2], [0.2, 1], [0, 1]], dtype=float)
VASE = np.array([[0.1, 0], [0.2, 0], [0.2, 0.1], [0.05, 0.2], [0.05, 0.5]])
RING = np.array([[0.1, 0], [0.2, 0], [0.2, 0.1], [0.1, 0.1], [0.1, 0]])
SOLIDS = {
    "box": (("box", (1.0, 0.5, 0.3)), None, 0.15),
    "cylinder": (("cylinder", (0.1, 0.4)), None, np.pi * 0.004),
    "cone": (("cone", (0.1, 0.05, 0.4)), None, np.pi * 0.4 * (0.01 + 0.005 + 0.0025) / 3),
    "pointed cone": (("cone", (0.1, 0.0, 0.4)), None, np.pi * 0.004 / 3),
    "sphere": (("sphere", (0.2,)), None, 4 / 3 * np.pi * 0.008),
    "capsule": (("capsule", (0.2, 0.5)), None, 4 / 3 * np.pi * 0.008 + np.pi * 0.04 * 0.5),
    "ring": (("lathe", ()), RING, np.pi * 0.03 * 0.1),
    "prism": (("prism", (0.1,)), L_SHAPE, 0.036),
    "clockwise prism": (("prism", (0.1,)), L_SHAPE[::-1], 0.036),
    "vase": (("lathe", ()), VASE, None),
    "tube": (("tube", (0.05,)), np.array([[0, 0, 0], [0, 0.02, 0.2], [0, 0.1, 0.5]]), None),
}


def solid(name: str, bevel: float) -> Mesh:
    (kind, size), outline, _ = SOLIDS[name]
    return part_mesh(Part(0, kind, size, np.eye(4), outline=outline, bevel=bevel), 2e-4)


def open_edges(mesh: Mesh) -> int:
    """How many edges lack their opposite; 0 for a closed surface. Vertices at the same place count as one."""
    span = np.ptp(mesh.positions, axis=0).max() or 1.0
    _, merged = np.unique(np.round(mesh.positions / (1e-6 * span)).astype(np.int64), axis=0, return_inverse=True)
    t = merged.reshape(-1)[mesh.triangles]
    t = t[(t[:, 0] != t[:, 1]) & (t[:, 1] != t[:, 2]) & (t[:, 2] != t[:, 0])]
    edges = np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]])
    n = int(merged.max()) + 1
    keys = np.minimum(edges[:, 0], edges[:, 1]) * n + np.maximum(edges[:, 0], edges[:, 1])
    signs = np.where(edges[:, 0] < edges[:, 1], 1, -1)
    _, inverse = np.unique(keys, return_inverse=True)
    balance = np.bincount(inverse.reshape(-1), weights=signs)
    return int(np.count_nonzero(balance))


def volume(mesh: Mesh) -> float:
    """The enclosed volume; positive when the triangles face outwards."""
    a, b, c = (mesh.positions[mesh.triangles[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def check_surface(mesh: Mesh) -> None:
    assert np.isfinite(mesh.positions).all()
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1.0)
    assert open_edges(mesh) == 0
    assert volume(mesh) > 0
    # The normals that are shaded agree with the sides that the triangles face.
    a, b, c = (mesh.positions[mesh.triangles[:, i]] for i in range(3))
    facing = np.cross(b - a, c - a)
    thin = np.linalg.norm(facing, axis=1) < 1e-12
    assert (thin | (np.einsum("ij,ij->i", facing, mesh.normals[mesh.triangles].mean(axis=1)) > 0)).all()


@pytest.mark.parametrize("bevel", [0.0, 0.004, 0.02])
@pytest.mark.parametrize("name", SOLIDS)
def test_solids_are_closed_and_face_outwards(name: str, bevel: float) -> None:
    check_surface(solid(name, bevel))


@pytest.mark.parametrize("name", [name for name, entry in SOLIDS.items() if entry[2] is not None])
def test_solids_have_their_volume(name: str) -> None:
    assert volume(solid(name, 0.0)) == pytest.approx(SOLIDS[name][2], rel=0.01)


def test_bevels_take_a_little_away() -> None:
    assert 0.97 < volume(solid("box", 0.01)) / volume(solid("box", 0.0)) < 1.0


def test_a_circle_is_as_round_as_asked() -> None:
    for radius, tolerance in ((0.01, 1e-4), (0.5, 1e-3), (0.1, 1e-4)):
        assert radius * (1 - np.cos(np.pi / segments(radius, tolerance))) <= tolerance * 1.0001
    assert segments(1e-6, 1.0) == 12
    assert segments(1e6, 1e-9) == 96


def test_a_cable_runs_smoothly_through_its_points() -> None:
    points = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.1], [0.1, 0.05, 0.3], [0.0, 0.0, 0.4]])
    part = cable(0, points, 0.01, np.eye(4))
    assert part.outline is not None
    for point in points:
        assert np.linalg.norm(part.outline - point, axis=1).min() < 1e-12
    ways = np.diff(part.outline, axis=0)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    assert (np.sum(ways[:-1] * ways[1:], axis=1) > 0.8).all(), "no kink"
    check_surface(part_mesh(part, 2e-4))


def test_an_unknown_kind_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match="cylinder"):
        part_mesh(Part(0, "cilinder", (1.0, 1.0), np.eye(4)), 1e-3)
    with pytest.raises(BadInput, match="spring"):
        connector_mesh("sprung", np.zeros(3), np.ones(3), 0.1, 3)


@pytest.mark.parametrize("kind", CONNECTORS)
@pytest.mark.parametrize("end", [(0.3, 0.2, 0.5), (0.0, 0.0, -0.4), (1e-3, 0.0, 0.0)])
def test_connectors_reach_from_end_to_end(kind: str, end: tuple[float, float, float]) -> None:
    mesh = connector_mesh(kind, np.zeros(3), np.array(end), 0.05, 6)
    assert open_edges(mesh) == 0
    assert np.isfinite(mesh.positions).all()
    way = np.array(end) / np.linalg.norm(end)
    along = mesh.positions @ way
    length = float(np.linalg.norm(end))
    slack = 0.15 * length
    assert along.min() == pytest.approx(0.0, abs=slack)
    assert along.max() == pytest.approx(length, abs=slack)


def test_a_connector_without_length_still_is_finite() -> None:
    for kind in CONNECTORS:
        mesh = connector_mesh(kind, np.zeros(3), np.zeros(3), 0.05, 6)
        assert np.isfinite(mesh.positions).all()


def test_a_tube_follows_its_path_without_twisting() -> None:
    s = np.linspace(0, 2 * np.pi, 80)
    mesh = tube(np.stack([np.cos(s), np.sin(s), 0.1 * s], axis=1), 0.05)
    check_surface(mesh)
    length = np.hypot(1.0, 0.1) * 2 * np.pi
    assert volume(mesh) == pytest.approx(np.pi * 0.05**2 * length, rel=0.08)


def test_rounding_keeps_smooth_corners_and_rounds_sharp_ones() -> None:
    octagon = np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0, 2 * np.pi, 33)[:-1]])
    assert len(rounded(octagon, 0.1, closed=True).points) == 32
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=float)
    assert len(rounded(square, 0.1, closed=True).points) == 16
    assert len(rounded(square, 0.0, closed=True).points) == 8
    outline = rounded(square, 0.1, closed=True)
    assert signed_area(outline.points) == pytest.approx(1 - (4 - np.pi) * 0.01, rel=0.01)


def test_ears_fill_a_polygon_that_is_not_convex() -> None:
    triangles = filled(L_SHAPE)
    area = sum(signed_area(L_SHAPE[t]) for t in triangles)
    assert area == pytest.approx(0.36)
    assert all(signed_area(L_SHAPE[t]) >= 0 for t in triangles)


def test_an_arm_becomes_one_mesh_with_its_base_first() -> None:
    shape = swing_arm()
    mesh = rigid_mesh(shape)
    assert mesh.vertices.dtype == VERTEX
    carriers = mesh.vertices["tags"][mesh.indices, 0]
    assert (carriers[: mesh.base_indices] == 0).all()
    assert (carriers[mesh.base_indices :] > 0).all()
    assert set(np.unique(mesh.vertices["tags"][:, 3])) == set(range(len(shape.parts)))
    # Lean: software rendering is bound by vertices.
    assert len(mesh.indices) // 3 < 9000
    assert {carrier for carrier, _ in link_corners(mesh)} == {0, 1, 2}
    assert part_name(shape, 1) == "column"
    assert bending_mesh(shape, swing_pose(0, 0)) is None


def test_what_bends_follows_the_pose() -> None:
    shape, pose = springy()
    mesh = bending_mesh(shape, pose)
    assert mesh is not None
    assert mesh.vertices["position"][:, 2].max() > 0.5
    assert part_name(shape, len(shape.parts)) == "body"


def test_too_many_links_are_refused() -> None:
    with pytest.raises(BadInput, match="255"):
        rigid_mesh(ArmShape(tuple(str(i) for i in range(300)), ()))
    with pytest.raises(BadInput, match="rubber"):
        rigid_mesh(ArmShape(("a",), (Part(0, "sphere", (1.0,), translation(0, 0, 0), "ruber"),)))


def test_lines_skip_what_is_not_finite() -> None:
    points = np.array([[0, 0, 0], [np.nan, 0, 0], [1, 0, 0], [1, 1, 0]], dtype=float)
    strip = ribbon_strip(Ribbon(points, fade=True))
    assert strip is not None
    assert len(strip.vertices) == 6
    assert np.isfinite(strip.vertices["here"]).all()
    assert ribbon_strip(Ribbon(points[:2])) is None
    assert arrow_strip(Arrow((0, 0, 0), (0, 0, 0)), Camera(), 720) is None
    assert arrow_strip(Arrow((0, 0, 0), (np.inf, 0, 0)), Camera(), 720) is None
    assert len(gathered([None, strip, strip]).vertices) == 12
