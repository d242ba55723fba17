"""The 3D view rests behind a sheet."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtOpenGLWidgets import QOpenGLWidget

from gui.qt.style.theme import look
from gui.qt.window.bridge import Behind


class Rest(QObject):
    """Lets a view draw nothing while a sheet hides it: each run that is pinned there would cost a frame.

    Args:
        view: what rests.
        done: whether it shows what it waits for; until then it goes on.
    """

    def __init__(self, view: QOpenGLWidget, done: Callable[[], bool]) -> None:
        super().__init__(view)
        self._view, self._done, self._behind = view, done, Behind(view)
        self._behind.changed.connect(self._wake)
        look().changed.connect(self._wake)
        view.frameSwapped.connect(self._rest)
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._wake()
        return False

    def _rest(self) -> None:
        if self._behind.covered and self._done():
            self._view.setUpdatesEnabled(False)

    def _wake(self) -> None:
        """Draw the next picture: nothing hides it any more, or it has another size or other colours."""
        self._view.setUpdatesEnabled(True)
        self._view.update()
