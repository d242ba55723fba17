"""MP4: H.264 in yuv420p, its index at the front, which every player and slide program opens."""

from __future__ import annotations

import os

from scene.format import FilmFormat
from scene.formats._film import FilmWriter, film_metadata

THREADS = 4
FRUGAL = "rc-lookahead=1:sync-lookahead=0:bframes=1:ref=2"
"""How many frames H.264 looks ahead. Each takes 6 to 12 MiB at 1920 x 1080, plus one per thread, and more of them
hardly make drawn films smaller.
"""


class Mp4Writer(FilmWriter):
    """A film in H.264."""

    container, codec = "mp4", "libx264"

    def _options(self) -> dict[str, str]:
        crf, preset = {"low": ("22", "veryfast"), "medium": ("17", "faster"), "high": ("13", "medium")}[
            self.order.quality
        ]
        options = {"crf": crf, "preset": preset, "tune": "animation", "threads": str(min(os.cpu_count() or 1, THREADS))}
        return options | {"x264-params": f"log-level=none:{FRUGAL}"}

    def _container_options(self) -> dict[str, str]:
        return {"movflags": "+faststart+use_metadata_tags"}


FORMAT = FilmFormat(
    suffix=".mp4", label="MP4 video, plays everywhere", place=10, writer=Mp4Writer, reader=film_metadata, even=True
)
