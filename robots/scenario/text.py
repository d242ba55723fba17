"""The text of a scenario file: versioned JSON, checked field by field. Nothing in it is ever executed."""

from __future__ import annotations

import json
from collections.abc import Sequence

from assets.errors import BadInput, beginning
from assets.fields import Data, Values
from assets.json_values import json_object
from robots.model.segments import Pull, Segment

FORMAT, VERSION = "armstep-scenario", 1
_TEXT = ("name", "title", "robot", "method", "controller", "notes")


def to_text(data: Values) -> str:
    """The file's text for the values of a scenario; complete, so that later changes of defaults do not change it."""
    text = json.dumps({"format": FORMAT, "version": VERSION, **data}, indent=2, ensure_ascii=False, allow_nan=False)
    # Half a surrogate pair has no UTF-8; as the escape that it was read from, it can still be saved.
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


def from_text(text: str, where: str, names: Sequence[str]) -> Data:
    """The values in a file's `text`, by field; `names` are the known fields.

    Raises:
        BadInput: naming the field that is unknown, missing or refused.
    """
    try:
        data = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as problem:
        raise BadInput(where, beginning(text), f"a valid JSON object ({problem})") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadInput(where, beginning(text), f'a JSON object with "format": "{FORMAT}"')
    version = data.pop("version", None)
    if version != VERSION or isinstance(version, bool):
        raise BadInput("version", version, f"{VERSION} (the version that this Armstep reads)")
    del data["format"]
    for name in data:
        if name not in names:
            raise BadInput("field", name, choices=names)
    if "robot" not in data:
        raise BadInput("robot", None, "the key of a robot (`armstep list robots` shows all)")
    for name in _TEXT:
        if name in data and not isinstance(data[name], str):
            raise BadInput(name, data[name], "text")
    return {**data, "segments": _segments(data.get("segments", []))}


def segment_data(segment: Segment) -> Data:
    """A segment as JSON data."""
    data: Data = {"at": segment.at}
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


def _object(where: str, data: object, required: tuple[str, ...] = (), optional: tuple[str, ...] = ()) -> Data:
    found = json_object(where, data, (*required, *optional))
    for name in required:
        if name not in found:
            raise BadInput(f"{where}.{name}", None, "present")
    return found


def _refuse_constant(word: str) -> float:
    raise ValueError(f"{word} is not a finite number")


def _unique(pairs: list[tuple[str, object]]) -> Data:
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the name {next(n for n in names if names.count(n) > 1)!r} appears twice")
    return data


def plain_json(where: str, value: Values) -> Data:
    """A copy of a mapping as JSON has it. Raises BadInput for what JSON cannot hold."""
    try:
        copy = json.loads(json.dumps(dict(value), allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise BadInput(where, "an object that JSON cannot hold", "plain JSON data with finite numbers") from None
    return copy
