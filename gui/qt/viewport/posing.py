"""Posing the arm: a point of a link follows the mouse, and the scenario begins in the posture that brings it there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, QPoint, QTimer

from assets.errors import ArmstepError
from gui.qt.viewport.grip import ALONG, LinkGrip, middle_line, shows_current
from gui.qt.viewport.scene_view import SceneView
from robots.model.registry import robot_of
from robots.model.shapes import Pose
from robots.scenario.posing import first_state, posed, posture
from robots.scenario.scenario import Scenario
from scene import camera as cameras
from scene.picture import Picture

COLOUR = (0.20, 0.55, 0.95)

AGAIN_MS = 40
"""The time between two rounds under a mouse that lies still [ms]."""

STILL = 2e-4
"""An arm whose joints all move by less in a round has arrived [rad or m]."""


class PosingTool:
    """Moves the first posture of the edited scenario; one drag is one undo step.

    What is held is what is seen: the posture at the playhead becomes the first one as soon as the mouse moves.
    """

    def __init__(self, view: SceneView, parent: QObject) -> None:
        self._view = view
        self._grip: LinkGrip | None = None
        self._seen: Scenario | None = None
        self._unseen = False
        self._known: tuple[Scenario, Pose] | None = None
        self._again = QTimer(parent, singleShot=True, interval=AGAIN_MS)
        self._again.timeout.connect(self._go_on)

    @property
    def holds(self) -> bool:
        """Whether a link is held."""
        return self._grip is not None

    def take(self, link: int, at: QPoint) -> None:
        """Take hold of a link at the point of it that lies under the mouse; nothing moves yet."""
        session = self._view.session
        run, t = session.runs.current.run, session.playback.t
        assert run is not None
        try:
            seen = session.scenario.with_values(posture(run.scenario, run.sample(np.array([t]))[0]))
        except ArmstepError as refusal:
            session.messages.say(str(refusal))
            return
        session.playback.pause()
        self._unseen = False
        self._grip, self._seen = LinkGrip.at(self._view, link, at), seen
        self._view.hold_still()
        session.begin_gesture()

    def move(self, at: QPoint) -> None:
        """Let the held point come under the mouse; the run goes back to its beginning."""
        if self._grip is not None:
            self._view.session.playback.seek(0.0)
            self._grip = self._grip.followed(self._view, at, self._pose)
            self._again.start()

    def let_go(self) -> None:
        """Leave the arm where it is, and bring it out from behind what grew over it under the hand."""
        if self._grip is not None:
            if self._seen is None:
                self._pose(self._grip)
            self._grip = self._seen = None
            self._again.stop()
            self._view.flight.let_go()
            self._view.session.end_gesture()
            self._unseen = True
            self.follow()
            self._view.update()

    def follow(self) -> None:
        """Once the motion from the new posture is known, show it clear of legend and cards that lie over the arm.

        The standard camera does so by itself; only one that a hand has turned has to be fitted.
        """
        row = self._view.session.runs.current
        ready = row.state == "done" and not row.outdated and shows_current(self._view.session)
        if self._unseen and self._grip is None and ready:
            self._unseen = False
            if self._view.session.view.settings.camera is None:
                return
            arm = self._view.picture().actors[0]
            lines = [middle_line(arm, link) for link in range(len(arm.pose.world_from_link))]
            if self._view.covers(np.concatenate([np.linspace(*ends, ALONG) for ends in lines])):
                self._view.fit()

    def drawn(self, picture: Picture) -> Picture:
        """The picture with the arm in the posture in which the scenario begins, and the mouse's point."""
        grip = self._grip
        if grip is None or not picture.actors:
            return picture
        pose = picture.actors[0].pose if self._seen is not None else self._first_pose()
        return grip.drawn(
            replace(picture, actors=(replace(picture.actors[0], pose=pose), *picture.actors[1:])), pose, COLOUR, 2.0
        )

    def _pose(self, grip: LinkGrip) -> None:
        session = self._view.session
        start, self._seen = self._seen or session.scenario, None
        eye = cameras.seen_from(self._view.camera(), grip.target)
        session.edit_many(posed(start, grip.number, grip.point, grip.target, eye), text="pose")

    def _go_on(self) -> None:
        """The mouse lies still: the arm goes on until the held point is under it, or as near as it can be."""
        before = self._view.session.scenario.initial
        if self._grip is not None:
            self._pose(self._grip)
            after = self._view.session.scenario.initial
            if any(abs((after[name] or 0.0) - (before[name] or 0.0)) > STILL for name in after):
                self._again.start()
            self._view.update()

    def _first_pose(self) -> Pose:
        scenario = self._view.session.scenario
        if self._known is None or self._known[0] is not scenario:
            self._known = scenario, robot_of(scenario).pose(scenario, 0.0, first_state(scenario))
        return self._known[1]
