"""Pulling a link with the mouse: the point that it holds, its own position, and the spring between them."""

from __future__ import annotations

from PySide6.QtCore import QPoint

from gui.compose.overlay import AMBER
from gui.qt.viewport.grip import LinkGrip
from gui.qt.viewport.scene_view import SceneView
from scene.picture import Picture


class DragForceTool:
    """Pulls a link of the current run's arm towards the mouse with a spring."""

    def __init__(self, view: SceneView) -> None:
        self._view = view
        self._grip: LinkGrip | None = None

    @property
    def holds(self) -> bool:
        """Whether a link is held."""
        return self._grip is not None

    def take(self, link: int, at: QPoint) -> None:
        """Take hold of a link at the point of it that lies under the mouse; play begins."""
        grip = LinkGrip.at(self._view, link, at)
        if self._view.session.drag_force.begin(link, grip.point.tolist(), grip.target.tolist()):
            self._grip = grip
            self._view.hold_still()

    def move(self, at: QPoint) -> None:
        """Move the mouse's point on the plane parallel to the screen."""
        if self._grip is not None:
            self._grip = self._grip.moved(self._view, at)
            self._view.update()

    def follow(self) -> None:
        """Give the session the mouse's position; called as the playhead moves."""
        session = self._view.session
        if self._grip is None:
            return
        if not session.drag_force.active:
            self._grip = None
            self._view.flight.let_go()
            return
        self._grip = self._grip.used(lambda grip: session.drag_force.move(grip.target.tolist()))

    def let_go(self) -> None:
        """Let the link go, after giving the session the mouse's last position."""
        grip, self._grip = self._grip, None
        if grip is not None:
            self._view.session.drag_force.move(grip.target.tolist())
        self._view.flight.let_go()
        self._view.session.drag_force.end()
        self._view.update()

    def drawn(self, picture: Picture) -> Picture:
        """The picture with the spring in it."""
        grip = self._grip
        if grip is None or not picture.actors or grip.number >= len(picture.actors[0].pose.world_from_link):
            return picture
        return grip.drawn(picture, picture.actors[0].pose, AMBER, 3.0)
