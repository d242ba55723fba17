"""An OpenGL context on Linux without any display: EGL on Mesa's surfaceless platform, else on a graphics device.

EGL is called through ctypes, not through PyOpenGL: PyOpenGL knows one window system per process, and a process whose
window came from another one must still be able to draw a film.
"""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_int, c_uint, c_void_p

from assets.errors import ArmstepError

SURFACELESS, DEVICE = 0x31DD, 0x313F
OPENGL_API, OPENGL_BIT = 0x30A2, 0x0008
NONE, RENDERABLE_TYPE, SURFACE_TYPE = 0x3038, 0x3040, 0x3033
MAJOR, MINOR, PROFILE, CORE_PROFILE = 0x3098, 0x30FB, 0x30FD, 1

HINT = "install a driver (Debian, Ubuntu: apt install libegl1 libgl1-mesa-dri)"


class EglContext:
    """A core 3.3 context without a surface. Raises ArmstepError if there is none."""

    def __init__(self) -> None:
        try:
            self._egl = ctypes.CDLL("libEGL.so.1")
        except OSError as error:
            raise ArmstepError(f"cannot draw without a window: libEGL.so.1 is missing; {HINT}") from error
        _declare(self._egl)
        self._display = self._open_display()
        self._egl.eglBindAPI(OPENGL_API)
        wanted = (c_int * 7)(MAJOR, 3, MINOR, 3, PROFILE, CORE_PROFILE, NONE)
        self._context = self._egl.eglCreateContext(self._display, self._config(), None, wanted)
        if not self._context:
            raise ArmstepError(f"cannot draw without a window: the driver gives no OpenGL 3.3 core context; {HINT}")

    def make_current(self) -> None:
        """Make it current on this thread."""
        if not self._egl.eglMakeCurrent(self._display, None, None, self._context):
            raise ArmstepError(f"the graphics driver lost its context (EGL error {self._egl.eglGetError():#x})")

    def close(self) -> None:
        """Release it. The display stays open: other contexts of the process may share it."""
        if self._context:
            self._egl.eglMakeCurrent(self._display, None, None, None)
            self._egl.eglDestroyContext(self._display, self._context)
            self._context = None

    def _open_display(self) -> int:
        get = ctypes.CFUNCTYPE(c_void_p, c_uint, c_void_p, c_void_p)(
            self._egl.eglGetProcAddress(b"eglGetPlatformDisplayEXT") or 0
        )
        if get:
            for display in (get(SURFACELESS, None, None), *(get(DEVICE, device, None) for device in self._devices())):
                if display and self._egl.eglInitialize(display, ctypes.byref(c_int()), ctypes.byref(c_int())):
                    return display
        raise ArmstepError(
            f"cannot draw without a window: EGL offers neither a surfaceless display nor a device; {HINT}"
        )

    def _devices(self) -> list[int]:
        address = self._egl.eglGetProcAddress(b"eglQueryDevicesEXT")
        if not address:
            return []
        query = ctypes.CFUNCTYPE(c_uint, c_int, c_void_p, c_void_p)(address)
        found, count = (c_void_p * 16)(), c_int()
        query(16, found, ctypes.byref(count))
        return [device for device in found[: count.value] if device]

    def _config(self) -> int | None:
        """A configuration for OpenGL if the driver lists one; without surfaces none is needed."""
        found, count = (c_void_p * 1)(), c_int()
        wanted = (c_int * 5)(SURFACE_TYPE, 0, RENDERABLE_TYPE, OPENGL_BIT, NONE)
        self._egl.eglChooseConfig(self._display, wanted, found, 1, ctypes.byref(count))
        return found[0] if count.value else None


def _declare(egl: ctypes.CDLL) -> None:
    """The types of the functions used (EGL 1.4)."""
    for name, result, arguments in (
        ("eglGetProcAddress", c_void_p, [c_char_p]),
        ("eglInitialize", c_uint, [c_void_p, c_void_p, c_void_p]),
        ("eglBindAPI", c_uint, [c_uint]),
        ("eglChooseConfig", c_uint, [c_void_p, c_void_p, c_void_p, c_int, c_void_p]),
        ("eglCreateContext", c_void_p, [c_void_p, c_void_p, c_void_p, c_void_p]),
        ("eglMakeCurrent", c_uint, [c_void_p, c_void_p, c_void_p, c_void_p]),
        ("eglDestroyContext", c_uint, [c_void_p, c_void_p]),
        ("eglGetError", c_int, []),
    ):
        function = getattr(egl, name)
        function.restype, function.argtypes = result, arguments
