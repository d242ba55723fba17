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
CATEGORIES = ("#56B4E9", "#D55E00", "#E69F00", "#CC79A7", "#009E73", "#0072B2", "#F0E442", "#999999")
"""Okabe and Ito's colours for things without an order."""

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


def field_colours(field: ColourField) -> NDArray[np.uint8]:
    """The colours from the low end of the bar to the high one, (count, 3)."""
    if not field.axis.names:
        return palette()
    colours = [CATEGORIES[k % len(CATEGORIES)] for k in reversed(range(len(field.axis.names)))]
    return np.array([[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in colours], dtype=np.uint8)


def field_pixels(field: ColourField, columns: int, rows: int, stripe: int) -> NDArray[np.uint8]:
    """The numbers as colours, (rows, columns, 4) from the top; clear where there is none, hatched where a run failed.

    Args:
        field: the numbers.
        columns, rows: the size of the picture in pixels.
        stripe: the width of a stripe in pixels.
    """
    high, wide = field.values.shape
    across = np.arange(columns) * wide // columns
    down = high - 1 - np.arange(rows) * high // rows
    places, colours = field.axis.place(field.values), field_colours(field)
    low, top = field.span
    known = np.isfinite(places)
    share = np.clip(np.where(known, (places - low) / (top - low), 0.0), 0.0, 1.0)
    index = (share * len(colours)).astype(int) if field.axis.names else (share * (len(colours) - 1)).round().astype(int)
    cells = np.zeros((high, wide, 4), dtype=np.uint8)
    cells[..., :3] = colours[index]
    cells[..., 3] = np.where(known, 255, 0)
    pixels = np.ascontiguousarray(cells[np.ix_(down, across)])
    striped = _stripes(field.hatched[np.ix_(down, across)], max(1, stripe))
    pixels[striped, :3] = ((1.0 - HATCH) * pixels[striped, :3]).astype(np.uint8)
    pixels[striped, 3] = 255
    return pixels


def _stripes(patterns: NDArray[np.int_], stripe: int) -> NDArray[np.bool_]:
    """Which pixels the patterns darken: the ones of `robots.model.chart.HATCHES`, by their numbers."""
    down, across = (np.arange(count) for count in patterns.shape)
    rows, columns = down[:, np.newaxis], across[np.newaxis, :]
    level, upright = rows // stripe % 3 == 0, columns // stripe % 3 == 0
    rising, falling = (rows + columns) // stripe % 2 == 0, (rows - columns) // stripe % 2 == 0
    found = np.zeros(patterns.shape, bool)
    for k, lines in enumerate((rising, falling, level, upright, level | upright), start=1):
        found |= (patterns == k) & lines
    return found
