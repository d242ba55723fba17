"""The texts inside an exported file, and how to get a scenario back from them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from assets.errors import ArmstepError, BadInput
from assets.writing import reason
from gui.app import documents
from gui.app.documents import looks_like_scenario
from gui.app.imports.logs import SUFFIX as LOG
from gui.app.runs import RunRow
from gui.qt.export.format import FOLDER, find_format, formats, key_of
from robots.export.citation import provenance
from robots.files.reading import READERS, ZIP, is_robot_file, robot_scenario
from robots.lessons.library import SUFFIX as LESSON
from robots.scenario.presets import PRESETS, find_scenario
from robots.scenario.scenario import Scenario
from scene.format import Texts

RESULTS = "results"
"""The name of the text in which files carry the results of tools."""


def embedded(rows: Sequence[RunRow]) -> dict[str, str]:
    """The texts with which `armstep open` can restore a file: version, scenario, and the runs beside it."""
    first, *others = [
        json.loads(documents.tagged(row.scenario, row.tag, row.slot if row.slot != place else 0).to_json())
        for place, row in enumerate(rows)
    ]
    cited = provenance([row.scenario for row in rows])
    data = {**texts_of(rows[0].scenario), **cited, "scenario": json.dumps(first)}
    return {**data, "pinned": json.dumps(others)} if others else data


def texts_of(scenario: Scenario) -> dict[str, str]:
    """The same for a scenario alone."""
    text = json.dumps(json.loads(scenario.to_json()))
    return {**provenance([scenario]), "title": scenario.title or scenario.name, "scenario": text}


def read_texts(file: Path) -> Texts:
    """The texts inside a file of any format.

    Raises:
        BadInput: its format carries none, or it is empty.
        ArmstepError: it cannot be read, and why.
    """
    try:
        reader = find_format(FOLDER if file.is_dir() else key_of(file)).reader
    except BadInput:
        reader = None  # no format has this suffix
    if reader is None:
        able = ", ".join(format.suffix for format in formats().values() if format.reader is not None)
        robots = ", ".join(READERS)
        raise BadInput(
            "file", file.name, f"a scenario (.armstep, .json), a robot ({robots}) or an exported file ({able})"
        )
    if file.is_file() and not file.stat().st_size:
        raise BadInput("file", str(file), "a scenario file or one that Armstep exported, and not empty")
    try:
        return reader(file)
    except BadInput:
        raise
    except Exception as error:
        # Decoders raise anything for a broken or foreign file; a person reads one sentence.
        raise ArmstepError(f"{file} cannot be read: {reason(error, reading=True)}") from error


def kinds_to_open() -> dict[str, list[str]]:
    """What kinds of files open, and their suffixes; the first kind is all of them."""
    kinds = {
        "Scenarios": [".armstep", ".json"],
        "Robots": [*READERS, ZIP],
        "Lessons": [LESSON],
        "Logs": [LOG],
        "Exported files": [one.suffix for one in formats().values() if one.reader is not None and one.suffix != "/"],
    }
    every = list(dict.fromkeys(chain.from_iterable(kinds.values())))
    return {"All that Armstep opens": every, **kinds, "All files": [""]}


def read_scenarios(file: Path) -> list[Scenario]:
    """The current run's scenario inside an exported file, then those beside it; a robot file is a scenario too.

    Raises:
        BadInput: there is none.
    """
    if is_robot_file(file):
        return [robot_scenario(file)]
    found = read_texts(file)
    if "scenario" not in found:
        raise BadInput("file", str(file), "a scenario file, or a file that Armstep exported")
    others = [Scenario.from_json(json.dumps(data)) for data in json.loads(found.get("pinned", "[]"))]
    first, results = Scenario.from_json(found["scenario"]), json.loads(found.get(RESULTS, "[]"))
    return [replace(first, results=tuple(results)) if results else first, *others]


def scenario_of(name: str, folder: Path | None = None, arguments: Mapping[str, str] | None = None) -> Scenario:
    """The preset of that key, or the scenario in the file of that name: scenario or robot file, or anything exported.

    The runs that an exported file shows beside the first one are pinned.

    Args:
        name: the key or the file.
        folder, arguments: see `robots.files.reading.read_robot`; for robot files alone.

    Raises:
        BadInput: it is neither, or holds none.
    """
    path = Path(name)
    if folder is not None or arguments:
        if not is_robot_file(path):
            option, value = ("--folder", str(folder)) if folder is not None else ("--arg", next(iter(arguments or {})))
            raise BadInput(option, value, f"left out: {name} is not a robot file")
        return robot_scenario(path, folder, arguments)
    if name in PRESETS or not (path.exists() or is_robot_file(path)):
        return find_scenario(name)
    if path.is_file() and not is_robot_file(path) and looks_like_scenario(path):
        return find_scenario(name)
    return documents.side_by_side(*read_scenarios(path))
