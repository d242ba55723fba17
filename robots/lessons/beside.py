"""Scenario files and robot files in the folder of a lesson: what its runs may be based on."""

from __future__ import annotations

from assets.errors import ArmstepError, BadInput
from robots.files.folder import Folder, Place, checked_path
from robots.files.reading import READERS, read_place, scenario_from
from robots.scenario.file import MOST_BYTES, scenario_in
from robots.scenario.scenario import Scenario

SUFFIXES = (".json", *READERS)


def scenario_beside(folder: Folder, name: str) -> Scenario:
    """The scenario, or the arm, in a file of a folder; a xacro file has its default arguments.

    Args:
        folder: that of the lesson; no file outside is opened.
        name: a path in it that ends in one of `SUFFIXES`.

    Raises:
        BadInput: the path leads out of the folder, or the file cannot be used.
    """
    try:
        path = "/".join(checked_path(name))
        if path.lower().endswith(tuple(READERS)):
            return scenario_from(read_place(Place(folder, path)), path)
        return scenario_in(folder.read(path, MOST_BYTES), path).with_pins(())
    except BadInput:
        raise
    except ArmstepError as problem:
        raise BadInput("base", name, f"a readable file in the lesson's folder ({problem})") from None
