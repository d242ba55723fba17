"""From what was drawn to what is shown: samples averaged, or edges smoothed where there are none."""

from __future__ import annotations

from scene.gl.bindings import GL
from scene.gl.frame import Box
from scene.gl.program import Program, bind_texture
from scene.gl.targets import Target

EDGE = 2
"""The stencil's value at edges; solid arms leave 1."""


class Smoothing:
    """Smooths a drawn scene into `result`."""

    def __init__(self) -> None:
        self._find, self._blend = (Program("screen.vert", "smooth.frag", {"FIND": find}) for find in (1, 0))
        self._empty = GL.glGenVertexArrays()
        self.result = Target(GL.GL_RGBA8, 0)

    def smooth(self, scene: Target, box: Box | None) -> None:
        """Smooth the edges within `box` of a scene without samples; lines and dots, drawn later, bring their own.

        A first pass finds the edges and marks them in the scene's stencil, so that the second, which costs more, does
        nothing elsewhere: the processor takes both sides of a shader's branch.
        """
        if scene.samples or box is None:
            return
        self.result.fit(scene.size)
        scene.copy_colour(self.result.framebuffer, box)
        self.result.bind()
        self._attach(scene.depth_id)
        GL.glEnable(GL.GL_SCISSOR_TEST)
        GL.glScissor(*box)
        GL.glDisable(GL.GL_BLEND)
        GL.glDisable(GL.GL_DEPTH_TEST)
        bind_texture("source", scene.colour_id)
        GL.glBindVertexArray(self._empty)
        GL.glEnable(GL.GL_STENCIL_TEST)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_REPLACE)
        for program, comparison in ((self._find, GL.GL_ALWAYS), (self._blend, GL.GL_EQUAL)):
            GL.glStencilFunc(comparison, EDGE, 255)
            program.use()
            GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glDisable(GL.GL_STENCIL_TEST)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        self._attach(0)
        self.result.copy_colour(scene.framebuffer, box)
        GL.glEnable(GL.GL_BLEND)
        GL.glEnable(GL.GL_DEPTH_TEST)
        scene.bind()

    @staticmethod
    def _attach(depth: int) -> None:
        """Attach a texture of depth and stencil to the result, or none."""
        GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, GL.GL_DEPTH_STENCIL_ATTACHMENT, GL.GL_TEXTURE_2D, depth, 0)

    def resolve(self, scene: Target) -> None:
        """Average the samples of `scene`, and draw into the result from now on."""
        self.result.fit(scene.size)
        scene.copy_colour(self.result.framebuffer)
        self.result.bind()

    def release(self) -> None:
        """Release everything."""
        self._find.release()
        self._blend.release()
        self.result.release()
        GL.glDeleteVertexArrays(self._empty)
