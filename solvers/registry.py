"""How folders of one-file additions are found, so that there is no central list to edit."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def find_modules(package: ModuleType) -> list[ModuleType]:
    """The modules in the folder of `package`, imported and sorted; names that begin with `_` are left out."""
    return [
        import_module(f"{package.__name__}.{info.name}")
        for info in sorted(iter_modules(package.__path__), key=lambda info: info.name)
        if not info.name.startswith("_")
    ]
