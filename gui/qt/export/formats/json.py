"""JSON: the scenario itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gui.qt.export.format import DataFormat
from robots.scenario.file import load_scenario

if TYPE_CHECKING:
    from robots.export.table import RunData


def scenario_file(data: RunData) -> bytes:
    """The scenario's file."""
    return data.run.scenario.to_json().encode()


def scenario_texts(path: Path) -> dict[str, str]:
    """The scenario in the file, as other formats carry it."""
    return {"scenario": load_scenario(path).to_json()}


FORMAT = DataFormat(
    suffix=".json",
    label="Scenario as JSON",
    place=54,
    write=scenario_file,
    reader=scenario_texts,
    table=lambda table: table.to_json().encode(),
)
