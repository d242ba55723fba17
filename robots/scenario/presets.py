"""The scenarios that Armstep ships, and the one way to find a scenario by key or file."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path

import assets
from assets.errors import BadInput
from robots.scenario.file import from_json
from robots.scenario.scenario import Scenario

FIRST = "rr-swing"


@cache
def presets() -> dict[str, Scenario]:
    """All presets by key, the default one first."""
    keys = sorted(assets.stems("scenarios", ".json"), key=lambda key: (key != FIRST, key))
    return {key: find_preset(key) for key in keys}


@cache
def find_preset(key: str) -> Scenario:
    """The preset called `key`, without reading the others.

    Raises:
        BadInput: naming the nearest preset.
    """
    keys = assets.stems("scenarios", ".json")
    if key not in keys:
        raise BadInput("scenario", key, "a preset (" + ", ".join(keys) + ") or a scenario file", keys)
    return from_json(assets.read_text(f"scenarios/{key}.json"), f"preset {key}")


def find_scenario(key_or_file: str) -> Scenario:
    """The preset of that key, or the scenario in the file of that name.

    Raises:
        BadInput: when it is neither, or the file is no scenario.
    """
    if key_or_file in assets.stems("scenarios", ".json"):
        return find_preset(key_or_file)
    path = Path(key_or_file)
    with suppress(OSError, ValueError):
        if path.suffix or len(path.parts) > 1 or path.exists():
            return Scenario.load(path)
    return find_preset(key_or_file)
