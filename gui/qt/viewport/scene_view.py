"""What the tools of the 3D view need of it."""

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
        """Where it looks from now."""
        ...

    def set_camera(self, camera: Camera) -> None:
        """Look from there."""
        ...

    def picture(self) -> Picture:
        """What it shows now."""
        ...

    def update(self) -> None:
        """Draw again soon."""
        ...
