"""The frames of an export, one after another: scenes drawn without a window, laid out with texts and charts."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assets.errors import ArmstepError
from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.charts.choice import panel_texts
from gui.compose import picture, viewpoint
from gui.compose.overlays.error import error_scale
from gui.compose.places import of_the_same_arm
from scene.camera import to_json

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication

    from gui.qt.drawing.canvas import FramePlan
    from gui.qt.export.layout import Layout
    from gui.qt.export.settings import ExportSettings
    from scene.offscreen import Offscreen

Array = NDArray[np.float64]


class Film:
    """Frames drawn one after another; a context manager that holds the renderer.

    Args:
        rows, view, settings: what is drawn, and how.
        scale: pixels per logical pixel, which lines and type grow with; None for what suits the size.

    Attributes:
        span: first and last time that may be shown [s].
        times: the simulated time of each frame (N,) [s].
    """

    def __init__(
        self, rows: Sequence[RunRow], view: ViewSettings, settings: ExportSettings, scale: float | None = None
    ) -> None:
        from gui.qt.export.layout import find_layout

        qt_for_text()
        run = rows[0].run
        if run is None:
            raise ArmstepError("nothing to draw: the run has not been computed")
        self.rows, self.settings = list(rows), settings
        self.span = float(run.t[0]), max(float(run.scenario.duration), float(run.t_end))
        self.times = settings.times(*self.span)
        if settings.plots:
            view = replace(view, plots=tuple(panel_texts(settings.plots)))
        self.layout: Layout = find_layout(settings.arrangement)(self._plan(view))
        self._aspect = self.layout.scene_size[0] / self.layout.scene_size[1]
        self.view = view
        if settings.camera:
            preset = picture.standard_camera(rows, settings.camera, self._aspect, self.layout.bars)
            kept = viewpoint.narrowed(preset, self._aspect)
            self.view = replace(view, camera=to_json(kept), follow=False, ride_on="", camera_path=False)
        self._first = self.span[0] if settings.start is None else settings.start
        self._offscreen: Offscreen | None = None
        # Lines and labels look alike at every size.
        self._scale = scale or max(min(settings.size[0] / 1280, settings.size[1] / 720), 0.05)

    def _plan(self, view: ViewSettings) -> FramePlan:
        from gui.qt.drawing.canvas import FramePlan
        from gui.qt.drawing.style import style_of

        settings = self.settings
        title = (settings.title or self.rows[0].scenario.title) if settings.caption else None
        # The charts' axis ends at the end of the last frame, not at its beginning.
        shown = len(self.times) * settings.speed / settings.fps
        first = float(self.times[0])
        span = self.span if settings.still else (first, min(first + shown, self.span[1]))
        style = style_of(settings.palette, settings.size)
        speed = 0.0 if settings.still else settings.speed
        return FramePlan(settings.size, self.rows, view, span, style, title, speed, settings.transparent)

    def __enter__(self) -> Film:
        from scene.offscreen import Offscreen

        context = None
        if sys.platform != "linux":
            from gui.qt.viewport.bare_context import BareContext

            context = BareContext()
        self._offscreen = Offscreen(
            self.layout.scene_size, quality=self.settings.quality, scale=self._scale, context=context
        )
        return self

    def __exit__(self, *reason: object) -> None:
        assert self._offscreen is not None
        self._offscreen.close()

    def frame(self, t: float) -> NDArray[np.uint8]:
        """The frame at `t`, (height, width, 4); the caller's own copy."""
        poses = self.settings.poses(t, self._first)
        view = replace(self.view, trail_seconds=max(t - self._first, 1e-9)) if self.settings.strobe else self.view
        drawn = [self._scene(rows, t, view, poses) for rows in self.layout.scenes]
        painted = self.layout.paint(drawn, t, picture.legend(self.rows, t))
        drawn.clear()
        return painted.copy()

    def _scene(self, rows: Sequence[RunRow], t: float, view: ViewSettings, poses: Array) -> NDArray[np.uint8]:
        """One scene of the layout. All scenes of a frame share one scale of the error arrows.

        Those of one arm share a camera. A view that a person chose is kept in each scene, as key frames are; where
        there is none, or that of a preset is asked for, a smaller or larger arm is seen whole.
        """
        alone = len(self.layout.scenes) == 1
        if not alone:
            alike, around = of_the_same_arm(self.rows, rows[0]) or self.rows, (self._aspect, self.layout.bars)
            preset = self.settings.camera
            common = (
                picture.standard_camera(alike, preset, *around)
                if preset
                else picture.camera_of(alike, t, view, *around)
            )
            view = replace(
                view,
                error_scale=error_scale(self.rows, t, view),
                camera=to_json(viewpoint.narrowed(common, self._aspect)),
                follow=False,
                ride_on="",
                camera_path=False,
            )
        composed = picture.compose(
            rows,
            t,
            view,
            theme=self.settings.palette,
            aspect=self._aspect,
            bars=self.layout.bars,
            transparent=self.settings.transparent,
            poses=poses,
        )
        assert self._offscreen is not None
        drawn = self._offscreen.render(composed)
        return drawn if alone else drawn.copy()


@cache
def qt_for_text() -> QCoreApplication:
    """The Qt application that painting text needs: the window's own, else one without a display."""
    from PySide6.QtGui import QGuiApplication

    if sys.platform == "linux" and QGuiApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return QGuiApplication.instance() or QGuiApplication(["armstep"])
