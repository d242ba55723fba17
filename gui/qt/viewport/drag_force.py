"""Pulling a link with the mouse: the point that it holds, its own position, and the spring between them."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint

from gui.qt.viewport.scene_view import SceneView
from scene import camera as cameras
from scene.picture import Actor, Dots, Picture, Ribbon

Array = NDArray[np.float64]
COLOUR = (0.90, 0.62, 0.0)
INTERVAL = 0.03
"""The shortest time between two updates of the run [s]."""


@dataclass(frozen=True, slots=True, eq=False)
class _Grip:
    """The pull: the link, the point in its frame (3,) [m], and the mouse in the world (3,) [m]."""

    link: int
    point: Array
    target: Array


class DragForceTool:
    """Pulls a link of the current run's arm towards the mouse with a spring."""

    def __init__(self, view: SceneView) -> None:
        self._view = view
        self._grip: _Grip | None = None
        self._sent = 0.0

    @property
    def holds(self) -> bool:
        """Whether a link is held."""
        return self._grip is not None

    def take(self, link: int, at: QPoint) -> None:
        """Take hold of a link at the point of it that lies under the mouse; play begins."""
        actor = self._view.picture().actors[0]
        held = held_point(actor, link, *self._ray(at))
        frame = actor.pose.world_from_link[link]
        point = frame[:3, :3].T @ (held - frame[:3, 3])
        if self._view.session.drag_force.begin(link, point.tolist(), held.tolist()):
            self._grip = _Grip(link, point, held)
            # The standard camera would follow the motion that is being changed.
            self._view.set_camera(self._view.camera())

    def move(self, at: QPoint) -> None:
        """Move the mouse's point on the plane parallel to the screen."""
        if self._grip is not None:
            view = self._view
            target = cameras.on_screen_plane(view.camera(), view.extent(), at.x(), at.y(), self._grip.target)
            self._grip = replace(self._grip, target=target)
            view.update()

    def follow(self) -> None:
        """Give the session the mouse's position; called as the playhead moves."""
        session = self._view.session
        if self._grip is None:
            return
        if not session.drag_force.active:
            self._grip = None
            return
        now = time.perf_counter()
        if now - self._sent >= INTERVAL:
            self._sent = now
            session.drag_force.move(self._grip.target.tolist())

    def let_go(self) -> None:
        """Let the link go, after giving the session the mouse's last position."""
        grip, self._grip = self._grip, None
        if grip is not None:
            self._view.session.drag_force.move(grip.target.tolist())
        self._view.session.drag_force.end()
        self._view.update()

    def drawn(self, picture: Picture) -> Picture:
        """The picture with the spring in it."""
        grip = self._grip
        if grip is None or not picture.actors or grip.link >= len(picture.actors[0].pose.world_from_link):
            return picture
        frame = picture.actors[0].pose.world_from_link[grip.link]
        points = np.array([frame[:3, :3] @ grip.point + frame[:3, 3], grip.target])
        spring = Ribbon(points, COLOUR, 3.0, dash=True)
        return replace(picture, ribbons=(*picture.ribbons, spring), dots=(*picture.dots, Dots(points, COLOUR, 9.0)))

    def _ray(self, at: QPoint) -> tuple[Array, Array]:
        return cameras.ray(self._view.camera(), self._view.extent(), at.x(), at.y())


def held_point(actor: Actor, link: int, origin: Array, direction: Array) -> Array:
    """The point (3,) of the link's middle line that is nearest to the line of sight [m].

    The middle line leads from the link's frame to the next link's, or to the tip.
    """
    frames = actor.pose.world_from_link
    start = frames[link][:3, 3]
    tip = actor.shape.tip
    if tip is not None and tip[0] == link:
        end = frames[link][:3, :3] @ np.asarray(tip[1]) + start
    else:
        end = frames[link + 1][:3, 3] if link + 1 < len(frames) else start
    along, between = end - start, start - origin
    length, cross = along @ along, along @ direction
    slope = length - cross * cross
    if slope < 1e-12:
        return start
    part = (cross * (direction @ between) - along @ between) / slope
    return start + min(max(part, 0.0), 1.0) * along
