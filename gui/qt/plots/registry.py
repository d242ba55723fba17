"""Finds the plots: every class in this folder that has a `key`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import iter_modules

from gui.qt.plots.plot import Plot


def _found() -> Iterator[type[Plot]]:
    package = import_module("gui.qt.plots")
    for info in iter_modules(package.__path__):
        module = import_module(f"gui.qt.plots.{info.name}")
        for _, member in getmembers(module, isclass):
            if issubclass(member, Plot) and member.__module__ == module.__name__ and "key" in vars(member):
                yield member


def plots() -> dict[str, type[Plot]]:
    """The plots' classes by key, in the order in which they are stacked."""
    return {plot.key: plot for plot in sorted(_found(), key=lambda plot: plot.order)}
