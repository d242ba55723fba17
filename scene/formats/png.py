"""PNG: one picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from assets.errors import ArmstepError
from scene.format import FIGURE, SCENE, StillFormat
from scene.writer import Frame, Writer


def save_png(path: Path, frame: Frame, metadata: Mapping[str, str], transparent: bool, dpi: float = 0.0) -> None:
    """Write one picture with its texts, and its dots per inch if it has a size on paper."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    texts = PngInfo()
    for key, value in metadata.items():
        texts.add_itxt(key, value)
    image = Image.fromarray(frame if transparent else frame[..., :3])
    with open(path, "wb") as file:
        size = {"dpi": (dpi, dpi)} if dpi else {}
        image.save(file, format="PNG", pnginfo=texts, compress_level=6, **size)


class PngWriter(Writer):
    """A still: exactly one frame."""

    def _begin(self) -> None:
        self._part.touch()

    def _write(self, frame: Frame) -> None:
        if self.frames:
            raise ArmstepError(f"{self.order.path} cannot be written: a still holds one frame")
        save_png(self._part, frame, self.order.metadata, self.order.transparent, self.order.dpi)

    def _finish(self) -> None:
        pass


def png_metadata(path: Path) -> dict[str, str]:
    """The texts inside a picture."""
    from PIL import Image

    with Image.open(path) as image:
        return {str(key): str(value) for key, value in image.info.items() if isinstance(value, str)}


FORMAT = StillFormat(
    suffix=".png",
    label="PNG picture",
    place=20,
    writer=PngWriter,
    settings=SCENE | FIGURE | {"at", "transparent"},
    reader=png_metadata,
)
