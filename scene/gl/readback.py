"""From the graphics card back into memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scene.gl.bindings import GL
from scene.gl.renderer import Renderer
from scene.gl.targets import Target
from scene.picture import Picture, Quality


class Canvas:
    """A framebuffer that can be read."""

    def __init__(self) -> None:
        self._target = Target(GL.GL_RGBA8, 0)

    def draw(
        self,
        renderer: Renderer,
        picture: Picture,
        size: tuple[int, int],
        quality: Quality,
        scale: float,
        part: tuple[int, int, int, int],
    ) -> NDArray[np.uint8]:
        """A part of a picture of `size`: (height, width, 4) premultiplied, top row first; see `Renderer.draw`."""
        width, height = part[2:]
        self._target.fit((width, height))
        renderer.draw(picture, framebuffer=self._target.framebuffer, size=size, quality=quality, scale=scale, part=part)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._target.framebuffer)
        image = np.empty((height, width, 4), dtype=np.uint8)
        GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
        GL.glReadPixels(0, 0, width, height, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, image)
        return image[::-1]

    def release(self) -> None:
        """Give it back."""
        self._target.release()
