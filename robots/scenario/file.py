"""Scenario files on disk."""

from __future__ import annotations

from pathlib import Path

from assets.errors import BadInput
from assets.reading import read_bounded
from assets.writing import write_atomically
from robots.scenario.scenario import Scenario

MOST_BYTES = 32 * 1024 * 1024


def load_scenario(path: Path) -> Scenario:
    """The scenario in the file `path`.

    Raises:
        BadInput: when it cannot be read or is not a scenario.
    """
    return scenario_in(read_bounded(path, "scenario file", MOST_BYTES), str(path))


def scenario_in(content: bytes, where: str) -> Scenario:
    """The scenario in the bytes of the file `where`; raises BadInput as `load_scenario`."""
    try:
        text = content.decode("utf-8-sig")  # editors on Windows put a mark before the text
    except UnicodeDecodeError:
        raise BadInput("scenario file", where, "JSON text in UTF-8") from None
    if not text.strip():
        raise BadInput("scenario file", where, "JSON text, and not empty")
    return Scenario.from_json(text, where)


def save_scenario(scenario: Scenario, path: Path) -> None:
    """Write the scenario file `path`: the old one stays untouched until the new one is complete.

    Raises:
        ArmstepError: naming the path and the reason.
    """
    write_atomically(path, scenario.to_json().encode("utf-8"))
