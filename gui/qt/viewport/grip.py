"""The grip that all mouse tools share: what is held, and where the mouse wants it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint

from gui.app.session.session import Session
from gui.compose.kinematics import corners, kinematics_of
from gui.compose.overlay import shown_rows
from gui.qt.viewport.scene_view import SceneView
from robots.model.shapes import Pose
from scene import camera as cameras
from scene.picture import DASHED, Actor, Dots, Picture, Ribbon

Array = NDArray[np.float64]
INTERVAL = 0.03
"""The shortest time between two updates of what a grip changes [s]."""

REACH = 30.0
"""A press that means to take hold finds a link whose middle line is within this distance [px]: an arm that moves has
left the place at which a hand aims."""

MOMENTS = 40
"""Of a run, for where a link comes to."""

ALONG = 9
"""Points of a link that show whether something lies over it."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Grip:
    """What is held.

    Attributes:
        number: of the link or the handle.
        target: where the mouse wants it, (3,) [m].
        sent: when the target was last used [s].
    """

    number: int
    target: Array
    sent: float = 0.0

    def moved(self, view: SceneView, at: QPoint) -> Self:
        """The grip after the mouse moved on the plane parallel to the screen."""
        return replace(self, target=cameras.on_screen_plane(view.camera(), view.extent(), at.x(), at.y(), self.target))

    def followed(self, view: SceneView, at: QPoint, use: Callable[[Self], None]) -> Self:
        """The grip after the mouse moved; `use` gets it if `INTERVAL` has passed since the last time."""
        grip = self.moved(view, at).used(use)
        view.update()
        return grip

    def used(self, use: Callable[[Self], None]) -> Self:
        """The grip after `use` got it, if `INTERVAL` has passed since the last time; else the grip."""
        now = time.perf_counter()
        if now - self.sent < INTERVAL:
            return self
        grip = replace(self, sent=now)
        use(grip)
        return grip


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LinkGrip(Grip):
    """A held link.

    Attributes:
        point: the held point in the link's frame, (3,) [m].
    """

    point: Array

    @classmethod
    def at(cls, view: SceneView, link: int, at: QPoint) -> LinkGrip:
        """A grip on the point of the current run's link that lies under the mouse."""
        actor = view.picture().actors[0]
        held = held_point(actor, link, *cameras.ray(view.camera(), view.extent(), at.x(), at.y()))
        frame = actor.pose.world_from_link[link]
        return cls(number=link, point=frame[:3, :3].T @ (held - frame[:3, 3]), target=held)

    def drawn(self, picture: Picture, pose: Pose, colour: tuple[float, float, float], width: float) -> Picture:
        """The picture with a dashed line from the held point of the posed arm to the mouse's point."""
        frame = pose.world_from_link[self.number]
        points = np.array([frame[:3, :3] @ self.point + frame[:3, 3], self.target])
        line = Ribbon(points, colour, width, dash=DASHED)
        return replace(picture, ribbons=(*picture.ribbons, line), dots=(*picture.dots, Dots(points, colour, 9.0)))


def shows_current(session: Session) -> bool:
    """Whether the first arm in the picture is that of the current run."""
    shown = shown_rows(session.runs.all, session.view.settings)
    return bool(shown) and shown[0] is session.runs.current


def link_near(view: SceneView, at: QPoint) -> int | None:
    """The current arm's link whose middle line is nearest to the mouse on the screen, if it is within `REACH`."""
    actors = view.picture().actors if shows_current(view.session) else ()
    if not actors or not len(actors[0].pose.world_from_link):
        return None
    actor, count = actors[0], len(actors[0].pose.world_from_link)
    ends = np.concatenate([middle_line(actor, link) for link in range(count)])
    seen = cameras.project(view.camera(), view.extent(), ends).reshape(count, 2, 3)
    start, along = seen[:, 0, :2], seen[:, 1, :2] - seen[:, 0, :2]
    away = np.array([at.x(), at.y()]) - start
    part = np.clip((away * along).sum(axis=1) / np.maximum((along * along).sum(axis=1), 1e-12), 0.0, 1.0)
    apart = np.hypot(*(away - part[:, None] * along).T)
    nearest = int(np.argmin(np.where((seen[:, :, 2] > 0.0).all(axis=1), apart, np.inf)))
    return nearest if apart[nearest] <= REACH else None


def way_of(view: SceneView, links: Sequence[int] | None = None) -> Array:
    """Points (k, 2) along the middle of links of the current arm through its whole run, on the screen [px].

    Without a choice of `links` those of all, and the outermost points of the whole arm with its base.
    """
    run, playback = view.session.runs.current.run, view.session.playback
    actors = view.picture().actors if shows_current(view.session) else ()
    if run is None or not actors:
        return np.empty((0, 2))
    there = range(len(actors[0].pose.world_from_link))
    chosen = [link for link in there if links is None or link in links]
    times = np.linspace(playback.start, playback.end, MOMENTS)
    posed = [replace(actors[0], pose=run.pose(t)) for t in times.tolist()]
    ends = np.array([middle_line(actor, link) for actor in posed for link in chosen]).reshape(-1, 2, 3)
    outermost = kinematics_of(run).room if links is None else np.empty((0, 3))
    points = np.concatenate([np.linspace(ends[:, 0], ends[:, 1], ALONG).reshape(-1, 3), outermost])
    return cameras.project(view.camera(), view.extent(), points)[:, :2]


def ways_of(view: SceneView, link: int | None) -> tuple[Array, Array]:
    """Points (k, 2) to which a link comes, and of the whole arm as it stands, with its base, on the screen [px]."""
    actors = view.picture().actors if link is not None and shows_current(view.session) else ()
    outline = corners(actors[0].shape, [actors[0].pose]) if actors else np.empty((0, 3))
    standing = cameras.project(view.camera(), view.extent(), outline)[:, :2]
    return way_of(view, () if link is None else (link,)), standing


def middle_line(actor: Actor, link: int) -> Array:
    """The ends (2, 3) of the line from the link's frame to the tip or to that of a link that it carries [m]."""
    frames = actor.pose.world_from_link
    start = frames[link][:3, 3]
    tip = actor.shape.tip
    if tip is not None and tip[0] == link:
        return np.array([start, frames[link][:3, :3] @ np.asarray(tip[1]) + start])
    child = actor.shape.carried(link)
    return np.array([start, start if child is None else frames[child][:3, 3]])


def held_point(actor: Actor, link: int, origin: Array, direction: Array) -> Array:
    """The point (3,) of the link's middle line that is nearest to the line of sight [m]."""
    start, end = middle_line(actor, link)
    along, between = end - start, start - origin
    length, cross = along @ along, along @ direction
    slope = length - cross * cross
    if slope < 1e-12:
        return start
    part = (cross * (direction @ between) - along @ between) / slope
    return start + min(max(part, 0.0), 1.0) * along
