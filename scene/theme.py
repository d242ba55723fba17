"""The palette of a scene: the section [scene] of `assets/themes/*.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from assets import read_text, stems
from assets.errors import BadInput
from scene.colour import hex_colour
from scene.geometry.arm import MATERIALS, material_index
from scene.picture import Colour


@dataclass(frozen=True, slots=True)
class Material:
    """A surface: base colour (sRGB), roughness and metalness, 0 to 1."""

    colour: Colour
    roughness: float
    metalness: float


@dataclass(frozen=True, slots=True)
class SceneTheme:
    """Colours (sRGB, 0 to 1) by name, numbers by name, and the materials in the order of `MATERIALS`."""

    colours: Mapping[str, Colour]
    numbers: Mapping[str, float]
    materials: tuple[Material, ...]

    def material(self, name: str) -> Material:
        """The material of that name; for a colour, `#rrggbb`, the finish of the body in that colour."""
        if name.startswith("#"):
            return replace(self.materials[0], colour=hex_colour(name))
        return self.materials[material_index(name)]


@cache
def scene_theme(name: str) -> SceneTheme:
    """The theme `name`. Raises BadInput for a name without a file."""
    known = stems("themes", ".toml")
    if name not in known:
        raise BadInput("theme", name, choices=known)
    table = tomllib.loads(read_text(f"themes/{name}.toml"))["scene"]
    materials = tuple(
        Material(hex_colour(entry["colour"]), float(entry["roughness"]), float(entry["metalness"]))
        for entry in (table["materials"][key] for key in MATERIALS)
    )
    colours = {key: hex_colour(value) for key, value in table.items() if isinstance(value, str)}
    numbers = {key: float(value) for key, value in table.items() if isinstance(value, int | float)}
    return SceneTheme(colours, numbers, materials)
