"""When a compiled kernel on disk is still valid: as long as no file that it is made from has changed.

numba checks only the function's own file. But a kernel contains what it calls and the constants that it imports, so the
files that its file imports, and those that they import, are checked too. `solvers.kernels` installs this before the
first kernel is compiled.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import config
from numba.core.caching import InTreeCacheLocator, UserProvidedCacheLocator, UserWideCacheLocator

ROOT = Path(__file__).parents[3]
IMPORT = re.compile(r"^(?:from ([\w.]+) import (\([^)]*\)|.*)|import (.*))", re.MULTILINE)


@cache
def imported(file: Path) -> frozenset[Path]:
    """The files of the program, and of the plugin that the file belongs to, that a file imports at its top level."""
    names: list[str] = []
    for package, members, modules in IMPORT.findall(file.read_text(encoding="utf-8")):
        names += [package, *(f"{package}.{name}" for name in re.findall(r"\w+", members))]
        names += re.findall(r"[\w.]+", modules)
    places = [root.joinpath(*name.split(".")) for name in names if name for root in {ROOT, top(file)}]
    return frozenset(place.with_suffix(".py") for place in places if place.with_suffix(".py").is_file())


def top(file: Path) -> Path:
    """The folder that a file's package is imported from."""
    folder = file.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


@cache
def stamp(file: Path) -> bytes:
    """A fingerprint of the text of a file and of everything that it imports."""
    known, waiting = {file}, [file]
    while waiting:
        new = imported(waiting.pop()) - known
        known |= new
        waiting += new
    texts = sorted(hashlib.sha256(one.read_bytes()).digest() for one in known)
    return hashlib.sha256(b"".join(texts)).digest()


class Whole:
    """The kernel's file with everything that it is made from."""

    _py_file: str

    def get_source_stamp(self) -> bytes:
        """See `stamp`."""
        return stamp(Path(self._py_file))


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
