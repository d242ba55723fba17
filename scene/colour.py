"""Colours as hexadecimal text."""

from __future__ import annotations

from assets.errors import BadInput
from scene.picture import Colour


def hex_colour(text: str) -> Colour:
    """The colour that `#rrggbb` names. Raises BadInput for anything else."""
    digits = text.removeprefix("#")
    try:
        value = int(digits, 16)
    except ValueError:
        value = -1
    if len(digits) != 6 or value < 0:
        raise BadInput("colour", text, "a hexadecimal colour, #rrggbb")
    return ((value >> 16) / 255, (value >> 8 & 255) / 255, (value & 255) / 255)
