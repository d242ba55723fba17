"""A plot of one quantity against another, with a dot where the playhead is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from gui.qt.plots.axis import AXIS_HEIGHT
from gui.qt.plots.decimate import thin
from gui.qt.plots.plot import ANTIALIAS_LIMIT, Array, Plot
from gui.qt.plots.view import PlotView

MOST_POINTS = 6000


class PlanePlot(Plot):
    """Curves in a plane. A subclass gives `traces()`, the `times()` of each trace and the axes' titles.

    Class attributes:
        equal_scales: both axes have one scale.
        tall: worth more height than a plot over time.
    """

    equal_scales = False
    tall = True

    def __init__(self, session: Any, parent: QWidget | None = None) -> None:
        self.own_range = False
        super().__init__(session, parent)
        self.dots = pg.ScatterPlotItem(size=9)
        self.dots.setZValue(60)
        self.area.addItem(self.dots, ignoreBounds=True)
        self.area.setAspectLocked(self.equal_scales)
        self.area.pointed.connect(self._seek)
        self.area.moved_by_hand.connect(lambda *_: setattr(self, "own_range", True))

    def times(self) -> list[Array]:
        """The times of each trace's points, ascending, in the order of `traces`."""
        raise NotImplementedError

    def draw(self) -> None:
        across, up = self.titles()
        self.across_axis.setLabel(across)
        self.across_axis.setHeight(AXIS_HEIGHT + 16)
        self.value_axis.setLabel(up)
        for item in self.items:
            self.area.removeItem(item)
        self.items = []
        for trace in reversed(self.shown):
            x, y = thin(trace.x, trace.y, MOST_POINTS)
            item = pg.PlotCurveItem(x=x, y=y, pen=trace.pen, antialias=x.size < ANTIALIAS_LIMIT, connect="finite")
            self.area.addItem(item, ignoreBounds=True)
            self.items.append(item)
        if not self.own_range:
            self._fit()

    def show_whole(self) -> None:
        self.own_range = False
        self._fit()

    def move_cursor(self, t: float) -> None:
        spots = []
        rim = self.palette().color(QPalette.ColorRole.Base)
        for trace, times in zip(self.shown, self.times(), strict=True):
            if times.size:
                index = min(int(np.searchsorted(times, t)), times.size - 1)
                spot = float(trace.x[index]), float(trace.y[index])
                spots.append({"pos": spot, "brush": trace.pen.color(), "pen": pg.mkPen(rim, width=1.5)})
        self.dots.setData(spots=spots)
        self.legend.show_entries(self.entries(["" for trace in self.shown if trace.legend]))

    def _fit(self) -> None:
        drawn = [trace for trace in self.shown if trace.x.size]
        calm = [trace for trace in drawn if not trace.wild] or drawn
        tables = [np.stack((trace.x, trace.y)) for trace in calm]
        if not tables:
            return
        points = np.concatenate(tables, axis=1)
        points = points[:, np.isfinite(points).all(axis=0)]
        if points.size == 0:
            return
        (left, low), (right, high) = points.min(axis=1), points.max(axis=1)
        across, up = max(right - left, 1e-9), max(high - low, 1e-9)
        self.area.setRange(
            xRange=(left - 0.06 * across, right + 0.06 * across),
            yRange=(low - 0.06 * up, high + 0.06 * up),
            padding=0.0,
        )

    def _seek(self, x: float, y: float) -> None:
        """Put the playhead where the nearest curve passes the pointer; of equally near times the one closest to now."""
        (width, height), now = self.area.viewPixelSize(), self.session.playback.t
        best: tuple[float, float, float] | None = None
        for trace, times in zip(self.shown, self.times(), strict=True):
            if times.size == 0:
                continue
            distance = np.hypot((trace.x - x) / width, (trace.y - y) / height)
            near = np.flatnonzero(distance <= np.nanmin(distance) + 3.0)
            index = near[np.argmin(np.abs(times[near] - now))]
            candidate = (float(distance[index]), abs(float(times[index]) - now), float(times[index]))
            best = candidate if best is None else min(best, candidate)
        if best is not None:
            self.session.playback.seek(best[2])

    def _make_area(self) -> PlotView:
        return PlotView(pans_upright=True)
