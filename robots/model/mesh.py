"""Triangle meshes as text that travels inside a scenario: positions in 16 bits, indices as differences, compressed."""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assets.errors import BadInput
from robots.model.shapes import Array, Triangles

MOST_TRIANGLES = 40_000
"""The most triangles of all meshes of one robot: their text stays below about half a megabyte, and they draw fast."""

_HEAD = struct.Struct("<II6d")
_STEPS = 65535
_FARTHEST = 1e9


def packed(points: Array, faces: NDArray[np.int64]) -> str:
    """The text of a mesh.

    Args:
        points: corners, (n, 3) [m]; what is kept of them is within 1/131070 of the mesh's size.
        faces: three indices of corners each, (m, 3).
    """
    used, first = np.unique(faces.ravel(), return_index=True)
    order = used[np.argsort(first)]
    number = np.zeros(len(points), dtype=np.int64)
    number[order] = np.arange(len(order))
    kept = points[order]
    low = kept.min(axis=0)
    step = np.maximum(np.ptp(kept, axis=0), 1e-12) / _STEPS
    places = np.round((kept - low) / step).astype("<u2")
    moves = np.diff(number[faces].ravel(), prepend=0).astype("<i4")
    # Bytes of one weight side by side compress best.
    content = places.T.tobytes() + moves.view(np.uint8).reshape(-1, 4).T.tobytes()
    head = _HEAD.pack(len(order), len(faces), *low, *step)
    return base64.b64encode(zlib.compress(head + content, 9)).decode("ascii")


@lru_cache(maxsize=128)
def unpacked(text: str) -> Triangles:
    """The mesh in a text.

    Raises:
        BadInput: no mesh has this text.
    """
    try:
        opened = zlib.decompressobj()
        content = opened.decompress(base64.b64decode(text, validate=True), _HEAD.size + 18 * 3 * MOST_TRIANGLES)
        corners, count, *numbers = _HEAD.unpack_from(content)
    except (binascii.Error, ValueError, zlib.error, struct.error):
        raise _refusal(text) from None
    whole = len(content) == _HEAD.size + 6 * corners + 12 * count and opened.eof
    if not whole or not 0 < count <= MOST_TRIANGLES or not all(abs(number) <= _FARTHEST for number in numbers):
        raise _refusal(text)
    places = np.frombuffer(content, "<u2", 3 * corners, _HEAD.size).reshape(3, corners).T
    moves = np.frombuffer(content, np.uint8, 12 * count, _HEAD.size + 6 * corners).reshape(4, 3 * count).T
    faces = np.cumsum(np.ascontiguousarray(moves).view("<i4").ravel().astype(np.int64)).reshape(count, 3)
    if faces.min() < 0 or faces.max() >= corners:
        raise _refusal(text)
    return Triangles(np.array(numbers[:3]) + places * np.array(numbers[3:]), faces)


def _refusal(text: str) -> BadInput:
    return BadInput("mesh", text, f"the text of a mesh of at most {MOST_TRIANGLES} triangles")
