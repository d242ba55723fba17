"""A zip as a folder: read in memory, nothing is extracted."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path

from assets.errors import ArmstepError, BadInput
from assets.writing import reason
from robots.files.folder import MOST_FILES, NotFound, checked_path, too_long

MOST_PACKED, MOST_UNPACKED, MOST_RATIO = 256 * 2**20, 2**30, 200
_SMALL = 2**20
"""Files up to this length may be compressed by any factor."""

_ENCRYPTED = 1
_TROUBLES = (zipfile.BadZipFile, NotImplementedError, EOFError, ValueError, RuntimeError, OSError)


@dataclass(frozen=True)
class ZipFolder:
    """The files in a zip."""

    file: Path
    sizes: dict[str, int]

    @staticmethod
    def opened(file: Path) -> ZipFolder:
        """The zip in a file.

        Raises:
            BadInput: the file is not a zip, or has too many or too large files, or paths that lead out of it.
        """
        try:
            if file.stat().st_size > MOST_PACKED:
                raise BadInput(file.name, f"{file.stat().st_size} bytes", f"at most {MOST_PACKED // 2**20} MiB long")
            with zipfile.ZipFile(file) as opened:
                entries = [entry for entry in opened.infolist() if not entry.is_dir()]
        except _TROUBLES as problem:
            if isinstance(problem, BadInput):
                raise
            raise BadInput(file.name, reason(problem, reading=True)[:200], "a readable zip") from None
        return ZipFolder(file, _checked(file.name, entries))

    @property
    def name(self) -> str:
        """The file's name without its suffix."""
        return self.file.stem

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of its files, sorted."""
        return tuple(sorted(self.sizes))

    def read(self, path: str, most: int) -> bytes:
        """The bytes of a file."""
        if path not in self.sizes:
            raise NotFound(f"{self.file.name!r} has no such file")
        if self.sizes[path] > most:
            raise too_long(self.sizes[path], most)
        try:
            with zipfile.ZipFile(self.file) as opened, opened.open(path) as stream:
                return stream.read(most)
        except NotImplementedError:
            raise ArmstepError("its compression is not supported") from None
        except Exception:
            # A damaged zip raises the errors of its decompressor, too.
            raise ArmstepError("its part of the zip is damaged") from None


def _checked(where: str, entries: list[zipfile.ZipInfo]) -> dict[str, int]:
    """The length of each file, by its path."""
    if len(entries) > MOST_FILES:
        raise BadInput(where, f"{len(entries)} files", f"a zip of at most {MOST_FILES} files")
    sizes: dict[str, int] = {}
    for entry in entries:
        try:
            path = "/".join(checked_path(entry.filename))
        except ArmstepError as problem:
            raise BadInput(where, entry.filename, f"a zip whose names stay inside: {problem}") from None
        if path != entry.filename or path in sizes:
            raise BadInput(where, entry.filename, "a zip of files with plain names, each once")
        if entry.flag_bits & _ENCRYPTED:
            raise BadInput(where, entry.filename, "a zip without passwords")
        if entry.file_size > max(_SMALL, MOST_RATIO * entry.compress_size):
            grows = f"{entry.filename}: {entry.compress_size} to {entry.file_size} bytes"
            raise BadInput(where, grows, f"a zip whose files grow at most {MOST_RATIO} times")
        sizes[path] = entry.file_size
    if sum(sizes.values()) > MOST_UNPACKED:
        raise BadInput(where, f"{sum(sizes.values())} bytes", f"a zip of at most {MOST_UNPACKED // 2**30} GiB unpacked")
    return sizes
