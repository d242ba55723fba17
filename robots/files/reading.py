"""Reads robot files by their suffix, alone, in a folder or in a zip, and makes scenarios of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from assets.counting import counted
from assets.errors import ArmstepError, BadInput, one_of
from robots.files.archive import ZipFolder
from robots.files.folder import DiskFolder, Folder, NotFound, Place
from robots.files.report import RobotFile
from robots.files.xml import MOST_BYTES, parse
from robots.scenario.scenario import Scenario, scenario_of

Arguments = Mapping[str, str]


def _read_urdf(content: bytes, place: Place, arguments: Arguments) -> RobotFile:
    from robots.files.urdf import read_urdf

    if arguments:
        raise BadInput("argument", next(iter(arguments)), "left out: only .xacro files have arguments")
    return read_urdf(content, place.file, place)


def _read_xacro(content: bytes, place: Place, arguments: Arguments) -> RobotFile:
    from robots.files.urdf import read_elements
    from robots.files.xacro.expand import arguments_of, expand

    known = arguments_of(content, place.file)
    for name in arguments:
        if name not in known:
            raise BadInput("argument", name, choices=known)
    return read_elements(expand(content, place, arguments), place)


def _read_xml(content: bytes, place: Place, arguments: Arguments) -> RobotFile:
    from robots.files.mjcf.read import read_mjcf

    root = parse(content, place.file)
    if arguments or root.tag != "mujoco":
        return _read_urdf(content, place, arguments)
    return read_mjcf(root, place)


READERS: Mapping[str, Callable[[bytes, Place, Arguments], RobotFile]] = {
    ".urdf": _read_urdf,
    ".xacro": _read_xacro,
    ".xml": _read_xml,
}
"""What reads the bytes of a file, by its suffix."""

ZIP = ".zip"
MOST_LOOKED_INTO = 100
_THERE = "an existing file"


def is_robot_file(file: Path) -> bool:
    """Whether the name of `file` says that it describes a robot, or it is a folder or a zip with one.

    A file in a zip is named as if the zip were a folder: `arm.zip/urdf/arm.urdf`.
    """
    if file.is_dir():
        return bool(robots_in(DiskFolder(file)))
    return file.suffix.lower() in (*READERS, ZIP)


def robots_in(folder: Folder) -> tuple[str, ...]:
    """The paths of the robot files in a folder."""
    found = [path for path in folder.files if PurePosixPath(path).suffix.lower() in READERS]
    # Other xacro files have the macros that these include.
    whole = [path for path in found if path.lower().endswith((".urdf", ".urdf.xacro"))]
    macros = [path for path in found if path.lower().endswith(".xacro")]
    return tuple(whole or macros or (path for path in found[:MOST_LOOKED_INTO] if _is_mjcf(folder, path)))


def _is_mjcf(folder: Folder, path: str) -> bool:
    with suppress(ArmstepError):
        return b"<mujoco" in folder.read(path, MOST_BYTES)[:4096]
    return False


def places_of(file: Path, folder: Path | None) -> tuple[Place, ...]:
    """The places of the robots that a path names: several if it is a folder or zip with several robot files.

    Args:
        file: a robot file, a folder, a zip, or a robot file in a zip.
        folder: where the meshes of a robot file are, if not beside it.

    Raises:
        BadInput: there is no robot file.
    """
    inside = next((parent for parent in (file, *file.parents) if parent.suffix.lower() == ZIP), None)
    if inside is not None and inside.is_file():
        source = ZipFolder.opened(inside)
        named = file.relative_to(inside).as_posix()
        found = robots_in(source) if named == "." else (named,)
    elif file.is_dir():
        source = DiskFolder(file)
        found = robots_in(source)
    else:
        if file.suffix.lower() == ZIP:
            raise BadInput("robot file", str(file), _THERE)
        if file.suffix.lower() not in READERS:
            raise BadInput("robot file", str(file), "a folder, a zip, or one that ends in " + ", ".join(READERS))
        if folder is None or not file.resolve().is_relative_to(folder.resolve()):
            return (Place(DiskFolder(file.parent), file.name, None if folder is None else DiskFolder(folder)),)
        return (Place(DiskFolder(folder), file.resolve().relative_to(folder.resolve()).as_posix()),)
    if not found:
        raise BadInput("robot file", str(file), "one with a file that ends in " + ", ".join(READERS))
    return tuple(Place(source, path) for path in found)


def read_robot(file: Path, folder: Path | None = None, arguments: Arguments | None = None) -> RobotFile:
    """The robot that a path names, as `places_of`. No file outside its folder is opened.

    Raises:
        BadInput: the file cannot be read, or describes no robot, with the line; or there are several.
    """
    places = places_of(file, folder)
    if len(places) != 1:
        paths = one_of([place.file for place in places])
        raise BadInput("robot file", str(file), f"the path of one robot: {paths}")
    return read_place(places[0], arguments)


def read_place(place: Place, arguments: Arguments | None = None) -> RobotFile:
    """The robot at a place, with the arguments of a xacro file; raises BadInput as `read_robot`."""
    suffix = PurePosixPath(place.file).suffix.lower()
    if suffix not in READERS:
        raise BadInput("robot file", place.file, "one that ends in " + ", ".join(READERS))
    return READERS[suffix](_content(place), place, arguments or {})


def _content(place: Place) -> bytes:
    try:
        return place.folder.read(place.file, MOST_BYTES)
    except NotFound:
        raise BadInput("robot file", place.file, _THERE) from None
    except ArmstepError as problem:
        raise BadInput("robot file", place.file, f"readable ({problem})") from None


def arguments_at(place: Place) -> dict[str, str | None]:
    """The arguments of the robot file at a place with their defaults; None for required ones.

    Raises:
        BadInput: the file cannot be read.
    """
    if not place.file.lower().endswith(".xacro"):
        return {}
    from robots.files.xacro.expand import arguments_of

    return arguments_of(_content(place), place.file)


def robot_scenario(file: Path, folder: Path | None = None, arguments: Arguments | None = None) -> Scenario:
    """The robot in a file as a scenario: at rest under gravity, every joint at 0 or at its limit nearest to it.

    A robot with impossible masses or inertias moves by kinematics only. Arguments are those of `read_robot`.

    Raises:
        BadInput: as `read_robot`.
    """
    return scenario_from(read_robot(file, folder, arguments), file.name)


def scenario_from(found: RobotFile, name: str) -> Scenario:
    """The scenario of a robot that was read from the file `name`; as `robot_scenario`."""
    counts = [
        (len(found.merged), "link joined by a fixed joint", "links joined by fixed joints"),
        (len(found.ignored), "entry left out", "entries left out"),
        (len(found.missing), "mesh not drawn", "meshes not drawn"),
        (len(found.suspicious), "value to check", "values to check"),
        (len(found.impossible), "impossible mass or inertia", "impossible masses or inertias"),
    ]
    said = ", ".join(counted(count, one, many) for count, one, many in counts if count)
    listed = f" {said}: File > Robot report lists them, as does `armstep robot {name}`." if said else ""
    notes = f"From {name}.{listed}"
    return scenario_of(found.tree, notes)
