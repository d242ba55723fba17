"""The painter of charts for files, films and everything that QPainter draws."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPolygonF

from assets.polylines import decimate, outline, simplified, steps_before, thin
from gui.charts import fit
from gui.charts.steps import ticks_of
from gui.charts.ticks import ticks
from gui.qt.drawing import marks
from gui.qt.drawing.annotation import shortened_label
from gui.qt.drawing.clip import pieces
from gui.qt.drawing.dots import paint_dots
from gui.qt.drawing.legend import entries_of, paint_entries
from gui.qt.drawing.regions import field_colours, field_picture, paint_border, region_pixels
from gui.qt.drawing.style import MARKS, Style, pen, strokes
from gui.qt.drawing.words import fitting, paint_labels
from robots.model.chart import TIME, Array, Chart, ColourField, Curve

LEFT, RIGHT, TOP, BOTTOM, BARE = 60.0, 16.0, 30.0, 38.0, 12.0
COMPACT = 42.0, 8.0
CENTRED = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
BAR, BAR_WIDTH, BESIDE = 86.0, 12.0, 8.0
"""The room at the right for a bar of colours, the bar's width, and the space between the words of a heading."""
FAR = 1e4
"""The furthest that points may be beyond the frame [px]: painters fail with larger numbers."""

NO_ROOM = 1e-3
"""The least size of a frame, where what is infinitely far away has a place, too [px]: a layout may leave no room."""

MOST_POINTS, UNSEEN = 6000, 0.05
"""How many points a curve in the plane has at most, and how far a line may be from its points [px]."""

ALONG = 7
"""Marks along a curve that has no colour."""


