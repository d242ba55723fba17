"""The scene alone, with its heading and its clock over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QRectF

from gui.compose.picture import LegendEntry, legend
from gui.qt.drawing.annotation import bars_of, paint_clock, paint_heading
from gui.qt.drawing.canvas import Canvas, FramePlan, Pixels
from gui.qt.drawing.inset import Inset


class SceneLayout:
    """One picture from edge to edge."""

    key: ClassVar[str] = "scene"
    title: ClassVar[str] = "Scene alone"
    place: ClassVar[int] = 0

    def __init__(self, plan: FramePlan) -> None:
        self.plan = plan
        self.scenes = (plan.rows,)
        self.scene_size = plan.size
        self.bars = bars_of(plan.size, plan.title, legend(plan.rows, plan.span[0]), plan.style)
        self.canvas = Canvas(plan.size)
        inset = Inset(plan.rows, plan.view, plan.size, plan.span, plan.style) if plan.view.mini_plot else None
        self.inset = inset if inset is not None and inset.fits else None

    def paint(self, scenes: Sequence[Pixels], t: float, legend: Sequence[LegendEntry]) -> Pixels:
        """The frame at `t`."""
        if self.plan.title is None and self.inset is None:
            return scenes[0]
        self.canvas.pixels[:] = scenes[0]
        place = QRectF(0, 0, *self.plan.size)
        painter = self.canvas.painter()
        if self.plan.title is not None:
            paint_heading(painter, place, self.plan.title, legend, self.plan.style)
            paint_clock(painter, place, t, self.plan.speed, self.plan.style)
        if self.inset is not None:
            self.inset.paint(painter, t)
        painter.end()
        return self.canvas.pixels


LAYOUT = SceneLayout
