"""Data that Armstep ships: the only way to open one of its files."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable


def path(name: str) -> Traversable:
    """The data file or folder `name`, relative to this folder (`"tableaux/rk4.json"`)."""
    return files(__name__).joinpath(*name.split("/"))


def read_text(name: str) -> str:
    """The text of the data file `name`."""
    return path(name).read_text(encoding="utf-8")


def stems(folder: str, suffix: str) -> list[str]:
    """The stems of all files in `folder` that end in `suffix`, sorted: a registry's keys."""
    return sorted(entry.name.removesuffix(suffix) for entry in path(folder).iterdir() if entry.name.endswith(suffix))
