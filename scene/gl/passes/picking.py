"""What is under the cursor: a few pixels around it are drawn with identities instead of colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scene.geometry.arm import part_name
from scene.gl import frame as frames
from scene.gl.actors import Drawn
from scene.gl.bindings import GL
from scene.gl.buffers import Block
from scene.gl.program import Program
from scene.gl.targets import Target
from scene.picture import Array, Picture
from scene.theme import scene_theme

REACH_PX = 5
"""How far from a thing a click still counts [device px]."""


class Hit(NamedTuple):
    """What was found: the actor's number, its link (-1: the base), the part's name, the surface's point (3,) [m]."""

    actor: int
    link: int
    name: str
    point: Array


class Picker:
    """Draws identities."""

    def __init__(self) -> None:
        self._program = Program("arm.vert", "identity.frag")
        self._target = Target(GL.GL_RGBA16UI, GL.GL_DEPTH_COMPONENT24, linear=False)

    def pick(
        self, picture: Picture, drawn: Sequence[Drawn], frame: Block, size: tuple[int, int], x: float, y: float
    ) -> Hit | None:
        """The thing nearest to pixel (x, y) from the top left, within `REACH_PX`."""
        width = 2 * REACH_PX + 1
        left, bottom = int(x) - REACH_PX, size[1] - 1 - int(y) - REACH_PX
        crop = frames.crop(size, (left, bottom, width, width))
        block = frames.frame_block(picture, scene_theme(picture.theme), size, 1.0, 1024, crop)
        frame.fill(block)
        self._target.fit((width, width))
        self._target.bind()
        GL.glClearBufferuiv(GL.GL_COLOR, 0, np.zeros(4, dtype=np.uint32))
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        for thing in drawn:
            if thing.number >= 0:
                self._program.use(only=-1, grow=0.0)
                GL.glUniform1ui(GL.glGetUniformLocation(self._program.id, "actor"), thing.number)
                thing.draw()
        names = np.zeros((width, width, 4), dtype=np.uint16)
        depths = np.zeros((width, width), dtype=np.float32)
        GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
        GL.glReadPixels(0, 0, width, width, GL.GL_RGBA_INTEGER, GL.GL_UNSIGNED_SHORT, names)
        GL.glReadPixels(0, 0, width, width, GL.GL_DEPTH_COMPONENT, GL.GL_FLOAT, depths)
        place = _nearest(names[..., 0] > 0)
        if place is None:
            return None
        row, column = place
        actor, link, part = (int(v) for v in names[row, column, :3])
        ndc = [(2 * column + 1) / width - 1, (2 * row + 1) / width - 1, 2 * float(depths[row, column]) - 1, 1.0]
        # The block holds the inverse of the cropped projection, column by column.
        point = block[16:32].reshape(4, 4).T.astype(float) @ ndc
        return Hit(actor - 1, link - 1, part_name(picture.actors[actor - 1].shape, part), point[:3] / point[3])

    def release(self) -> None:
        """Release everything."""
        self._program.release()
        self._target.release()


def _nearest(found: NDArray[np.bool_]) -> tuple[int, int] | None:
    """The position of the true value closest to the middle."""
    rows, columns = np.nonzero(found)
    if not len(rows):
        return None
    middle = found.shape[0] // 2
    best = int(np.argmin((rows - middle) ** 2 + (columns - middle) ** 2))
    return int(rows[best]), int(columns[best])
