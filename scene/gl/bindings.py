"""The one place that imports OpenGL, set up for speed and for any platform.

PyOpenGL chooses its platform when it is first imported, so the first to open a context chooses: the window for Qt's,
the offscreen renderer for EGL. Nothing here needs a display, and nothing needs a context until a function is called.
"""

from __future__ import annotations

import os
import sys

import OpenGL

if os.environ.get("PYOPENGL_PLATFORM") == "egl" and sys.platform.startswith("linux"):
    # With checking off first, OpenGL.EGL fails to import.
    from OpenGL import EGL  # noqa: F401

OpenGL.ERROR_CHECKING = False
OpenGL.ERROR_LOGGING = False

from OpenGL import _configflags  # noqa: E402

# OpenGL.EGL has copied the flag by now; without this, every call to OpenGL would ask for an error.
_configflags.ERROR_CHECKING = False

from scene.gl import calls as GL  # noqa: E402

__all__ = ["GL"]
