"""Scenario files: versioned JSON, checked field by field. Nothing in a file is ever executed."""

from __future__ import annotations

import errno
import json
import os
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from assets.errors import ArmstepError, BadInput
from robots.scenario.scenario import FIELD_NAMES, Scenario
from robots.scenario.segments import Pull, Segment

FORMAT, VERSION = "armstep-scenario", 1
_MOST_BYTES = 32 * 1024 * 1024
_TEXT = ("name", "title", "robot", "method", "controller", "notes")


def to_json(scenario: Scenario) -> str:
    """The text of a scenario file; complete, so that later changes of defaults do not change it."""
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    for name in FIELD_NAMES:
        value = getattr(scenario, name)
        data[name] = dict(value) if isinstance(value, Mapping) else value
    data["segments"] = [_segment_data(segment) for segment in scenario.segments]
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    # Half a surrogate pair has no UTF-8; written as the escape that it was read from, it does not hinder saving.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def from_json(text: str, where: str = "scenario file") -> Scenario:
    """The scenario in `text`; see `Scenario.from_json`."""
    try:
        data = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as problem:
        raise BadInput(where, _start(text), f"a valid JSON object ({problem})") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadInput(where, _start(text), f'a JSON object with "format": "{FORMAT}"')
    version = data.pop("version", None)
    if version != VERSION or isinstance(version, bool):
        raise BadInput("version", version, f"{VERSION} (the version that this Armstep reads)")
    del data["format"]
    for name in data:
        if name not in FIELD_NAMES:
            raise BadInput("field", name, choices=FIELD_NAMES)
    if "robot" not in data:
        raise BadInput("robot", None, "the key of a robot (`armstep list robots` shows all)")
    for name in _TEXT:
        if name in data and not isinstance(data[name], str):
            raise BadInput(name, data[name], "text")
    return Scenario(**{**data, "segments": _segments(data.get("segments", []))})


def load(path: Path) -> Scenario:
    """The scenario in the file `path`; see `Scenario.load`."""
    try:
        with path.open("rb") as stream:
            content = stream.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise BadInput("scenario file", str(path), "a file of at most 32 MiB")
        text = content.decode("utf-8-sig")  # editors on Windows put a mark before the text
    except OSError as problem:
        raise BadInput("scenario file", str(path), f"readable ({_reason(problem)})") from None
    except UnicodeDecodeError:
        raise BadInput("scenario file", str(path), "JSON text in UTF-8") from None
    return from_json(text, str(path))


def save(scenario: Scenario, path: Path) -> None:
    """Write the file `path`, in one instant; see `Scenario.save`."""
    write_atomically(path, to_json(scenario).encode("utf-8"))


def write_atomically(path: Path, content: bytes) -> None:
    """Write `content` beside `path`, then rename: `path` is either the old file or the complete new one.

    A link stays one: what it points to is written. A file that nobody may write is left alone, though a rename could
    replace it, and so is what is no file.

    Raises:
        ArmstepError: naming the path and the reason.
    """
    temporary = None
    path = Path(os.path.realpath(path))
    try:
        _check_replaceable(path)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except OSError as problem:
        if temporary:
            with suppress(OSError):
                os.unlink(temporary)
        raise ArmstepError(
            f"{path} cannot be written: {_reason(problem)}; what was there before is unchanged"
        ) from None


def _check_replaceable(path: Path) -> None:
    """Raises OSError where something stands that a file must not take the place of."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return
    if stat.S_ISREG(found.st_mode) and not (found.st_mode & 0o222 and os.access(path, os.W_OK)):
        raise PermissionError(errno.EACCES, "it is write-protected")
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        raise OSError(errno.EINVAL, "it is no ordinary file")


def _mode(path: Path) -> int:
    """The permissions of the file that is replaced, or those of a new file."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    return 0o644


def _segment_data(segment: Segment) -> dict[str, Any]:
    data: dict[str, Any] = {"at": segment.at}
    if segment.changes:
        data["changes"] = dict(segment.changes)
    if segment.pull:
        data["pull"] = {
            name: getattr(segment.pull, name) for name in ("link", "point", "stiffness", "damping", "track")
        }
    return data


def _segments(data: object) -> tuple[Segment, ...]:
    if not isinstance(data, list):
        raise BadInput("segments", data, "a list of segments")
    return tuple(_segment(f"segments[{k}]", item) for k, item in enumerate(data))


def _segment(where: str, data: object) -> Segment:
    given = _object(where, data, required=("at",), optional=("changes", "pull"))
    changes = _object(f"{where}.changes", given.get("changes", {}))
    pull = None
    if "pull" in given:
        parts = _object(f"{where}.pull", given["pull"], required=("link", "point", "stiffness", "damping", "track"))
        if not isinstance(parts["track"], list):
            raise BadInput(f"{where}.pull.track", parts["track"], "a list of points (t, x, y, z)")
        pull = Pull(**{**parts, "track": tuple(parts["track"])})
    return Segment(given["at"], changes, pull)


def _object(where: str, data: object, required: tuple[str, ...] = (), optional: tuple[str, ...] = ()) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise BadInput(where, data, "a JSON object")
    names = (*required, *optional)
    for name in required:
        if name not in data:
            raise BadInput(f"{where}.{name}", None, "present")
    for name in data if names else ():
        if name not in names:
            raise BadInput("field", f"{where}.{name}", choices=[f"{where}.{n}" for n in names])
    return data


def _refuse_constant(word: str) -> float:
    raise ValueError(f"{word} is not a finite number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the name {next(n for n in names if names.count(n) > 1)!r} appears twice")
    return data


def _start(text: str) -> str:
    return text[:40] + ("..." if len(text) > 40 else "")


def _reason(problem: OSError) -> str:
    return problem.strerror or str(problem)