class ChartPainter:
    """A chart laid out in a rectangle; background, curves and playhead are painted separately.

    Args:
        chart: what to show.
        place: where, in pixels.
        span: the shown part of the horizontal axis, in positions on it; None for all of it.
        style: colours and scale.
        numbers: whether a time axis carries numbers (the lowest of a stack does).
        values: the shown part of the vertical axis, in positions on it; None for what the curves need.
        runs: whether the chart names the runs itself.
        compact: whether the margins are small, as on a card.
        area: the frame that the curves are in; None for what the margins leave of `place`.
        letter: stands before the heading.
        kept: the room that values need in the heading [px]; what is said beside its name gives way.
    """

    def __init__(
        self,
        chart: Chart,
        place: QRectF,
        span: fit.Range | None,
        style: Style,
        *,
        numbers: bool = True,
        values: fit.Range | None = None,
        runs: bool = False,
        compact: bool = False,
        area: QRectF | None = None,
        letter: str = "",
        kept: float = 0.0,
    ) -> None:
        self.chart, self.place, self.runs, self._kept = chart, place, runs, kept
        self.style = replace(style, grid=False) if chart.colours else style
        self.numbers, self.letter = (numbers or chart.x != TIME) and not chart.bare, letter
        unit = style.scale
        bottom = (BOTTOM if self.numbers else BARE) * unit
        top = TOP if chart.title or chart.note or chart.colours else BARE
        left, right = (BARE, BARE) if chart.bare else COMPACT if compact else (LEFT, RIGHT)
        right += BAR if chart.colours else 0.0
        self.area = area or place.adjusted(left * unit, top * unit, -right * unit, -bottom)
        self.points = [fit.placed(chart, curve) for curve in chart.curves]
        if span is None:
            self.span, up = fit.plane_range(chart, self.points)
        else:
            self.span = span if span[1] > span[0] else (span[0], span[0] + 1.0)
            up = fit.value_range(chart, self.points, *self.span)
        up = values or up
        if chart.equal:
            self.span, up = fit.equalised(self.span, up, self.area.width(), self.area.height())
        self.low, self.high = up
        self.sides = self.span, up
        self._colours: tuple[QRectF, QImage] | None = None
        self._lines = [self._line(curve, *pair) for curve, pair in zip(chart.curves, self.points, strict=True)]

    @property
    def fits(self) -> bool:
        """Whether there is room to draw anything readable."""
        return self.area.width() >= 24.0 and self.area.height() >= 12.0

    def across(self, x: Array | float) -> Array:
        """Horizontal pixels of values."""
        return self._right(self.chart.x.place(x))

    def upward(self, y: Array | float) -> Array:
        """Vertical pixels of values, nan where the axis cannot show them; outliers are kept near the frame."""
        return self._up(self.chart.y.place(y))

    def spot(self, x: float, y: float) -> QPointF:
        """The pixel of a place."""
        return QPointF(float(self.across(x)), float(self.upward(y)))

    def _right(self, places: Array) -> Array:
        pixels = self.area.left() + fit.share_of(places, *self.span) * max(self.area.width(), NO_ROOM)
        return np.clip(pixels, self.area.left() - FAR, self.area.right() + FAR)

    def _up(self, places: Array) -> Array:
        pixels = self.area.bottom() - fit.share_of(places, self.low, self.high) * max(self.area.height(), NO_ROOM)
        return np.clip(pixels, self.area.top() - FAR, self.area.bottom() + FAR)

    def _line(self, curve: Curve, x: Array, y: Array) -> tuple[Array, ...]:
        """The pixels of a curve, with no more points than can be seen; of a line also the steps made at each, (n,)."""
        if curve.mark == "tick":
            x, y = ticks_of(x, float(y[0]) if y.size else 0.0, *self.span, max(16, int(self.area.width())))
            return self._right(x), self._up(y)
        across, up, columns = self._right(x), self._up(y), max(16, int(2.0 * self.area.width() / self.style.fine))
        if curve.mark == "stripe":
            return outline(across, up, columns)
        if curve.t is None:
            found = decimate(across, up, columns, (self.area.left(), self.area.right()))
            found += (steps_before(found[0], None if curve.steps is None else self._right(curve.steps)),)
        else:
            found = thin(across, up, MOST_POINTS, fit.steps_along(curve, x.size))
        if self.style.fine > 1.0 and curve.joined and not curve.mark and across.size > 2:
            return simplified(*found, tolerance=UNSEEN * self.style.fine)
        return found

    # -- ground --------------------------------------------------------------------------------------------------------

    def paint_ground(self, painter: QPainter) -> None:
        """Title, bands, grid, axes and numbers."""
        painter.save()
        painter.setClipRect(self.area)
        self._paint_colours(painter)
        self._paint_regions(painter)
        self.paint_bands(painter)
        self._paint_limits(painter)
        painter.restore()
        self._paint_title(painter)
        if not self.chart.bare:
            self._paint_values(painter)
            self._paint_across(painter)
        self._paint_bar(painter)

    @property
    def heading(self) -> QRectF:
        unit, field, width = self.style.scale, self.chart.colours, self.area.width()
        if field is not None:
            bar = QFontMetricsF(self.style.font(11.0)).horizontalAdvance(field.axis.label) + 12.0 * unit
            width = min(width, max(self.place.right() - bar - self.area.left(), 0.0))
        return QRectF(self.area.left(), self.place.top() + 4.0 * unit, width, 22.0 * unit)

    def _paint_title(self, painter: QPainter) -> None:
        style, heading = self.style, self.heading
        unit = f"[{self.chart.y.unit}]" if self.chart.x == TIME and self.chart.y.unit else ""
        words = [word for word in (self.chart.subtitle, unit, self.chart.note) if word]
        x, bold, usual = heading.left(), style.font(13.0, bold=True), style.font(12.0)
        head = QFontMetricsF(bold).horizontalAdvance(self.letter + self.chart.title) + 3.0 * BESIDE * style.scale
        left, measure = heading.width() - head - self._kept, QFontMetricsF(usual).horizontalAdvance
        while words[not self._kept :] and 0.0 < left < measure("  ".join(words)):
            words.pop(0 if len(words) == 2 and words[-1] == unit and not self._kept else -1)
        title, beside = (self.chart.title, "  ".join(words)) if style.names else ("", self.chart.note)
        for text, font, role in (self.letter, usual, "text"), (title, bold, "text"), (beside, usual, "muted"):
            if not text:
                continue
            room = heading.adjusted(x - heading.left(), 0.0, 0.0, 0.0)
            shown, font = fitting(text, font, room.width())
            painter.setFont(font)
            painter.setPen(style.colour(role))
            marks.paint_signed(painter, shown, room, style.sign_colours(self.chart))
            x += QFontMetricsF(font).horizontalAdvance(shown) + BESIDE * style.scale
        self.taken = x - heading.left()

    def _paint_regions(self, painter: QPainter) -> None:
        for one in self.chart.regions:
            region = one.over(*self.sides)
            left, right = self._right(np.array([region.left, region.right]))
            low, high = self._up(np.array([region.low, region.high]))
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            pixels = region_pixels(region, self.style)
            image = QImage(pixels.data, *pixels.shape[1::-1], 4 * pixels.shape[1], QImage.Format.Format_RGBA8888)
            painter.drawImage(QRectF(left, high, right - left, low - high), image)
            paint_border(painter, region, self._right, self._up, self.style, self.area)

    def _paint_colours(self, painter: QPainter) -> None:
        field = self.chart.colours
        if field is None:
            return
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        painter.drawImage(*self._coloured(field))
        for ends, dash, width in ((field.contours, "solid", 0.7), (field.border, "dash", 1.6)):
            x, y = self._right(ends[..., 0]), self._up(ends[..., 1])
            marks.paint_pieces(painter, x, y, dash, width, self.style.scale)

    def _coloured(self, field: ColourField) -> tuple[QRectF, QImage]:
        """The colours and their place, made once: what lies above them is painted more often."""
        if self._colours is None:
            left, right = self._right(np.array([field.left, field.right])).tolist()
            low, high = self._up(np.array([field.low, field.high])).tolist()
            self._colours = field_picture(field, QRectF(left, high, right - left, low - high), self.style)
        return self._colours

    def _paint_bar(self, painter: QPainter) -> None:
        """The colours beside the chart with the numbers that they stand for."""
        field, style, unit = self.chart.colours, self.style, self.style.scale
        if field is None:
            return
        painter.setFont(style.font(11.0))
        painter.setPen(style.colour("muted"))
        title = self.place.adjusted(0.0, 0.0, -4.0 * unit, TOP * unit - self.place.height())
        painter.drawText(title, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, field.axis.label)
        if not field.known.size:
            return
        bar = QRectF(self.area.right() + 16.0 * unit, self.area.top(), BAR_WIDTH * unit, self.area.height())
        colours = np.ascontiguousarray(field_colours(field, mono=style.mono)[::-1])
        image = QImage(colours.data, 1, len(colours), 3, QImage.Format.Format_RGB888)
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        painter.drawImage(bar, image)
        low, high = field.span
        for place, text in ticks(field.axis, low, high, max(2, int(bar.height() / (24.0 * unit)))):
            y = bar.bottom() - (place - low) / (high - low) * bar.height()
            painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 4.0 * unit, y))
            box = QRectF(bar.right() + 6.0 * unit, y - 10.0 * unit, 50.0 * unit, 20.0 * unit)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)

    def paint_bands(self, painter: QPainter) -> None:
        """Stripes of another ground."""
        area = self.area
        for band in self.chart.bands:
            near, far = self.across(np.array([band.low, band.high])).tolist()
            if near < area.right() - 1.0:
                ground = QRectF(near, area.top(), far - near, area.height())
                painter.fillRect(ground.intersected(area), self.style.band_colour(band.tone))

    def _paint_limits(self, painter: QPainter) -> None:
        """Lines at the limits; amber beyond a limit that a curve exceeds."""
        low, high = self.chart.allowed
        style, area = self.style, self.area
        for end, outward in ((low, 1.0), (high, -1.0)):
            if not math.isfinite(float(self.chart.y.place(end))):
                continue
            y = float(self.upward(end))
            edge = area.bottom() if outward > 0.0 else area.top()
            left = any((outward * (curve.y - end) < 0.0).any() for curve in self.chart.listed)
            ground = style.between("surface", "warning", 0.2) if left else style.between("surface", "text", 0.05)
            beyond = QRectF(area.left(), min(y, edge), area.width(), abs(edge - y))
            painter.fillRect(beyond.intersected(area), ground)
            painter.setPen(pen(style.between("surface", "text", 0.42), "dash", 1.2 * style.scale))
            if area.top() <= y <= area.bottom():
                painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))

    def _paint_values(self, painter: QPainter) -> None:
        style, area, unit = self.style, self.area, self.style.scale
        painter.setFont(style.font(11.0))
        if not style.grid:
            painter.setPen(pen(style.colour("disabled"), width=max(1.0, unit)))
            painter.drawLine(area.topLeft(), area.bottomLeft())
        for place, text in self.value_ticks():
            y = float(self._up(np.array(place)))
            painter.setPen(pen(style.colour("border" if style.grid else "disabled"), width=max(1.0, unit)))
            end = area.right() if style.grid else area.left() + 4.0 * unit
            painter.drawLine(QPointF(area.left(), y), QPointF(end, y))
            painter.setPen(style.colour("muted"))
            box = QRectF(self.place.left(), y - 10 * unit, area.left() - self.place.left() - 7 * unit, 20 * unit)
            if self.chart.y.names:
                text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, int(box.width()))
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        if self.upright:
            self._paint_upright(painter, self.upright)

    def value_ticks(self) -> list[tuple[float, str]]:
        """The ticks of the vertical axis, whose numbers do not overlap."""
        pitches, across = self.area.height() / (24.0 * self.style.scale), self.high - self.low
        return ticks(self.chart.y, self.low, self.high, max(2, int(pitches)), 0.5 * across / max(pitches, 0.1))

    @property
    def upright(self) -> str:
        """What is written along the vertical axis."""
        return self.chart.y.label if self.chart.x != TIME or not self.style.names else ""

    def _paint_upright(self, painter: QPainter, text: str) -> None:
        """Write a label beside the middle of the frame; a long one also reaches beside the heading and the foot."""
        unit, metrics = self.style.scale, QFontMetricsF(painter.font())
        text = shortened_label(text, metrics, self.place.height() - 8.0 * unit)
        half = 0.5 * metrics.horizontalAdvance(text)
        middle = max(min(self.area.center().y(), self.place.bottom() - half), self.place.top() + half)
        painter.save()
        painter.translate(self.place.left() + 4.0 * unit, middle)
        painter.rotate(-90.0)
        painter.setPen(self.style.colour("muted"))
        painter.drawText(QRectF(-half, 0.0, 2.0 * half, 14.0 * unit), int(CENTRED), text)
        painter.restore()

    def across_ticks(self) -> list[tuple[float, str]]:
        """The ticks of the horizontal axis: pixels and numbers."""
        found = ticks(self.chart.x, *self.span, max(2, int(self.area.width() / (70.0 * self.style.scale))))
        return [(float(self._right(np.array(place))), text) for place, text in found]

    def _paint_across(self, painter: QPainter) -> None:
        style, area, unit = self.style, self.area, self.style.scale
        painter.setPen(pen(style.colour("disabled"), width=max(1.0, unit)))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        painter.setFont(style.font(11.0))
        for x, text in self.across_ticks():
            if self.chart.x != TIME and style.grid:
                painter.setPen(pen(style.colour("border"), width=max(1.0, unit)))
                painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            painter.setPen(pen(style.colour("disabled"), width=max(1.0, unit)))
            painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 4.0 * unit))
            if self.numbers:
                painter.setPen(style.colour("muted"))
                box = QRectF(x - 40 * unit, area.bottom() + 5 * unit, 80 * unit, 16 * unit)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        if self.numbers:
            painter.setPen(style.colour("muted"))
            half = min(area.center().x() - self.place.left(), self.place.right() - area.center().x())
            box = QRectF(area.center().x() - half, area.bottom() + 20 * unit, 2.0 * half, 16 * unit)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.chart.x.label)

    # -- curves --------------------------------------------------------------------------------------------------------

    def paint_curves(self, painter: QPainter, alpha: float = 1.0) -> None:
        """The curves with opacity `alpha`, the first one on top."""
        painter.save()
        painter.setClipRect(self.area)
        size = marks.mark_size(self.style, self.across, bare=self.chart.bare)
        for curve, (x, y, *taken) in reversed(list(zip(self.chart.curves, self._lines, strict=True))):
            if curve.joined and x.size > 1:
                for part, stroke in strokes(x, y, self.style.curve_pen(curve, alpha), *taken):
                    painter.setPen(stroke)
                    for piece in pieces(x[part], y[part], self.area):
                        painter.drawPolyline(QPolygonF(piece))
                if self.style.mono and not (curve.mark or curve.faded or self.chart.bare or fit.pointed(self.chart)):
                    self._paint_along(painter, curve, x, y)
            if curve.mark == "tick":
                marks.paint_ticks(painter, x, y, pen(self.style.curve_colour(curve), width=1.0, alpha=alpha))
            elif curve.mark == "stripe":
                marks.paint_stripe(painter, x, y, self.style.stripe_colour(curve, alpha), self.area)
            elif curve.mark:
                colour = self.style.curve_colour(curve)
                colour.setAlphaF(alpha)
                painter.setPen(pen(colour, width=0.8 * self.style.line * self.style.scale, alpha=alpha))
                painter.setBrush(colour if curve.filled else self.style.colour("surface", alpha))
                for spot in (QPointF(*point) for point in zip(x.tolist(), y.tolist(), strict=True)):
                    if self.area.contains(spot):
                        marks.paint_mark(painter, curve.mark, spot, size)
        painter.restore()
        paint_labels(painter, self.chart.labels, self.spot, self.area, self.style)

    def _paint_along(self, painter: QPainter, curve: Curve, x: Array, y: Array) -> None:
        """The marks of a curve that has no colour: a few along it, elsewhere than those of its neighbours."""
        mark, size = self.style.mark(curve.tint or curve.colour), 1.7 * self.style.line * self.style.scale
        painter.setPen(pen(self.style.curve_colour(curve), width=0.7 * self.style.line * self.style.scale))
        painter.setBrush(self.style.colour("surface"))
        way = np.concatenate(([0.0], np.cumsum(np.nan_to_num(np.hypot(np.diff(x), np.diff(y))))))
        begin = 0.3 + 0.13 * MARKS.index(mark) if mark in MARKS else 0.5
        for at in (begin % 1.0 + np.arange(ALONG)) * way[-1] / ALONG:
            spot = QPointF(float(np.interp(at, way, x)), float(np.interp(at, way, y)))
            if mark and self.area.contains(spot):
                marks.paint_mark(painter, mark, spot, size)

    def paint_playhead(self, painter: QPainter, t: float) -> None:
        """The playhead at `t`, a dot on each curve, and the curves' values in the heading."""
        self.paint_line(painter, t)
        self.paint_dots(painter, t)
        self.paint_names(painter, t)

    def paint_line(self, painter: QPainter, t: float) -> None:
        """The playhead at `t`, where the axis is time."""
        style, area = self.style, self.area
        if self.chart.x == TIME:
            x = float(self.across(min(max(t, self.span[0]), self.span[1])))
            painter.setPen(pen(style.colour("playhead"), width=max(1.0, style.scale)))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))

    def paint_dots(self, painter: QPainter, t: float) -> None:
        """A mark where each curve is at the time `t`: an amber diamond where it should not be there."""
        x, y = self.chart.x, self.chart.y
        places = [(curve, at) for curve in self.chart.curves if (at := curve.when(t, x, y)) is not None]
        spots = [(curve, self.spot(x, y)) for curve, (x, y) in places]
        paint_dots(painter, spots, t, self.area, self.style)

    def paint_names(self, painter: QPainter, t: float | None) -> None:
        """The curves' names at the right of the heading, with their values at `t` if one is given."""
        painter.setFont(self.style.font(12.0))
        entries = entries_of(self.chart, self.style, t, runs=self.runs)
        paint_entries(painter, entries, self.heading.adjusted(self.taken, 0.0, 0.0, 0.0), self.style)
