"""The functions and constants of OpenGL 3.3; to be imported once PyOpenGL is set up.

`OpenGL.GL` has these and all extensions, and takes three times as long to import.
"""

# ruff: noqa: F401, F403
# pyright: reportWildcardImportFromLibrary=false

from OpenGL.raw.GL.VERSION.GL_1_0 import *
from OpenGL.raw.GL.VERSION.GL_1_1 import *
from OpenGL.raw.GL.VERSION.GL_1_2 import *
from OpenGL.raw.GL.VERSION.GL_1_3 import *
from OpenGL.raw.GL.VERSION.GL_1_4 import *
from OpenGL.raw.GL.VERSION.GL_1_5 import *
from OpenGL.raw.GL.VERSION.GL_2_0 import *
from OpenGL.raw.GL.VERSION.GL_3_0 import *
from OpenGL.raw.GL.VERSION.GL_3_1 import *
from OpenGL.raw.GL.VERSION.GL_3_2 import *
from OpenGL.raw.GL.VERSION.GL_3_3 import *

from scene.gl.pointers import (
    glBufferData,
    glDeleteBuffers,
    glDeleteFramebuffers,
    glDeleteRenderbuffers,
    glDeleteSamplers,
    glDeleteTextures,
    glDeleteVertexArrays,
    glGenBuffers,
    glGenFramebuffers,
    glGenRenderbuffers,
    glGenSamplers,
    glGenTextures,
    glGenVertexArrays,
    glGetIntegerv,
    glGetProgramInfoLog,
    glGetProgramiv,
    glGetShaderInfoLog,
    glGetShaderiv,
    glGetString,
    glGetUniformBlockIndex,
    glGetUniformLocation,
    glReadPixels,
    glShaderSource,
    glTexSubImage2D,
)
