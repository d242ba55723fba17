"""Which files of the program a source file needs: those that it imports, and those that they import."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
STATEMENT = r"(?:from ([\w.]+) import (\([^)]*\)|.*)|import (.*))"
AT_TOP, ANYWHERE = re.compile(f"^{STATEMENT}", re.MULTILINE), re.compile(f"^[ \\t]*{STATEMENT}", re.MULTILINE)


@cache
def imported(file: Path, lazily: bool = False) -> frozenset[Path]:
    """The files of the program, and of the plugin that the file belongs to, that a file imports.

    Args:
        file: a Python source.
        lazily: whether imports inside functions count, too.
    """
    names: list[str] = []
    for package, members, modules in (ANYWHERE if lazily else AT_TOP).findall(file.read_text(encoding="utf-8")):
        names += [package, *(f"{package}.{name}" for name in re.findall(r"\w+", members))]
        names += re.findall(r"[\w.]+", modules)
    found = (_module(root, name) for name in set(names) - {""} for root in {ROOT, top(file)})
    return frozenset(place for place in found if place is not None)


@cache
def _module(root: Path, name: str) -> Path | None:
    """The file of a module in a folder."""
    place = root.joinpath(*name.split(".")).with_suffix(".py")
    return place if place.is_file() else None


@cache
def _is_package(folder: Path) -> bool:
    return (folder / "__init__.py").is_file()


def top(file: Path) -> Path:
    """The folder that a file's package is imported from."""
    folder = file.parent
    while _is_package(folder):
        folder = folder.parent
    return folder


@cache
def needed(file: Path, lazily: bool = False) -> frozenset[Path]:
    """A file with everything that it imports, and that those import; see `imported`."""
    known, waiting = {file}, [file]
    while waiting:
        new = imported(waiting.pop(), lazily) - known
        known |= new
        waiting += new
    return frozenset(known)


def stamp(files: Iterable[Path]) -> bytes:
    """A fingerprint of the texts of files."""
    return hashlib.sha256(b"".join(sorted(map(_digest, files)))).digest()


@cache
def _digest(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest()
