"""The scene beside its charts (below, in an upright frame), all at the same playhead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QRectF

from gui.charts.registry import charts_of, examined
from gui.charts.ticks import with_numbers
from gui.compose.picture import LegendEntry, legend
from gui.qt.drawing.annotation import bars_of, paint_clock, paint_heading
from gui.qt.drawing.canvas import Canvas, FramePlan, Pixels
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.legend import room_of_values
from robots.model.chart import TIME

PALE = 0.25


class ScenePlotsLayout:
    """Charts whose curves are full up to the playhead and pale after it.

    The charts are painted twice before the first frame, pale and full; a frame takes from each its side of the
    playhead.
    """

    key: ClassVar[str] = "scene-plots"
    title: ClassVar[str] = "With plots"
    place: ClassVar[int] = 1

    def __init__(self, plan: FramePlan) -> None:
        self.plan = plan
        self.scenes = (plan.rows,)
        width, height = plan.size
        self.wide = width >= 1.15 * height
        taken = round(0.42 * width) if self.wide else round(0.46 * height)
        self.scene_size = (max(width - taken, 1), height) if self.wide else (width, max(height - taken, 1))
        self.bars = bars_of(self.scene_size, plan.title, legend(plan.rows, plan.span[0]), plan.style)
        self.canvas = Canvas(plan.size)
        self.panel = (
            QRectF(self.scene_size[0], 0, taken, height) if self.wide else QRectF(0, self.scene_size[1], width, taken)
        )
        self.charts = self._charts()
        self.pale, self.full = self._ground(PALE), self._ground(1.0)

    def _charts(self) -> list[ChartPainter]:
        style = self.plan.style
        room = max(1, min(4, int(self.panel.height() / (118.0 * style.scale))))
        charts = charts_of(examined(self.plan.rows, self.plan.view), self.plan.view)[:room]
        place = self.panel.adjusted(4 * style.scale, 8 * style.scale, 0, -8 * style.scale)
        spans = [self.plan.span if chart.x == TIME else None for chart in charts]
        lowest = with_numbers(spans)
        extra = 26.0 * style.scale
        share = (place.height() - extra * sum(lowest)) / max(len(charts), 1)
        painters, top = list[ChartPainter](), place.top()
        for chart, span, numbers in zip(charts, spans, lowest, strict=True):
            box = QRectF(place.left(), top, place.width(), share + (extra if numbers else 0.0))
            kept = room_of_values(chart, style, self.plan.span)
            painters.append(ChartPainter(chart, box, span, style, numbers=numbers, kept=kept))
            top = box.bottom()
        return [painter for painter in painters if painter.fits]

    def _ground(self, alpha: float) -> Pixels:
        canvas = Canvas(self.plan.size)
        painter = canvas.painter()
        painter.fillRect(self.panel, self.plan.style.colour("surface", 0.0 if self.plan.transparent else 1.0))
        for chart in self.charts:
            chart.paint_ground(painter)
            chart.paint_curves(painter, alpha if chart.chart.x == TIME else 1.0)
        painter.end()
        return self._beside(canvas.pixels).copy()

    def _beside(self, pixels: Pixels) -> Pixels:
        """The part of a whole page that the charts take."""
        return pixels[:, self.scene_size[0] :] if self.wide else pixels[self.scene_size[1] :]

    def paint(self, scenes: Sequence[Pixels], t: float, legend: Sequence[LegendEntry]) -> Pixels:
        """The frame at `t`."""
        pixels, style = self.canvas.pixels, self.plan.style
        split = max(self._playhead(t) - (self.scene_size[0] if self.wide else 0), 0)
        panel = self._beside(pixels)
        panel[:, :split] = self.full[:, :split]
        panel[:, split:] = self.pale[:, split:]
        pixels[: self.scene_size[1], : self.scene_size[0]] = scenes[0]
        painter = self.canvas.painter()
        for chart in self.charts:
            chart.paint_playhead(painter, t)
        if self.plan.title is not None:
            place = QRectF(0, 0, *self.scene_size)
            paint_heading(painter, place, self.plan.title, legend, style)
            paint_clock(painter, place, t, self.plan.speed, style)
        painter.end()
        return pixels

    def _playhead(self, t: float) -> int:
        timed = next((chart for chart in self.charts if chart.chart.x == TIME), None)
        if timed is None:
            return self.plan.size[0]
        first, last = self.plan.span
        return int(np.ceil(float(timed.across(min(max(t, first), last)))))


LAYOUT = ScenePlotsLayout
