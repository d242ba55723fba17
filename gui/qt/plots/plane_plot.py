"""A plot of one quantity against another, with a dot where the playhead is."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF, QRectF, QTimer
from PySide6.QtGui import QPainter

from assets.polylines import thin
from gui.app.session.session import Session
from gui.charts.fit import Range, equalised, held, marks_at, outside_text, plane_range, steps_along, tag_near
from gui.charts.plot import Plot
from gui.qt.drawing.chart import MOST_POINTS
from gui.qt.drawing.dots import INSET, LINE, in_order, look_at, size_at, tags_placed
from gui.qt.drawing.regions import UNKNOWN, RegionsAtHand, region_pen, region_pixels
from gui.qt.drawing.style import Style, as_wide_on_screen
from gui.qt.plots.axis import AXIS_HEIGHT
from gui.qt.plots.bands import Bands
from gui.qt.plots.chart_view import REACH
from gui.qt.plots.items import SYMBOLS, fill, kinds_of, smooth
from gui.qt.plots.plot import PlotWidget
from gui.qt.widgets.quiet import scale
from robots.model.chart import Array, FilledRegion

DOT = 9.0
"""The size of the marks at the playhead in type of the usual size [px]."""


REST_MS = 400
"""After so long without a move the axis is no wider than its numbers need."""


class SmoothImage(pg.ImageItem):
    """A picture whose pixels do not show when it is enlarged."""

    def paint(self, painter: QPainter, *args: object) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        super().paint(painter, *args)


class PlanePlot(PlotWidget):
    """Curves in a plane; a click seeks the time at which a curve passes there.

    Attributes:
        beside: the width and height of the area of the same plot in its place, while this one is enlarged [px].
    """

    def __init__(self, session: Session, plot: Plot) -> None:
        super().__init__(session, plot)
        self.own_range = False
        self.beside: Range | None = None
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(super()._fit_axis)
        self.dots = pg.ScatterPlotItem()
        self.dots.setZValue(60)
        self.area.addItem(self.dots, ignoreBounds=True)
        self.area.pointed.connect(self._seek)
        self.area.moved_by_hand.connect(self._by_hand)
        self.widget.said_at = self.tag_at
        self.bands = Bands(self.area)
        self.images: list[SmoothImage | pg.PlotCurveItem] = []
        self._covers: list[tuple[FilledRegion, Style]] = []
        self._at_hand = RegionsAtHand(self, session.jobs, self._draw_regions)
        self.signs: list[pg.TextItem] = []
        self.names: list[pg.TextItem] = []
        self.area.sigResized.connect(self.title_values)
        self.area.sigRangeChanged.connect(self._show_part)
        self.listen()

    def draw(self) -> None:
        self._at_hand.keep(self.chart.regions)
        self.widget.walk.show(self.chart)
        for axis in (self.across_axis, self.value_axis):
            axis.setVisible(not self.chart.bare)
        # Without curves the axes are unknown.
        self.across_axis.setLabel("" if self.chart.bare or self.chart.blank else self.chart.x.label)
        self.across_axis.setStyle(showValues=not self.chart.blank)
        self.across_axis.setHeight(0 if self.chart.bare else round((AXIS_HEIGHT + 16) * scale(self)))
        self.area.setAspectLocked(self.chart.equal)
        for item in self.items:
            self.area.removeItem(item)
        self.items = []
        self._draw_regions()
        self._draw_labels()
        self.bands.show(self.chart, self.style_now, warning=False)
        drawn = [(index, kind, self._thinned(index)) for index, kind in kinds_of(self.chart)]
        antialias = smooth(points[0] for _, _, points in drawn)
        for index, kind, points in reversed(drawn):
            item = kind()
            fill(item, self.chart.curves[index], self.style_now, *points, antialias=antialias)
            self.area.addItem(item, ignoreBounds=True)
            self.items.append(item)
        if not self.own_range:
            self._fit()
        self._fit_axis()
        self.title_values()

    def _thinned(self, index: int) -> tuple[Array, ...]:
        """Some points of a curve by its number, in positions on the axes, and the steps made at each, (n,) each."""
        x, y = self.points[index]
        return thin(x, y, MOST_POINTS, steps_along(self.chart.curves[index], x.size))

    def _fit_axis(self) -> None:
        """Wider at once; narrower when nothing has moved for a while, as the numbers of each frame need other room."""
        # What it was given; its place follows later.
        wanted, given = round(self._axis_width()), self.value_axis.minimumWidth()
        if wanted > given:
            self._rest.stop()
            self.value_axis.setWidth(wanted)
        elif wanted < given:
            self._rest.start()

    def _axis_width(self) -> float:
        """As the plots above and below, or what its numbers need."""
        usual = round(super()._axis_width())
        if self.chart.bare or self.chart.blank:
            return usual
        return max(usual, math.ceil(self.value_axis.width_for(*self.sides[1], self.area.height())))

    def _show_part(self, *_: object) -> None:
        """Another part of the plane is shown: a region that goes on covers it too, with other numbers beside it."""
        self._draw_regions()
        self.title_values()
        self._catch_up()

    def _draw_regions(self) -> None:
        covers = [(one, self.style_now) for one in self._at_hand.over(self.chart.regions, *self.sides)]
        known = [region for region, _ in covers if region.whole is None]
        if covers:
            self.message.setText("" if known else UNKNOWN)
            self.message.setVisible(not known)
        if [(id(one.cover), one.colour, one.dash, style) for one, style in covers] == [
            (id(one.cover), one.colour, one.dash, style) for one, style in self._covers
        ]:
            return
        self._covers = covers
        for image in self.images:
            self.area.removeItem(image)
        self.images = []
        for region in known:
            image = SmoothImage(region_pixels(region, self.style_now)[::-1], axisOrder="row-major", autoLevels=False)
            image.setRect(QRectF(region.left, region.low, region.right - region.left, region.high - region.low))
            rim = pg.PlotCurveItem(
                *region.border.T,
                pen=as_wide_on_screen(region_pen(region, self.style_now)),
                connect="finite",
                antialias=True,
            )
            for item in (image, rim):
                item.setZValue(-30)
                self.area.addItem(item, ignoreBounds=True)
                self.images.append(item)

    def _empty(self) -> None:
        super()._empty()
        self._at_hand.keep(())
        self.widget.walk.show(self.chart)

    def _draw_labels(self) -> None:
        for sign in self.signs:
            self.area.removeItem(sign)
        self.signs = [
            pg.TextItem(label.text, self.style_now.colour("text"), anchor=(0.5, 0.5)) for label in self.chart.labels
        ]
        for sign, label in zip(self.signs, self.chart.labels, strict=True):
            sign.setFont(self.small_font())
            sign.setPos(float(self.chart.x.place(label.x)), float(self.chart.y.place(label.y)))
            self.area.addItem(sign, ignoreBounds=True)

    def _by_hand(self, *_: bool) -> None:
        self.own_range = True
        self._fit_axis()
        self.show_values(self.session.playback.t)

    def show_whole(self) -> None:
        self.own_range = False
        self._fit()
        self._fit_axis()
        self.show_values(self.session.playback.t)

    def zoomed(self) -> bool:
        return self.own_range

    def move_cursor(self, t: float) -> None:
        spots, tags, size = [], [], DOT * self.style_now.scale
        sides, inset = self.sides, [INSET * abs(side) for side in self.area.viewPixelSize()]
        for curve, place in in_order(marks_at(self.chart, t), t):
            place, arrow = held(place, *sides, (inset[0], inset[1]))
            mark, tint, line = look_at(curve, t, self.style_now, arrow)
            edge = pg.mkPen(line, width=LINE * self.style_now.scale)
            large = size * size_at(curve, t)
            spots.append({"pos": place, "brush": tint, "pen": edge, "symbol": SYMBOLS[mark], "size": large})
            tags.insert(0, (curve.tag, self.area.mapFromView(QPointF(*place)), 0.5 * large))
        self.dots.setData(spots=spots)
        self._name_marks(tags_placed(tags, self.small_font(), self.area.boundingRect()))
        self.show_values(t)

    @property
    def sides(self) -> tuple[Range, Range]:
        """The shown part of both axes, in positions on them."""
        across, up = self.area.viewRange()
        return (across[0], across[1]), (up[0], up[1])

    def outside(self, t: float) -> str:
        return outside_text(self.chart, t, *self.sides)

    def tag_at(self, spot: QPoint) -> str:
        """What the drawing at a place of its widget [px] stands for; empty where there is none."""
        at = self.area.mapSceneToView(self.widget.mapToScene(spot))
        size = self.area.width(), self.area.height()
        return tag_near(self.chart, (at.x(), at.y()), self.sides, size, REACH * scale(self))

    def _name_marks(self, names: Sequence[tuple[str, QRectF]]) -> None:
        """Write what each mark stands for beside it, (words, place in pixels of the area)."""
        while len(self.names) < len(names):
            self.names.append(pg.TextItem(anchor=(0.5, 0.5)))
            self.names[-1].setZValue(61)
            self.area.addItem(self.names[-1], ignoreBounds=True)
        for item in self.names[len(names) :]:
            item.hide()
        for item, (text, box) in zip(self.names, names, strict=False):
            item.setText(text, self.style_now.colour("text"))
            item.setFont(self.small_font())
            item.setPos(self.area.mapToView(box.center()))
            item.show()

    def _fit(self) -> None:
        across, up = plane_range(self.chart, self.points)
        if self.chart.equal and self.beside is not None:
            # All that the plot of another shape has in sight.
            across, up = equalised(across, up, *self.beside)
        self.area.setRange(xRange=across, yRange=up, padding=0.0)

    def _seek(self, x: float, y: float) -> None:
        """Put the playhead where the nearest curve passes the pointer; of equally near times, at the closest to now."""
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
