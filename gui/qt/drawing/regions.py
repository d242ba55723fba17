"""Filled parts of the plane, as far as they are known, and numbers over it, as pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from gui.app.jobs import Jobs
from gui.charts.colours import CATEGORIES
from gui.charts.fit import Range
from gui.qt.drawing.clip import pieces
from gui.qt.drawing.style import Style, pen
from robots.model.chart import Array, ColourField, Corners, FilledRegion

FILL, RIM = 0.24, 0.85
"""Opacity inside, and of the line around."""
RIM_WIDTH = 1.5
"""Of the line around, in units."""

PALETTE = "viridis"
"""Readable in grey and by colour-blind people; van der Walt and Smith (2015)."""

GREYS = 40.0, 235.0
"""The darkest and the lightest grey of a map in black and white."""

PIXELS = 4.0
"""Of the picture of numbers, in each unit of a page."""

Place = Callable[[Array], Array]

HATCH = 0.55
"""How much darker the stripes of a failed run's cell are than its colour; on a dark colour, how much lighter."""

BRIGHTNESS, DIM = np.array([0.2126, 0.7152, 0.0722]), 105.0
"""The shares of red, green and blue in the brightness, and the brightness below which a colour is dark [0 .. 255]."""


UNKNOWN = "Computing…"
"""What stands in place of a region that nobody has computed yet."""


class RegionsAtHand:
    """The regions of charts in the window, as far as they are known: what is missing is computed in another thread.

    Args:
        owner: what draws them: once it is gone nothing is asked for any more.
        jobs: where they are computed.
        changed: is called when more of a region is known.
    """

    def __init__(self, owner: QObject, jobs: Jobs, changed: Callable[[], object]) -> None:
        self._jobs, self._changed = jobs, changed
        self._whole: dict[FilledRegion, FilledRegion] = {}
        self._wide: dict[FilledRegion, FilledRegion] = {}
        asked = self._asked = dict[FilledRegion, Corners]()
        owner.destroyed.connect(lambda *_: asked.clear())

    def keep(self, regions: Sequence[FilledRegion]) -> None:
        """Forget all regions but these."""
        self._whole, self._wide = ({one: d[one] for one in regions if one in d} for d in (self._whole, self._wide))
        for one in [one for one in self._asked if one not in regions]:
            del self._asked[one]

    def over(self, regions: Sequence[FilledRegion], across: Range, up: Range) -> list[FilledRegion]:
        """The regions over what is shown, as far as they are known, in their order; ask for all else of them.

        Args:
            regions: of the chart.
            across, up: what is shown, in positions on the axes.
        """
        return [self._over(index, one, across, up) for index, one in enumerate(regions)]

    def _over(self, index: int, region: FilledRegion, across: Range, up: Range) -> FilledRegion:
        whole = self._whole.get(region, region)
        if whole.whole is not None:
            self._ask(index, region, (whole.left, whole.right, whole.low, whole.high), whole.whole)
            whole = self._whole.get(region, region)
        corners, compute = (None, None) if whole.whole else (whole.lacks(across, up), whole.computed)
        if corners is None or compute is None:
            return whole
        self._ask(index, region, corners, partial(compute, corners))
        # While a person moves the picture, coarser shading is better than none: the finest that is there all over.
        held = {one: one.holds(across, up) for one in (whole, self._wide.get(region, whole))}
        return max(held, key=lambda one: (held[one], (one.left - one.right) * (1.0 if held[one] else -1.0)))

    def _ask(self, index: int, region: FilledRegion, corners: Corners, compute: Callable[[], FilledRegion]) -> None:
        if self._asked.get(region) == corners:
            return
        self._asked[region] = corners

        def have(found: FilledRegion) -> None:
            """It is known over so much of the plane, and somebody still wants that."""
            if self._asked.get(region) == corners:
                unknown = region.whole is not None and region not in self._whole
                (self._whole if unknown else self._wide)[region] = found
                self._changed()

        def lack(_: BaseException) -> None:
            """It could not be computed: it is tried again when the chart is drawn or moved the next time."""
            if self._asked.get(region) == corners:
                del self._asked[region]

        self._jobs.submit(
            lambda _cancel, _progress: compute(),
            key=("region", id(self), index),
            on_done=have,
            on_error=lack,
            lane="background",
        )


def region_pixels(region: FilledRegion, style: Style) -> NDArray[np.uint8]:
    """What fills the region in its colour, (rows, columns, 4) from the top."""
    tint = _tint(region, style)
    pixels = np.empty((*region.cover.shape, 4), dtype=np.uint8)
    pixels[..., :3] = (tint.red(), tint.green(), tint.blue())
    pixels[..., 3] = (255.0 * FILL * region.cover).astype(np.uint8)
    return pixels


def region_pen(region: FilledRegion, style: Style) -> QPen:
    """The pen of the line around the region, with the dash of its run."""
    return pen(_tint(region, style), style.dash(region.colour, region.dash), RIM_WIDTH * style.scale, RIM)


