"""Framebuffers that the renderer draws into, made again when their size changes."""

from __future__ import annotations

from dataclasses import dataclass

from assets.errors import ArmstepError
from scene.gl.bindings import GL
from scene.gl.frame import Box
from scene.gl.program import SPARE_UNIT


@dataclass
class Target:
    """A framebuffer with its colour and depth.

    Attributes:
        samples: 0 keeps textures that can be read; more keeps multisampled renderbuffers.
        colour, depth: OpenGL formats; 0 for none.
        linear: whether the colour texture is read with interpolation.
    """

    colour: int
    depth: int
    samples: int = 0
    linear: bool = True
    size: tuple[int, int] = (0, 0)
    framebuffer: int = 0
    colour_id: int = 0
    depth_id: int = 0

    def fit(self, size: tuple[int, int], samples: int = 0) -> None:
        """Ensure `size` [px] and `samples`. Raises ArmstepError when the card has no room for it."""
        if self.size == size and self.samples == samples and self.framebuffer:
            return
        self.release()
        self.size, self.samples = size, samples
        self.framebuffer = GL.glGenFramebuffers()
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.framebuffer)
        if self.colour:
            self.colour_id = self._storage(self.colour, GL.GL_COLOR_ATTACHMENT0)
        else:
            GL.glDrawBuffer(GL.GL_NONE)
            GL.glReadBuffer(GL.GL_NONE)
        if self.depth:
            stencil = self.depth == GL.GL_DEPTH24_STENCIL8
            self.depth_id = self._storage(
                self.depth, GL.GL_DEPTH_STENCIL_ATTACHMENT if stencil else GL.GL_DEPTH_ATTACHMENT
            )
        status = GL.glCheckFramebufferStatus(GL.GL_FRAMEBUFFER)
        if status != GL.GL_FRAMEBUFFER_COMPLETE:
            self.release()
            raise ArmstepError(
                f"the graphics driver has no memory for a picture of {size[0]} x {size[1]} pixels with "
                f"{samples} samples"
            )

    def bind(self) -> None:
        """Draw into it from now on."""
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.framebuffer)
        GL.glViewport(0, 0, *self.size)

    def clear(self) -> None:
        """Draw into it from now on, and clear it."""
        self.bind()
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT)

    def copy_colour(self, framebuffer: int, box: Box | None = None) -> None:
        """Copy its colours, averaging samples, to the same place of `framebuffer`: all of them, or those in a box."""
        self._copy(framebuffer, GL.GL_COLOR_BUFFER_BIT, box)

    def copy_depth(self, target: Target, box: Box | None = None) -> None:
        """Copy its depth and stencil to a target of the same size and samples: all of them, or those in a box."""
        self._copy(target.framebuffer, GL.GL_DEPTH_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT, box)

    def copy(self, target: Target) -> None:
        """Copy everything to a target of the same size and samples."""
        self._copy(target.framebuffer, GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT, None)

    def _copy(self, framebuffer: int, what: int, box: Box | None) -> None:
        # All of depth and stencil, without scissors: a driver then copies memory instead of drawing.
        x, y, width, height = box or (0, 0, *self.size)
        place = (x, y, x + width, y + height)
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, self.framebuffer)
        GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, framebuffer)
        GL.glBlitFramebuffer(*place, *place, what, GL.GL_NEAREST)

    def release(self) -> None:
        """Release everything."""
        if not self.framebuffer:
            return
        GL.glDeleteFramebuffers(self.framebuffer)
        delete = GL.glDeleteRenderbuffers if self.samples else GL.glDeleteTextures
        for name in (self.colour_id, self.depth_id):
            if name:
                delete(name)
        self.framebuffer = self.colour_id = self.depth_id = 0

    def _storage(self, form: int, attachment: int) -> int:
        width, height = self.size
        if self.samples:
            name = GL.glGenRenderbuffers()
            GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, name)
            GL.glRenderbufferStorageMultisample(GL.GL_RENDERBUFFER, self.samples, form, width, height)
            GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, attachment, GL.GL_RENDERBUFFER, name)
            return name
        name = GL.glGenTextures()
        GL.glActiveTexture(GL.GL_TEXTURE0 + SPARE_UNIT)
        GL.glBindTexture(GL.GL_TEXTURE_2D, name)
        layout, kind = _LAYOUTS[form]
        GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, form, width, height, 0, layout, kind, None)
        smooth = self.linear and layout != GL.GL_RGBA_INTEGER and form != GL.GL_DEPTH24_STENCIL8
        for key, value in (
            (GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR if smooth else GL.GL_NEAREST),
            (GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR if smooth else GL.GL_NEAREST),
            (GL.GL_TEXTURE_WRAP_S, GL.GL_CLAMP_TO_EDGE),
            (GL.GL_TEXTURE_WRAP_T, GL.GL_CLAMP_TO_EDGE),
        ):
            GL.glTexParameteri(GL.GL_TEXTURE_2D, key, value)
        GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, attachment, GL.GL_TEXTURE_2D, name, 0)
        return name


_LAYOUTS = {
    GL.GL_RGBA8: (GL.GL_RGBA, GL.GL_UNSIGNED_BYTE),
    GL.GL_R8: (GL.GL_RED, GL.GL_UNSIGNED_BYTE),
    GL.GL_RGBA16UI: (GL.GL_RGBA_INTEGER, GL.GL_UNSIGNED_SHORT),
    GL.GL_DEPTH_COMPONENT24: (GL.GL_DEPTH_COMPONENT, GL.GL_UNSIGNED_INT),
    GL.GL_DEPTH24_STENCIL8: (GL.GL_DEPTH_STENCIL, GL.GL_UNSIGNED_INT_24_8),
}
