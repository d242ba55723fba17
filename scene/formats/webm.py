"""WebM: VP9, with opacity, for web pages."""

from __future__ import annotations

from scene.format import FILM, FilmFormat
from scene.formats._film import FilmWriter, film_metadata


class WebmWriter(FilmWriter):
    """A film in VP9."""

    container, codec = "webm", "libvpx-vp9"

    def _options(self) -> dict[str, str]:
        crf, speed = {"low": ("36", "6"), "medium": ("30", "4"), "high": ("22", "2")}[self.order.quality]
        return {"crf": crf, "b": "0", "cpu-used": speed, "row-mt": "1", "deadline": "good", "auto-alt-ref": "0"}


FORMAT = FilmFormat(
    suffix=".webm",
    label="WebM video, for web pages",
    place=11,
    writer=WebmWriter,
    settings=FILM | {"transparent"},
    reader=film_metadata,
    even=True,
)
