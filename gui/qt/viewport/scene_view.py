"""What the tools of the 3D view need from it."""

from __future__ import annotations

from typing import Protocol

from gui.app.session.session import Session
from scene.picture import Camera, Picture


class SceneView(Protocol):
    """A widget that draws the session's runs from a camera."""

    session: Session

    def extent(self) -> tuple[float, float]:
        """Width and height [px]."""
        ...

    def camera(self) -> Camera:
        """The current camera."""
        ...

    def set_camera(self, camera: Camera) -> None:
        """Use this camera."""
        ...

    def picture(self) -> Picture:
        """The current picture."""
        ...

    def update(self) -> None:
        """Draw again soon."""
        ...
