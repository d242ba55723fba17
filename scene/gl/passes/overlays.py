"""Lines, arrows, frames and dots over the scene, of constant size on the screen."""

from __future__ import annotations

import numpy as np

from scene.geometry import lines
from scene.geometry.lines import HIDDEN_ARROWS, HIDDEN_LINES, LINE, Strips
from scene.gl.bindings import GL
from scene.gl.buffers import Vertices
from scene.gl.frame import lifted
from scene.gl.program import Program
from scene.picture import Picture
from scene.theme import SceneTheme

SPOT = np.dtype([("position", "<f4", 3)])


class Overlays:
    """Draws the lines and dots of a picture."""

    def __init__(self) -> None:
        self._line = Program("ribbon.vert", "ribbon.frag")
        self._dot = Program("dots.vert", "dots.frag")
        self._strips = Vertices(LINE, indexed=True)
        self._spots = Vertices(SPOT, indexed=False)

    def draw(self, picture: Picture, theme: SceneTheme, height: float, scale: float) -> None:
        """Draw into the current framebuffer, against its depth; `height` is the picture's in logical pixels."""
        lift = theme.numbers["lift"]
        GL.glDepthMask(False)
        GL.glDisable(GL.GL_CULL_FACE)
        for dash in sorted({ribbon.dash for ribbon in picture.ribbons}):
            strips = lines.gathered(lines.ribbon_strip(r) for r in picture.ribbons if r.dash == dash)
            self._draw_strips(strips, dash, HIDDEN_LINES, lift)
        self._draw_dots(picture, theme, scale)
        axes = (theme.colours["axis_x"], theme.colours["axis_y"], theme.colours["axis_z"])
        arrows = [arrow for frame in picture.frames for arrow in lines.frame_arrows(frame, axes)]
        arrows += picture.arrows
        self._draw_strips(
            lines.gathered(lines.arrow_strip(a, picture.camera, height) for a in arrows), (), HIDDEN_ARROWS, lift
        )
        GL.glDepthMask(True)

    def release(self) -> None:
        """Release everything."""
        for thing in (self._line, self._dot, self._strips, self._spots):
            thing.release()

    def _draw_strips(self, strips: Strips, dash: tuple[float, ...], hidden: float, lift: float) -> None:
        if not len(strips.indices):
            return
        self._strips.fill(strips.vertices, strips.indices)
        lengths = (*dash, *[0.0] * (6 - len(dash)))
        for comparison, strength in ((GL.GL_GREATER, hidden), (GL.GL_LEQUAL, 1.0)):
            GL.glDepthFunc(comparison)
            self._line.use(strokes=lengths[::2], gaps=lengths[1::2], strength=strength, lift=lift)
            self._strips.draw()
        GL.glDepthFunc(GL.GL_LEQUAL)

    def _draw_dots(self, picture: Picture, theme: SceneTheme, scale: float) -> None:
        GL.glEnable(GL.GL_PROGRAM_POINT_SIZE)
        for dots in picture.dots:
            points = np.asarray(dots.points, dtype=np.float32).reshape(-1, 3)
            points = points[np.isfinite(points).all(axis=1)]
            if not len(points):
                continue
            self._spots.fill(points.view(SPOT).reshape(-1))
            self._dot.use(
                size=float(dots.size_px * scale),
                depth=float(dots.depth),
                dot_colour=(*lifted(dots.colour, theme), dots.opacity),
                rim=theme.colours["halo"],
            )
            self._spots.draw(GL.GL_POINTS)
        GL.glDisable(GL.GL_PROGRAM_POINT_SIZE)
