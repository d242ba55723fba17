"""How the PA-10 looks when it welds: a torch on the flange, and two plates whose joint is the path."""

from __future__ import annotations

import numpy as np

from robots.model.robot import Array
from robots.model.shapes import Part, translation

TORCH = 0.20
"""How far the wire's end is beyond the bare tool's tip [m]; the size of a typical robot torch."""

THICKNESS, SIDE, SPARE = 0.012, 0.13, 0.05
"""The plates' thickness, their width beside the seam, and their length beyond its ends [m]."""

SEAM_POINTS = 80


def torch(link: int, flange: float) -> list[Part]:
    """A torch from the flange's face at height `flange` (below the origin) to the link's origin, along its z [m]."""

    def along(kind: str, size: tuple[float, ...], z: float, material: str, bevel: float = 0.002) -> Part:
        return Part(link, kind, size, translation(0.0, 0.0, z), material, "torch", bevel=bevel)

    bend = np.array([(0.0, 0.0, -0.115), (0.012, 0.0, -0.098), (0.018, 0.0, -0.078), (0.0125, 0.0, -0.058)])
    tilted = _towards(np.array([0.0125, 0.0, -0.058]))
    nozzle, tip, wire = (tilted @ translation(0.0, 0.0, -z) for z in (0.037, 0.012, 0.005))
    return [
        along("cylinder", (0.034, 0.014), flange + 0.007, "dark"),
        along("cylinder", (0.021, -0.115 - flange - 0.01), 0.5 * (flange + 0.01 - 0.115), "joint", 0.004),
        along("cylinder", (0.0225, 0.006), flange + 0.035, "accent"),
        Part(link, "tube", (0.010,), np.eye(4), "steel", "torch", outline=bend),
        Part(link, "cone", (0.0145, 0.010, 0.046), nozzle, "paint", "torch", bevel=0.002),
        Part(link, "cone", (0.005, 0.003, 0.010), tip, "steel", "torch", bevel=0.0),
        Part(link, "cylinder", (0.0012, 0.012), wire, "accent", "torch", bevel=0.0),
    ]


def _towards(start: Array) -> Array:
    """The frame at the origin whose z axis points away from `start`, (4, 4)."""
    z = -start / np.linalg.norm(start)
    x = np.cross([0.0, 1.0, 0.0], z)
    x /= np.linalg.norm(x)
    frame = np.eye(4)
    frame[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    return frame


def workpiece(seam: Array) -> list[Part]:
    """Two plates that meet along the `seam` (k, 3) [m], or one plate below it where it turns back; a table; the joint.

    The plates are flat and lie under the seam's lowest point.
    """
    top = float(seam[:, 2].min())
    flat = seam[:, :2]
    outlines = _beside(flat) or [_below(flat)]
    plates = [_plate(outline, top) for outline in outlines]
    every = np.concatenate(outlines)
    low, high = every.min(axis=0), every.max(axis=0)
    centre, size = 0.5 * (low + high), high - low
    height = max(top - THICKNESS, 0.02)
    column = translation(centre[0], centre[1], 0.5 * (height - THICKNESS))
    board = translation(centre[0], centre[1], height - 0.5 * THICKNESS)
    names = [Part(-1, "tube", (0.0022,), np.eye(4), "dark", "seam", outline=seam)]
    return [
        *plates,
        *names,
        Part(-1, "box", (0.7 * size[0], 0.7 * size[1], THICKNESS), board, "dark", "table", bevel=0.003),
        Part(-1, "cylinder", (0.045, height - THICKNESS), column, "joint", "table", bevel=0.004),
    ]


def _plate(outline: Array, top: float) -> Part:
    centre = outline.mean(axis=0)
    place = translation(centre[0], centre[1], top - 0.5 * THICKNESS)
    return Part(-1, "prism", (THICKNESS,), place, "steel", "workpiece", outline=outline - centre, bevel=0.0015)


def _beside(seam: Array) -> list[Array] | None:
    """The outlines (k, 2) of a plate on either side of the seam, or None where it does not run forward all the way."""
    chord = seam[-1] - seam[0]
    length = float(np.linalg.norm(chord))
    if length < SPARE:
        return None
    ahead = chord / length
    kept = seam[np.concatenate([[True], np.linalg.norm(np.diff(seam, axis=0), axis=1) > 1e-4])]
    if not (np.diff(kept @ ahead) > 0.0).all():
        return None
    left = np.array([-ahead[1], ahead[0]])
    edge = np.vstack([kept[0] - SPARE * ahead, kept, kept[-1] + SPARE * ahead])
    across = edge @ left
    ends = np.array([edge[-1], edge[0]])
    sides = (across.max() + SIDE, across.min() - SIDE)
    far = [ends + np.outer(side - ends @ left, left) for side in sides]
    return [np.vstack([edge, far[0]]), np.vstack([edge, far[1]])[::-1]]


def _below(seam: Array) -> Array:
    """The outline of a rectangle around the seam, (4, 2)."""
    (x0, y0), (x1, y1) = seam.min(axis=0) - SPARE, seam.max(axis=0) + SPARE
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
