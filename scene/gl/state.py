"""The context's state, which a window's painter may leave in any way."""

from __future__ import annotations

from scene.gl.bindings import GL

OFF = (GL.GL_BLEND, GL.GL_SCISSOR_TEST, GL.GL_STENCIL_TEST, GL.GL_POLYGON_OFFSET_FILL, GL.GL_FRAMEBUFFER_SRGB)


def take() -> None:
    """Set everything that the renderer relies on."""
    while GL.glGetError() != GL.GL_NO_ERROR:
        pass
    for switch in OFF:
        GL.glDisable(switch)
    GL.glEnable(GL.GL_DEPTH_TEST)
    GL.glDepthFunc(GL.GL_LEQUAL)
    GL.glDepthMask(True)
    GL.glColorMask(True, True, True, True)
    GL.glEnable(GL.GL_CULL_FACE)
    GL.glCullFace(GL.GL_BACK)
    GL.glFrontFace(GL.GL_CCW)
    GL.glBlendFunc(GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA)
    GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
    GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)


def leave() -> None:
    """Restore OpenGL's initial state."""
    for switch in (*OFF, GL.GL_CULL_FACE, GL.GL_DEPTH_TEST):
        GL.glDisable(switch)
    GL.glUseProgram(0)
    GL.glBindVertexArray(0)
    GL.glBindBuffer(GL.GL_ARRAY_BUFFER, 0)
    GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 4)
    GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 4)
    GL.glActiveTexture(GL.GL_TEXTURE0)
