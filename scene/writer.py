"""The common part of all writers of films and pictures: frames in, a complete file out or none at all."""

from __future__ import annotations

import errno
import os
import platform
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from assets.errors import ArmstepError, BadInput
from assets.writing import check_replaceable, give_name, reason
from scene.picture import Quality

Frame = NDArray[np.uint8]

HOST = f"{crc32(platform.node().encode()):08x}"
"""This machine's number, in the names of temporary files: in a shared folder, other machines' processes are unknown."""

PART = ".armstep.part"
"""The end of the names of temporary files."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to write.

    Attributes:
        path: the file, or the folder of a sequence.
        size: width and height [px].
        fps: frames per second.
        metadata: texts that travel inside the file.
        loop: how often an animation repeats; 0 is forever.
        transparent: keep the opacity, if the format can.
        dpi: dots per inch of a picture that has a size on paper; 0 for none.
    """

    path: Path
    size: tuple[int, int]
    fps: float
    quality: Quality = "medium"
    metadata: Mapping[str, str] = field(default_factory=dict)
    loop: int = 0
    transparent: bool = False
    dpi: float = 0.0


class Writer(ABC):
    """Writes frames under a temporary name beside the target, which `close` turns into the target in one move.

    As a context manager it closes on success and aborts on an exception. One thread at a time.
    """

    def __init__(self, order: Order) -> None:
        self.order = order
        self.frames = 0
        self._target = Path(os.path.realpath(order.path))
        self._part = self._target.with_name(f".{self._target.name}.{HOST}-{os.getpid()}{PART}")
        self._open = True
        with self._reporting():
            if not self._target.parent.is_dir():
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            self._check_target()
            _remove_orphans(self._target.parent)
            self._begin()

    def add(self, frame: Frame) -> None:
        """Append a frame (height, width, 4): red, green, blue, straight opacity; top row first."""
        if frame.shape != (self.order.size[1], self.order.size[0], 4) or frame.dtype != np.uint8:
            wanted = f"({self.order.size[1]}, {self.order.size[0]}, 4) bytes"
            raise BadInput("frame", f"{frame.shape} {frame.dtype}", wanted)
        with self._reporting():
            self._write(frame)
        self.frames += 1

    def close(self) -> None:
        """Complete the file and give it its name. Raises ArmstepError when no frame was added."""
        if not self._open:
            return
        if not self.frames:
            self.abort()
            raise ArmstepError(f"{self.order.path} cannot be written: there are no frames")
        with self._reporting():
            self._finish()
            self._deliver()
        self._open = False

    def abort(self) -> None:
        """Stop, and leave nothing behind."""
        if self._open:
            self._open = False
            self._drop()
            _remove(self._part)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()

    def _check_target(self) -> None:
        """Raise OSError if the finished file could not get its name."""
        check_replaceable(self._target)

    @abstractmethod
    def _begin(self) -> None:
        """Open the temporary file."""

    @abstractmethod
    def _write(self, frame: Frame) -> None:
        """Append a frame."""

    @abstractmethod
    def _finish(self) -> None:
        """Complete the temporary file and close it."""

    def _drop(self) -> None:  # noqa: B027
        """Close everything without raising; does nothing by default."""

    def _deliver(self) -> None:
        """Give the finished file its name."""
        give_name(self._part, self._target)

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Turn what the system or the encoder says into one sentence, and clean up."""
        try:
            yield
        except ArmstepError:
            self.abort()
            raise
        except ImportError as error:
            self.abort()
            missing = f"the package {error.name} is missing; install it with: pip install {error.name}"
            raise ArmstepError(f"{self.order.path} cannot be written: {missing}") from error
        except BaseException as error:
            self.abort()
            if isinstance(error, OSError) or type(error).__module__.startswith("av."):
                raise ArmstepError(f"{self.order.path} cannot be written: {reason(error)}") from error
            raise


def _remove_orphans(folder: Path) -> None:
    """Remove the temporary files of writers whose process, on this machine, was killed."""
    for part in folder.glob(f".*.{HOST}-*{PART}"):
        number = part.name.removesuffix(PART).rpartition("-")[2]
        if number.isdecimal() and not _is_running(int(number)):
            _remove(part)


def _is_running(process: int) -> bool:
    if sys.platform == "win32":
        return True  # Windows has no signal that only tests for a process.
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()
