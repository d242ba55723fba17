"""Pages: drawings of a given size, for a file or a window."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtGui import QPainter

SMOOTH = QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing


class Page(Protocol):
    """A drawing of `size` (width and height in units of 1/96 inch) that can be painted.

    `outlines` says that its texts do not depend on a font, in formats where they do.
    """

    title: str
    outlines: bool
    size: tuple[float, float]

    def paint(self, painter: QPainter) -> None:
        """Draw all of it."""
        ...
