"""The text of the shaders, for the renderer and for web pages."""

from __future__ import annotations

import re
from functools import cache

from assets import read_text

INCLUDE = re.compile(r'^#include "([\w.]+)"$', re.MULTILINE)


@cache
def shader_text(name: str) -> str:
    """The text of a shader with its includes put in."""
    return INCLUDE.sub(lambda found: shader_text(found[1]), read_text(f"shaders/{name}"))


def shader_files(*names: str) -> dict[str, str]:
    """The texts of shaders and of everything that they include, by name, without comments."""
    found: dict[str, str] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            text = read_text(f"shaders/{name}")
            found[name] = re.sub(r"\s*//.*", "", text).strip() + "\n"
            waiting += INCLUDE.findall(text)
    return dict(sorted(found.items()))
