"""When a compiled kernel on disk is still valid: as long as no file that it is made from has changed.

numba checks only the function's own file. But a kernel contains what it calls and the constants that it imports, so the
files that its file imports, and those that they import, are checked too. `solvers.kernels` installs this before the
first kernel is compiled.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from numba.core import config
from numba.core.caching import InTreeCacheLocator, UserProvidedCacheLocator, UserWideCacheLocator

from assets.imports import needed, stamp


@cache
def source_stamp(file: Path) -> bytes:
    """A fingerprint of the text of a file and of everything that it imports at its top level."""
    return stamp(needed(file))


class Whole:
    """The kernel's file with everything that it is made from."""

    _py_file: str

    def get_source_stamp(self) -> bytes:
        """See `source_stamp`."""
        return source_stamp(Path(self._py_file))


class Given(Whole, UserProvidedCacheLocator):
    """Below $NUMBA_CACHE_DIR."""


class InTree(Whole, InTreeCacheLocator):
    """Beside the kernel's file."""


class UserWide(Whole, UserWideCacheLocator):
    """Below the person's cache folder, where the program's own cannot be written."""


def use() -> None:
    """From now on numba uses these classes, and its own for functions in notebooks."""
    settings: Any = config
    ours = [f"{__name__}.{kind.__name__}" for kind in (Given, InTree, UserWide)]
    settings.CACHE_LOCATOR_CLASSES = ",".join([*ours, "IPythonCacheLocator", "ZipCacheLocator"])
