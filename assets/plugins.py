"""Plugins: additions from other installed packages, the entry points of the groups `armstep.plots` and so on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

OFF = "ARMSTEP_PLUGINS"
"""The environment variable that leaves plugins out when it is `no`; processes that Armstep starts inherit it."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """An addition of another package: one of its entry points.

    Attributes:
        group: what it adds, such as `armstep.plots`.
        key: its name.
        value: where it is, `package.module:NAME`.
        package: the package's name and version.
    """

    group: str
    key: str
    value: str
    package: str

    @property
    def source(self) -> str:
        """What messages call it."""
        return f"{self.value} of {self.package}"

    def load(self) -> object:
        """What the entry point names. Raises whatever importing it raises."""
        module, _, name = self.value.partition(":")
        found: object = import_module(module.strip())
        for part in filter(None, name.strip().split(".")):
            found = getattr(found, part)
        return found


def plugins() -> tuple[Plugin, ...]:
    """Every plugin, sorted by group and key; none if they are switched off."""
    return () if os.environ.get(OFF) == "no" else _installed(tuple(sys.path))


def culprit(error: BaseException) -> Plugin | None:
    """The plugin in whose code an exception was raised; None if there was none."""
    known = {plugin.value.partition(":")[0].partition(".")[0]: plugin for plugin in plugins()}
    found, trace = None, error.__traceback__
    while known and trace is not None:
        found = known.get(trace.tb_frame.f_globals.get("__name__", "").partition(".")[0], found)
        trace = trace.tb_next
    return found


def failure_of(error: BaseException) -> str:
    """A programming error as a sentence; it names the plugin that caused it, if one did."""
    plugin = culprit(error)
    whose = "Internal error" if plugin is None else f"The plugin {plugin.key!r} of {plugin.package} failed"
    return f"{whose} ({type(error).__name__}: {error})."


@cache
def _installed(path: tuple[str, ...]) -> tuple[Plugin, ...]:
    if not any(_has_plugins(folder) for folder in path):
        return ()
    # Importing this takes longer than the search above.
    from importlib.metadata import distributions

    found: dict[tuple[str, str], Plugin] = {}
    for package in distributions(path=list(path)):
        for point in package.entry_points:
            if point.group.startswith("armstep."):
                name = f"{package.metadata['Name']} {package.version}"
                # As for modules, the first place in the path wins.
                found.setdefault((point.group, point.name), Plugin(point.group, point.name, point.value, name))
    return tuple(found[place] for place in sorted(found))


def _has_plugins(folder: str) -> bool:
    return any(b"[armstep." in file.read_bytes() for file in _entry_points(Path(folder or ".")))


def _entry_points(folder: Path) -> Iterator[Path]:
    """The files that name the entry points of the packages installed in a folder."""
    try:
        names = [name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return
    for name in names:
        file = folder / name / "entry_points.txt"
        if file.is_file():
            yield file
