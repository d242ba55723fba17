"""A folder of numbered PNG pictures, for programs that cut films."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from assets.errors import ArmstepError
from scene.format import FILM, FilmFormat
from scene.formats.png import png_metadata, save_png
from scene.writer import Frame, Writer

PATTERN = "frame-[0-9][0-9][0-9][0-9][0-9][0-9].png"


class FramesWriter(Writer):
    """`frame-000000.png` and so on. An older sequence of ours in the folder is replaced, any other file stays."""

    def _check_target(self) -> None:
        if self._target.exists() and not self._target.is_dir():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        for old in self._older():
            if not _is_ours(old):
                raise ArmstepError(
                    f"{self.order.path} cannot be written: {old.name} in it was not written by Armstep; choose another "
                    f"folder"
                )

    def _begin(self) -> None:
        self._part.mkdir()

    def _write(self, frame: Frame) -> None:
        save_png(self._part / f"frame-{self.frames:06d}.png", frame, self.order.metadata, self.order.transparent)

    def _finish(self) -> None:
        pass

    def _deliver(self) -> None:
        if not self._target.exists():
            os.replace(self._part, self._target)
            return
        self._check_target()
        for old in self._older():
            old.unlink()
        for new in sorted(self._part.iterdir()):
            os.replace(new, self._target / new.name)
        self._part.rmdir()

    def _older(self) -> list[Path]:
        return sorted(self._target.glob(PATTERN))


def _is_ours(picture: Path) -> bool:
    try:
        return "armstep" in png_metadata(picture)
    except (OSError, SyntaxError):  # what Pillow raises for a file that is not a picture, or a broken one
        return False


def frames_metadata(folder: Path) -> dict[str, str]:
    """The texts inside the first picture."""
    first = min(folder.glob(PATTERN), default=None)
    if first is None:
        raise ArmstepError(f"{folder} has neither a robot file nor pictures frame-000000.png and so on")
    return png_metadata(first)


FORMAT = FilmFormat(
    suffix="/",
    label="PNG sequence, numbered stills",
    place=14,
    writer=FramesWriter,
    settings=FILM | {"transparent"},
    reader=frames_metadata,
)