def paint_border(painter: QPainter, region: FilledRegion, right: Place, up: Place, style: Style, frame: QRectF) -> None:
    """Draw what lies in the frame of the region's border; `right` and `up` place values of the axes [px]."""
    painter.setPen(region_pen(region, style))
    x, y = right(region.border[:, 0]), up(region.border[:, 1])
    for line in np.split(np.arange(x.size), np.flatnonzero(np.isnan(x))):
        known = line[np.isfinite(x[line])]
        for piece in pieces(x[known], y[known], frame):
            painter.drawPolyline(QPolygonF(piece))


def _tint(region: FilledRegion, style: Style) -> QColor:
    return style.run_colour(region.colour) if region.colour else style.colour("accent")


@cache
def palette() -> NDArray[np.uint8]:
    """Colours from the smallest number to the largest, (256, 3)."""
    from pyqtgraph import colormap

    found = colormap.get(PALETTE)
    return np.asarray(found.getLookupTable(0.0, 1.0, 256), dtype=np.uint8)[:, :3]


def field_colours(field: ColourField, *, mono: bool) -> NDArray[np.uint8]:
    """The colours from the low end of the bar to the high one, (count, 3); greys if `mono`."""
    names = field.axis.names
    if mono:
        greys = np.linspace(*GREYS, len(names) or 256).round().astype(np.uint8)
        return np.repeat(greys[:, np.newaxis], 3, axis=1)
    if not names:
        return palette()
    colours = [CATEGORIES[k % len(CATEGORIES)] for k in reversed(range(len(names)))]
    return np.array([[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in colours], dtype=np.uint8)


def field_pixels(field: ColourField, columns: int, rows: int, stripe: int, *, mono: bool = False) -> NDArray[np.uint8]:
    """The numbers as colours, (rows, columns, 4) from the top; clear where there is none, hatched where a run failed.

    Args:
        field: the numbers.
        columns, rows: the size of the picture in pixels.
        stripe: the width of a stripe in pixels.
        mono: greys instead of colours.
    """
    high, wide = field.values.shape
    across = np.arange(columns) * wide // columns
    down = high - 1 - np.arange(rows) * high // rows
    colours, known, (low, top) = field_colours(field, mono=mono), np.isfinite(field.places), field.span
    share = np.clip(np.where(known, (field.places - low) / (top - low), 0.0), 0.0, 1.0)
    index = share * len(colours) if field.axis.names else (share * (len(colours) - 1)).round()
    index = np.where(known, index, len(colours)).astype(np.uint16).take(across, 1).take(down, 0)
    # As they are, and the stripes' darker or lighter ones; the last one is clear. A pixel is then one number, which is
    # several times faster.
    table = np.full((2, len(colours) + 1, 4), 255, np.uint8)
    table[0, :-1, :3], table[0, -1] = colours, (*colours[0], 0)
    dim = table[0, :, :3] @ BRIGHTNESS < DIM
    table[1, :, :3] = ((1.0 - HATCH) * table[0, :, :3] + HATCH * 255.0 * dim[:, np.newaxis]).astype(np.uint8)
    plain, stripes = table.view(np.uint32)[..., 0]
    pixels = plain.take(index)
    if field.hatched.any():
        striped = _stripes(field.hatched.take(across, 1).take(down, 0), max(1, stripe))
        pixels = np.where(striped, stripes.take(index), pixels)
    return pixels.view(np.uint8).reshape(rows, columns, 4)


def field_picture(field: ColourField, place: QRectF, style: Style) -> tuple[QRectF, QImage]:
    """The picture of the numbers for a place [px], and the place: a page is laid out in finer units than it needs."""
    fine = max(1.0, style.fine / PIXELS)
    size = max(1, round(place.width() / fine)), max(1, round(place.height() / fine))
    pixels = field_pixels(field, *size, max(2, round(3.0 * style.scale / fine)), mono=style.mono)
    return place, QImage(pixels.data, *size, 4 * size[0], QImage.Format.Format_RGBA8888).copy()


def _stripes(patterns: NDArray[np.int8], stripe: int) -> NDArray[np.bool_]:
    """Which pixels are stripes of the patterns: the ones of `robots.model.chart.HATCHES`, by their numbers."""
    rows, columns = patterns.shape
    level, upright = (np.arange(count) // stripe % 3 == 0 for count in (rows, columns))
    # The diagonals repeat: each row is the one before, moved by a pixel.
    sums, differences = (np.arange(first, first + rows + columns) // stripe % 2 == 0 for first in (0, -columns))
    rising = sliding_window_view(sums, columns)[:rows]
    falling = sliding_window_view(differences, columns)[1 : rows + 1, ::-1]
    crossed = level[:, np.newaxis] | upright
    found = np.zeros(patterns.shape, bool)
    for k, lines in enumerate((rising, falling, level[:, np.newaxis], upright, crossed), start=1):
        found |= (patterns == k) & lines
    return found
