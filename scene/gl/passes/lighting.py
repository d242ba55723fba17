"""What the lamp and the sky do not reach: the shadow map, and screen-space occlusion."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scene.gl.actors import Drawn
from scene.gl.bindings import GL
from scene.gl.frame import Box
from scene.gl.program import SAMPLERS, Program, bind_texture
from scene.gl.quality import Level
from scene.gl.targets import Target


class Lighting:
    """The maps that the shading reads."""

    def __init__(self) -> None:
        self._shadow_program = Program("shadow.vert", "depth.frag")
        self._depth_program = Program("arm.vert", "depth.frag")
        self._occlusion_program = Program("screen.vert", "occlusion.frag")
        self._blur_program = Program("screen.vert", "blur.frag")
        self._shadow = Target(0, GL.GL_DEPTH_COMPONENT24)
        self._depth = Target(0, GL.GL_DEPTH_COMPONENT24, linear=False)
        self._raw, self._occlusion = Target(GL.GL_R8, 0), Target(GL.GL_R8, 0)
        self._empty = GL.glGenVertexArrays()
        self._compare, self._plain = GL.glGenSamplers(), GL.glGenSamplers()
        for sampler in (self._compare, self._plain):
            for key in (GL.GL_TEXTURE_WRAP_S, GL.GL_TEXTURE_WRAP_T):
                GL.glSamplerParameteri(sampler, key, GL.GL_CLAMP_TO_EDGE)
        for key in (GL.GL_TEXTURE_MIN_FILTER, GL.GL_TEXTURE_MAG_FILTER):
            GL.glSamplerParameteri(self._compare, key, GL.GL_LINEAR)
            GL.glSamplerParameteri(self._plain, key, GL.GL_NEAREST)
        GL.glSamplerParameteri(self._compare, GL.GL_TEXTURE_COMPARE_MODE, GL.GL_COMPARE_REF_TO_TEXTURE)
        GL.glSamplerParameteri(self._compare, GL.GL_TEXTURE_COMPARE_FUNC, GL.GL_LEQUAL)

    def draw_shadow(self, solid: Sequence[Drawn], level: Level) -> None:
        """Draw the depth of the solid arms as the lamp sees them."""
        self._shadow.fit((level.shadow_pixels, level.shadow_pixels))
        self._shadow.bind()
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(1.5, 2.0)
        self._shadow_program.use()
        for drawn in solid:
            drawn.draw()
        GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)

    def draw_occlusion(
        self, solid: Sequence[Drawn], size: tuple[int, int], box: Box | None, draw_ground: Callable[[], None]
    ) -> None:
        """Find how much sky each visible point within `box` sees; the rest sees all of it."""
        self._depth.fit(size)
        self._depth.bind()
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        self._depth_program.use(only=-1, grow=0.0, push=0.0)
        for drawn in solid:
            drawn.draw()
        draw_ground()
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glBindVertexArray(self._empty)
        bind_texture("depth_map", self._depth.depth_id)
        self._fill(self._raw, self._occlusion_program, size, box)
        bind_texture("source", self._raw.colour_id)
        self._fill(self._occlusion, self._blur_program, size, box)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def _fill(self, target: Target, program: Program, size: tuple[int, int], box: Box | None) -> None:
        """Run a program over a box of a target; the rest becomes 1."""
        target.fit(size)
        target.bind()
        GL.glClearColor(1.0, 1.0, 1.0, 1.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        if box is not None:
            program.use()
            GL.glEnable(GL.GL_SCISSOR_TEST)
            GL.glScissor(*box)
            GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
            GL.glDisable(GL.GL_SCISSOR_TEST)

    def bind(self) -> None:
        """Put the maps where the shaders look for them."""
        bind_texture("shadow_map", self._shadow.depth_id)
        GL.glBindSampler(SAMPLERS["shadow_map"], self._compare)
        bind_texture("shadow_depth", self._shadow.depth_id)
        GL.glBindSampler(SAMPLERS["shadow_depth"], self._plain)
        bind_texture("occlusion_map", self._occlusion.colour_id)

    @staticmethod
    def unbind() -> None:
        """Restore the texture units."""
        for name in ("shadow_map", "shadow_depth"):
            GL.glBindSampler(SAMPLERS[name], 0)

    def release(self) -> None:
        """Release everything."""
        programs = (self._shadow_program, self._depth_program, self._occlusion_program, self._blur_program)
        for thing in (*programs, self._shadow, self._depth, self._raw, self._occlusion):
            thing.release()
        GL.glDeleteVertexArrays(self._empty)
        for sampler in (self._compare, self._plain):
            GL.glDeleteSamplers(sampler)
