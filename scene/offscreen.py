"""Pictures without a window and without a display."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from assets.errors import ArmstepError, BadInput
from scene.picture import Picture, Quality

if TYPE_CHECKING:
    from scene.gl.passes.picking import Hit
    from scene.gl.renderer import Driver

LARGEST = 16384
"""The widest and highest picture [px]."""

WHOLE, TILE = 4096, 2048
"""Pictures up to the first size are drawn in one go, larger ones in pieces of the second [px]: memory stays small."""


class Context(Protocol):
    """An OpenGL 3.3 core context that needs no window."""

    def make_current(self) -> None:
        """Make it current on this thread."""

    def close(self) -> None:
        """Release it."""


class Offscreen:
    """Draws pictures of one size, on one thread.

    Args:
        size: width and height [px].
        quality: a level, or None for the one that suits the driver.
        supersample: draws this many times as wide and as high, and averages; 1 to 4.
        scale: pixels per logical pixel: line widths and type grow with it.
        context: where to draw; None opens an EGL context without a surface (Linux). On other systems, or to share a
            window's driver, pass one of the windowing library's.

    Raises:
        ArmstepError: there is no OpenGL 3.3 here, and what to do about it.
        BadInput: a size or a factor that is out of range.
    """

    def __init__(
        self,
        size: tuple[int, int],
        quality: Quality | None = "high",
        supersample: int = 1,
        scale: float = 1.0,
        context: Context | None = None,
    ) -> None:
        if not all(1 <= length <= LARGEST for length in size):
            raise BadInput("size", f"{size[0]}x{size[1]}", f"from 1 to {LARGEST} pixels each way")
        if not 1 <= supersample <= 4:
            raise BadInput("supersample", supersample, "from 1 to 4")
        self.size, self.supersample, self.scale = size, supersample, scale
        self._context = context or _egl_context()
        self._context.make_current()
        from scene.gl.renderer import Renderer

        self.renderer = Renderer()
        self.driver: Driver = self.renderer.describe()
        self.quality: Quality = quality or self.renderer.automatic_quality()

    def render(self, picture: Picture) -> NDArray[np.uint8]:
        """The picture as (height, width, 4) bytes: red, green, blue, straight opacity; top row first."""
        self._context.make_current()
        width, height = (length * self.supersample for length in self.size)
        if max(width, height) > WHOLE:
            image = self._in_pieces(picture, (width, height))
        else:
            image = self._piece(picture, (width, height), (0, 0, width, height))
        if self.supersample > 1:
            image = _averaged(image, self.supersample)
        return _straight(image) if picture.transparent else image

    def _in_pieces(self, picture: Picture, size: tuple[int, int]) -> NDArray[np.uint8]:
        width, height = size
        image = np.empty((height, width, 4), dtype=np.uint8)
        for y in range(0, height, TILE):
            for x in range(0, width, TILE):
                part = (x, y, min(TILE, width - x), min(TILE, height - y))
                image[height - y - part[3] : height - y, x : x + part[2]] = self._piece(picture, size, part)
        return image

    def _piece(self, picture: Picture, size: tuple[int, int], part: tuple[int, int, int, int]) -> NDArray[np.uint8]:
        from scene.gl.readback import read_picture

        return read_picture(self.renderer, picture, size, self.quality, self.scale * self.supersample, part)

    def pick(self, picture: Picture, x: float, y: float) -> Hit | None:
        """What lies under pixel (x, y) from the top left of the picture; None for nothing."""
        self._context.make_current()
        return self.renderer.pick_point(picture, self.size, x, y)

    def close(self) -> None:
        """Release everything."""
        self._context.make_current()
        self.renderer.release()
        self._context.close()

    def __enter__(self) -> Offscreen:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _egl_context() -> Context:
    if not sys.platform.startswith("linux"):
        raise ArmstepError(
            "drawing without a window needs EGL, which only Linux has; open a window's context and pass it"
        )
    if "OpenGL" not in sys.modules:
        os.environ.setdefault("PYOPENGL_PLATFORM", "egl")
    from scene.gl.egl import EglContext

    return EglContext()


def _averaged(image: NDArray[np.uint8], factor: int) -> NDArray[np.uint8]:
    """Each `factor` x `factor` block of (premultiplied) pixels as one."""
    h, w = image.shape[0] // factor, image.shape[1] // factor
    total = np.zeros((h, w, 4), dtype=np.uint16)
    for i in range(factor):
        for j in range(factor):
            total += image[i::factor, j::factor]
    return ((total + factor * factor // 2) // (factor * factor)).astype(np.uint8)


def _straight(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Premultiplied colours, divided by their opacity."""
    alpha = image[..., 3:].astype(np.float32)
    colours = image[..., :3] * (255.0 / np.maximum(alpha, 1.0))
    return np.concatenate([np.minimum(colours + 0.5, 255.0).astype(np.uint8), image[..., 3:]], axis=-1)
