"""A motion as data: arms as rigid bodies over time, for formats that move meshes themselves.

Meshes are stored once and poses once per instant. What bends is cut into stretched bodies: a spring is one body that is
scaled along its axis, a flexible curve a row of short ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise

import numpy as np

from robots.model.chart import Chart
from robots.model.shapes import ArmShape, Connector, Curve
from scene.geometry.arm import ROUNDNESS, placed_mesh
from scene.geometry.connectors import connector_mesh
from scene.geometry.mesh import Mesh, joined
from scene.geometry.solids import capsule
from scene.picture import Array, Camera, Colour

MOST_PIECES = 48
"""The most straight pieces of a flexible curve."""


@dataclass(frozen=True, slots=True, eq=False)
class MovingArm:
    """One arm over time.

    Attributes:
        name: its name on the screen.
        shape: how it looks.
        frames: world_from_link at every time, (m, links, 4, 4).
        curves: points of its flexible curves at every time, name to (m, k, 3) [m].
        colour: a tint, or None for the theme's materials.
        opacity: below 1 for a ghost.
        line: colour of its trail and of its curves in the chart.
        trail: where its tip is from the first time to the last, evenly spaced, (k, 3) [m]; no rows for none.
        dash: lengths of line and gap of its trail and its curve in the chart, in line widths; empty for a full line.
        errors: start and end of its error arrow at every time, (m, 2, 3) [m], nan where it has none; no rows for none.
    """

    name: str
    shape: ArmShape
    frames: Array
    curves: Mapping[str, Array] = field(default_factory=dict)
    colour: Colour | None = None
    opacity: float = 1.0
    line: Colour = (0.0, 0.45, 0.7)
    trail: Array = field(default_factory=lambda: np.zeros((0, 3)))
    dash: tuple[float, ...] = ()
    errors: Array = field(default_factory=lambda: np.zeros((0, 2, 3)))


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Everything that an exported motion shows.

    Attributes:
        title: for people.
        times: evenly spaced, (m,) [s].
        arms: the first is the current one.
        desired: where the task wants the tip, (k, 3) [m]; no rows for none.
        chart: what is drawn below the arms, its curves coloured as on the theme's ground; None for none.
        theme: name of the palette.
        speed: simulated seconds in a second of playing.
        metadata: texts that travel inside the file.
        camera: where a page looks from at first.
        dashes: lengths of line and gap by the name that the chart's curves give.
        path: the colour of `desired`.
        scales: what stands beside the error arrows from a time on: (index of the time, words), ascending.
    """

    title: str
    times: Array
    arms: tuple[MovingArm, ...]
    desired: Array
    chart: Chart | None
    theme: str = "light"
    speed: float = 1.0
    metadata: Mapping[str, str] = field(default_factory=dict)
    camera: Camera = field(default_factory=Camera)
    dashes: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    path: Colour = (0.3, 0.3, 0.3)
    scales: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class MovingBody:
    """Something rigid, or stretched along its own axes: meshes by material, and (m, 4, 4) placements.

    `link` is the index of the link that it is, -1 for anything else.
    """

    name: str
    meshes: tuple[tuple[str, Mesh], ...]
    placements: Array
    link: int = -1


def bodies(arm: MovingArm) -> list[MovingBody]:
    """The arm's links, springs and pieces of curves."""
    connectors = (_connector(arm, connector) for connector in arm.shape.connectors)
    curves = (_pieces(arm, curve) for curve in arm.shape.curves if curve.name in arm.curves)
    return [*_links(arm), *connectors, *chain.from_iterable(curves)]


def _links(arm: MovingArm) -> list[MovingBody]:
    found = []
    for link, name in [(-1, "world"), *enumerate(arm.shape.links)]:
        meshes: dict[str, list[Mesh]] = {}
        for part in arm.shape.parts:
            if part.link == link:
                meshes.setdefault(part.material, []).append(placed_mesh(arm.shape, part))
        if meshes:
            placements = arm.frames[:, link] if link >= 0 else np.tile(np.eye(4), (len(arm.frames), 1, 1))
            found.append(MovingBody(name, tuple((m, joined(pieces)) for m, pieces in meshes.items()), placements, link))
    return found


def _connector(arm: MovingArm, connector: Connector) -> MovingBody:
    ends = [
        np.tile(np.asarray(point, dtype=float), (len(arm.frames), 1))
        if link < 0
        else _carried(arm.frames[:, link], point)
        for link, point in ((connector.link_a, connector.a), (connector.link_b, connector.b))
    ]
    length = float(np.median(np.linalg.norm(ends[1] - ends[0], axis=1))) or connector.radius
    mesh = connector_mesh(connector.kind, np.zeros(3), np.array([0.0, 0.0, length]), connector.radius, connector.turns)
    return MovingBody(
        connector.name or connector.kind, ((connector.material, mesh),), _stretched(ends[0], ends[1], length)
    )


def _carried(frames: Array, point: Sequence[float]) -> Array:
    return frames[:, :3, :3] @ np.asarray(point, dtype=float) + frames[:, :3, 3]


def _pieces(arm: MovingArm, curve: Curve) -> list[MovingBody]:
    points = arm.curves[curve.name]
    picked = np.unique(np.linspace(0, points.shape[1] - 1, MOST_PIECES + 1).astype(int))
    found = []
    for k, (a, b) in enumerate(pairwise(picked)):
        start, end = points[:, a], points[:, b]
        length = float(np.median(np.linalg.norm(end - start, axis=1)))
        mesh = capsule(curve.radius, length, ROUNDNESS * 3.0).raised(0.5 * length)
        found.append(MovingBody(f"{curve.name} {k + 1}", ((curve.material, mesh),), _stretched(start, end, length)))
    return found


def _stretched(start: Array, end: Array, length: float) -> Array:
    """Placements (m, 4, 4) that carry the z axis from 0 to `length` onto start to end."""
    along = end - start
    reach = np.maximum(np.linalg.norm(along, axis=1), 1e-12)
    z = along / reach[:, None]
    # The helper axis is the one that lies farthest from the mean direction, the same at every instant.
    helper = np.eye(3)[int(np.argmin(np.abs(z).mean(axis=0)))]
    x = np.cross(np.tile(helper, (len(z), 1)), z)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    placements = np.tile(np.eye(4), (len(z), 1, 1))
    placements[:, :3, 0], placements[:, :3, 1] = x, np.cross(z, x)
    placements[:, :3, 2] = z * (reach / length)[:, None]
    placements[:, :3, 3] = start
    return placements
