"""A small 3D picture of a few runs at one time, for sheets."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.app.runs import RunRow
from gui.app.session.session import Session
from gui.compose.picture import compose
from gui.qt.access.spoken import Role, speak
from gui.qt.style.theme import look
from gui.qt.viewport.viewport import Viewport
from gui.qt.window.bridge import Soon

log = logging.getLogger(__name__)


class ArmView(QWidget):
    """Arms and trails as the 3D view draws them, without its labels. Nothing is drawn while there are no rows.

    The 3D view's own renderer draws them: one of this widget's own would first have to compile its shaders.

    Args:
        session: from whose camera they are seen.
        viewport: the window's 3D view; None where there is no OpenGL.
        name: what it shows, for those who cannot see it.

    Signals:
        drawn: there is another picture.
    """

    drawn = Signal()

    def __init__(self, session: Session, viewport: Viewport | None, name: str) -> None:
        super().__init__()
        self.session, self.viewport, self.t = session, viewport, 0.0
        self.rows: Sequence[RunRow] = ()
        self._image: QImage | None = None
        self._soon = Soon(self._draw, self)
        self.setMinimumSize(160, 90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        speak(self, Role.Graphic, name, lambda: ", ".join(row.label for row in self.rows) or "No run")

    def show_rows(self, rows: Sequence[RunRow], t: float) -> None:
        """Show these rows at the time `t` [s]."""
        self.rows, self.t = rows, t
        self._soon()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._soon()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._image is None:
            painter.fillRect(self.rect(), look().theme.colour("surface"))
        else:
            painter.drawImage(self.rect(), self._image)
        painter.end()

    def _draw(self) -> None:
        try:
            self._image = self._pictured() if self.rows else None
        except Exception:
            # The sheet works without this picture.
            log.exception("the arm beside the map could not be drawn")
            self.rows, self._image = (), None
            self.hide()
        self.update()
        self.drawn.emit()

    def _pictured(self) -> QImage | None:
        """The picture; None where there is no OpenGL, or not yet."""
        viewport = self.viewport
        if viewport is None or viewport.renderer is None or viewport.context() is None:
            return None
        from scene.gl.readback import read_picture

        ratio, theme = self.devicePixelRatioF(), look().theme
        size = max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1)
        view = replace(self.session.view.settings, labels=False, error_vector=False, ghosts=True)
        picture = compose(self.rows, self.t, view, theme=theme.name, aspect=size[0] / size[1])
        viewport.makeCurrent()
        try:
            pixels = read_picture(viewport.renderer, picture, size, viewport.quality(), ratio * 0.7, (0, 0, *size))
        finally:
            viewport.doneCurrent()
        shape = QImage.Format.Format_RGBA8888_Premultiplied
        return QImage(pixels.tobytes(), *size, 4 * size[0], shape).copy()
