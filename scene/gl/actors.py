"""The arms of a picture on the graphics card."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robots.model.shapes import ArmShape, Part, Pose
from scene import camera as cameras
from scene.geometry.arm import VERTEX, bending_mesh
from scene.gl import frame as frames
from scene.gl.buffers import Block, ShapeStore, Vertices
from scene.gl.program import BLOCKS
from scene.picture import Actor, Ellipsoid, Picture

UNIT_SPHERE = ArmShape(("ellipsoid",), (Part(0, "sphere", (1.0,), np.eye(4)),), radius=0.6)


@dataclass(frozen=True, slots=True)
class Drawn:
    """An actor with its vertices.

    Attributes:
        number: its place among the picture's actors; -1 for what cannot be picked.
        tint: linear colour, and how much of it replaces the materials.
        corners: (k, 3) points in the world whose hull contains it [m].
        base_indices: how many of the first indices belong to parts that stand in the world.
    """

    number: int
    actor: Actor
    rigid: Vertices
    bending: Vertices | None
    links: Block
    tint: tuple[float, float, float, float]
    corners: NDArray[np.float64]
    base_indices: int

    def draw(self, base: bool = True) -> None:
        """Draw it with the current program, with or without the parts that stand in the world."""
        self.links.bind()
        self.rigid.draw(skip=0 if base else self.base_indices)
        if self.bending is not None:
            self.bending.draw()


class ActorPool:
    """Keeps meshes on the card from frame to frame."""

    def __init__(self) -> None:
        self._shapes = ShapeStore()
        self._links: list[Block] = []
        self._bending: list[Vertices] = []
        self.drawn: list[Drawn] = []

    def prepare(self, picture: Picture) -> None:
        """Upload what changed since the last frame."""
        actors = [*enumerate(picture.actors), *((-1, _ghost(e)) for e in picture.ellipsoids)]
        eye = cameras.eye(picture.camera)
        self.drawn = [self._prepared(place, number, actor) for place, (number, actor) in enumerate(actors)]
        self._shapes.forget(len({id(drawn.actor.shape) for drawn in self.drawn}))
        self.drawn.sort(key=lambda d: -frames.distance(d.actor.shape, d.actor.pose, eye))

    @property
    def solid(self) -> list[Drawn]:
        """The opaque arms."""
        return [d for d in self.drawn if d.actor.opacity >= 1.0]

    @property
    def casters(self) -> NDArray[np.float64]:
        """Points (k, 3) whose hull contains everything that casts a shadow [m]."""
        return np.concatenate([np.zeros((0, 3)), *(d.corners for d in self.solid)])

    @property
    def corners(self) -> NDArray[np.float64]:
        """Points (k, 3) whose hull contains every arm [m]."""
        return np.concatenate([np.zeros((0, 3)), *(d.corners for d in self.drawn)])

    @property
    def ghosts(self) -> list[Drawn]:
        """The transparent ones, furthest first."""
        return [d for d in self.drawn if 0.0 < d.actor.opacity < 1.0]

    def release(self) -> None:
        """Release everything."""
        for thing in (self._shapes, *self._links, *self._bending):
            thing.release()
        self._links.clear()
        self._bending.clear()

    def _prepared(self, place: int, number: int, actor: Actor) -> Drawn:
        while len(self._links) <= place:
            self._links.append(Block(BLOCKS["LinksBlock"]))
            self._bending.append(Vertices(VERTEX, indexed=True))
        self._links[place].fill(frames.links_block(actor.pose))
        bending = None
        mesh = bending_mesh(actor.shape, actor.pose)
        if mesh is not None:
            bending = self._bending[place]
            bending.fill(mesh.vertices, mesh.indices)
        tint, stored = frames.tint(actor.colour), self._shapes[actor.shape]
        corners = [_carried(points, carrier, actor.pose) for carrier, points in stored.corners]
        if mesh is not None:
            corners.append(mesh.vertices["position"].astype(float))
        hull = np.concatenate(corners) if corners else np.zeros((0, 3))
        return Drawn(number, actor, stored.vertices, bending, self._links[place], tint, hull, stored.base_indices)


def _carried(points: NDArray[np.float64], carrier: int, pose: Pose) -> NDArray[np.float64]:
    """Points (k, 3) of a frame (0 is the world, i + 1 is link i) in the world."""
    if carrier == 0:
        return points
    frame = np.asarray(pose.world_from_link, dtype=float)[carrier - 1]
    return points @ frame[:3, :3].T + frame[:3, 3]


def _ghost(ellipsoid: Ellipsoid) -> Actor:
    pose = Pose(np.asarray(ellipsoid.transform, dtype=float)[None])
    return Actor(UNIT_SPHERE, pose, ellipsoid.colour, min(ellipsoid.opacity, 0.99))
