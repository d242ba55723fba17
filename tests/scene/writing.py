"""Opens a writer by a file's name, for tests that know nothing of the window."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from scene.format import FilmFormat, StillFormat
from scene.picture import Quality
from scene.writer import Order, Writer


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
    """The writer of the format that the suffix names; that of a folder without one."""
    path = Path(path)
    kind = import_module(f"scene.formats.{path.suffix[1:] or 'frames'}").FORMAT
    assert isinstance(kind, FilmFormat | StillFormat)
    return kind.writer(Order(path, size, fps, quality, metadata or {}, loop, transparent))
