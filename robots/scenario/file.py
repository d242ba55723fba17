"""Scenario files on disk, and how every file of ours is written: completely, or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from assets.errors import ArmstepError, BadInput
from robots.scenario.scenario import Scenario

_MOST_BYTES = 32 * 1024 * 1024


def load_scenario(path: Path) -> Scenario:
    """The scenario in the file `path`.

    Raises:
        BadInput: when it cannot be read or is not a scenario.
    """
    try:
        with path.open("rb") as stream:
            content = stream.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise BadInput("scenario file", str(path), "a file of at most 32 MiB")
        text = content.decode("utf-8-sig")  # editors on Windows put a mark before the text
    except OSError as problem:
        raise BadInput("scenario file", str(path), f"readable ({_reason(problem)})") from None
    except UnicodeDecodeError:
        raise BadInput("scenario file", str(path), "JSON text in UTF-8") from None
    return Scenario.from_json(text, str(path))


def save_scenario(scenario: Scenario, path: Path) -> None:
    """Write the scenario file `path`: the old one stays untouched until the new one is complete.

    Raises:
        ArmstepError: naming the path and the reason.
    """
    write_atomically(path, scenario.to_json().encode("utf-8"))


def write_atomically(path: Path, content: bytes) -> None:
    """Write `content` beside `path`, then rename: `path` is either the old file or the complete new one.

    A link stays one: what it points to is written. A file that nobody may write is left alone, though a rename could
    replace it, and so is what is no file.

    Raises:
        ArmstepError: naming the path and the reason.
    """
    temporary = None
    path = Path(os.path.realpath(path))
    try:
        _check_replaceable(path)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except OSError as problem:
        if temporary:
            with suppress(OSError):
                os.unlink(temporary)
        raise ArmstepError(
            f"{path} cannot be written: {_reason(problem)}; what was there before is unchanged"
        ) from None


def _check_replaceable(path: Path) -> None:
    """Raises OSError where something stands that a file must not take the place of."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return
    if stat.S_ISREG(found.st_mode) and not (found.st_mode & 0o222 and os.access(path, os.W_OK)):
        raise PermissionError(errno.EACCES, "it is write-protected")
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        raise OSError(errno.EINVAL, "it is no ordinary file")


def _mode(path: Path) -> int:
    """The permissions of the file that is replaced, or those of a new file."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    return 0o644


def _reason(problem: OSError) -> str:
    return problem.strerror or str(problem)
