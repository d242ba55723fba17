"""A plot of one quantity against another, with a dot where the playhead is."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QWidget

from gui.app.session.session import Session
from gui.charts.fit import plane_range
from gui.charts.plot import Plot
from gui.qt.plots.axis import AXIS_HEIGHT
from gui.qt.plots.plot import ANTIALIAS_LIMIT, PlotWidget
from robots.model.chart import thin

MOST_POINTS = 6000


class PlanePlot(PlotWidget):
    """Curves in a plane; a click seeks the time at which a curve passes there."""

    def __init__(self, session: Session, plot: Plot, parent: QWidget | None = None) -> None:
        super().__init__(session, plot, parent)
        self.own_range = False
        self.dots = pg.ScatterPlotItem(size=9)
        self.dots.setZValue(60)
        self.area.addItem(self.dots, ignoreBounds=True)
        self.area.pointed.connect(self._seek)
        self.area.moved_by_hand.connect(lambda *_: setattr(self, "own_range", True))
        self.listen()

    def draw(self) -> None:
        self.across_axis.setLabel(self.chart.x.label)
        self.across_axis.setHeight(AXIS_HEIGHT + 16)
        self.value_axis.setLabel(self.chart.y.label)
        self.area.setAspectLocked(self.chart.equal)
        for item in self.items:
            self.area.removeItem(item)
        self.items = []
        for index, kind in reversed(self.parts()):
            item = kind()
            x, y = thin(*self.points[index], MOST_POINTS)
            self.fill(item, self.chart.curves[index], x, y, antialias=x.size < ANTIALIAS_LIMIT)
            self.area.addItem(item, ignoreBounds=True)
            self.items.append(item)
        if not self.own_range:
            self._fit()

    def show_whole(self) -> None:
        self.own_range = False
        self._fit()

    def move_cursor(self, t: float) -> None:
        rim = pg.mkPen(self.style_now.colour("surface"), width=1.5)
        across, up = self.chart.x.place, self.chart.y.place
        spots = [
            {"pos": (float(across(at[0])), float(up(at[1]))), "brush": self.style_now.curve_colour(curve), "pen": rim}
            for curve in self.chart.curves
            if curve.t is not None and (at := curve.when(t)) is not None
        ]
        self.dots.setData(spots=spots)
        self.show_values(t)

    def _fit(self) -> None:
        across, up = plane_range(self.chart, self.points)
        self.area.setRange(xRange=across, yRange=up, padding=0.0)

    def _seek(self, x: float, y: float) -> None:
        """Put the playhead where the nearest curve passes the pointer; of equally near times the one closest to now."""
        (width, height), now = self.area.viewPixelSize(), self.session.playback.t
        best: tuple[float, float, float] | None = None
        for curve in self.chart.curves:
            if curve.t is None or curve.t.size == 0:
                continue
            across, up = self.chart.x.place(curve.x) - x, self.chart.y.place(curve.y) - y
            distance = np.hypot(across / width, up / height)
            near = np.flatnonzero(distance <= np.nanmin(distance) + 3.0)
            index = near[np.argmin(np.abs(curve.t[near] - now))]
            candidate = (float(distance[index]), abs(float(curve.t[index]) - now), float(curve.t[index]))
            best = candidate if best is None else min(best, candidate)
        if best is not None:
            self.session.playback.seek(best[2])
