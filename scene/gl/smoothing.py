"""From what was drawn to what is shown: samples averaged, or edges smoothed where there are none."""

from __future__ import annotations

from scene.gl.bindings import GL
from scene.gl.program import SAMPLERS, Program
from scene.gl.targets import Box, Target


class Smoothing:
    """Fills `result` from a drawn scene."""

    def __init__(self) -> None:
        self._program = Program("screen.vert", "smooth.frag")
        self._empty = GL.glGenVertexArrays(1)
        self.result = Target(GL.GL_RGBA8, 0)

    def draw(self, scene: Target, box: Box | None) -> None:
        """Average the samples of `scene`; without samples, smooth the edges within `box` (x, y, width, height) [px]."""
        self.result.fit(scene.size)
        scene.copy_colour(self.result.framebuffer)
        self.result.bind()
        if scene.samples or box is None:
            return
        GL.glEnable(GL.GL_SCISSOR_TEST)
        GL.glScissor(*box)
        GL.glDisable(GL.GL_BLEND)
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glActiveTexture(GL.GL_TEXTURE0 + SAMPLERS["source"])
        GL.glBindTexture(GL.GL_TEXTURE_2D, scene.colour_id)
        self._program.use()
        GL.glBindVertexArray(self._empty)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        GL.glEnable(GL.GL_BLEND)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def release(self) -> None:
        """Give everything back."""
        self._program.release()
        self.result.release()
        GL.glDeleteVertexArrays(1, [self._empty])
