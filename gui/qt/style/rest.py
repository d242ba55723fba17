"""The 3D view rests behind a sheet."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtOpenGLWidgets import QOpenGLWidget

from gui.qt.style.curtain import Behind
from gui.qt.style.theme import look


class Rest(QObject):
    """Lets a view draw nothing while a sheet hides it: each run that is pinned there would cost a frame.

    Args:
        view: what rests.
        done: whether it shows what it waits for; until then it goes on.
    """

    def __init__(self, view: QOpenGLWidget, done: Callable[[], bool]) -> None:
        super().__init__(view)
        self._view, self._done, self._behind = view, done, Behind(view)
        look().changed.connect(self._wake)
        # All of the window is composed, whether the view has drawn or not.
        view.frameSwapped.connect(self._follow)
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._wake()
        return False

    def _follow(self) -> None:
        """Once a sheet has gone, the window is drawn before its view: both together take twice as long."""
        if not self._behind.covered:
            self._wake()
        elif self._done():
            self._view.setUpdatesEnabled(False)

    def _wake(self) -> None:
        """Draw the next picture: nothing hides it any more, or it has another size or other colours."""
        if not self._view.updatesEnabled():
            self._view.setUpdatesEnabled(True)
            self._view.update()
