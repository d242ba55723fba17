"""Shader programs from `assets/shaders`, with `#include "name"` and `#define`s."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assets.errors import ArmstepError
from scene.gl.bindings import GL
from scene.shader_text import shader_text

BLOCKS = {"FrameBlock": 0, "LinksBlock": 1, "MaterialsBlock": 2}
"""The binding point of each uniform block."""

SAMPLERS = {"shadow_map": 0, "shadow_depth": 1, "occlusion_map": 2, "atlas": 3, "source": 4, "depth_map": 5}
"""The texture unit of each sampler."""

SPARE_UNIT = len(SAMPLERS)
"""The texture unit for creating textures, so that no sampler loses its own."""


class Program:
    """A linked program.

    Args:
        vertex, fragment: names of files in `assets/shaders`.
        defines: `#define`s for both.

    Raises:
        ArmstepError: the driver refuses the shader; the message carries its log.
    """

    def __init__(self, vertex: str, fragment: str, defines: Mapping[str, object] | None = None) -> None:
        self.id = GL.glCreateProgram()
        shaders = [
            _compiled(kind, name, defines or {})
            for kind, name in ((GL.GL_VERTEX_SHADER, vertex), (GL.GL_FRAGMENT_SHADER, fragment))
        ]
        for shader in shaders:
            GL.glAttachShader(self.id, shader)
        GL.glLinkProgram(self.id)
        for shader in shaders:
            GL.glDeleteShader(shader)
        if not GL.glGetProgramiv(self.id, GL.GL_LINK_STATUS):
            raise ArmstepError(
                f"the graphics driver cannot link {vertex} with {fragment}: {_text(GL.glGetProgramInfoLog(self.id))}"
            )
        self._places: dict[str, int] = {}
        GL.glUseProgram(self.id)
        for block, point in BLOCKS.items():
            index = GL.glGetUniformBlockIndex(self.id, block)
            if index != GL.GL_INVALID_INDEX:
                GL.glUniformBlockBinding(self.id, index, point)
        for sampler, unit in SAMPLERS.items():
            GL.glUniform1i(self._place(sampler), unit)

    def use(self, **uniforms: float | int | tuple[float, ...]) -> None:
        """Make it current and set uniforms: an int, a float, or a tuple of up to four floats each."""
        GL.glUseProgram(self.id)
        for name, value in uniforms.items():
            place = self._place(name)
            if isinstance(value, int | np.integer):
                GL.glUniform1i(place, value)
            elif isinstance(value, tuple):
                (GL.glUniform2f, GL.glUniform3f, GL.glUniform4f)[len(value) - 2](place, *value)
            else:
                GL.glUniform1f(place, value)

    def release(self) -> None:
        """Release the program."""
        GL.glDeleteProgram(self.id)

    def _place(self, name: str) -> int:
        if name not in self._places:
            self._places[name] = GL.glGetUniformLocation(self.id, name)
        return self._places[name]


def bind_texture(sampler: str, texture: int) -> None:
    """Let the shaders read a texture by the name of a sampler."""
    GL.glActiveTexture(GL.GL_TEXTURE0 + SAMPLERS[sampler])
    GL.glBindTexture(GL.GL_TEXTURE_2D, texture)


def _compiled(kind: int, name: str, defines: Mapping[str, object]) -> int:
    shader: int = GL.glCreateShader(kind) or 0
    head = "#version 330 core\n" + "".join(f"#define {key} {value}\n" for key, value in defines.items())
    GL.glShaderSource(shader, head + shader_text(name))
    GL.glCompileShader(shader)
    if not GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS):
        raise ArmstepError(f"the graphics driver cannot compile {name}: {_text(GL.glGetShaderInfoLog(shader))}")
    return shader


def _text(log: bytes | str) -> str:
    return log.decode(errors="replace") if isinstance(log, bytes) else log
