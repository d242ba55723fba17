"""A small 3D picture of a few runs at one time, for sheets."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QSizePolicy

from gui.app.runs import RunRow
from gui.app.session.session import Session
from gui.compose.picture import compose
from gui.qt.access.spoken import Role, speak
from gui.qt.style.theme import look

if TYPE_CHECKING:
    from scene.gl.renderer import Renderer

log = logging.getLogger(__name__)


class ArmView(QOpenGLWidget):
    """Arms and trails as the 3D view draws them, without its labels. Nothing is drawn while there are no rows.

    Args:
        session: from whose camera they are seen.
        name: what it shows, for those who cannot see it.
    """

    def __init__(self, session: Session, name: str) -> None:
        super().__init__()
        self.session, self.rows, self.t = session, (), 0.0
        self.rows: Sequence[RunRow]
        self._renderer: Renderer | None = None
        self.setMinimumSize(160, 90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        speak(self, Role.Graphic, name, lambda: ", ".join(row.label for row in self.rows) or "No run")

    def show_rows(self, rows: Sequence[RunRow], t: float) -> None:
        """Show these rows at the time `t` [s]."""
        self.rows, self.t = rows, t
        self.update()

    def paintGL(self) -> None:
        from scene.gl.renderer import Renderer

        ratio, theme = self.devicePixelRatioF(), look().theme
        if not self.rows:
            ground = theme.colour("surface")
            gl = self.context().functions()
            gl.glClearColor(ground.redF(), ground.greenF(), ground.blueF(), 1.0)
            gl.glClear(0x4000)  # GL_COLOR_BUFFER_BIT
            return
        size = max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1)
        view = replace(self.session.view.settings, labels=False, error_vector=False, ghosts=True)
        try:
            picture = compose(self.rows, self.t, view, theme=theme.name, aspect=size[0] / size[1])
            self._renderer = self._renderer or Renderer()
            self._renderer.draw(
                picture, framebuffer=self.defaultFramebufferObject(), size=size, quality="low", scale=ratio * 0.7
            )
        except Exception:
            # The sheet works without this picture.
            log.exception("the arm beside the map could not be drawn")
            self.rows = ()
            self.hide()

    def finish(self) -> None:
        """Release everything on the graphics card."""
        if self._renderer is not None and self.context() is not None:
            self.makeCurrent()
            self._renderer.release()
            self.doneCurrent()
        self._renderer, self.rows = None, ()
