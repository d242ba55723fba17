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

Array = NDArray[np.float64]
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

    def draw(self, picture: Picture, casters: Array, level: Level) -> None:
        """Draw behind all that is already there, with the shadow of what lies within the hull of `casters` (k, 3)."""
        below = picture.ground is not None and cameras.eye(picture.camera)[2] < picture.ground
        if below:
            # The ground is a pane in front of the arms.
            self._draw_sky(picture)
            self._draw_ground(picture, casters, level, pane=True)
        else:
            # The ground hides most of the sky: last come, least drawn.
            self._draw_ground(picture, casters, level, pane=picture.transparent)
            self._draw_sky(picture)

    def draw_depth(self, picture: Picture) -> None:
        """Draw the ground's depth alone."""
        if picture.ground is not None:
            GL.glDisable(GL.GL_CULL_FACE)
            self._depth.use(middle=_flat(frames.stage(picture)[0]), radii=(0.0, self._horizon(picture)))
            self._ring.draw()
            GL.glEnable(GL.GL_CULL_FACE)

    def _draw_sky(self, picture: Picture) -> None:
        if not picture.transparent:
            GL.glDepthMask(False)
            self._sky.use()
            GL.glBindVertexArray(self._empty)
            GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
            GL.glDepthMask(True)

    def _draw_ground(self, picture: Picture, casters: Array, level: Level, pane: bool) -> None:
        """Two rings: the disc that the shadow can reach, and what is around it and costs less."""
        if picture.ground is None:
            return
        (GL.glEnable if pane else GL.glDisable)(GL.GL_BLEND)
        GL.glDepthMask(not pane)
        GL.glDisable(GL.GL_CULL_FACE)
        middle, reach = frames.stage(picture)[0], 0.0
        if len(casters):
            middle, reach = frames.shadow_on_ground(casters, picture.ground)
            reach += (0.24 if level.occlusion else 0.08) * frames.stage(picture)[1]
        edges = (0.0, reach, max(2.0 * reach, self._horizon(picture)))
        for program, inner, outer in ((self._shadowed(level), *edges[:2]), (self._far, *edges[1:])):
            program.use(middle=_flat(middle), radii=(inner, outer), pane=float(pane))
            self._ring.draw()
        GL.glEnable(GL.GL_CULL_FACE)
        GL.glDisable(GL.GL_BLEND)
        GL.glDepthMask(True)

    @staticmethod
    def _horizon(picture: Picture) -> float:
        return GROUND_REACH * frames.stage(picture)[1]

    def release(self) -> None:
        """Give everything back."""
        for thing in (self._sky, self._depth, self._far, *self._near.values(), self._ring):
            thing.release()
        GL.glDeleteVertexArrays(1, [self._empty])

    def _shadowed(self, level: Level) -> Program:
        key = (level.softness, level.occlusion)
        if key not in self._near:
            self._near[key] = Program("ground.vert", "ground.frag", {"SHADOWED": 1, **level.defines()})
        return self._near[key]


def _flat(point: Array) -> tuple[float, float]:
    return float(point[0]), float(point[1])


def _ring(count: int = 16) -> NDArray[np.void]:
    """Triangles of a ring: directions, with 0 on the inner edge and 1 on the outer."""
    angles = np.linspace(0.0, 2 * np.pi, count + 1)
    edge = np.stack([np.cos(angles), np.sin(angles), np.zeros(count + 1)], axis=1)
    outer = edge + np.array([0.0, 0.0, 1.0])
    corners = np.stack([edge[:-1], outer[:-1], outer[1:], edge[:-1], outer[1:], edge[1:]], axis=1).astype(np.float32)
    return corners.reshape(-1, 3).view(CORNER).reshape(-1)
