"""Filled parts of the plane, and numbers over it, as pictures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gui.qt.drawing.style import Style
from robots.model.chart import ColourField, FilledRegion

FILL, RIM = 0.24, 0.85
"""Opacity inside, and of the line around."""

PALETTE = "viridis"
"""Readable in grey and by colour-blind people; van der Walt and Smith (2015)."""
HATCH = 0.45
"""How much darker the stripes of a cell are whose run failed."""


def region_pixels(region: FilledRegion, style: Style) -> NDArray[np.uint8]:
    """The region in its colour, (rows, columns, 4) from the top."""
    tint = style.run_colour(region.colour) if region.colour else style.colour("accent")
    pixels = np.empty((*region.cover.shape, 4), dtype=np.uint8)
    pixels[..., :3] = (tint.red(), tint.green(), tint.blue())
    rim = 4.0 * region.cover * (1.0 - region.cover)
    pixels[..., 3] = (255.0 * np.maximum(FILL * region.cover, RIM * rim)).astype(np.uint8)
    return pixels


def palette(count: int = 256) -> NDArray[np.uint8]:
    """Colours from the smallest number to the largest, (count, 3)."""
    from pyqtgraph import colormap

    found = colormap.get(PALETTE)
    return np.asarray(found.getLookupTable(0.0, 1.0, count), dtype=np.uint8)[:, :3]


def field_pixels(field: ColourField, columns: int, rows: int, stripe: int) -> NDArray[np.uint8]:
    """The numbers as colours, (rows, columns, 4) from the top; clear where there is none, striped where a run failed.

    Args:
        field: the numbers.
        columns, rows: the size of the picture in pixels.
        stripe: the width of a stripe in pixels.
    """
    high, wide = field.values.shape
    across = np.arange(columns) * wide // columns
    down = high - 1 - np.arange(rows) * high // rows
    places = field.axis.place(field.values)
    low, top = field.span
    known = np.isfinite(places)
    index = (np.where(known, (places - low) / (top - low), 0.0) * 255.0).round().astype(int)
    cells = np.zeros((high, wide, 4), dtype=np.uint8)
    cells[..., :3] = palette()[index]
    cells[..., 3] = np.where(known, 255, 0)
    pixels = np.ascontiguousarray(cells[np.ix_(down, across)])
    diagonal = (np.arange(rows)[:, None] + np.arange(columns)[None, :]) // max(1, stripe) % 2 == 0
    striped = field.failed[np.ix_(down, across)] & diagonal
    pixels[striped, :3] = ((1.0 - HATCH) * pixels[striped, :3]).astype(np.uint8)
    pixels[striped, 3] = 255
    return pixels
