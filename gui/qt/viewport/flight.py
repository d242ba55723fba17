"""Where a 3D view looks from while that is not what its settings say: still under a hand, or on its way."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QVariantAnimation

from scene import camera as cameras
from scene.picture import Camera

FLIGHT_MS = 260
"""How long the camera flies."""


class Flight(QObject):
    """A camera that the settings know nothing of.

    Args:
        parent: the view.
        update: draws it again.

    Attributes:
        camera: where the view looks from; None where its settings say that.
    """

    def __init__(self, parent: QObject, update: Callable[[], None]) -> None:
        super().__init__(parent)
        self.camera: Camera | None = None
        self._update = update
        self._animation: QVariantAnimation | None = None
        self._due = False

    @property
    def under_way(self) -> bool:
        """Whether the camera is flying."""
        return self._animation is not None

    def hold_still(self, camera: Camera) -> None:
        """Stay here, whatever a hand does to the motion: the standard camera would follow that."""
        self.stop()
        self.camera = camera

    def let_go(self) -> None:
        """The hand has let go: the camera returns once the new motion is known."""
        self._due = self.camera is not None and not self.under_way

    @property
    def due(self) -> bool:
        """Whether the camera was held still, and should return."""
        return self._due

    def fly(self, start: Camera, end: Camera, milliseconds: int) -> None:
        """Fly from one camera to another, which keeps a person oriented."""
        self.stop()
        animation = QVariantAnimation(self, duration=milliseconds, startValue=0.0, endValue=1.0)
        self._animation, self.camera = animation, start

        def move(fraction: float) -> None:
            if self._animation is animation:
                self.camera = cameras.flight(start, end, float(fraction))
                self._update()

        animation.valueChanged.connect(move)
        animation.finished.connect(self.stop)
        animation.start()

    def stop(self) -> None:
        """Look from where the settings say."""
        if self.camera is not None:
            animation, self._animation, self.camera, self._due = self._animation, None, None, False
            if animation is not None:
                animation.stop()
                animation.deleteLater()
            self._update()
