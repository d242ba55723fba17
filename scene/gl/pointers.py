"""Those functions of OpenGL that take pointers, with Python's values: names, numbers and texts are returned."""

# ruff: noqa: D103

from __future__ import annotations

from collections.abc import Callable
from ctypes import POINTER, c_char, c_char_p, c_void_p, cast, create_string_buffer, pointer
from typing import Any

import numpy as np
from numpy.typing import NDArray
from OpenGL.raw.GL.VERSION import GL_1_0, GL_1_1, GL_1_5, GL_2_0, GL_3_0, GL_3_1, GL_3_3

# -- objects: one name is returned, or deleted -------------------------------------------------------------------------


def _maker(generate: Callable[..., None]) -> Callable[[], int]:
    def make() -> int:
        name = np.zeros(1, dtype=np.uint32)
        generate(1, name)
        return int(name[0])

    return make


def _deleter(delete: Callable[..., None]) -> Callable[[int], None]:
    def forget(name: int) -> None:
        delete(1, np.asarray([name], dtype=np.uint32))

    return forget


glGenBuffers, glDeleteBuffers = _maker(GL_1_5.glGenBuffers), _deleter(GL_1_5.glDeleteBuffers)
glGenFramebuffers, glDeleteFramebuffers = _maker(GL_3_0.glGenFramebuffers), _deleter(GL_3_0.glDeleteFramebuffers)
glGenRenderbuffers, glDeleteRenderbuffers = _maker(GL_3_0.glGenRenderbuffers), _deleter(GL_3_0.glDeleteRenderbuffers)
glGenSamplers, glDeleteSamplers = _maker(GL_3_3.glGenSamplers), _deleter(GL_3_3.glDeleteSamplers)
glGenTextures, glDeleteTextures = _maker(GL_1_1.glGenTextures), _deleter(GL_1_1.glDeleteTextures)
glGenVertexArrays, glDeleteVertexArrays = _maker(GL_3_0.glGenVertexArrays), _deleter(GL_3_0.glDeleteVertexArrays)

# -- questions: what a pointer would get is returned -------------------------------------------------------------------


def _asker(ask: Callable[..., None]) -> Callable[..., int]:
    def answer(*of: int) -> int:
        found = np.zeros(1, dtype=np.int32)
        ask(*of, found)
        return int(found[0])

    return answer


glGetIntegerv = _asker(GL_1_0.glGetIntegerv)
glGetProgramiv = _asker(GL_2_0.glGetProgramiv)
glGetShaderiv = _asker(GL_2_0.glGetShaderiv)


def glGetString(name: int) -> bytes:
    return cast(GL_1_0.glGetString(name), c_char_p).value or b""


def glGetProgramInfoLog(program: int) -> bytes:
    return _log(GL_2_0.glGetProgramInfoLog, program, glGetProgramiv(program, GL_2_0.GL_INFO_LOG_LENGTH))


def glGetShaderInfoLog(shader: int) -> bytes:
    return _log(GL_2_0.glGetShaderInfoLog, shader, glGetShaderiv(shader, GL_2_0.GL_INFO_LOG_LENGTH))


def _log(read: Callable[..., None], of: int, length: int) -> bytes:
    text = create_string_buffer(length + 1)
    read(of, length, None, text)
    return text.value


def _finder(find: Callable[..., Any]) -> Callable[[int, str], int]:
    return lambda program, name: find(program, name.encode())


glGetUniformLocation = _finder(GL_2_0.glGetUniformLocation)
glGetUniformBlockIndex = _finder(GL_3_1.glGetUniformBlockIndex)


# -- memory: contiguous arrays -----------------------------------------------------------------------------------------


def glShaderSource(shader: int, text: str) -> None:
    source = cast(create_string_buffer(text.encode()), POINTER(c_char))
    GL_2_0.glShaderSource(shader, 1, pointer(source), None)


def glBufferData(target: int, size: int, data: NDArray[Any], usage: int) -> None:
    GL_1_5.glBufferData(target, size, c_void_p(data.ctypes.data), usage)


def glTexSubImage2D(
    target: int, level: int, x: int, y: int, width: int, height: int, layout: int, kind: int, pixels: NDArray[Any]
) -> None:
    GL_1_1.glTexSubImage2D(target, level, x, y, width, height, layout, kind, c_void_p(pixels.ctypes.data))


def glReadPixels(x: int, y: int, width: int, height: int, layout: int, kind: int, pixels: NDArray[Any]) -> None:
    GL_1_0.glReadPixels(x, y, width, height, layout, kind, c_void_p(pixels.ctypes.data))
