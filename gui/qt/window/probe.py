"""Tests this machine's OpenGL, in a separate process because a broken driver may end it.

`python -m gui.qt.window.probe window` prints one JSON object with what was found; anything else (a crash, a
traceback) is for `armstep doctor` to report.
"""

from __future__ import annotations

import json
import sys

from assets.errors import ArmstepError


def window() -> dict[str, str]:
    """The OpenGL of a window on this display."""
    from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext

    from gui.qt.viewport.bare_context import core_format

    wanted = core_format()
    application = QGuiApplication(["armstep"])
    surface, context = QOffscreenSurface(), QOpenGLContext()
    surface.setFormat(wanted)
    surface.create()
    context.setFormat(wanted)
    if not (context.create() and context.makeCurrent(surface)):
        return {"failure": f"no OpenGL 3.3 core context ({application.platformName()})"}
    gl = context.functions()
    names = {"vendor": 0x1F00, "renderer": 0x1F01, "version": 0x1F02}
    return {name: str(gl.glGetString(code)) for name, code in names.items()}


def offscreen() -> dict[str, str]:
    """The OpenGL of an export without a display."""
    from scene.offscreen import Offscreen

    try:
        with Offscreen((16, 16), quality="low") as view:
            return {name: str(getattr(view.driver, name)) for name in ("vendor", "renderer", "version")}
    except ArmstepError as error:
        return {"failure": str(error)}


if __name__ == "__main__":
    print(json.dumps({"window": window, "offscreen": offscreen}[sys.argv[1]]()))
