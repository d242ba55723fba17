"""Robot files by their suffix, and the scenario that each makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from assets.errors import BadInput
from assets.writing import reason
from robots.files.folder import DiskFolder, Place
from robots.files.report import RobotFile
from robots.files.urdf import read_urdf
from robots.files.xml import MOST_BYTES
from robots.scenario.scenario import Scenario, scenario_of

READERS: Mapping[str, Callable[[bytes, str, Place], RobotFile]] = {".urdf": read_urdf}
"""What reads the bytes of a file, by its suffix."""


def is_robot_file(file: Path) -> bool:
    """Whether the name of `file` says that it describes a robot."""
    return file.suffix.lower() in READERS


def read_robot(file: Path, folder: Path | None = None) -> RobotFile:
    """The robot in a file. No file outside its folder is opened.

    Args:
        file: the robot file.
        folder: where its meshes are, if not beside it.

    Raises:
        BadInput: the file cannot be read, or describes no robot; with the line.
    """
    if not is_robot_file(file):
        raise BadInput("robot file", str(file), "one that ends in " + ", ".join(READERS))
    try:
        with file.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as problem:
        raise BadInput("robot file", str(file), f"readable ({reason(problem)})") from None
    place = Place(DiskFolder(file.parent if folder is None else folder), file.name)
    return READERS[file.suffix.lower()](content, file.name, place)


def robot_scenario(file: Path) -> Scenario:
    """The robot in a file as a scenario: at rest under gravity, every joint at 0 or at its limit nearest to it.

    Raises:
        BadInput: as `read_robot`, and where the robot has no dynamics, with the link.
    """
    found = read_robot(file)
    if found.impossible:
        first = found.impossible[0]
        raise BadInput(f"{file.name}, line {first.line},", first.what, "a robot of bodies that can be")
    counts = [
        (len(found.merged), "links joined by fixed joints"),
        (len(found.ignored), "entries left out"),
        (len(found.missing), "meshes not drawn"),
        (len(found.suspicious), "values to check"),
    ]
    said = ", ".join(f"{count} {what}" for count, what in counts if count)
    notes = f"From {file.name}." + (f" {said}: `armstep robot {file.name}` lists them." if said else "")
    return scenario_of(found.tree, notes)
