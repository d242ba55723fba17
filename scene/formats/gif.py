"""GIF with its own palette: two passes, with the frames compressed on disk in between, so that memory stays small."""

from __future__ import annotations

import json
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from scene.format import FILM, FilmFormat, texts_in
from scene.formats._film import frame_rate
from scene.writer import Frame, Writer


class GifWriter(Writer):
    """An animation for messages and read-me pages: 256 colours chosen for this film, ordered dithering."""

    def _begin(self) -> None:
        self._part.touch()
        self._spool = tempfile.TemporaryFile(dir=self._part.parent)  # noqa: SIM115
        self._lengths: list[int] = []
        options = f"reserve_transparent={int(self.order.transparent)}:stats_mode=full"
        self._palette = _choosing(self.order.size, self._rate(), options)

    def _write(self, frame: Frame) -> None:
        packed = zlib.compress(np.ascontiguousarray(frame).tobytes(), 1)
        self._spool.write(packed)
        self._lengths.append(len(packed))
        self._palette.push(self._video_frame(frame, len(self._lengths) - 1))

    def _finish(self) -> None:
        import av

        self._palette.push(None)
        palette = self._palette.pull()
        output: Any = av.open(
            str(self._part), "w", format="gif", container_options={"loop": str(_gif_loop(self.order.loop))}
        )
        with output:
            stream: Any = output.add_stream("gif", rate=self._rate())
            stream.width, stream.height, stream.pix_fmt = *self.order.size, "pal8"
            stream.codec_context.time_base = 1 / self._rate()
            for indexed in self._indexed(palette):
                output.mux(stream.encode(indexed))
            output.mux(stream.encode(None))
        self._spool.close()
        add_comment(self._part, self.order.metadata)

    def _drop(self) -> None:
        spool = getattr(self, "_spool", None)
        if spool is not None:
            spool.close()

    def _rate(self) -> Fraction:
        return frame_rate(self.order.fps)

    def _video_frame(self, frame: Frame, number: int) -> Any:
        import av

        picture = av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), format="rgba")
        picture.pts, picture.time_base = number, 1 / self._rate()
        return picture

    def _indexed(self, palette: Any) -> Iterator[Any]:
        """The frames again, in the palette's colours."""
        # The filters live as long as their graph, which PyAV leaves to us.
        graph, frames, sink = _mapping(self.order.size, self._rate(), palette)
        self._spool.seek(0)
        for number, length in enumerate(self._lengths):
            pixels = np.frombuffer(zlib.decompress(self._spool.read(length)), dtype=np.uint8)
            frames.push(self._video_frame(pixels.reshape(self.order.size[1], self.order.size[0], 4), number))
            yield from _pulled(sink)
        frames.push(None)
        yield from _pulled(sink)
        del graph


def _choosing(size: tuple[int, int], rate: Fraction, options: str) -> Any:
    """A filter graph that counts the colours of all frames and answers with the best palette at the end."""
    from av.filter import Graph

    graph: Any = Graph()
    frames = graph.add_buffer(width=size[0], height=size[1], format="rgba", time_base=1 / rate)
    chooser, sink = graph.add("palettegen", options), graph.add("buffersink")
    frames.link_to(chooser)
    chooser.link_to(sink)
    graph.configure()
    return graph


def _mapping(size: tuple[int, int], rate: Fraction, palette: Any) -> tuple[Any, Any, Any]:
    """The filter graph, where frames go in, and where they come out in the palette's colours."""
    from av.filter import Graph

    graph: Any = Graph()
    frames = graph.add_buffer(width=size[0], height=size[1], format="rgba", time_base=1 / rate, name="frames")
    colours = graph.add_buffer(width=16, height=16, format=palette.format.name, time_base=1 / rate, name="colours")
    mapper, sink = graph.add("paletteuse", "dither=bayer:bayer_scale=4:diff_mode=rectangle"), graph.add("buffersink")
    frames.link_to(mapper, 0, 0)
    colours.link_to(mapper, 0, 1)
    mapper.link_to(sink)
    graph.configure()
    palette.pts, palette.time_base = 0, 1 / rate
    colours.push(palette)
    colours.push(None)
    return graph, frames, sink


def _pulled(sink: Any) -> Iterator[Any]:
    """The frames that are ready."""
    from av.error import BlockingIOError, EOFError

    while True:
        try:
            yield sink.pull()
        except (BlockingIOError, EOFError):
            return


def _gif_loop(times: int) -> int:
    """What the muxer calls it: -1 plays once, 0 forever, n repeats n times more."""
    return 0 if times == 0 else (-1 if times == 1 else times - 1)


def add_comment(path: Path, texts: Mapping[str, str]) -> None:
    """Put the texts as JSON into a comment before the first frame (GIF89a, section 24)."""
    if not texts:
        return
    data = path.read_bytes()
    packed = data[10]
    start = 13 + (3 * 2 ** ((packed & 7) + 1) if packed & 0x80 else 0)
    content = json.dumps(dict(texts)).encode()
    blocks = b"".join(bytes([len(content[i : i + 255])]) + content[i : i + 255] for i in range(0, len(content), 255))
    path.write_bytes(data[:start] + b"\x21\xfe" + blocks + b"\0" + data[start:])


def gif_metadata(path: Path) -> dict[str, str]:
    """The texts that `add_comment` put in; nothing in a file of another program."""
    from PIL import Image

    with Image.open(path) as image:
        return texts_in(image.info.get("comment", b""))


FORMAT = FilmFormat(
    suffix=".gif",
    label="GIF, for messages",
    place=12,
    writer=GifWriter,
    settings=FILM | {"transparent", "loop"},
    reader=gif_metadata,
    largest=16383,
    # GIF counts hundredths of a second, and players slow down frames shorter than two.
    fastest=50.0,
)
