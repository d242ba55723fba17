"""How Armstep writes every file: first under a temporary name, then renamed when it is complete; and rows as text."""

from __future__ import annotations

import csv
import errno
import io
import os
import stat
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from assets.errors import ArmstepError


def write_atomically(path: Path, content: bytes) -> None:
    """Write `content` beside `path`, then rename: `path` is either the old file or the complete new one.

    A link stays a link: its target is written.

    Raises:
        ArmstepError: naming the path and the reason.
    """
    temporary = None
    path = Path(os.path.realpath(path))
    try:
        check_replaceable(path)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        give_name(Path(temporary), path)
    except OSError as problem:
        if temporary:
            with suppress(OSError):
                os.unlink(temporary)
        left = "; the old file is unchanged" if path.is_file() else ""
        raise ArmstepError(f"{path} cannot be written: {reason(problem)}{left}") from None


def make_folder(folder: Path) -> None:
    """Make a folder, and those that it is in, unless it is there.

    Raises:
        ArmstepError: naming the folder and the reason.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise ArmstepError(f"{folder} cannot be created: {reason(problem)}") from None


def give_name(part: Path, path: Path) -> None:
    """Move a complete file to `path`, with the permissions of the file that it replaces.

    Raises:
        OSError: it cannot, or must not: see `check_replaceable`.
    """
    check_replaceable(path)
    with suppress(FileNotFoundError):
        os.chmod(part, path.stat().st_mode & 0o777)
    os.replace(part, path)


def check_replaceable(path: Path) -> None:
    """Raise OSError for a file that a rename must not replace: write-protected, or not a regular file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    if not (found.st_mode & 0o222 and os.access(path, os.W_OK)):
        raise PermissionError(errno.EACCES, "it is write-protected")


def reason(error: BaseException, reading: bool = False) -> str:
    """Why the system refused to write (or to read) a file, in plain words."""
    said = getattr(error, "strerror", None) or str(error)
    number = getattr(error, "errno", None)
    if not number or said != os.strerror(number):
        return said
    return (_READING if reading else {}).get(number) or _WORDS.get(number, said)


_READING = {errno.ENOENT: "there is no such file", errno.EACCES: "reading it is not permitted"}
_WORDS = {
    errno.ENOENT: "there is no such folder",
    errno.EACCES: "writing there is not permitted",
    errno.EEXIST: "something else has that name",
    errno.ENOTDIR: "a part of its path is not a folder",
    errno.EISDIR: "it is a folder",
    errno.EFBIG: "the file would grow larger than the system permits",
    errno.ENOSPC: "the disk is full",
    errno.EROFS: "the disk is read-only",
    errno.ENAMETOOLONG: "the name is too long",
    getattr(errno, "EDQUOT", errno.ENOSPC): "the disk quota is used up",
}


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Rows as comma-separated text; None is an empty cell."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
