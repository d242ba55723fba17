"""Films through PyAV: MP4 (H.264) that plays everywhere, and WebM (VP9) that keeps its opacity."""

from __future__ import annotations

import os
from abc import abstractmethod
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from assets.errors import ArmstepError
from scene.formats.writer import Frame, Writer


def frame_rate(fps: float) -> Fraction:
    """Frames per second as a fraction that containers can hold."""
    return Fraction(fps).limit_denominator(100_000)


def even(frame: Frame) -> Frame:
    """The frame, its last column and row repeated where a length is odd: yuv420p has one colour for 2 x 2 pixels."""
    rows, columns = frame.shape[0] % 2, frame.shape[1] % 2
    return np.pad(frame, ((0, rows), (0, columns), (0, 0)), mode="edge") if rows or columns else frame


THREADS = 4
FRUGAL = "rc-lookahead=1:sync-lookahead=0:bframes=1:ref=2"
"""What H.264 plans ahead. Every frame that it holds takes 6 to 12 MiB at 1920 x 1080, one more for every thread, and
drawn films get hardly smaller by more of them.
"""


class FilmWriter(Writer):
    """A film in one of PyAV's containers."""

    container: str
    codec: str
    halves_colour = True
    """Whether one colour stands for 2 x 2 pixels, so that sizes must be even."""

    def _begin(self) -> None:
        import av
        from av.codec import codecs_available

        if self.codec not in codecs_available:
            raise ArmstepError(
                f"cannot write {self.order.path}: PyAV has no {self.codec} encoder; reinstall the package av"
            )
        self._output: Any = av.open(
            str(self._part), "w", format=self.container, container_options=self._container_options()
        )
        self._output.metadata.update(self.order.metadata)
        width, height = (length + length % 2 if self.halves_colour else length for length in self.order.size)
        stream: Any = self._output.add_stream(self.codec, rate=frame_rate(self.order.fps), options=self._options())
        stream.width, stream.height, stream.pix_fmt = width, height, self._pixel_format()
        stream.codec_context.time_base = 1 / frame_rate(self.order.fps)
        # Colours mean the same in every player: BT.709, limited range (ITU-T H.273: 1 and 1).
        stream.codec_context.color_primaries = stream.codec_context.color_trc = stream.codec_context.colorspace = 1
        stream.codec_context.color_range = 1
        self._stream = stream
        self._source = av.VideoFrame

    def _write(self, frame: Frame) -> None:
        whole = np.ascontiguousarray(even(frame) if self.halves_colour else frame)
        picture = self._source.from_numpy_buffer(whole, format="rgba")
        picture = picture.reformat(format=self._pixel_format(), dst_colorspace="ITU709", dst_color_range="MPEG")
        picture.pts = self.frames
        picture.time_base = 1 / frame_rate(self.order.fps)
        self._output.mux(self._stream.encode(picture))

    def _finish(self) -> None:
        self._output.mux(self._stream.encode(None))
        self._output.close()

    def _drop(self) -> None:
        output = getattr(self, "_output", None)
        if output is not None:
            try:
                output.close()
            except Exception as error:
                # The file is thrown away: what its end would have been does not matter, but a fault of ours does.
                if not (isinstance(error, OSError) or type(error).__module__.startswith("av.")):
                    raise

    def _pixel_format(self) -> str:
        return "yuva420p" if self.keeps_opacity and self.order.transparent else "yuv420p"

    def _container_options(self) -> dict[str, str]:
        return {}

    @abstractmethod
    def _options(self) -> dict[str, str]:
        """The encoder's settings."""


class Mp4Writer(FilmWriter):
    """H.264 in MP4, yuv420p, its index at the front: what every player and slide programme opens."""

    suffix = ".mp4"
    keeps_opacity = False
    container, codec = "mp4", "libx264"

    def _options(self) -> dict[str, str]:
        crf, preset = {"low": ("22", "veryfast"), "medium": ("17", "faster"), "high": ("13", "medium")}[
            self.order.quality
        ]
        options = {"crf": crf, "preset": preset, "tune": "animation", "threads": str(min(os.cpu_count() or 1, THREADS))}
        return options | {"x264-params": f"log-level=none:{FRUGAL}"}

    def _container_options(self) -> dict[str, str]:
        return {"movflags": "+faststart+use_metadata_tags"}


class WebmWriter(FilmWriter):
    """VP9 in WebM; with opacity for web pages."""

    suffix = ".webm"
    container, codec = "webm", "libvpx-vp9"

    def _options(self) -> dict[str, str]:
        crf, speed = {"low": ("36", "6"), "medium": ("30", "4"), "high": ("22", "2")}[self.order.quality]
        return {"crf": crf, "b": "0", "cpu-used": speed, "row-mt": "1", "deadline": "good", "auto-alt-ref": "0"}


def film_metadata(path: Path) -> dict[str, str]:
    """The texts inside a film, with keys in lower case."""
    import av

    with av.open(str(path)) as film:
        return {key.lower(): value for key, value in film.metadata.items()}
