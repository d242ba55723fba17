"""A filled part of the plane as a picture with a line around it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gui.qt.drawing.style import Style
from robots.model.chart import FilledRegion

FILL, RIM = 0.24, 0.85
"""Opacity inside, and of the line around."""


def region_pixels(region: FilledRegion, style: Style) -> NDArray[np.uint8]:
    """The region in its colour, (rows, columns, 4) from the top."""
    tint = style.run_colour(region.colour) if region.colour else style.colour("accent")
    pixels = np.empty((*region.cover.shape, 4), dtype=np.uint8)
    pixels[..., :3] = (tint.red(), tint.green(), tint.blue())
    rim = 4.0 * region.cover * (1.0 - region.cover)
    pixels[..., 3] = (255.0 * np.maximum(FILL * region.cover, RIM * rim)).astype(np.uint8)
    return pixels
