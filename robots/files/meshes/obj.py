"""OBJ: corners and polygons, by colours that an MTL file beside it may give.

Source: Wavefront, Advanced Visualizer manual (1995), appendix B.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assets.errors import ArmstepError, beginning, shown
from robots.files.meshes.surface import MOST_FACES, Surface


def read_obj(content: bytes, beside: Callable[[str], bytes | None]) -> list[Surface]:
    """The surfaces in an OBJ file, one per colour.

    Args:
        content: the file.
        beside: the bytes of another file that it names, or None.

    Raises:
        ArmstepError: it is not an OBJ file; names the line.
    """
    points: list[list[float]] = []
    colours: dict[str, tuple[float, ...]] = {}
    faces: dict[tuple[float, ...], list[int]] = {}
    current = faces.setdefault((), [])
    text = content.decode("utf-8", "replace").replace("\\\n", " ").replace("\\\r\n", " ")
    for line, words in enumerate(map(str.split, text.splitlines()), start=1):
        try:
            match words:
                case ["v", x, y, z, *_]:
                    points.append([float(x), float(y), float(z)])
                case ["f", *corners]:
                    current += _fan([_index(corner, len(points)) for corner in corners])
                case ["usemtl", *name]:
                    current = faces.setdefault(colours.get(" ".join(name), ()), [])
                case ["mtllib", *name] if (found := beside(" ".join(name))) is not None:
                    colours |= _colours(found)
        except ValueError:
            raise ArmstepError(
                f"line {line} must be a corner or a face, got {shown(beginning(' '.join(words)))}"
            ) from None
        if len(current) > 3 * MOST_FACES or len(points) > 3 * MOST_FACES:
            raise ArmstepError(f"it must have at most {MOST_FACES} triangles")
    corners = np.array(points, dtype=float).reshape(-1, 3)
    return [Surface(corners, np.array(one).reshape(-1, 3), colour) for colour, one in faces.items() if one]


def _index(corner: str, count: int) -> int:
    number = int(corner.partition("/")[0])
    place = number - 1 if number > 0 else count + number
    if number == 0 or place < 0:
        raise ValueError
    return place


def _fan(corners: list[int]) -> list[int]:
    """A convex polygon as triangles about its first corner."""
    return [place for k in range(1, len(corners) - 1) for place in (corners[0], corners[k], corners[k + 1])]


def _colours(content: bytes) -> dict[str, tuple[float, ...]]:
    """The diffuse colours of an MTL file, by material."""
    found: dict[str, tuple[float, ...]] = {}
    name = ""
    for words in map(str.split, content.decode("utf-8", "replace").splitlines()):
        if words[:1] == ["newmtl"]:
            name = " ".join(words[1:])
        elif words[:1] == ["Kd"] and len(words) >= 4:
            try:
                found[name] = tuple(min(max(float(word), 0.0), 1.0) for word in words[1:4])
            except ValueError:
                continue
    return found
