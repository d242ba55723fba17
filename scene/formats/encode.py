"""Films and pictures as files: the format follows from the name. A folder's name ends in `/` or has no suffix.

Formats: `.mp4` (H.264), `.webm` (VP9, opacity), `.gif`, `.webp` (animated, opacity), `.png`, and a folder of PNG files.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from pathlib import Path

from assets.errors import ArmstepError, BadInput, Range
from scene.formats.drawing import drawing_metadata, table_metadata
from scene.formats.film import Mp4Writer, WebmWriter, film_metadata
from scene.formats.gif import GifWriter, gif_metadata
from scene.formats.gltf import glb_metadata
from scene.formats.png import PngSequenceWriter, PngWriter, png_metadata
from scene.formats.web_page import page_metadata
from scene.formats.webp import WebpWriter, webp_metadata
from scene.formats.writer import Order, Writer, reason
from scene.picture import Quality

__all__ = ["Writer", "check_target", "open_writer", "read_metadata", "suffixes"]

WRITERS: tuple[type[Writer], ...] = (Mp4Writer, WebmWriter, GifWriter, WebpWriter, PngWriter, PngSequenceWriter)
LEVELS = ("low", "medium", "high")
READERS = {
    ".mp4": film_metadata,
    ".webm": film_metadata,
    ".gif": gif_metadata,
    ".webp": webp_metadata,
    ".png": png_metadata,
    "/": png_metadata,
    ".glb": glb_metadata,
    ".html": page_metadata,
    ".svg": drawing_metadata,
    ".pdf": drawing_metadata,
    ".npz": table_metadata,
}


def suffixes() -> tuple[str, ...]:
    """The endings that can be written; `/` stands for a folder."""
    return tuple(writer.suffix for writer in WRITERS)


def writer_for(path: Path) -> type[Writer]:
    """The writer of a file's format. Raises BadInput for a suffix that none has."""
    suffix = path.suffix.lower() or "/"
    for writer in WRITERS:
        if writer.suffix == suffix:
            return writer
    raise BadInput("file", str(path), "one that ends in " + ", ".join(suffixes()), suffixes())


def check_target(path: Path | str, size: tuple[int, int], *, transparent: bool = False) -> None:
    """Refuse what could not be written, before anything is drawn.

    Raises:
        BadInput: an unknown suffix, a size or an opacity that the format cannot hold, a folder that is not there.
    """
    path = Path(path)
    writer = writer_for(path)
    if not all(1 <= length <= writer.largest for length in size):
        raise BadInput(
            "size", f"{size[0]}x{size[1]}", f"from 1 to {writer.largest} pixels each way for {writer.suffix}"
        )
    if transparent and not writer.keeps_opacity:
        keep = ", ".join(w.suffix for w in WRITERS if w.keeps_opacity)
        raise BadInput("file", str(path), f"{keep} for a transparent background")
    if not path.parent.is_dir():
        raise BadInput("file", str(path), "in an existing folder")


def open_writer(
    path: Path | str,
    size: tuple[int, int],
    fps: float = 30.0,
    *,
    quality: Quality = "medium",
    metadata: Mapping[str, str] | None = None,
    loop: int = 0,
    transparent: bool = False,
) -> Writer:
    """Begin a file of `size` pixels, `fps` frames per second; see `Order` for the rest.

    Raises:
        BadInput: see `check_target`, or a frame rate that is not above 0.
        ArmstepError: the file cannot be written, and why.
    """
    path = Path(path)
    check_target(path, size, transparent=transparent)
    if not (isfinite(fps) and 0 < fps <= 1000):
        raise BadInput("fps", fps, Range(0.0, 1000.0, above=True))
    if quality not in LEVELS:
        raise BadInput("quality", quality, choices=LEVELS)
    if loop < 0:
        raise BadInput("loop", loop, "0 (forever) or a number of times")
    return writer_for(path)(Order(path, size, fps, quality, dict(metadata or {}), loop, transparent))


def read_metadata(path: Path | str) -> dict[str, str]:
    """The texts that travel inside a file. Raises ArmstepError when it cannot be read."""
    path = Path(path)
    reader = READERS["/"] if path.is_dir() else READERS.get(path.suffix.lower())
    if reader is None:
        kinds = ", ".join(suffix for suffix in READERS if suffix != "/")
        raise BadInput("file", str(path), f"a scenario (.json), an exported file ({kinds}) or a folder of stills")
    try:
        return reader(path)
    except ArmstepError:
        raise
    except Exception as error:
        # Whatever a decoder makes of a broken or foreign file, a person reads one sentence.
        raise ArmstepError(f"cannot read {path}: {reason(error)}") from error
