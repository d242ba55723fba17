"""What the tools of the 3D view need from it."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gui.app.session.session import Session
from gui.qt.viewport.flight import Flight
from scene.picture import Camera, Picture


class SceneView(Protocol):
    """A widget that draws the session's runs from a camera."""

    session: Session
    flight: Flight

    def extent(self) -> tuple[float, float]:
        """Width and height [px]."""
        ...

    def camera(self) -> Camera:
        """The current camera."""
        ...

    def set_camera(self, camera: Camera) -> None:
        """Use this camera."""
        ...

    def hold_still(self) -> None:
        """Keep the camera where it is until `flight.let_go`."""
        ...

    def fit(self) -> None:
        """Show the whole motion, clear of what lies over it."""
        ...

    def covers(self, points: NDArray[np.float64]) -> bool:
        """Whether something lies over any of some points (k, 3) [m]."""
        ...

    def picture(self) -> Picture:
        """The current picture."""
        ...

    def update(self) -> None:
        """Draw again soon."""
        ...
