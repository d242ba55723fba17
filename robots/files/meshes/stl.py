"""STL: triangles, as text or as 50 bytes each.

Source: 3D Systems, StereoLithography interface specification (1989).
"""

from __future__ import annotations

import re

import numpy as np

from assets.errors import ArmstepError
from robots.files.meshes.surface import MOST_FACES, Surface

_HEAD = 80
_FACE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
_CORNER = re.compile(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)")


def read_stl(content: bytes) -> list[Surface]:
    """The surface in an STL file.

    Raises:
        ArmstepError: it is not an STL file.
    """
    count = int.from_bytes(content[_HEAD : _HEAD + 4], "little") if len(content) >= _HEAD + 4 else -1
    length = _HEAD + 4 + _FACE.itemsize * count
    text = content.lstrip()[:5].lower() == b"solid"
    if text and length != len(content):
        return [_of_corners(_text_corners(content))]
    if count < 1 or length > len(content):
        raise ArmstepError(
            f"it must be an STL file as long as its faces need, got {len(content)} bytes for {max(count, 0)} faces"
        )
    return [_of_corners(np.frombuffer(content, _FACE, count, _HEAD + 4)["corners"].astype(float))]


def _text_corners(content: bytes) -> np.ndarray:
    found = _CORNER.findall(content)
    if len(found) > 3 * MOST_FACES:
        raise ArmstepError(f"it must have at most {MOST_FACES} triangles, got {len(found) // 3}")
    try:
        return np.array(found, dtype="S32").astype(float).reshape(-1, 3, 3)
    except ValueError:
        raise ArmstepError("it must have three corners of three numbers in each face") from None


def _of_corners(corners: np.ndarray) -> Surface:
    return Surface(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))
