"""Posing the arm: a point of a link follows the mouse, and the scenario begins in the posture that brings it there."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint

from assets.errors import ArmstepError
from gui.qt.viewport.grip import LinkGrip
from gui.qt.viewport.scene_view import SceneView
from robots.model.registry import robot_of
from robots.model.shapes import Pose
from robots.scenario.posing import first_state, posed
from robots.scenario.scenario import Scenario
from scene.picture import Picture

COLOUR = (0.20, 0.55, 0.95)


class PosingTool:
    """Moves the first posture of the edited scenario; one drag is one undo step."""

    def __init__(self, view: SceneView) -> None:
        self._view = view
        self._grip: LinkGrip | None = None
        self._known: tuple[Scenario, Pose] | None = None

    @property
    def holds(self) -> bool:
        """Whether a link is held."""
        return self._grip is not None

    def take(self, link: int, at: QPoint) -> None:
        """Take hold of a link at the point of it that lies under the mouse; the run goes back to its beginning."""
        session = self._view.session
        session.playback.pause()
        session.playback.seek(0.0)
        grip = LinkGrip.at(self._view, link, at)
        try:
            posed(session.scenario, link, grip.point, grip.target)
        except ArmstepError as refusal:
            session.messages.say(str(refusal))
            return
        # The standard camera would follow the motion that is being changed.
        self._view.set_camera(self._view.camera())
        self._grip = grip
        session.begin_gesture()

    def move(self, at: QPoint) -> None:
        """Move the held point on the plane parallel to the screen."""
        if self._grip is not None:
            self._grip = self._grip.followed(self._view, at, self._pose)

    def let_go(self) -> None:
        """Leave the arm where it is."""
        if self._grip is not None:
            self._pose(self._grip)
            self._grip = None
            self._view.session.end_gesture()
            self._view.update()

    def drawn(self, picture: Picture) -> Picture:
        """The picture with the arm in the posture in which the scenario begins, and the mouse's point."""
        grip = self._grip
        if grip is None or not picture.actors:
            return picture
        pose = self._first_pose()
        return grip.drawn(
            replace(picture, actors=(replace(picture.actors[0], pose=pose), *picture.actors[1:])), pose, COLOUR, 2.0
        )

    def _pose(self, grip: LinkGrip) -> None:
        session = self._view.session
        session.edit_many(posed(session.scenario, grip.number, grip.point, grip.target), text="pose")

    def _first_pose(self) -> Pose:
        scenario = self._view.session.scenario
        if self._known is None or self._known[0] is not scenario:
            self._known = scenario, robot_of(scenario).pose(scenario, 0.0, first_state(scenario))
        return self._known[1]
