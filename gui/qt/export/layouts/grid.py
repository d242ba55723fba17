"""Runs beside each other, each in a scene of its own: one camera, one clock, one scale of the errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from gui.app.formatting import error_unit, one_name
from gui.app.run_texts import leading_error
from gui.app.runs import visible_runs
from gui.app.units import reading
from gui.compose.picture import LegendEntry, legend
from gui.qt.drawing.annotation import MARGIN, bars_of, paint_clock, paint_heading
from gui.qt.drawing.canvas import Canvas, FramePlan, Pixels
from gui.qt.drawing.style import pen

BAND = 58.0
"""Height of the title's band in units."""

GAP = 3.0
"""Between two scenes, in units."""


class GridLayout:
    """As many scenes as runs, in rows and columns that leave each scene as large as possible."""

    key: ClassVar[str] = "grid"
    title: ClassVar[str] = "Grid"
    place: ClassVar[int] = 3

    def __init__(self, plan: FramePlan) -> None:
        self.plan = plan
        self.runs = runs = visible_runs(plan.rows) or list(plan.rows)
        self.scenes = tuple((replace(row, pinned=False),) for row in runs)
        width, height = plan.size
        unit = plan.style.scale
        band = round(BAND * unit) if plan.title else 0
        self.band = band if height > 3 * band else 0
        self.gap = max(round(GAP * unit), 1)
        self.columns, self.lines = self.arranged(len(runs), width, height - self.band)
        self.scene_size = (
            max((width - (self.columns - 1) * self.gap) // self.columns, 1),
            max((height - self.band - (self.lines - 1) * self.gap) // self.lines, 1),
        )
        smaller = min(self.scene_size[0] / 620, self.scene_size[1] / 380)
        self.style = replace(plan.style, scale=max(min(0.92 * unit, smaller), 0.1))
        named = legend([row for (row,) in self.scenes], plan.span[0])[:1]
        self.bars = bars_of(self.scene_size, None if plan.title is None else "", named, self.style)
        self.ground = self._ground()
        self.canvas = Canvas(plan.size)

    def arranged(self, count: int, width: int, height: int) -> tuple[int, int]:
        """Columns and lines for `count` scenes in a space of `width` by `height` [px]."""

        def size(columns: int) -> float:
            lines = math.ceil(count / columns)
            return min(width / columns / 1.3, height / lines)

        columns = max(range(1, count + 1), key=size)
        return columns, math.ceil(count / columns)

    def corner(self, index: int) -> tuple[int, int]:
        """Left and top of a scene [px]."""
        line, column = divmod(index, self.columns)
        return column * (self.scene_size[0] + self.gap), self.band + line * (self.scene_size[1] + self.gap)

    def paint(self, scenes: Sequence[Pixels], t: float, legend: Sequence[LegendEntry]) -> Pixels:
        """The frame at `t`."""
        pixels = self.canvas.pixels
        pixels[:] = self.ground
        width, height = self.scene_size
        for index, scene in enumerate(scenes):
            left, top = self.corner(index)
            part = pixels[top : top + height, left : left + width]
            part[:] = scene[: part.shape[0], : part.shape[1]]
        if self.plan.title is None:
            return pixels
        painter = self.canvas.painter()
        for index, entry in enumerate(legend[: len(scenes)]):
            left, top = self.corner(index)
            box = QRectF(left, top, width, height)
            setting = "   ".join(filter(None, (entry.setting, self.error_of(index, t))))
            line = replace(entry, label=one_name(entry.label), setting=setting, current=True)
            paint_heading(painter, box, "", [line], self.style)
        corner = QRectF(0, self.corner(len(scenes) - 1)[1], width, height)
        paint_clock(painter, corner, t, self.plan.speed, self.style)
        painter.end()
        return pixels

    def error_of(self, index: int, t: float) -> str:
        """The run's leading error at `t`, as text; empty if it is unknown, or after the run stopped."""
        row = self.runs[index]
        found = leading_error(row)
        if found is None or row.frozen_at(t) or (row.reference is not None and t > row.reference.trusted_until):
            return ""
        name, times, values = found
        unit = error_unit(name, row.scenario)
        return f"error {reading(float(np.interp(t, times, values)), unit)}"

    def _ground(self) -> Pixels:
        """What all frames share: the title's band, and the lines between the scenes."""
        style, canvas = self.plan.style, Canvas(self.plan.size)
        painter = canvas.painter()
        clear = self.plan.transparent
        if not clear:
            painter.fillRect(QRectF(0, 0, *self.plan.size), style.colour("border"))
            painter.fillRect(QRectF(0, 0, self.plan.size[0], self.band), style.colour("surface"))
            for index in range(len(self.runs), self.columns * self.lines):
                painter.fillRect(
                    QRectF(*self.corner(index), *self.scene_size).adjusted(0, 0, 9, 9), style.colour("surface")
                )
        if self.band:
            self._paint_title(painter)
        painter.end()
        return canvas.pixels.copy()

    def _paint_title(self, painter: QPainter) -> None:
        style, unit = self.plan.style, self.plan.style.scale
        box = QRectF(MARGIN * unit, 0, self.plan.size[0] - 2 * MARGIN * unit, self.band)
        painter.setFont(style.font(21.0, bold=True))
        painter.setPen(style.colour("text"))
        words = QFontMetricsF(painter.font()).elidedText(
            self.plan.title or "", Qt.TextElideMode.ElideRight, box.width()
        )
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, words)
        painter.setPen(pen(style.colour("border"), width=max(unit, 1.0)))
        painter.drawLine(QPointF(0, self.band - 0.5), QPointF(self.plan.size[0], self.band - 0.5))


LAYOUT = GridLayout
