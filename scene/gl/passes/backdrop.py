"""Sky and ground: everything behind and below the arms.

Before the arms come sky and ground as they look without them; after the arms, the part of the ground that their shadow
can reach. While the camera stands still the first of the two is the same in every frame.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scene import camera as cameras
from scene.gl import frame as frames
from scene.gl.bindings import GL
from scene.gl.buffers import Vertices
from scene.gl.program import Program
from scene.gl.quality import Level
from scene.gl.targets import Target
from scene.picture import Array, Picture

CORNER = np.dtype([("corner", "<f4", 3)])
GROUND_REACH = 14.0
"""How far the ground is drawn, in radii of the scene: beyond, fog hides it."""

SIDES = 16
"""The sides of a ring of ground."""


class Backdrop:
    """Draws the sky and the ground, with the shadow on it."""

    def __init__(self) -> None:
        self._sky = Program("background.vert", "background.frag")
        self._depth = Program("ground.vert", "depth.frag")
        self._far = Program("ground.vert", "ground.frag")
        self._near: dict[tuple[int, bool], Program] = {}
        self._empty = GL.glGenVertexArrays()
        self._ring = Vertices(CORNER, indexed=False)
        self._ring.fill(_ring(), often=False)
        self._kept, self._key = Target(GL.GL_RGBA8, GL.GL_DEPTH24_STENCIL8), None

    def begin(self, picture: Picture, numbers: NDArray[np.float32], scene: Target, keep: bool) -> None:
        """Fill `scene` with sky and ground as they look without arms.

        Args:
            picture: what is drawn.
            numbers: the contents of its `FrameBlock`.
            scene: where to.
            keep: copy them from the last frame with the same `numbers`, if that is cheaper than drawing them.
        """
        key = (numbers.tobytes(), picture.ground)
        if keep and key == self._key and self._kept.size == scene.size and self._kept.samples == scene.samples:
            self._kept.copy(scene)
            scene.bind()
            return
        scene.clear()
        if not _is_pane(picture):
            self._draw_ring(self._far, frames.stage(picture)[0], (0.0, self._horizon(picture)))
        if not picture.transparent:
            # The ground hides most of the sky, so the sky is drawn last.
            self._draw_sky()
        self._key = key if keep else None
        if keep:
            self._kept.fit(scene.size, scene.samples)
            scene.copy(self._kept)
            scene.bind()

    def finish(self, picture: Picture, casters: Array, level: Level) -> None:
        """Draw the ground with the shadow of what lies within the hull of `casters` (k, 3), where no arm hides it."""
        if picture.ground is None:
            return
        middle, reach = frames.stage(picture)[0], 0.0
        if len(casters):
            middle, reach = frames.shadow_on_ground(casters, picture.ground)
            reach += (0.24 if level.occlusion else 0.08) * frames.stage(picture)[1]
        if _is_pane(picture):
            GL.glEnable(GL.GL_BLEND)
            GL.glDepthMask(False)
            self._draw_ring(self._shadowed(level), middle, (0.0, reach), pane=1.0)
            self._draw_ring(self._far, middle, (reach, max(2.0 * reach, self._horizon(picture))), pane=1.0)
            GL.glDepthMask(True)
            GL.glDisable(GL.GL_BLEND)
        else:
            # Its depth is already there. The stencil marks where arms are visible.
            GL.glDisable(GL.GL_DEPTH_TEST)
            GL.glEnable(GL.GL_STENCIL_TEST)
            GL.glStencilFunc(GL.GL_EQUAL, 0, 255)
            GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_KEEP)
            self._draw_ring(self._shadowed(level), middle, (0.0, reach))
            GL.glDisable(GL.GL_STENCIL_TEST)
            GL.glEnable(GL.GL_DEPTH_TEST)

    def draw_depth(self, picture: Picture) -> None:
        """Draw only the ground's depth."""
        if picture.ground is not None:
            self._draw_ring(self._depth, frames.stage(picture)[0], (0.0, self._horizon(picture)))

    def _draw_sky(self) -> None:
        GL.glDepthMask(False)
        self._sky.use()
        GL.glBindVertexArray(self._empty)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glDepthMask(True)

    def _draw_ring(self, program: Program, middle: Array, radii: tuple[float, float], pane: float = 0.0) -> None:
        """Draw the ground between two circles about `middle` [m]."""
        GL.glDisable(GL.GL_CULL_FACE)
        program.use(middle=(float(middle[0]), float(middle[1])), radii=radii, pane=pane)
        self._ring.draw()
        GL.glEnable(GL.GL_CULL_FACE)

    @staticmethod
    def _horizon(picture: Picture) -> float:
        return GROUND_REACH * frames.stage(picture)[1]

    def release(self) -> None:
        """Release everything."""
        for thing in (self._sky, self._depth, self._far, *self._near.values(), self._ring, self._kept):
            thing.release()
        GL.glDeleteVertexArrays(self._empty)

    def _shadowed(self, level: Level) -> Program:
        key = (level.softness, level.occlusion)
        if key not in self._near:
            self._near[key] = Program("ground.vert", "ground.frag", {"SHADOWED": 1, **level.defines()})
        return self._near[key]


def _is_pane(picture: Picture) -> bool:
    """Whether the ground is blended over everything else: it is transparent, or seen from below."""
    return picture.ground is None or picture.transparent or cameras.eye(picture.camera)[2] < picture.ground


def _ring() -> NDArray[np.void]:
    """Triangles of a ring: directions, with 0 on the inner edge and 1 on the outer."""
    angles = np.linspace(0.0, 2 * np.pi, SIDES + 1)
    edge = np.stack([np.cos(angles), np.sin(angles), np.zeros(SIDES + 1)], axis=1)
    outer = edge + np.array([0.0, 0.0, 1.0])
    corners = np.stack([edge[:-1], outer[:-1], outer[1:], edge[:-1], outer[1:], edge[1:]], axis=1).astype(np.float32)
    return corners.reshape(-1, 3).view(CORNER).reshape(-1)
