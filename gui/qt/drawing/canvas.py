"""The canvas that a frame is painted on, and everything a layout needs to know before the first frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage, QPainter

from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.qt.drawing.style import Style

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class FramePlan:
    """What all frames share.

    Attributes:
        size: width and height of the frame [px].
        rows: the runs that are shown, the current one first.
        view: which plots, in degrees or radians, and whether a small one is pinned in a scene that stands alone.
        span: first and last time that the file shows [s].
        style: colours, fonts and scale.
        title: the heading, or None for a picture without any text.
        speed: simulated seconds per second of film; 0 for a still.
        transparent: whether the background stays clear.
    """

    size: tuple[int, int]
    rows: Sequence[RunRow]
    view: ViewSettings
    span: tuple[float, float]
    style: Style
    title: str | None
    speed: float = 1.0
    transparent: bool = False


class Canvas:
    """An RGBA picture that numpy and QPainter both write to."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.image = QImage(*size, QImage.Format.Format_RGBA8888)
        self.image.fill(0)
        self.pixels: Pixels = np.frombuffer(self.image.bits(), np.uint8).reshape(size[1], size[0], 4)

    def painter(self) -> QPainter:
        """A painter with smooth lines; call its `end()`."""
        painter = QPainter(self.image)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        return painter
