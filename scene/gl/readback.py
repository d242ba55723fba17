"""From the graphics card back into memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scene.gl.bindings import GL
from scene.gl.frame import Box
from scene.gl.renderer import Renderer
from scene.picture import Picture, Quality


def read_picture(
    renderer: Renderer,
    picture: Picture,
    size: tuple[int, int],
    quality: Quality,
    scale: float,
    part: Box,
) -> NDArray[np.uint8]:
    """A part of a picture of `size`: (height, width, 4) premultiplied, top row first; see `Renderer.draw`."""
    width, height = part[2:]
    renderer.draw(picture, framebuffer=None, size=size, quality=quality, scale=scale, part=part)
    image = np.empty((height, width, 4), dtype=np.uint8)
    GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
    GL.glReadPixels(0, 0, width, height, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, image)
    return image[::-1]
