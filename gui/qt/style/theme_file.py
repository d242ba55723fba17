"""A theme as its file has it: `assets/themes/*.toml` [window]."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from PySide6.QtGui import QColor

from assets import read_text

LINUX_FAMILIES = ("Inter", "Noto Sans", "Open Sans", "DejaVu Sans")
"""Tried in this order on systems whose own font is often a fallback; the others keep theirs."""


USUAL_TYPE = 13.0
"""The height of the usual type [px]."""


@dataclass(frozen=True, slots=True)
class Theme:
    """One look of the window.

    Attributes:
        name: `light`, `dark` or `projector`.
        colours: hex colours by role (`window`, `surface`, `raised`, `border`, `text`, `muted`, `accent`, ...).
        sizes: the type scale in device-independent pixels (`caption`, `body`, `title`, `display`) and `gap`.
    """

    name: str
    colours: Mapping[str, str]
    sizes: Mapping[str, int]

    @property
    def scale(self) -> float:
        """The size of the type over the usual 13 pixels: sizes in pixels grow with it."""
        return self.sizes["body"] / USUAL_TYPE

    def colour(self, role: str) -> QColor:
        """The colour of a role."""
        return QColor(self.colours[role])


@cache
def load(name: str) -> Theme:
    """The theme `name` from its file."""
    table = tomllib.loads(read_text(f"themes/{name}.toml"))["window"]
    sizes = table.pop("sizes")
    return Theme(name, table, sizes)
