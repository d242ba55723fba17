"""From what was drawn to what is shown: samples averaged, or edges smoothed where there are none."""

from __future__ import annotations

from scene.gl.bindings import GL
from scene.gl.program import SAMPLERS, Program
from scene.gl.targets import Box, Target


class Smoothing:
    """Smooths a drawn scene and fills `result` from it."""

    def __init__(self) -> None:
        self._program = Program("screen.vert", "smooth.frag")
        self._empty = GL.glGenVertexArrays(1)
        self.result = Target(GL.GL_RGBA8, 0)

    def smooth(self, scene: Target, box: Box | None) -> None:
        """Smooth the edges within `box` of a scene without samples; lines and dots, drawn later, bring their own."""
        if scene.samples or box is None:
            return
        self.result.fit(scene.size)
        self.result.bind()
        GL.glEnable(GL.GL_SCISSOR_TEST)
        GL.glScissor(*box)
        GL.glDisable(GL.GL_BLEND)
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glActiveTexture(GL.GL_TEXTURE0 + SAMPLERS["source"])
        GL.glBindTexture(GL.GL_TEXTURE_2D, scene.colour_id)
        self._program.use()
        GL.glBindVertexArray(self._empty)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        self.result.copy_colour(scene.framebuffer)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        GL.glEnable(GL.GL_BLEND)
        GL.glEnable(GL.GL_DEPTH_TEST)
        scene.bind()

    def resolve(self, scene: Target) -> None:
        """Average the samples of `scene`, and draw into the result from now on."""
        self.result.fit(scene.size)
        scene.copy_colour(self.result.framebuffer)
        self.result.bind()

    def release(self) -> None:
        """Give everything back."""
        self._program.release()
        self.result.release()
        GL.glDeleteVertexArrays(1, [self._empty])
