"""Lines at the ends of what is allowed, and bands beyond them that turn amber while a run is there."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette

from gui.qt.widgets.quiet import mix

AMBER = "#E69F00"
FAR = 1e3
"""A band reaches so far beyond its line, in the axis' units: further than any axis shows."""


class Bands:
    """The bands of one plot.

    Args:
        area: where they are drawn.
    """

    def __init__(self, area: pg.ViewBox) -> None:
        self._area = area
        self._bands: list[tuple[pg.LinearRegionItem, pg.InfiniteLine]] = []
        self._ends: tuple[float, ...] = ()
        self.warning = False

    def show(self, low: float, high: float, palette: QPalette, *, warning: bool) -> None:
        """Draw what lies below `low` and above `high`, both in the axis' units; infinite ends draw nothing."""
        ends = tuple(end for end in (low, high) if math.isfinite(end))
        if ends != self._ends:
            self._make(low, high, ends)
        self.warning = warning
        base, text = palette.color(QPalette.ColorRole.Base), palette.color(QPalette.ColorRole.Text)
        fill = mix(base, QColor(AMBER), 0.34) if warning else mix(base, text, 0.05)
        line = QColor(AMBER) if warning else mix(base, text, 0.42)
        for band, edge in self._bands:
            band.setBrush(pg.mkBrush(fill))
            edge.setPen(pg.mkPen(line, width=1.2, style=Qt.PenStyle.DashLine))

    def _make(self, low: float, high: float, ends: tuple[float, ...]) -> None:
        for item in (item for pair in self._bands for item in pair):
            self._area.removeItem(item)
        self._ends, self._bands = ends, []
        for end in ends:
            values = (low - FAR, low) if end == low else (high, high + FAR)
            band = pg.LinearRegionItem(values, orientation="horizontal", movable=False, pen=pg.mkPen(None))
            edge = pg.InfiniteLine(end, angle=0, movable=False)
            band.setZValue(-20)
            edge.setZValue(-10)
            for item in (band, edge):
                self._area.addItem(item, ignoreBounds=True)
            self._bands.append((band, edge))
