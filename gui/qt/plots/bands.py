"""Stripes of another background: where the reference cannot be trusted, and beyond the limits of a quantity."""

from __future__ import annotations

import math

import pyqtgraph as pg

from gui.charts import fit
from gui.qt.drawing.style import Style, as_wide_on_screen, pen
from robots.model.chart import Chart

FAR = 1e3
"""How far a band reaches beyond its line at least, in the axis' units."""


class Bands:
    """The bands of one plot.

    Args:
        area: where they are drawn.
    """

    def __init__(self, area: pg.ViewBox) -> None:
        self._area = area
        self._items: list[tuple[pg.LinearRegionItem, pg.InfiniteLine | None, str]] = []
        self._made: tuple[object, ...] = ()
        self._drawn: tuple[object, ...] = ()
        self.warning = False

    def show(self, chart: Chart, style: Style, *, warning: bool) -> None:
        """Draw the bands of a chart; those beyond its limits are amber if `warning`."""
        if (chart, style, warning) == self._drawn:
            return
        self._drawn = chart, style, warning
        ends = (float(chart.x.place(curve.x[-1])) for curve in chart.curves if curve.x.size)
        far = max([FAR, *filter(math.isfinite, ends)])
        wanted = (*fit.limits(chart), chart.bands, far)
        if wanted != self._made:
            self._made = wanted
            self._make(chart, far)
        self.warning = warning
        fill = style.between("surface", "warning", 0.34) if warning else style.between("surface", "text", 0.05)
        line = style.colour("warning") if warning else style.between("surface", "text", 0.42)
        for band, edge, tone in self._items:
            band.setBrush(pg.mkBrush(fill if edge is not None else style.band_colour(tone)))
            band.update()  # pyqtgraph does not: only what the playhead passes would have the new colour
            if edge is not None:
                edge.setPen(as_wide_on_screen(pen(line, "dash", 1.2)))

    def _make(self, chart: Chart, far: float) -> None:
        for band, edge, _ in self._items:
            for item in (band, edge) if edge is not None else (band,):
                self._area.removeItem(item)
        self._items = []
        low, high = fit.limits(chart)
        if math.isfinite(low):
            self._add((low - FAR, low), "horizontal", low)
        if math.isfinite(high):
            self._add((high, high + FAR), "horizontal", high)
        for band in chart.bands:
            low, high = float(chart.x.place(band.low)), float(chart.x.place(band.high))
            self._add((low, min(high, low + far)), "vertical", None, band.tone)

    def _add(self, values: tuple[float, float], orientation: str, end: float | None, tone: str = "") -> None:
        band = pg.LinearRegionItem(values, orientation=orientation, movable=False, pen=pg.mkPen(None))
        band.setZValue(-20)
        edge = None if end is None else pg.InfiniteLine(end, angle=0, movable=False)
        self._area.addItem(band, ignoreBounds=True)
        if edge is not None:
            edge.setZValue(-10)
            self._area.addItem(edge, ignoreBounds=True)
        self._items.append((band, edge, tone))
