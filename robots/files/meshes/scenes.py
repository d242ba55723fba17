"""DAE and GLB through trimesh, the extra `armstep[meshes]`."""

from __future__ import annotations

import io
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from assets.errors import ArmstepError
from robots.files.meshes.surface import Surface
from robots.files.xml import Element, parse

KINDS = ("dae", "glb")


def read_scene(content: bytes, kind: str) -> list[Surface]:
    """The surfaces in a DAE or GLB file, in metres, with their colours.

    Raises:
        ArmstepError: trimesh is not installed, or cannot read it.
    """
    if find_spec("trimesh") is None or (kind == "dae" and find_spec("collada") is None):
        raise ArmstepError(f"{kind.upper()} needs an extra: pip install armstep[meshes]")
    # Also refuses document types and entities.
    metre = _metre(parse(content, "the mesh")) if kind == "dae" else 1.0
    trimesh: Any = import_module("trimesh")

    try:
        # No resolver: textures and other files are not looked for.
        scene = trimesh.load_scene(io.BytesIO(content), file_type=kind, resolver=None)
        pieces = [part for part in scene.dump() if isinstance(part, trimesh.Trimesh) and len(part.faces)]
    except Exception as problem:
        # A library that reads files of strangers raises anything.
        raise ArmstepError(f"trimesh cannot read it ({type(problem).__name__})") from None
    return [
        Surface(
            metre * np.asarray(part.vertices, dtype=float), np.asarray(part.faces, dtype=np.int64), _colour(part.visual)
        )
        for part in pieces
    ]


def _metre(root: Element) -> float:
    """The unit of a DAE file [m]; which way is up is ignored, as robot files' other readers do."""
    asset = root.first("asset")
    unit = asset.first("unit") if asset else None
    try:
        metre = float(unit.attributes.get("meter", "1")) if unit else 1.0
    except ValueError:
        metre = 0.0
    if not 0.0 < metre <= 1e6:
        raise ArmstepError("its unit must be a length above 0 m")
    return metre


def _colour(visual: object) -> tuple[float, ...]:
    material = getattr(visual, "material", None)
    given = getattr(material, "main_color", None) if material is not None else getattr(visual, "main_color", None)
    return () if given is None else tuple(float(part) / 255.0 for part in np.asarray(given)[:3])
