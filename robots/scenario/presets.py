"""Armstep's own scenarios, and how to find a scenario by key or file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from assets.errors import BadInput
from assets.registry import Registry
from robots.model.registry import find_robot
from robots.scenario.file import load_scenario
from robots.scenario.scenario import Scenario

FIRST = "rr-swing"
MAPS = "Maps"
"""The gallery's heading of presets that open a map, after all others."""


def _read(key: str, text: str) -> Scenario:
    return Scenario.from_json(text, f"preset {key}")


def _opens_map(preset: Scenario) -> bool:
    return bool(preset.view.get("map"))


PRESETS: Registry[Scenario] = Registry.of_files(
    "scenario", "scenarios", ".json", _read, order=lambda preset: (preset.name != FIRST) + _opens_map(preset)
)
presets, find_preset = PRESETS.all, PRESETS.find


def is_preset(name: str) -> bool:
    """Whether a name is a preset's key, and no file has it."""
    return name in PRESETS and not Path(name).is_file()


def group_of(preset: Scenario) -> str:
    """The heading under which the gallery shows a preset."""
    if _opens_map(preset):
        return MAPS
    robot = find_robot(preset.robot)
    return robot.group or robot.title


def presets_by_robot() -> dict[str, Scenario]:
    """The presets as the gallery shows them at first: those of one robot, or group of robots, together."""
    groups = list(dict.fromkeys(group_of(preset) for preset in presets().values()))
    return dict(sorted(presets().items(), key=lambda item: groups.index(group_of(item[1]))))


def find_scenario(key_or_file: str) -> Scenario:
    """The preset of that key, or the scenario in the file of that name.

    Raises:
        BadInput: when it is neither, or the file is no scenario.
    """
    keys = PRESETS.keys()
    if key_or_file in keys:
        return find_preset(key_or_file)
    path, exists = Path(key_or_file), False
    with suppress(OSError, ValueError):  # what no file can be called
        exists = path.exists()
    if exists:
        return load_scenario(path)
    must = "a preset (`armstep list scenarios` shows all) or an existing file"
    raise BadInput("scenario", key_or_file, must, keys)
