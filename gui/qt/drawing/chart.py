"""A chart, most often over time: its data, its axes, and how it is painted up to the playhead."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from gui.charts.ticks import decade, decade_ticks, linear_ticks, plain, reading
from gui.qt.drawing.style import Style

Array = NDArray[np.float64]

DASHES = {
    "solid": [],
    "dash": [5.0, 2.6],
    "dot": [1.4, 2.2],
    "dash-dot": [5.0, 2.2, 1.4, 2.2],
    "dash-dot-dot": [5.0, 2.2, 1.4, 2.2, 1.4, 2.2],
}


LEAST, MOST = -17, 6
"""The lowest and the highest decade of a logarithmic axis: below is only round-off, above a run that blew up."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One line: `x` times [s] and `y` values, both (n,).

    `staircase` holds each value until the next time; `shade` (0 to 1) draws the colour nearer to the text's; `marks`
    puts a dot on every point.
    """

    x: Array
    y: Array
    colour: str
    dash: str = "solid"
    label: str = ""
    staircase: bool = False
    shade: float = 0.0
    marks: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """What one chart shows.

    Attributes:
        title, unit: what is drawn and in what; said above the axes.
        curves: drawn in order, the last one on top.
        log: whether the values' axis is logarithmic (values that are not positive leave a gap).
        crosses: (x, y) arrays of rejected steps.
        trusted_until: time after which the reference is worthless and the ground is shaded [s].
        across: what the horizontal axis counts.
        log_across: whether the horizontal axis is logarithmic.
        equal: whether both axes have the same scale.
        whole: whether a linear axis shows all values, those of a run that blew up too.
    """

    title: str
    unit: str
    curves: tuple[Curve, ...]
    log: bool = False
    crosses: tuple[Array, Array] | None = None
    trusted_until: float = math.inf
    across: str = "time [s]"
    log_across: bool = False
    equal: bool = False
    whole: bool = False


def pen(colour: str | QColor, dash: str, width: float, alpha: float = 1.0) -> QPen:
    """A round-jointed pen of `width` pixels."""
    tint = QColor(colour)
    tint.setAlphaF(alpha)
    made = QPen(tint, width)
    made.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    made.setCapStyle(Qt.PenCapStyle.FlatCap if DASHES.get(dash) else Qt.PenCapStyle.RoundCap)
    if DASHES.get(dash):
        made.setDashPattern(DASHES[dash])
    return made


class ChartPainter:
    """A chart laid out in a rectangle; the ground, the curves and the playhead are painted apart.

    Args:
        chart: what to show.
        place: where, in pixels.
        span: first and last time of the axis [s], or its first and last value.
        style: colours and scale.
        times: whether the time axis carries numbers (the lowest of a stack does).
    """

    def __init__(self, chart: Chart, place: QRectF, span: tuple[float, float], style: Style, *, times: bool) -> None:
        self.chart, self.place, self.style, self.times = chart, place, style, times
        self.span = span if span[1] > span[0] else (span[0], span[0] + 1.0)
        unit = style.scale
        bottom = (38.0 if times else 12.0) * unit
        self.area = place.adjusted(58.0 * unit, 30.0 * unit, -16.0 * unit, -bottom)
        self.low, self.high = log_range(chart) if chart.log else linear_range(chart)
        if chart.log_across:
            self.span = math.log10(self.span[0]), math.log10(self.span[1])
        if chart.equal:
            self._equalise()
        self._lines = [self._line(curve) for curve in chart.curves]

    @property
    def fits(self) -> bool:
        """Whether there is room to draw anything that can be read."""
        return self.area.width() >= 24.0 and self.area.height() >= 12.0

    def across(self, t: Array | float) -> Array:
        """Horizontal pixels of the times `t`."""
        values = np.asarray(t, float)
        if self.chart.log_across:
            values = np.log10(values)
        pixels = self.area.left() + (values - self.span[0]) / (self.span[1] - self.span[0]) * self.area.width()
        return np.clip(pixels, self.area.left() - 1e4, self.area.right() + 1e4)

    def _equalise(self) -> None:
        """Widen one of the ranges so that a unit is as long upwards as across."""
        wide, high = self.span[1] - self.span[0], self.high - self.low
        unit = max(wide / max(self.area.width(), 1.0), high / max(self.area.height(), 1.0))
        spare, rise = unit * self.area.width() - wide, unit * self.area.height() - high
        self.span = self.span[0] - 0.5 * spare, self.span[1] + 0.5 * spare
        self.low, self.high = self.low - 0.5 * rise, self.high + 0.5 * rise

    def upward(self, values: Array | float) -> Array:
        """Vertical pixels of `values`, not a number where a logarithm has none; outliers are kept near the frame."""
        values = np.asarray(values, float)
        if self.chart.log:
            with np.errstate(divide="ignore", invalid="ignore"):
                values = np.where(values > 0.0, np.log10(values), np.nan)
        pixels = self.area.bottom() - (values - self.low) / (self.high - self.low) * self.area.height()
        return np.clip(pixels, self.area.top() - 1e4, self.area.bottom() + 1e4)

    def paint_ground(self, painter: QPainter) -> None:
        """Title, grid, axes and numbers, and the shade over what the reference cannot judge."""
        style, area = self.style, self.area
        painter.setFont(style.font(13.0, bold=True))
        painter.setPen(style.colour("text"))
        heading = QRectF(area.left(), self.place.top() + 4.0 * style.scale, area.width(), 22.0 * style.scale)
        painter.drawText(heading, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.chart.title)
        width = QFontMetricsF(painter.font()).horizontalAdvance(self.chart.title)
        painter.setFont(style.font(12.0))
        painter.setPen(style.colour("muted"))
        unit = f"[{self.chart.unit}]" if self.chart.unit else ""
        # Some room to spare: a viewer of the drawing may have another font.
        painter.drawText(
            heading.adjusted(1.18 * width + 4.0 * style.scale, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, unit
        )
        trusted = self.chart.trusted_until
        if trusted < math.inf and (shaded := max(float(self.across(trusted)), area.left())) < area.right() - 1.0:
            painter.fillRect(
                QRectF(shaded, area.top(), area.right() - shaded, area.height()), style.colour("untrusted", 0.55)
            )
        self._paint_values(painter)
        self._paint_across(painter)

    def _paint_values(self, painter: QPainter) -> None:
        style, area = self.style, self.area
        about = max(2, round(area.height() / (27.0 * style.scale)))
        if self.chart.log:
            marks = [(float(e), decade(e)) for e in decade_ticks(math.ceil(self.low), math.floor(self.high), about)]
        else:
            marks = [(value, plain(value)) for value in linear_ticks(self.low, self.high, about)]
        painter.setFont(style.font(11.0))
        for value, text in marks:
            y = area.bottom() - (value - self.low) / (self.high - self.low) * area.height()
            painter.setPen(QPen(style.colour("grid"), max(1.0, style.scale)))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(style.colour("muted"))
            box = QRectF(
                self.place.left(),
                y - 10 * style.scale,
                area.left() - self.place.left() - 7 * style.scale,
                20 * style.scale,
            )
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)

    def _marks_across(self) -> list[tuple[float, str]]:
        """Values of the horizontal axis that get a number."""
        about = max(2, round(self.area.width() / (70.0 * self.style.scale)))
        if self.chart.log_across:
            exponents = decade_ticks(math.ceil(self.span[0]), math.floor(self.span[1]), about)
            if len(exponents) > 2:
                return [(10.0**exponent, decade(exponent)) for exponent in exponents]
            low, high = 10.0 ** self.span[0], 10.0 ** self.span[1]
            between = (m * 10.0**e for e in range(math.floor(self.span[0]), math.ceil(self.span[1])) for m in (1, 2, 5))
            return [(value, plain(value)) for value in between if low <= value <= high]
        return [(value, plain(round(value, 10))) for value in linear_ticks(*self.span, about)]

    def _paint_across(self, painter: QPainter) -> None:
        style, area = self.style, self.area
        painter.setPen(QPen(style.colour("axis"), max(1.0, style.scale)))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        painter.setFont(style.font(11.0))
        for value, text in self._marks_across():
            x = float(self.across(value))
            painter.setPen(QPen(style.colour("axis"), max(1.0, style.scale)))
            painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 4.0 * style.scale))
            if self.times:
                painter.setPen(style.colour("muted"))
                box = QRectF(x - 40 * style.scale, area.bottom() + 5 * style.scale, 80 * style.scale, 16 * style.scale)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        if self.times:
            painter.setPen(style.colour("muted"))
            box = QRectF(area.left(), area.bottom() + 20 * style.scale, area.width(), 16 * style.scale)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.chart.across)

    def paint_curves(self, painter: QPainter, alpha: float = 1.0) -> None:
        """The curves with opacity `alpha`, and the crosses of rejected steps."""
        painter.save()
        painter.setClipRect(self.area.adjusted(-1, -2, 1, 2))
        style = self.style
        width = style.line * style.scale
        for curve, pieces in zip(self.chart.curves, self._lines, strict=True):
            painter.setPen(pen(style.curve(curve.colour, curve.shade), curve.dash, width, alpha))
            for piece in pieces:
                painter.drawPolyline(piece)
            if curve.marks:
                self._paint_dots(painter, curve, alpha)
        if self.chart.crosses is not None:
            painter.setPen(pen(style.warning, "solid", 0.7 * width, alpha))
            arm = 2.6 * style.scale
            xs, ys = thin(self.across(self.chart.crosses[0]), self.upward(self.chart.crosses[1]))
            for x, y in zip(xs, ys, strict=True):
                if math.isfinite(y):
                    painter.drawLine(QPointF(x - arm, y - arm), QPointF(x + arm, y + arm))
                    painter.drawLine(QPointF(x - arm, y + arm), QPointF(x + arm, y - arm))
        painter.restore()

    def _paint_dots(self, painter: QPainter, curve: Curve, alpha: float) -> None:
        """A dot on every point of a curve."""
        size = 1.6 * self.style.line * self.style.scale
        painter.setPen(Qt.PenStyle.NoPen)
        colour = self.style.curve(curve.colour, curve.shade)
        colour.setAlphaF(alpha)
        painter.setBrush(colour)
        for x, y in zip(self.across(curve.x).tolist(), self.upward(curve.y).tolist(), strict=True):
            if math.isfinite(y):
                painter.drawEllipse(QPointF(x, y), size, size)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def paint_playhead(self, painter: QPainter, t: float) -> None:
        """The playhead at `t`, a dot on each curve, and the value of the last curve in the heading."""
        style, area = self.style, self.area
        x = float(self.across(min(max(t, self.span[0]), self.span[1])))
        painter.setPen(QPen(style.colour("playhead"), max(1.0, style.scale)))
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        for curve in self.chart.curves:
            value = value_at(curve, t)
            y = float(self.upward(value))
            if math.isfinite(y) and area.top() - 2 <= y <= area.bottom() + 2:
                painter.setPen(QPen(style.colour("panel"), 1.5 * style.scale))
                painter.setBrush(style.curve(curve.colour, curve.shade))
                painter.drawEllipse(QPointF(x, y), 4.0 * style.scale, 4.0 * style.scale)
        self.paint_names(painter, t)

    def paint_names(self, painter: QPainter, t: float = math.nan) -> None:
        """The curves' names at the right of the heading, with their values at `t` if one is given."""
        style = self.style
        heading = QRectF(self.area.left(), self.place.top() + 4.0 * style.scale, self.area.width(), 22.0 * style.scale)
        painter.setFont(style.font(12.0))
        metrics = QFontMetricsF(painter.font())
        right = heading.right()
        taken = metrics.horizontalAdvance(f"{self.chart.title}  [{self.chart.unit}]  ") * 1.12
        for curve in reversed(self.chart.curves):
            value = "" if math.isnan(t) else reading(value_at(curve, t))
            text = f"{curve.label} {value}".strip()
            width = metrics.horizontalAdvance(text)
            if right - width < heading.left() + taken:
                return
            painter.setPen(style.curve(curve.colour, curve.shade))
            box = QRectF(right - width - 1, heading.top(), width + 2, heading.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
            right -= width + 12.0 * style.scale

    def _line(self, curve: Curve) -> list[QPolygonF]:
        x, y = self.across(curve.x), self.upward(curve.y)
        if curve.staircase and x.size > 1:
            x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
        x, y = thin(x, y)
        broken = np.flatnonzero(~np.isfinite(y))
        pieces = [np.column_stack(pair) for pair in zip(np.split(x, broken), np.split(y, broken), strict=True)]
        kept = [piece[np.isfinite(piece[:, 1])] for piece in pieces]
        return [QPolygonF([QPointF(*point) for point in piece.tolist()]) for piece in kept if len(piece) > 1]


def thin(x: Array, y: Array) -> tuple[Array, Array]:
    """Keeps the lowest and highest point of each half pixel when there are far more points than pixels."""
    if x.size < 4000:
        return x, y
    columns = np.floor(2.0 * x).astype(np.int64)
    starts = np.flatnonzero(np.diff(columns, prepend=columns[0] - 1))
    safe = np.where(np.isfinite(y), y, 0.0)
    order = np.lexsort((safe, columns))
    ends = np.append(starts[1:], x.size) - 1
    keep = np.unique(np.concatenate([order[starts], order[ends], np.flatnonzero(~np.isfinite(y))[:2000]]))
    return x[keep], y[keep]


def value_at(curve: Curve, t: float) -> float:
    """The curve's value at `t`: joined linearly, or held for a staircase; not a number outside its times."""
    if curve.x.size == 0 or not curve.x[0] - 1e-12 <= t <= curve.x[-1] + 1e-9:
        return math.nan
    if curve.staircase:
        return float(curve.y[min(max(int(np.searchsorted(curve.x, t, side="right")) - 1, 0), curve.y.size - 1)])
    return float(np.interp(t, curve.x, curve.y))


def log_range(chart: Chart) -> tuple[float, float]:
    """Decades that hold every positive value, at least two and at most sixteen of them."""
    values = np.concatenate([curve.y for curve in chart.curves] or [np.ones(1)])
    values = values[np.isfinite(values) & (values > 0.0)]
    if values.size == 0:
        return -1.0, 1.0
    # A little air, so that a value of exactly one decade does not lie on the frame.
    low, high = math.floor(math.log10(values.min()) - 0.05), math.ceil(math.log10(values.max()) + 0.05)
    low = min(max(low, LEAST), MOST - 2)
    high = max(min(high, MOST), low + 2)
    return float(max(low, high - 16)), float(high)


def linear_range(chart: Chart) -> tuple[float, float]:
    """A range with a little air that a run which blew up cannot flatten."""
    values = np.concatenate([curve.y for curve in chart.curves] or [np.zeros(1)])
    values = values[np.isfinite(values)]
    if values.size == 0:
        return -1.0, 1.0
    if chart.whole:
        air = 0.06 * float(np.ptp(values)) or max(abs(float(values[0])), 1.0) * 0.1
        return float(values.min()) - air, float(values.max()) + air
    usual = 1e3 * max(float(np.median(np.abs(values))), 1e-300)
    values = values[np.abs(values) <= max(usual, float(np.abs(values).min()))]
    low, high = np.percentile(values, [2.0, 98.0])
    reach = max(high - low, 1e-12)
    low, high = max(values.min(), low - reach), min(values.max(), high + reach)
    air = 0.08 * (high - low) or max(abs(high), 1.0) * 0.1
    return float(low - air), float(high + air)
