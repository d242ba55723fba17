"""The window's log and the trace of a crash, in the user's log folder. Nothing is sent anywhere."""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import zipfile
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TextIO

from assets.errors import ArmstepError
from assets.writing import reason
from gui.version import diagnostics

LARGEST, KEPT = 512 * 1024, 3
"""The log begins again at this size [bytes]; this many older ones stay."""


class CrashLog:
    """The log of this window, and the traces of earlier ones that crashed.

    Args:
        folder: of both; the platform's log folder if None.

    Attributes:
        left: traces of crashed windows.
        offered: the person was asked about them: once this window is closed normally, they are old.
    """

    def __init__(self, folder: Path | None = None) -> None:
        if folder is None:
            from platformdirs import user_log_path

            folder = user_log_path("armstep", appauthor=False)
        self.folder = folder
        self.left: list[Path] = []
        self.offered = False
        self._own = folder / f"crash-{os.getpid()}.txt"
        self._stream: TextIO | None = None
        self._handler: logging.Handler | None = None

    def begin(self) -> None:
        """Write the log from now on, and the trace if the process crashes. Without a folder there is neither."""
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            self.left = [file for file in sorted(self.folder.glob("crash-*.txt")) if _is_a_trace(file)]
            self._handler = RotatingFileHandler(
                self.folder / "armstep.log", maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8", delay=True
            )
            self._handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
            logging.getLogger().addHandler(self._handler)
            self._stream = self._own.open("w", encoding="utf-8")
            faulthandler.enable(self._stream)

    def end(self) -> None:
        """Remove the trace, and those that were offered: the window was closed normally."""
        if self.offered:
            self.forget()
        if self._stream is not None:
            faulthandler.disable()
            self._stream.close()
            with suppress(OSError):
                self._own.unlink()
        if self._handler is not None:
            logging.getLogger().removeHandler(self._handler)
            self._handler.close()

    def save(self, target: Path) -> None:
        """Write logs, traces and versions to a zip, for a person to read before giving it to anybody.

        Raises:
            ArmstepError: naming the file and the reason.
        """
        found = [*sorted(self.folder.glob("armstep.log*")), *self.left]
        try:
            with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("versions.txt", diagnostics() + "\n")
                for file in found:
                    archive.write(file, file.name)
        except OSError as problem:
            raise ArmstepError(f"{target} cannot be written: {reason(problem)}") from None

    def forget(self) -> None:
        """Remove the traces of earlier crashes."""
        for file in self.left:
            with suppress(OSError):
                file.unlink()
        self.left = []


def _is_a_trace(file: Path) -> bool:
    """Whether it is the trace of a process that is gone; an empty one of such a process is removed."""
    if _lives(file):
        return False
    if file.stat().st_size:
        return True
    with suppress(OSError):
        file.unlink()
    return False


def _lives(file: Path) -> bool:
    number = file.stem.removeprefix("crash-")
    if not number.isdigit():
        return True
    if sys.platform == "win32":
        try:
            file.rename(file)  # refused while the process has it open
        except OSError:
            return True
        return False
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return int(number) != os.getpid()
