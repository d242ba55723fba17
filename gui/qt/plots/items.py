"""The items that draw the curves of a plot in the window."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from gui.qt.drawing.marks import LINES
from gui.qt.drawing.style import Style, as_wide_on_screen, strokes
from robots.model.chart import Array, Chart, Curve

ANTIALIAS_LIMIT = 40_000
"""Below so many points of all curves of a plot their edges are smooth; a pixel column of a line has up to four."""

SYMBOLS = {"circle": "o", "square": "s", "triangle": "t1", "diamond": "d", "wedge": "t", "cross": "x"}
SYMBOLS |= {"left": "t3", "right": "t2", "dot": "o"}


class LineItem(pg.PlotCurveItem):
    """A line, whose dashes are left out where it is too dense a zigzag on the screen for them.

    Attributes:
        taken: how many steps the run had made at each of its points, (n,), nan for unknown.
    """

    taken: Array | None = None

    def paint(self, painter: QPainter, *args: object) -> None:
        (x, y), made = self.getData(), self.opts["pen"]
        if x is None or y is None or made is None or made.style() in (Qt.PenStyle.SolidLine, Qt.PenStyle.NoPen):
            super().paint(painter, *args)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, self.opts["antialias"])
        shown = self.sceneTransform()
        for part, stroke in strokes(x * shown.m11(), y * shown.m22(), made, self.taken):
            painter.setPen(stroke)
            painter.drawPath(pg.arrayToQPath(x[part], y[part], connect="finite"))


def pen_of(curve: Curve, style: Style) -> QPen:
    """A curve's pen, as wide on the screen at every zoom."""
    return as_wide_on_screen(style.curve_pen(curve))


def kinds_of(chart: Chart) -> list[tuple[int, type[pg.GraphicsObject]]]:
    """The items that draw the chart's curves: their numbers in the chart, with a kind of item."""
    made: list[tuple[int, type[pg.GraphicsObject]]] = []
    for index, curve in enumerate(chart.curves):
        line = curve.joined or curve.mark in LINES
        made += [(index, LineItem)] if line else []
        made += [(index, pg.ScatterPlotItem)] if curve.mark and curve.mark not in LINES else []
    return made


def smooth(drawn: Iterable[Array]) -> bool:
    """Whether the edges of all curves of a plot are smooth, or of none, from the points drawn of each, (n,)."""
    return sum(len(x) for x in drawn) < ANTIALIAS_LIMIT


def fill(
    item: pg.GraphicsObject,
    curve: Curve,
    style: Style,
    x: Array,
    y: Array,
    taken: Array | None = None,
    *,
    antialias: bool,
) -> None:
    """Give an item the points that it draws: their positions on the axes, and the steps made at each, (n,) each."""
    pen = pen_of(curve, style)
    if curve.mark == "stripe":
        brush = pg.mkBrush(style.stripe_colour(curve))
        item.setData(x=x, y=y, pen=None, antialias=antialias, skipFiniteCheck=True, fillLevel="enclosed", brush=brush)
        return
    if isinstance(item, LineItem):
        item.taken = taken
        whole = bool(np.isfinite(y).all())
        if curve.mark == "tick":
            pen.setWidthF(1.0)  # neighbours two pixels apart are two
        connect = "pairs" if curve.mark == "tick" else "all" if whole else "finite"
        item.setData(x=x, y=y, pen=pen, antialias=antialias, skipFiniteCheck=whole, connect=connect)
        return
    pen.setWidthF(1.3 * style.scale)
    brush, sign = pg.mkBrush(pen.color()) if curve.filled else None, SYMBOLS.get(curve.mark, curve.mark)
    there, size = np.isfinite(y), (3.0 if curve.mark == "dot" else 8.0) * style.scale
    item.setData(x=x[there], y=y[there], symbol=sign, size=size, pen=pen, brush=brush)
