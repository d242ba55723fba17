"""A plot over simulated time: shared range and cursor, curves thinned to the available pixels."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QGraphicsItem, QMenu

from assets.polylines import decimate, outline, steps_before
from gui.app.session.session import Session
from gui.charts.fit import beyond, value_range, visible
from gui.charts.plot import Plot
from gui.charts.steps import ticks_of
from gui.qt.drawing.style import as_wide_on_screen, pen
from gui.qt.plots.axis import AXIS_HEIGHT
from gui.qt.plots.bands import Bands
from gui.qt.plots.end_labels import EndLabels
from gui.qt.plots.items import fill, kinds_of, smooth
from gui.qt.plots.plot import PlotWidget
from gui.qt.widgets.parts import add_tick
from gui.qt.widgets.quiet import scale
from robots.model.chart import Chart

Live = tuple[float, float, bool] | None
"""Where a curve is at a time, and whether that is wrong."""

BEYOND = 100.0
"""How many heights beyond the axis curves are drawn: painters lose a line with a point at 1e27."""

BARE_HEIGHT = 5


def with_late_values(chart: Chart, found: float, t: float) -> Chart:
    """The chart with values at the time `t`; what takes a moment has there those of the time `found`."""

    def late(live: Callable[[float], Live]) -> Callable[[float], Live]:
        return lambda asked: live(found if asked == t else asked)

    curves = (curve if curve.live is None else replace(curve, live=late(curve.live)) for curve in chart.curves)
    return replace(chart, curves=tuple(curves))


class TimePlot(PlotWidget):
    """Curves over time.

    Args:
        session: whose runs are shown.
        plot: what makes the chart of them.
    """

    def __init__(self, session: Session, plot: Plot) -> None:
        super().__init__(session, plot)
        self.range = session.time_range
        self.own_values, self._found = False, 0.0
        self._titled: bool | None = None
        self.time_line = pg.InfiniteLine(angle=90, movable=False)
        self.time_line.setZValue(50)
        self.area.addItem(self.time_line, ignoreBounds=True)
        self.ends, self.bands = EndLabels(self.area), Bands(self.area)
        self.mark_line = pg.InfiniteLine(angle=90, movable=False)
        self.mark_line.setZValue(49)
        self.mark_line.hide()
        self.area.addItem(self.mark_line, ignoreBounds=True)
        self.area.marked.connect(self.range.set_mark)
        self.area.pointed.connect(lambda x, _: self.session.playback.seek(x))
        self.area.moved_by_hand.connect(self._by_hand)
        self.area.sigResized.connect(self._resized)
        self._disconnect += [
            self.range.changed.connect(self._show_range),
            self.range.marked.connect(self._show_mark),
            session.playback.changed.connect(self._show_range),
        ]
        self.listen()
        self._show_range()
        self._show_mark()

    def draw(self) -> None:
        self._fit_axis()
        self.title_values()
        self.time_line.setVisible(not self.chart.blank)
        self._match_items()
        if self.chart.blank:
            self.area.setYRange(0.0, 1.0, padding=0.0)
            self.ends.show((), self.style_now.colour("surface"), self.small_font())
        self._show_range()

    def _resized(self, _: object) -> None:
        self.title_values()
        self._fit_curves()

    def _match_items(self) -> None:
        """One item per part, reused if the kind is the same."""
        kinds = [kind for _, kind in kinds_of(self.chart)]
        if [type(item) for item in self.items] != kinds:
            for item in self.items:
                self.area.removeItem(item)
            self.items = [kind() for kind in kinds]
            for depth, item in enumerate(reversed(self.items)):
                item.setZValue(depth)
                self.area.addItem(item, ignoreBounds=True)

    def _fit_curves(self) -> None:
        """Give every item the points for the shown range and width, and fit the value axis; a cursor costs little."""
        if not self.points or self._stale or len(self.items) != len(kinds_of(self.chart)):
            return
        start, end = self.area.viewRange()[0]
        parts = [visible(x, start, end) for x, _ in self.points]
        seen = [(x[part], y[part]) for (x, y), part in zip(self.points, parts, strict=True)]
        if not self.own_values and not self.chart.blank:
            self.area.setYRange(*value_range(self.chart, seen, start, end), padding=0.0)
            self.title_values()
        columns = max(16, int(self.area.width()))
        bottom, top = self.area.viewRange()[1]
        reach = BEYOND * (top - bottom)
        drawn = []
        for index, _ in kinds_of(self.chart):
            curve = self.chart.curves[index]
            if curve.mark == "tick":
                base = float(self.points[index][1][0]) if curve.x.size else 0.0
                x, y = ticks_of(self.points[index][0], base, start, end, columns)
            elif curve.mark == "stripe":
                x, y = outline(*seen[index], columns)
            else:
                x, y = decimate(*seen[index], columns, (start, end))
            if curve.wild:
                y = np.clip(y, bottom - reach, top + reach)
            drawn.append((curve, x, y, steps_before(x, curve.steps)))
        antialias = smooth(x for _, x, _, _ in drawn)
        for (curve, *points), item in zip(drawn, self.items, strict=True):
            # Qt would show the pixels of the former points at their former place, too.
            item.setCacheMode(QGraphicsItem.CacheMode.NoCache)
            fill(item, curve, self.style_now, *points, antialias=antialias)
            item.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self._name_ends(start, end)

    def _name_ends(self, start: float, end: float) -> None:
        """Name the current run's curves if there are several."""
        named = [curve for curve in self.chart.listed if curve.joined and curve.x.size]
        labels = []
        for curve in named if len(named) > 1 else []:
            at = min(end, float(curve.x[-1]))
            # Where the line is drawn, which is beside its live value.
            height = float(self.chart.y.place(replace(curve, live=None).at(at, self.chart.y)))
            if at > start and math.isfinite(height):
                labels.append((at, height, curve.name, self.style_now.curve_colour(curve)))
        self.ends.show(labels, self.style_now.colour("surface"), self.small_font())

    def _show_range(self) -> None:
        start, end = self.range.bounds()
        self.area.setXRange(start, end, padding=0.0)
        self._fit_curves()
        self.header.show_reset(self.zoomed() and not self.chart.blank)

    def _show_mark(self) -> None:
        mark = self.range.mark
        self.mark_line.setVisible(mark is not None)
        if mark is not None:
            self.mark_line.setPos(mark)
        self._playhead(self.session.playback.t)

    def _by_hand(self, time: bool, values: bool) -> None:
        self.own_values = self.own_values or values
        if time:
            start, end = self.area.viewRange()[0]
            self.range.show(start, end)
            self._show_range()  # which is less than a person asked for where there is nothing more
        self._fit_curves()
        self._playhead(self.session.playback.t)

    def show_whole(self) -> None:
        self.own_values = False
        self.range.show_whole()
        self._playhead(self.session.playback.t)

    def zoomed(self) -> bool:
        return self.own_values or not self.range.whole

    def _playhead(self, t: float) -> None:
        self.time_line.setPos(t)
        super()._playhead(t)
        if t != self._found and self.isVisible() and not self._stale:
            # A step must not be another one here than in the plot beside it: only what takes a moment may be late.
            self.show_values(t, with_late_values(self.whole, self._found, t))

    def move_cursor(self, t: float) -> None:
        self.time_line.setPos(t)
        self._found = t
        self.show_values(t)
        self.bands.show(self.chart, self.style_now, warning=beyond(self.chart, t))

    def show_across_title(self, shown: bool, named: bool = True) -> None:
        """Write the times and "time [s]" below the axis: only the lowest of stacked plots needs it."""
        self._titled, self._named = shown, named
        self.across_axis.setLabel("time [s]" if shown and named else None)
        self.across_axis.showLabel(shown and named)
        self.across_axis.setStyle(showValues=shown)
        numbers = max(AXIS_HEIGHT + 2, self.across_axis.least_height)
        high = round((AXIS_HEIGHT + 14) * scale(self)) if named else numbers
        self.across_axis.setHeight(high if shown else BARE_HEIGHT)

    def add_to(self, menu: QMenu) -> None:
        add_tick(menu, "Follow the playhead", self.range.follow, lambda ticked: setattr(self.range, "follow", ticked))
        if self.range.mark is None:
            menu.addAction("Second cursor at the playhead", lambda: self.range.set_mark(self.session.playback.t))
        else:
            menu.addAction("Remove the second cursor", lambda: self.range.set_mark(None))

    def restyle(self) -> None:
        super().restyle()
        if self._titled is not None:
            self.show_across_title(self._titled, self._named)
        colour = self.style_now.between("surface", "text", 0.62)
        self.time_line.setPen(pg.mkPen(colour, width=1.4))
        self.mark_line.setPen(as_wide_on_screen(pen(colour, "dash", 1.4)))
