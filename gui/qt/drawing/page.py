"""Pages: drawings of a given size, for a file or a window."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from gui.charts import fit
from gui.charts.colours import colour_of, dash_of
from gui.qt.drawing.annotation import LINE, MARGIN, SAMPLE
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.legend import paint_sample
from gui.qt.drawing.style import Style, style_of
from robots.model.chart import Chart
from robots.model.figure import Figure

WIDTH, HEIGHT = 960.0, 640.0
"""The size of a study's figure in units of 1/96 inch."""

SMOOTH = QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing


class Page(Protocol):
    """A drawing of `size` (width and height in units of 1/96 inch) that can be painted.

    `outlines` says that its texts do not depend on a font, in formats where they do.
    """

    title: str
    outlines: bool
    size: tuple[float, float]

    def paint(self, painter: QPainter) -> None:
        """Draw all of it."""
        ...


class ChartPage:
    """One chart, as it is shown.

    Args:
        chart: what to show.
        style: the colours.
        size: the page's width and height in units.
        span, values: the shown parts of both axes, in positions on them; None for all.
    """

    outlines = False

    def __init__(
        self,
        chart: Chart,
        style: Style,
        size: tuple[float, float],
        span: fit.Range | None = None,
        values: fit.Range | None = None,
    ) -> None:
        self.title, self.size, self.style = chart.title, size, replace(style, plain=True)
        self.painter = ChartPainter(chart, QRectF(0.0, 0.0, *size), span, self.style, values=values, runs=True)

    def paint(self, painter: QPainter) -> None:
        """Draw the page."""
        painter.setRenderHints(SMOOTH)
        painter.fillRect(QRectF(0.0, 0.0, *self.size), self.style.colour("surface"))
        self.painter.paint_ground(painter)
        self.painter.paint_curves(painter)
        self.painter.paint_names(painter)


class FigurePage:
    """A study's figure: its title, a legend, and its charts one below the other.

    Args:
        figure: what to show.
        theme: the colours.
        size: the page's width and height in units.
        heading: whether to draw the title and the legend (a thumbnail has neither).
    """

    outlines = False

    def __init__(
        self, figure: Figure, theme: str, size: tuple[float, float] = (WIDTH, HEIGHT), *, heading: bool = True
    ) -> None:
        self.figure, self.size, self.heading = figure, size, heading
        self.title = f"{figure.name[:1].upper()}{figure.name[1:]}: {figure.title}"
        self.style: Style = replace(style_of(theme), plain=True)
        self.looks = {label: (colour_of(slot), dash_of(slot)) for slot, label in enumerate(figure.labels)}
        self.entries = self._flow()
        top = self.entries[-1][1].bottom() + 8.0 if heading else 0.0
        each = (size[1] - top - (8.0 if heading else 0.0)) / len(figure.charts)
        last = len(figure.charts) - 1
        span = None if figure.charts[0].equal else self._span()
        self.charts = [
            ChartPainter(
                self._coloured(chart),
                QRectF(0.0, top + index * each, size[0], each),
                span,
                self.style,
                numbers=index == last,
            )
            for index, chart in enumerate(figure.charts)
        ]

    def paint(self, painter: QPainter) -> None:
        """Draw the page."""
        painter.setRenderHints(SMOOTH)
        painter.fillRect(QRectF(0.0, 0.0, *self.size), self.style.colour("surface"))
        if self.heading:
            self._paint_heading(painter)
        for chart in self.charts:
            chart.paint_ground(painter)
            chart.paint_curves(painter)

    def _coloured(self, chart: Chart) -> Chart:
        looks = ((curve, self.looks[curve.name]) for curve in chart.curves)
        return replace(chart, curves=tuple(replace(one, colour=colour, dash=dash) for one, (colour, dash) in looks))

    def _span(self) -> fit.Range:
        """The shown part of the horizontal axis, which the charts share; with some margin if points are marked."""
        axis = self.figure.charts[0].x
        values = [axis.place(curve.x) for chart in self.figure.charts for curve in chart.curves if curve.x.size]
        if not values:
            return 0.0, 1.0
        low, high = min(float(one.min()) for one in values), max(float(one.max()) for one in values)
        return fit.aired(low, high, axis) if axis.log else (0.0 if 0.0 < low < 0.1 * high else low, high)

    # -- heading -------------------------------------------------------------------------------------------------------

    def _flow(self) -> list[tuple[str, QRectF]]:
        """The legend's entries with their positions, row after row below the title."""
        metrics = QFontMetricsF(self.style.font(14.0))
        x, y, placed = MARGIN, 48.0, []
        for label in self.figure.labels:
            width = LINE + 10.0 + metrics.horizontalAdvance(label) + 22.0
            if placed and x + width > self.size[0] - MARGIN:
                x, y = MARGIN, y + 23.0
            placed.append((label, QRectF(x, y, width, 21.0)))
            x += width
        return placed

    def _paint_heading(self, painter: QPainter) -> None:
        style = self.style
        painter.setFont(style.font(18.0, bold=True))
        painter.setPen(style.colour("text"))
        room = self.size[0] - 2.0 * MARGIN
        title = QFontMetricsF(painter.font()).elidedText(self.title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(MARGIN, 14.0, room, 28.0), Qt.AlignmentFlag.AlignVCenter, title)
        for label, place in self.entries:
            colour, dash = self.looks[label]
            start = QPointF(place.left(), place.center().y())
            paint_sample(painter, start, style.run_colour(colour), dash, SAMPLE, LINE)
            painter.setFont(style.font(14.0))
            painter.setPen(style.colour("text"))
            painter.drawText(place.adjusted(LINE + 10.0, 0.0, 0.0, 0.0), Qt.AlignmentFlag.AlignVCenter, label)
