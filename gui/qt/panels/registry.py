"""Finds the panels: every class in this folder that has a `key`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import iter_modules
from typing import Any

AREAS = ("left", "right", "bottom")


def found(package_name: str) -> Iterator[Any]:
    """Every class with a `key` of its own that a module of the package defines."""
    package = import_module(package_name)
    for info in iter_modules(package.__path__):
        module = import_module(f"{package_name}.{info.name}")
        for _, member in getmembers(module, isclass):
            if member.__module__ == module.__name__ and "key" in vars(member):
                yield member


def panels() -> list[Any]:
    """The panels' classes, by area and order."""
    return sorted(found("gui.qt.panels"), key=lambda panel: (AREAS.index(panel.area), panel.order))
