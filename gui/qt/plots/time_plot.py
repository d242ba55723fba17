"""A plot over simulated time: shared range and cursor, curves cut down to the pixels that there are."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF, QPalette
from PySide6.QtWidgets import QGraphicsItem, QMenu, QWidget

from gui.app.signal import Signal
from gui.app.units import short_text, with_unit
from gui.qt.plots.axis import AXIS_HEIGHT
from gui.qt.plots.decimate import decimate, finite, positive, visible
from gui.qt.plots.end_labels import EndLabels
from gui.qt.plots.pens import cursor_pen
from gui.qt.plots.plot import ANTIALIAS_LIMIT, Array, Plot, Trace

DECADES = 14
BEYOND = 100.0
"""Curves are drawn so many heights beyond the axis and no further: painters lose a line with a point at 1e27."""
BARE_HEIGHT = 8
FLAT_LOG, FLAT_LINEAR = 1.0, 1e-12


class TimeRange:
    """The part of the simulated time that all time plots show, and whether it follows the playhead.

    Attributes:
        start, end: what is shown [s]; meaningless while `whole`.
        whole: show the whole run, whatever its duration.
        follow: keep the playhead in view.
        changed: signal `()`.
    """

    def __init__(self) -> None:
        self.start, self.end = 0.0, 1.0
        self.whole = True
        self.follow = True
        self.changed = Signal()

    def show(self, start: float, end: float) -> None:
        """Show [start, end]."""
        if (start, end) != (self.start, self.end) and end > start:
            self.start, self.end, self.whole = start, end, False
            self.changed.emit()

    def show_whole(self) -> None:
        """Show the whole run."""
        self.whole = True
        self.changed.emit()

    def keep_in_view(self, t: float) -> None:
        """Turn the page when the playhead leaves the shown part."""
        if self.whole or not self.follow or self.start <= t <= self.end:
            return
        span = self.end - self.start
        start = t - 0.05 * span if t > self.end else t - 0.95 * span
        self.show(start, start + span)

    def bounds(self, playback: Any) -> tuple[float, float]:
        """What to show [s]."""
        if not self.whole:
            return self.start, self.end
        start, end = playback.start, playback.end
        return (start, end) if end > start else (start, start + 1.0)


class TimePlot(Plot):
    """Curves over time. A subclass gives `traces()` and the value axis' title.

    Class attributes:
        logarithmic: decimal logarithms on the value axis; values that have none are left out.
    """

    logarithmic: ClassVar[bool] = False

    def __init__(self, session: Any, time_range: TimeRange | None = None, parent: QWidget | None = None) -> None:
        self.range = time_range or TimeRange()
        self.own_values = False
        super().__init__(session, parent, logarithmic=self.logarithmic)
        self.time_line = pg.InfiniteLine(angle=90, movable=False)
        self.time_line.setZValue(50)
        self.area.addItem(self.time_line, ignoreBounds=True)
        self.ends = EndLabels(self.area)
        self.area.pointed.connect(lambda x, _: self.session.playback.seek(x))
        self.area.moved_by_hand.connect(self._by_hand)
        self.area.sigResized.connect(self._resized)
        self._disconnect += [
            self.range.changed.connect(self._show_range),
            session.playback.changed.connect(self._show_range),
        ]
        self._restyle()
        self._show_range()

    # -- for subclasses ------------------------------------------------------------------------------------------------

    def value_title(self) -> tuple[str, str]:
        """The value axis' title and unit."""
        raise NotImplementedError

    def value_text(self, value: float) -> str:
        """A value as the legend writes it."""
        return with_unit(short_text(value), self.value_title()[1] if math.isfinite(value) else "")

    def titles(self) -> tuple[str, str]:
        title, unit = self.value_title()
        return "time [s]", f"{title} [{unit}]" if unit else title

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        self._title_values()
        self.time_line.setVisible(self.message.isHidden())
        self._plain = [(positive if self.logarithmic else finite)(trace.x, trace.y) for trace in self.shown]
        self._match_items()
        self._show_range()

    def _resized(self, _: object) -> None:
        self._title_values()
        self._fit_curves()

    def _title_values(self) -> None:
        """The value axis' title; its unit alone where there is no room for more, nothing where nothing is drawn."""
        title, unit = self.titles()[1], self.value_title()[1]
        room = self.area.height() - 12
        small = self.value_axis.label.font()
        fits = QFontMetricsF(small).horizontalAdvance(title) <= room
        text = title if fits else f"[{unit}]" if unit else ""
        self.value_axis.setLabel(text if self.message.isHidden() else "")
        self.value_axis.resizeEvent()  # which puts the new text into the middle

    def _match_items(self) -> None:
        """One item per trace, reused where the kind is the same; kept as pixels, so that a cursor costs little."""
        kinds = [pg.ScatterPlotItem if trace.symbol else pg.PlotCurveItem for trace in self.shown]
        if [type(item) for item in self.items] != kinds:
            for item in self.items:
                self.area.removeItem(item)
            self.items = [kind() for kind in kinds]
            for depth, item in enumerate(reversed(self.items)):
                item.setZValue(depth)
                item.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
                self.area.addItem(item, ignoreBounds=True)

    def _fit_curves(self) -> None:
        """Give every item what the shown range and width need, and fit the value axis."""
        if not self.shown or self._stale or len(self.items) != len(self.shown):
            return
        start, end = self.area.viewRange()[0]
        limits: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
        for trace, (t, y) in zip(self.shown, self._plain, strict=True):
            part = visible(t, start, end)
            t, y = t[part], y[part]
            inside = y[(t >= start) & (t <= end)] if t.size else y
            seen = inside if inside.size else y
            if seen.size:
                limits[trace.wild].append(self._limits(tamed(seen, self.logarithmic) if trace.wild else seen))
        if not self.own_values and (limits[False] or limits[True]):
            self._show_values(*self._together(limits[False], limits[True]))
        self._set_data(start, end)
        self._name_ends(start, end)

    def _together(self, calm: list[tuple[float, float]], wild: list[tuple[float, float]]) -> tuple[float, float]:
        """The axis of all: runs that blew up must not squash the others, but decades have room for both."""
        counted = calm or wild
        low, high = min(low for low, _ in counted), max(high for _, high in counted)
        if self.logarithmic and calm and wild:
            high = max(high, min(low + DECADES, max(high for _, high in wild)))
        return low, high

    def _set_data(self, start: float, end: float) -> None:
        columns = max(16, int(self.area.width()))
        bottom, top = self.area.viewRange()[1]
        reach = BEYOND * (top - bottom)
        total = 0
        for trace, item, (t, y) in zip(self.shown, self.items, self._plain, strict=True):
            part = visible(t, start, end)
            t, y = decimate(t[part], y[part], columns)
            if trace.wild:
                y = np.clip(y, bottom - reach, top + reach)
            total += t.size
            if trace.symbol:
                item.setData(x=t, y=y, symbol=trace.symbol, size=8, pen=trace.pen, brush=None)
            else:
                item.setData(x=t, y=y, pen=trace.pen, antialias=total < ANTIALIAS_LIMIT, skipFiniteCheck=True)

    def _name_ends(self, start: float, end: float) -> None:
        """Name the current run's curves where there are several."""
        named = [trace for trace in self.shown if trace.legend and not trace.symbol and trace.x.size]
        labels = []
        for trace in named if len(named) > 1 else []:
            at = min(end, float(trace.x[-1]))
            value = value_at(trace, at)
            if at > start and np.isfinite(value) and (value > 0.0 or not self.logarithmic):
                height = math.log10(value) if self.logarithmic else value
                labels.append((at, height, trace.name, trace.pen.color()))
        self.ends.show(labels, self.palette().color(QPalette.ColorRole.Base), self.small_font())

    def _limits(self, values: Array) -> tuple[float, float]:
        return (low_end(values) if self.logarithmic else float(values.min())), float(values.max())

    def _show_values(self, low: float, high: float) -> None:
        if self.logarithmic:
            low = max(low, high - DECADES)
        least = FLAT_LOG if self.logarithmic else max(FLAT_LINEAR, 1e-6 * max(abs(low), abs(high)))
        if high - low < least:
            middle = (low + high) / 2.0
            low, high = middle - least / 2.0, middle + least / 2.0
        pad = 0.06 * (high - low)
        self.area.setYRange(low - pad, high + pad, padding=0.0)

    def _show_range(self) -> None:
        start, end = self.range.bounds(self.session.playback)
        self.area.setXRange(start, end, padding=0.0)
        self._fit_curves()

    def _by_hand(self, time: bool, values: bool) -> None:
        self.own_values = self.own_values or values
        if time:
            start, end = self.area.viewRange()[0]
            self.range.show(start, end)
        self._fit_curves()

    def show_whole(self) -> None:
        self.own_values = False
        self.range.show_whole()

    def move_cursor(self, t: float) -> None:
        self.range.keep_in_view(t)
        self.time_line.setPos(t)
        values = [self.value_text(value_at(trace, t)) for trace in self.shown if trace.legend]
        self.legend.show_entries(self.entries(values))

    def show_time_title(self, shown: bool) -> None:
        """Write the times and "time [s]" below the axis: only the lowest of stacked plots needs it."""
        self.across_axis.setLabel("time [s]" if shown else None)
        self.across_axis.showLabel(shown)
        self.across_axis.setStyle(showValues=shown)
        self.across_axis.setHeight(AXIS_HEIGHT + 14 if shown else BARE_HEIGHT)

    def menu(self) -> QMenu:
        menu = super().menu()
        follow = menu.addAction("Follow the playhead")
        follow.setCheckable(True)
        follow.setChecked(self.range.follow)
        follow.toggled.connect(lambda checked: setattr(self.range, "follow", checked))
        menu.insertAction(menu.actions()[1], follow)
        return menu

    def _restyle(self) -> None:
        super()._restyle()
        if hasattr(self, "time_line"):
            self.time_line.setPen(cursor_pen(self.palette()))


def value_at(trace: Trace, t: float) -> float:
    """The curve's value at `t`, interpolated linearly; nan outside."""
    if trace.symbol or trace.x.size == 0 or not trace.x[0] <= t <= trace.x[-1]:
        return math.nan
    right = int(np.searchsorted(trace.x, t))
    if right == 0 or trace.x[right] == t:
        return float(trace.y[right])
    left = right - 1
    share = (t - trace.x[left]) / (trace.x[right] - trace.x[left])
    return float(trace.y[left] + share * (trace.y[right] - trace.y[left]))


def tamed(values: Array, logarithmic: bool) -> Array:
    """What is worth seeing of a run that blew up: values within reach of the usual ones."""
    middle = float(np.median(values))
    reach = 3.0 if logarithmic else 4.0 * float(np.median(np.abs(values - middle))) or 1.0
    return values[np.abs(values - middle) <= reach]


def low_end(logarithms: Array) -> float:
    """The lower end of a logarithmic axis: an error that passes through zero must not stretch it to nothing."""
    if logarithms.size < 50:
        return float(logarithms.min())
    return float(np.partition(logarithms, logarithms.size // 50)[logarithms.size // 50])
