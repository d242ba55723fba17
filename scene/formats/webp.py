"""Animated WebP: true colour and opacity, for web pages."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from assets.errors import ArmstepError
from scene.format import FILM, FilmFormat, texts_in
from scene.formats._film import FilmWriter
from scene.writer import Frame

XMP_FLAG = 0x04
"""Of the VP8X chunk: there is an XMP chunk."""


class WebpWriter(FilmWriter):
    """An animation in one WebP file; its texts travel as JSON in the XMP chunk."""

    container, codec = "webp", "libwebp_anim"
    halves_colour = False

    def _begin(self) -> None:
        super()._begin()
        # The container's own metadata is ignored by the muxer; see `_finish`.
        self._output.metadata.clear()

    def _finish(self) -> None:
        super()._finish()
        add_texts(self._part, self.order.metadata)

    def _pixel_format(self) -> str:
        return "bgra"

    def _write(self, frame: Frame) -> None:
        if not self.order.transparent:
            frame = frame | np.array([0, 0, 0, 255], dtype=np.uint8)
        super()._write(frame)

    def _options(self) -> dict[str, str]:
        return {"quality": {"low": "65", "medium": "80", "high": "92"}[self.order.quality], "compression_level": "4"}

    def _container_options(self) -> dict[str, str]:
        return {"loop": str(self.order.loop)}


def chunks(data: bytes) -> list[tuple[bytes, int, int]]:
    """The chunks of a RIFF file: name, start and length of the contents."""
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        raise ArmstepError("not a WebP file")
    found, at = [], 12
    while at + 8 <= len(data):
        name, length = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        found.append((name, at + 8, length))
        at += 8 + length + length % 2
    return found


def add_texts(path: Path, texts: Mapping[str, str]) -> None:
    """Append the texts as an XMP chunk and say so in the header."""
    data = bytearray(path.read_bytes())
    name, start, _ = chunks(bytes(data))[0]
    if name != b"VP8X" or not texts:
        return
    content = json.dumps(dict(texts)).encode()
    data[start] |= XMP_FLAG
    data += b"XMP " + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)
    struct.pack_into("<I", data, 4, len(data) - 8)
    path.write_bytes(data)


def webp_metadata(path: Path) -> dict[str, str]:
    """The texts that `add_texts` put in; nothing in a file of another program."""
    data = path.read_bytes()
    for name, start, length in chunks(data):
        if name == b"XMP ":
            return texts_in(data[start : start + length])
    return {}


FORMAT = FilmFormat(
    suffix=".webp",
    label="Animated WebP, true colour",
    place=13,
    writer=WebpWriter,
    settings=FILM | {"transparent", "loop"},
    reader=webp_metadata,
    largest=16383,
)
