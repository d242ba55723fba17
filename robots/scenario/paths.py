"""Paths of fields, such as `robot.m1`: a group of a scenario and a key in it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from assets.errors import BadInput, one_of
from assets.fields import Field, Value, complete


def filled(group: str, declared: tuple[Field, ...], given: Mapping[str, Value]) -> Mapping[str, Value]:
    """All values of a group, defaults filled in; refuses unknown keys and refused values."""
    if not isinstance(given, Mapping):
        raise BadInput(group, given, "an object with the robot's fields")
    known = by_path(group, declared)
    for key in given:
        if f"{group}.{key}" not in known:
            raise unknown(f"{group}.{key}", known)
    return MappingProxyType(complete(group, declared, given))


def by_path(group: str, declared: tuple[Field, ...]) -> dict[str, Field]:
    """The fields of a group by path."""
    return {f"{group}.{item.key}": item for item in declared}


def unknown(path: str, declared: Mapping[str, Field]) -> BadInput:
    """The refusal of a field that does not exist."""
    group = path.partition(".")[0]
    return BadInput("field", path, one_of([k for k in declared if k.startswith(f"{group}.")] or declared), declared)


def present(path: str, declared: Mapping[str, Field]) -> str:
    """The current path of a field: what only changes the picture was once part of the task."""
    group, _, key = path.partition(".")
    return f"view.{key}" if group == "task" and path not in declared and f"view.{key}" in declared else path
