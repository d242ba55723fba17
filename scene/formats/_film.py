"""The common part of the formats that PyAV's containers and encoders write."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from assets.errors import ArmstepError
from scene.writer import Frame, Writer


def frame_rate(fps: float) -> Fraction:
    """Frames per second as a fraction that containers can hold."""
    return Fraction(fps).limit_denominator(100_000)


def even(frame: Frame) -> Frame:
    """The frame, its last column and row repeated where a length is odd: yuv420p has one colour for 2 x 2 pixels."""
    rows, columns = frame.shape[0] % 2, frame.shape[1] % 2
    return np.pad(frame, ((0, rows), (0, columns), (0, 0)), mode="edge") if rows or columns else frame


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
                f"{self.order.path} cannot be written: PyAV has no {self.codec} encoder; reinstall the package av"
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
                # The file is discarded: errors while closing it do not matter, but errors of ours do.
                if not (isinstance(error, OSError) or type(error).__module__.startswith("av.")):
                    raise

    def _pixel_format(self) -> str:
        return "yuva420p" if self.order.transparent else "yuv420p"

    def _container_options(self) -> dict[str, str]:
        return {}

    @abstractmethod
    def _options(self) -> dict[str, str]:
        """The encoder's settings."""


def film_metadata(path: Path) -> dict[str, str]:
    """The texts inside a film, with keys in lower case."""
    import av

    with av.open(str(path)) as film:
        return {key.lower(): value for key, value in film.metadata.items()}
