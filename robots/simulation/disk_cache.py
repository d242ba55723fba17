"""Arrays that are kept on disk between sessions, in the person's cache folder: references, results of sweeps."""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from assets.errors import ArmstepError
from assets.imports import ROOT, stamp
from assets.version import version
from assets.writing import write_atomically

SOURCES = ".py", ".json", ".urdf"
"""What computed numbers can depend on."""


PIECE = 2**20
"""How many bytes are packed at once: meanwhile other threads, a window's too, wait for the interpreter."""


@dataclass(frozen=True, slots=True)
class DiskCache:
    """Named arrays by what they were computed from; those that were used least recently go first.

    A file is complete and undamaged, or it is not read: it is renamed when it is written, and has checksums. None
    contains Python objects.

    Attributes:
        name: of its folder.
        most_files, most_bytes: how many files it keeps, and how large they are together.
        largest: how large one may be.
    """

    name: str
    most_files: int
    most_bytes: int
    largest: int

    def file(self, facts: object, folder: Path | None = None) -> Path:
        """Where the arrays are that were computed from `facts` (JSON values); None is the person's cache folder."""
        if folder is None:
            from platformdirs import user_cache_path

            folder = user_cache_path("armstep") / self.name
        return folder / (hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest() + ".npz")

    def read(self, file: Path) -> dict[str, np.ndarray] | None:
        """The arrays; None if there are none, or the file is damaged."""
        with suppress(OSError, ValueError, KeyError, EOFError, NotImplementedError, BadZipFile):
            with np.load(file, allow_pickle=False) as data:
                found = {name: data[name] for name in data.files}
            os.utime(file)
            return found
        return None

    def write(self, file: Path, arrays: Mapping[str, NDArray[np.generic]]) -> bool:
        """Keep the arrays; returns whether they are. A cache that cannot be written costs time, but no run."""
        if sum(one.nbytes for one in arrays.values()) > self.largest:
            return False
        content = _archive(arrays)
        with suppress(OSError, ArmstepError):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(file, content.getvalue())
            self._tidy(file.parent)
            return True
        return False

    def _tidy(self, folder: Path) -> None:
        found = [(one.stat(), one) for one in folder.glob("*.npz")]
        bytes_kept = files_kept = 0
        for facts, one in sorted(found, key=lambda pair: -pair[0].st_mtime_ns):
            files_kept, bytes_kept = files_kept + 1, bytes_kept + facts.st_size
            if files_kept > self.most_files or bytes_kept > self.most_bytes:
                one.unlink(missing_ok=True)


def _archive(arrays: Mapping[str, NDArray[np.generic]]) -> io.BytesIO:
    """What `numpy.savez` writes, in pieces."""
    content = io.BytesIO()
    with ZipFile(content, "w") as archive:
        for name, array in arrays.items():
            whole = np.asarray(array, order="C")
            with archive.open(f"{name}.npy", "w", force_zip64=True) as part:
                np.lib.format.write_array_header_1_0(part, np.lib.format.header_data_from_array_1_0(whole))
                data = whole.reshape(-1).view(np.uint8)
                for first in range(0, len(data), PIECE):
                    part.write(data[first : first + PIECE].data)
    return content


@cache
def program() -> str:
    """What computed numbers depend on besides what was asked for: Armstep's code and data, Python, the processor."""
    folders = "robots", "solvers", "assets/tableaux", "assets/implicit", "assets/robots", "assets/scenarios"
    files = (file for folder in folders for file in (ROOT / folder).rglob("*") if file.suffix in SOURCES)
    return f"{version()} {sys.version} {platform.processor() or platform.machine()} {stamp(files).hex()}"
