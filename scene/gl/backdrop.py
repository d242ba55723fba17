"""Sky and ground: everything behind and below the arms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scene import camera as cameras
from scene.gl import frame as frames
from scene.gl.bindings import GL
from scene.gl.buffers import Vertices
from scene.gl.program import Program
from scene.gl.quality import Level
from scene.picture import Picture

CORNER = np.dtype([("corner", "<f4", 3)])
GROUND_REACH = 14.0
"""How far the ground is drawn, in radii of the scene: the fog has closed by then."""


class Backdrop:
    """Draws the sky and the ground, with the shadow on it."""

    def __init__(self) -> None:
        self._sky = Program("background.vert", "background.frag")
        self._depth = Program("ground.vert", "depth.frag")
        self._far = Program("ground.vert", "ground.frag")
        self._near: dict[tuple[int, bool], Program] = {}
        self._empty = GL.glGenVertexArrays(1)
        self._ring = Vertices(CORNER, indexed=False)
        self._ring.fill(_ring(), often=False)

    def draw(self, picture: Picture, level: Level) -> None:
        """Draw behind all that is already there."""
        below = picture.ground is not None and cameras.eye(picture.camera)[2] < picture.ground
        if below:
            # The ground is a pane in front of the arms.
            self._draw_sky(picture)
            self._draw_ground(picture, level, pane=True)
        else:
            # The ground hides most of the sky: last come, least drawn.
            self._draw_ground(picture, level, pane=picture.transparent)
            self._draw_sky(picture)

    def _draw_sky(self, picture: Picture) -> None:
        if not picture.transparent:
            GL.glDepthMask(False)
            self._sky.use()
            GL.glBindVertexArray(self._empty)
            GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
            GL.glDepthMask(True)

    def _draw_ground(self, picture: Picture, level: Level, pane: bool) -> None:
        if picture.ground is not None:
            (GL.glEnable if pane else GL.glDisable)(GL.GL_BLEND)
            GL.glDepthMask(not pane)
            GL.glDisable(GL.GL_CULL_FACE)
            self._draw_rings(picture, self._shadowed(level), self._far, pane=float(pane))
            GL.glEnable(GL.GL_CULL_FACE)
            GL.glDisable(GL.GL_BLEND)
            GL.glDepthMask(True)

    def draw_depth(self, picture: Picture) -> None:
        """Draw the ground's depth alone."""
        if picture.ground is not None:
            GL.glDisable(GL.GL_CULL_FACE)
            self._draw_rings(picture, self._depth, self._depth)
            GL.glEnable(GL.GL_CULL_FACE)

    def release(self) -> None:
        """Give everything back."""
        for thing in (self._sky, self._depth, self._far, *self._near.values(), self._ring):
            thing.release()
        GL.glDeleteVertexArrays(1, [self._empty])

    def _draw_rings(self, picture: Picture, near: Program, far: Program, **uniforms: float) -> None:
        """The disc that the shadow can reach, and the ring around it."""
        middle, reach = frames.shadow_on_ground(picture)
        horizon = max(2.0 * reach, GROUND_REACH * frames.stage(picture)[1])
        for program, inner, outer in ((near, 0.0, reach), (far, reach, horizon)):
            program.use(middle=(float(middle[0]), float(middle[1])), radii=(inner, outer), **uniforms)
            self._ring.draw()

    def _shadowed(self, level: Level) -> Program:
        key = (level.softness, level.occlusion)
        if key not in self._near:
            self._near[key] = Program("ground.vert", "ground.frag", {"SHADOWED": 1, **level.defines()})
        return self._near[key]


def _ring(count: int = 48) -> NDArray[np.void]:
    """Triangles of a ring: directions, with 0 on the inner edge and 1 on the outer."""
    angles = np.linspace(0.0, 2 * np.pi, count + 1)
    edge = np.stack([np.cos(angles), np.sin(angles), np.zeros(count + 1)], axis=1)
    outer = edge + np.array([0.0, 0.0, 1.0])
    corners = np.stack([edge[:-1], outer[:-1], outer[1:], edge[:-1], outer[1:], edge[1:]], axis=1).astype(np.float32)
    return corners.reshape(-1, 3).view(CORNER).reshape(-1)
