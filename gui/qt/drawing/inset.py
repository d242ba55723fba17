"""A small chart in a corner of the picture: the most informative one of the runs, with the playhead."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.charts.registry import charts_of
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.style import Style
from robots.model.chart import TIME

WIDTH, HEIGHT, MARGIN = 330.0, 168.0, 18.0
"""In units of the style."""


class Inset:
    """The chart, painted once; a frame adds the playhead.

    Args:
        rows: the runs, the current one first.
        view: whose first plot is shown.
        size: width and height of the picture [px].
        span: first and last time of the axis [s].
        style: colours and scale.
        ratio: device pixels per pixel.
    """

    def __init__(
        self,
        rows: Sequence[RunRow],
        view: ViewSettings,
        size: tuple[float, float],
        span: tuple[float, float],
        style: Style,
        ratio: float = 1.0,
    ) -> None:
        unit = style.scale
        width, height = WIDTH * unit, HEIGHT * unit
        self.place = QRectF(size[0] - width - MARGIN * unit, size[1] - height - MARGIN * unit, width, height)
        charts = charts_of(rows, view)[:1]
        inside = QRectF(0, 0, width, height).adjusted(0, 4 * unit, -4 * unit, -2 * unit)
        shown = span if charts and charts[0].x == TIME else None
        self.chart = ChartPainter(charts[0], inside, shown, style, numbers=False) if charts else None
        self.ground = QImage(
            max(round(width * ratio), 1), max(round(height * ratio), 1), QImage.Format.Format_ARGB32_Premultiplied
        )
        self.ground.setDevicePixelRatio(ratio)
        self.ground.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self.ground)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(style.colour("surface", 0.86))
        painter.drawRoundedRect(QRectF(0, 0, width, height), 8 * unit, 8 * unit)
        if self.chart is not None:
            self.chart.paint_ground(painter)
            self.chart.paint_curves(painter)
        painter.end()

    @property
    def fits(self) -> bool:
        """Whether there is a chart, and room for it."""
        return self.chart is not None and self.chart.fits and min(self.place.left(), self.place.top()) > 0.0

    def paint(self, painter: QPainter, t: float, corner: QRectF | None = None) -> None:
        """The chart at `t`, in the picture's corner or in `corner`."""
        place = corner or self.place
        painter.save()
        painter.translate(place.topLeft())
        painter.drawImage(0, 0, self.ground)
        if self.chart is not None:
            self.chart.paint_playhead(painter, t)
        painter.restore()
