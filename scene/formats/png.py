"""PNG: one picture, or a folder of numbered ones."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngImageFile, PngInfo

from assets.errors import ArmstepError
from scene.formats.writer import Frame, Writer


def save_png(path: Path, frame: Frame, metadata: Mapping[str, str], transparent: bool) -> None:
    """Write one picture with its texts."""
    texts = PngInfo()
    for key, value in metadata.items():
        texts.add_itxt(key, value)
    image = Image.fromarray(frame if transparent else frame[..., :3])
    with open(path, "wb") as file:
        image.save(file, format="PNG", pnginfo=texts, compress_level=6)


class PngWriter(Writer):
    """A still: exactly one frame."""

    suffix = ".png"

    def _begin(self) -> None:
        self._part.touch()

    def _write(self, frame: Frame) -> None:
        if self.frames:
            raise ArmstepError(f"cannot write {self.order.path}: a still holds one frame; give a folder for a sequence")
        save_png(self._part, frame, self.order.metadata, self.order.transparent)

    def _finish(self) -> None:
        pass


class PngSequenceWriter(Writer):
    """A folder of `frame-000000.png` and so on. An older sequence in the folder is replaced, any other file stays."""

    suffix = "/"

    def _begin(self) -> None:
        if self.order.path.exists() and not self.order.path.is_dir():
            raise FileExistsError(17, "something else has that name")
        self._part.mkdir()

    def _write(self, frame: Frame) -> None:
        save_png(self._part / f"frame-{self.frames:06d}.png", frame, self.order.metadata, self.order.transparent)

    def _finish(self) -> None:
        pass

    def _deliver(self) -> None:
        target = self.order.path
        if not target.exists():
            os.replace(self._part, target)
            return
        for old in target.glob("frame-[0-9][0-9][0-9][0-9][0-9][0-9].png"):
            old.unlink()
        for new in sorted(self._part.iterdir()):
            os.replace(new, target / new.name)
        self._part.rmdir()


def png_metadata(path: Path) -> dict[str, str]:
    """The texts inside a picture, or inside the first one of a folder."""
    if path.is_dir():
        first = min(path.glob("frame-*.png"), default=None)
        if first is None:
            raise ArmstepError(f"{path} holds no frames of a sequence")
        path = first
    with Image.open(path) as image:
        assert isinstance(image, PngImageFile)
        return {key: str(value) for key, value in image.text.items()}
