"""Pages: what can be painted in a given size, whoever the painter paints for (a file, a window)."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from gui.app.runs import colour_of, dash_of
from gui.qt.drawing.chart import Chart, ChartPainter, Curve, pen
from gui.qt.drawing.style import Style, style_of
from robots.model.figure import Figure, Panel

WIDTH, HEIGHT = 960.0, 640.0
"""A figure's page, in units of 1/96 inch."""

MARGIN = 22.0


class Page(Protocol):
    """A drawing of `size` (width and height in units of 1/96 inch) that can be painted."""

    title: str
    size: tuple[float, float]

    def paint(self, painter: QPainter) -> None:
        """Draw all of it."""
        ...


class FigurePage:
    """A study's figure: its title, a legend, and its panels one below the other.

    Args:
        figure: what to show.
        theme: the colours.
        size: the page's width and height in units.
        heading: whether the title and the legend are there (a thumbnail goes without).
    """

    def __init__(
        self, figure: Figure, theme: str, size: tuple[float, float] = (WIDTH, HEIGHT), *, heading: bool = True
    ) -> None:
        self.figure, self.size, self.heading = figure, size, heading
        self.title = f"{figure.name[:1].upper()}{figure.name[1:]}: {figure.title}"
        self.style: Style = style_of(theme, (960, 720))
        self.looks = {label: (colour_of(slot), dash_of(slot)) for slot, label in enumerate(figure.labels)}
        self.entries = self._flow()
        top = self.entries[-1][1].bottom() + 8.0 if heading else 0.0
        each = (size[1] - top - (8.0 if heading else 0.0)) / len(figure.panels)
        span = self._span()
        self.charts = [
            ChartPainter(
                self._chart(panel),
                QRectF(0.0, top + index * each, size[0], each),
                span,
                self.style,
                times=index == len(figure.panels) - 1,
            )
            for index, panel in enumerate(figure.panels)
        ]

    def paint(self, painter: QPainter) -> None:
        """Draw the page."""
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.fillRect(QRectF(0.0, 0.0, *self.size), self.style.colour("panel"))
        if self.heading:
            self._paint_heading(painter)
        for chart in self.charts:
            chart.paint_ground(painter)
            chart.paint_curves(painter)

    def _chart(self, panel: Panel) -> Chart:
        curves = tuple(
            Curve(line.x, line.y, *self.looks[line.label], line.label, marks=line.marks) for line in panel.lines
        )
        figure = self.figure
        return Chart(
            panel.title,
            panel.unit,
            curves,
            panel.log,
            across=figure.across,
            log_across=figure.log_across,
            equal=figure.equal,
            whole=True,
        )

    def _span(self) -> tuple[float, float]:
        """The first and last value of the horizontal axis, with some air where points are marked."""
        lines = [line for panel in self.figure.panels for line in panel.lines if line.x.size]
        if not lines:
            return 1.0, 10.0
        low, high = min(float(line.x.min()) for line in lines), max(float(line.x.max()) for line in lines)
        if not self.figure.log_across:
            return (0.0 if 0.0 < low < 0.1 * high else low), high
        air = max((high / low) ** 0.04, 1.2)
        return low / air, high * air

    # -- heading -------------------------------------------------------------------------------------------------------

    def _flow(self) -> list[tuple[str, QRectF]]:
        """The legend's entries with their places, row after row below the title."""
        metrics = QFontMetricsF(self.style.font(14.0))
        x, y, placed = MARGIN, 48.0, []
        for label in self.figure.labels:
            width = 38.0 + metrics.horizontalAdvance(label) + 22.0
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
            middle = place.center().y()
            painter.setPen(pen(style.curve(colour), dash, 3.0))
            painter.drawLine(QPointF(place.left(), middle), QPointF(place.left() + 28.0, middle))
            painter.setFont(style.font(14.0))
            painter.setPen(style.colour("text"))
            painter.drawText(place.adjusted(38.0, 0.0, 0.0, 0.0), Qt.AlignmentFlag.AlignVCenter, label)
