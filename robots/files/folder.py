"""The folder that a person opened: the only place whose files a robot file can name, on disk or in a zip."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Protocol

from assets.errors import ArmstepError
from assets.writing import reason

MOST_FILES, MOST_LEVELS = 20_000, 16
_MOST_MANIFEST = 2**20
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")


class NotFound(ArmstepError):
    """The folder has no such file, but another folder may."""


class Folder(Protocol):
    """Files by their paths in the folder, with `/` between the parts."""

    @property
    def name(self) -> str:
        """Its name in messages."""
        ...

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of its files, sorted."""
        ...

    def read(self, path: str, most: int) -> bytes:
        """The bytes of a file.

        Raises:
            NotFound: the file does not exist.
            ArmstepError: it cannot be read, is longer than `most` bytes, or is outside the folder.
        """
        ...


@dataclass(frozen=True)
class DiskFolder:
    """A folder on disk; symbolic links that lead out of it are refused."""

    root: Path

    @property
    def name(self) -> str:
        """The folder's own name, without those above it."""
        return self.root.resolve().name

    @property
    def files(self) -> tuple[str, ...]:
        """The first 20,000 files, at most 16 folders deep; links to folders are not followed."""
        return self._files

    @cached_property
    def _files(self) -> tuple[str, ...]:
        return tuple(sorted(islice(self._walk(), MOST_FILES)))

    def _walk(self) -> Iterator[str]:
        for place, folders, names in os.walk(self.root):
            inner = Path(place).relative_to(self.root)
            if len(inner.parts) >= MOST_LEVELS:
                folders.clear()
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            yield from ((inner / name).as_posix() for name in sorted(names))

    def read(self, path: str, most: int) -> bytes:
        """The bytes of a file."""
        inside = os.path.realpath(self.root)
        real = os.path.realpath(os.path.join(inside, path))
        if os.path.commonpath([inside, real]) != inside:
            raise ArmstepError("it leads out of the folder that was opened")
        try:
            found = os.stat(real)
            if stat.S_ISDIR(found.st_mode):
                raise ArmstepError("it is a folder")
            if not stat.S_ISREG(found.st_mode):
                raise ArmstepError("it is not a regular file")
            if found.st_size > most:
                raise too_long(found.st_size, most)
            with open(real, "rb") as stream:
                return stream.read(most)
        except (FileNotFoundError, NotADirectoryError):
            raise NotFound(f"{self.name!r} has no such file") from None
        except (OSError, ValueError) as problem:
            raise ArmstepError(reason(problem, reading=True)) from None


def too_long(size: int, most: int) -> ArmstepError:
    """The refusal of a long file."""
    return ArmstepError(f"it must be at most {most / 2**20:g} MiB, got {size / 2**20:.4g} MiB")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a robot file is.

    Attributes:
        folder: what was opened.
        file: the path of the robot file in it.
        meshes: another folder that the files it names may be in.
    """

    folder: Folder
    file: str
    meshes: Folder | None = None

    def read(self, name: str, most: int) -> tuple[str, bytes]:
        """The path and the bytes of a file that the robot file names.

        Args:
            name: `package://PACKAGE/PATH`, or a path from the robot file's folder or from the folder that was opened.
            most: how many bytes it may have.

        Raises:
            NotFound: the folder has no such file.
            ArmstepError: the name is not a path inside the folder, or the file cannot be read.
        """
        for folder in filter(None, (self.meshes, self.folder)):
            for path in Place(folder, self.file if folder is self.folder else "")._candidates(name):
                with suppress(NotFound):
                    return path, folder.read(path, most)
        raise NotFound(f"{(self.meshes or self.folder).name!r} has no such file")

    def find_package(self, package: str) -> str:
        """The path of a ROS package in the folder, empty for the folder itself.

        Raises:
            NotFound: the folder has no such package.
        """
        for path in self.folder.files:
            parts = PurePosixPath(path).parts
            if package in parts[:-1]:
                return "/".join(parts[: parts.index(package) + 1])
        if "package.xml" in self.folder.files or self.folder.name == package:
            return ""
        raise NotFound(f"{self.folder.name!r} has no package {package!r}")

    def has_package(self, package: str) -> bool:
        """Whether the folder has a ROS package, or is one and says so."""
        folder = self.folder
        if folder.name == package or any(package in PurePosixPath(path).parts[:-1] for path in folder.files):
            return True
        with suppress(ArmstepError):
            return f"<name>{package}</name>".encode() in folder.read("package.xml", _MOST_MANIFEST)
        return False

    def _candidates(self, name: str) -> Iterable[str]:
        package, path = "", name.strip()
        if path.startswith("package://"):
            package, _, path = path.removeprefix("package://").partition("/")
        parts = checked_path(path)
        beside = PurePosixPath(self.file).parts[:-1]
        above = ["/".join(beside[:k]) for k in range(len(beside), -1, -1)]
        starts = [above[0], ""]
        if package:
            checked_path(package)
            starts = above
            with suppress(NotFound):
                starts = [self.find_package(package), *above]
        # A folder inside the package may have been opened: then an end of the path is there.
        ends = ["/".join(parts[k:]) for k in range(len(parts) if package else 1)]
        return dict.fromkeys("/".join(filter(None, (start, end))) for end in ends for start in starts)


def checked_path(path: str) -> tuple[str, ...]:
    r"""The parts of a relative path; `\` counts as `/`.

    Raises:
        ArmstepError: it is empty, absolute, an address, or leads upwards.
    """
    slashed = path.replace("\\", "/")
    if slashed.startswith("//"):
        raise ArmstepError("network paths are never opened")
    if found := _SCHEME.match(slashed):
        raise ArmstepError(f"{found[1]}: addresses are never opened")
    if slashed.startswith("/") or re.match(r"[A-Za-z]:", slashed):
        raise ArmstepError("absolute paths are never opened")
    parts = tuple(part for part in slashed.split("/") if part not in ("", "."))
    if ".." in parts:
        raise ArmstepError("paths with '..' are never opened")
    if not parts or "\0" in path:
        raise ArmstepError("it names no file")
    return parts
