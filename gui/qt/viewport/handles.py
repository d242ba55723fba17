"""Points of the task (way-points) as dots in the 3D view that the mouse can drag."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint

from gui.compose.overlay import GLOW
from gui.qt.viewport.grip import Grip
from gui.qt.viewport.scene_view import SceneView
from robots.model.registry import robot_of
from robots.model.robot import Robot
from scene import camera as cameras
from scene.picture import DASHED, Dots, Picture, Ribbon

if TYPE_CHECKING:
    from robots.scenario.scenario import Scenario

Array = NDArray[np.float64]
REACH = 14.0
"""A press takes hold of a handle within this distance [px]."""

LONGER, WAY_POINTS = 6.0, 400
"""A path that the run does not complete is drawn up to this many times its duration, through this many points."""


class Handles:
    """The handles of the edited scenario; one drag is one undo step."""

    def __init__(self, view: SceneView) -> None:
        self._view = view
        self._known: tuple[Scenario, Array | None, Array] | None = None
        self._grip: Grip | None = None
        self.under: int | None = None

    @property
    def holds(self) -> bool:
        """Whether a handle is held."""
        return self._grip is not None

    def places(self) -> Array | None:
        """The handles' positions, (k, 3) [m]; None for a task without any."""
        scenario, run = self._view.session.scenario, self._view.session.runs.current.run
        if type(self._robot()).handles is Robot.handles:
            return None
        if run is None or not run.scenario.same_robot(scenario):
            return None  # asking for the path would compile the robot's kernels here, where the window waits
        if self._known is None or self._known[0] is not scenario:
            places = self._robot().handles(scenario)
            self._known = scenario, places, np.zeros((0, 3)) if places is None else self._way_on(scenario)
        return self._known[1]

    def _way_on(self, scenario: Scenario) -> Array:
        """The path beyond the run's end, (k, 3) [m]."""
        times = scenario.duration * np.linspace(1.0, LONGER, WAY_POINTS)
        path = self._robot().desired_path(scenario, times)
        return np.zeros((0, 3)) if path is None or np.ptp(path, axis=0).max() < 1e-9 else path

    def at(self, mouse: QPoint) -> int | None:
        """The handle under the mouse."""
        places = self.places()
        if places is None or not self._view.session.view.settings.desired_path:
            return None
        seen = cameras.project(self._view.camera(), self._view.extent(), places)
        apart = np.hypot(seen[:, 0] - mouse.x(), seen[:, 1] - mouse.y())
        nearest = int(np.argmin(np.where(seen[:, 2] > 0.0, apart, np.inf)))
        return nearest if apart[nearest] <= REACH else None

    def hover(self, mouse: QPoint) -> bool:
        """Light up the handle under the mouse; whether there is one."""
        under = self.at(mouse)
        if under != self.under:
            self.under = under
            self._view.update()
        return under is not None

    def take(self, mouse: QPoint) -> bool:
        """Take hold of the handle under the mouse, if there is one."""
        found, places = self.at(mouse), self.places()
        if found is None or places is None:
            return False
        self.under, self._grip = found, Grip(number=found, target=places[found])
        self._view.hold_still()
        self._view.session.begin_gesture()
        return True

    def move(self, mouse: QPoint) -> None:
        """Move the held handle on the plane parallel to the screen."""
        if self._grip is not None:
            self._grip = self._grip.followed(self._view, mouse, self._send)

    def let_go(self) -> None:
        """Leave the handle where it is."""
        if self._grip is not None:
            self._send(self._grip)
        self._grip = None
        self._view.flight.let_go()
        self._view.session.end_gesture()
        self._view.update()

    def drawn(self, picture: Picture) -> Picture:
        """The picture with the handles in it."""
        places = self.places()
        if places is None or self._known is None or not self._view.session.view.settings.desired_path:
            return picture
        way_on = self._known[2]
        if self._grip is not None and self._grip.number < len(places):
            places = places.copy()
            places[self._grip.number] = self._grip.target
        colour = GLOW.get(picture.theme, GLOW["light"])
        dots = [Dots(places, colour, 13.0), Dots(places, (1.0, 1.0, 1.0), 7.0)]
        marked = self.under if self._grip is None else self._grip.number
        if marked is not None and marked < len(places):
            dots.append(Dots(places[marked][None, :], colour, 19.0))
        lines = [Ribbon(way_on, colour, 1.6, dash=DASHED)] if len(way_on) else []
        return replace(picture, dots=(*picture.dots, *dots), ribbons=(*picture.ribbons, *lines))

    def _send(self, grip: Grip) -> None:
        session = self._view.session
        session.edit_many(self._robot().drag(session.scenario, grip.number, grip.target))

    def _robot(self) -> Robot:
        return robot_of(self._view.session.scenario)
