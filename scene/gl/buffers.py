"""Vertices on the graphics card."""

from __future__ import annotations

from collections import OrderedDict
from ctypes import c_void_p
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robots.model.shapes import ArmShape
from scene.geometry.arm import VERTEX, link_corners, rigid_mesh
from scene.gl.bindings import GL

REMEMBERED_SHAPES = 24


class Vertices:
    """A vertex array of one structured type, with or without indices; each field is the attribute with its position."""

    def __init__(self, layout: np.dtype, indexed: bool) -> None:
        self.array = GL.glGenVertexArrays()
        self.buffer, self.index = GL.glGenBuffers(), GL.glGenBuffers() if indexed else 0
        self.count = 0
        GL.glBindVertexArray(self.array)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.buffer)
        if indexed:
            GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, self.index)
        assert layout.fields is not None
        assert layout.names is not None
        for place, name in enumerate(layout.names):
            kind, offset = layout.fields[name][:2]
            width = kind.shape[0] if kind.shape else 1
            GL.glEnableVertexAttribArray(place)
            if kind.base == np.uint16:
                GL.glVertexAttribIPointer(place, width, GL.GL_UNSIGNED_SHORT, layout.itemsize, c_void_p(offset))
            else:
                GL.glVertexAttribPointer(place, width, GL.GL_FLOAT, False, layout.itemsize, c_void_p(offset))

    def fill(self, vertices: NDArray[np.void], indices: NDArray[np.uint32] | None = None, often: bool = True) -> None:
        """Upload new contents."""
        use = GL.GL_STREAM_DRAW if often else GL.GL_STATIC_DRAW
        GL.glBindVertexArray(self.array)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.buffer)
        GL.glBufferData(GL.GL_ARRAY_BUFFER, vertices.nbytes, np.ascontiguousarray(vertices), use)
        self.count = len(vertices)
        if indices is not None:
            GL.glBufferData(GL.GL_ELEMENT_ARRAY_BUFFER, indices.nbytes, np.ascontiguousarray(indices), use)
            self.count = len(indices)

    def draw(self, mode: int = GL.GL_TRIANGLES, skip: int = 0) -> None:
        """Draw with the current program, all but the first `skip` indices."""
        if self.count <= skip:
            return
        GL.glBindVertexArray(self.array)
        if self.index:
            GL.glDrawElements(mode, self.count - skip, GL.GL_UNSIGNED_INT, c_void_p(4 * skip))
        else:
            GL.glDrawArrays(mode, 0, self.count)

    def release(self) -> None:
        """Release it."""
        GL.glDeleteVertexArrays(self.array)
        GL.glDeleteBuffers(self.buffer)
        if self.index:
            GL.glDeleteBuffers(self.index)


class Stored(NamedTuple):
    """A shape on the card, the boxes around what its frames carry, and how many indices are the base's."""

    shape: ArmShape
    vertices: Vertices
    corners: list[tuple[int, NDArray[np.float64]]]
    base_indices: int


@dataclass
class ShapeStore:
    """The rigid meshes of the recently drawn shapes."""

    kept: OrderedDict[int, Stored] = field(default_factory=OrderedDict)

    def __getitem__(self, shape: ArmShape) -> Stored:
        """The mesh of `shape`; made at its first use."""
        key = id(shape)
        if key not in self.kept:
            mesh = rigid_mesh(shape)
            vertices = Vertices(VERTEX, indexed=True)
            vertices.fill(mesh.vertices, mesh.indices, often=False)
            self.kept[key] = Stored(shape, vertices, link_corners(mesh), mesh.base_indices)
        self.kept.move_to_end(key)
        return self.kept[key]

    def forget(self, used: int) -> None:
        """Release the meshes that were not used lately, never one of the last `used` shapes."""
        while len(self.kept) > max(REMEMBERED_SHAPES, used):
            self.kept.popitem(last=False)[1].vertices.release()

    def release(self) -> None:
        """Release everything."""
        for stored in self.kept.values():
            stored.vertices.release()
        self.kept.clear()


class Block:
    """A uniform block at its binding point."""

    def __init__(self, point: int) -> None:
        self.buffer = GL.glGenBuffers()
        self.point = point

    def fill(self, data: NDArray[np.float32]) -> None:
        """Upload the block's contents and bind it."""
        GL.glBindBufferBase(GL.GL_UNIFORM_BUFFER, self.point, self.buffer)
        GL.glBufferData(GL.GL_UNIFORM_BUFFER, data.nbytes, np.ascontiguousarray(data), GL.GL_STREAM_DRAW)

    def bind(self) -> None:
        """Let the shaders read this one."""
        GL.glBindBufferBase(GL.GL_UNIFORM_BUFFER, self.point, self.buffer)

    def release(self) -> None:
        """Release it."""
        GL.glDeleteBuffers(self.buffer)
