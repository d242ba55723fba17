"""What the 3D view needs of OpenGL: its version, the renderer's import, and a context without a window.

That is for the systems where EGL is not part of the driver.
"""

from __future__ import annotations

from PySide6.QtCore import QThread
from PySide6.QtGui import QOffscreenSurface, QOpenGLContext, QSurfaceFormat

from assets.errors import ArmstepError


def core_format() -> QSurfaceFormat:
    """OpenGL 3.3 core, as every part of Armstep asks for it."""
    wanted = QSurfaceFormat()
    wanted.setVersion(3, 3)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    return wanted


class Importer(QThread):
    """Imports the renderer in another thread: PyOpenGL takes longer than the rest of the window."""

    done = False

    def run(self) -> None:
        import scene.gl.renderer  # noqa: F401

        self.done = True


class BareContext:
    """A `scene.offscreen.Context`. Needs a QGuiApplication, and to be made on its thread.

    Args:
        thread: where it will be current, if not here.

    Raises:
        ArmstepError: the driver has no OpenGL 3.3 core.
    """

    def __init__(self, thread: QThread | None = None) -> None:
        wanted = core_format()
        self._surface, self._context = QOffscreenSurface(), QOpenGLContext()
        self._surface.setFormat(wanted)
        self._surface.create()
        self._context.setFormat(wanted)
        if not self._context.create():
            raise ArmstepError("the graphics driver does not support OpenGL 3.3; run `armstep doctor` for details")
        if thread is not None:
            self._context.moveToThread(thread)

    def make_current(self) -> None:
        """Make it current on this thread."""
        if not self._context.makeCurrent(self._surface):
            raise ArmstepError("the graphics driver has lost its OpenGL context; please try again")

    def close(self) -> None:
        """Release it; a surface that was made on another thread ends there, with this object."""
        self._context.doneCurrent()
        if self._surface.thread() == QThread.currentThread():
            self._surface.destroy()
