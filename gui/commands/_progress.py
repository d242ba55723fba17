"""A command's progress: a bar on one line of a terminal; in a log file, a line now and then."""

from __future__ import annotations

import math
import sys
import time
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from gui.qt.export.exporter import Progress

LENGTH = 32


class ProgressBar:
    """The bar; a context manager that ends its line when done.

    Args:
        stream: where it is drawn, by default stderr.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.live = self.stream.isatty()
        self.every = 0.1 if self.live else 5.0
        self.last = 0.0 if self.live else time.monotonic()
        self.drawn = False

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def draw(self, progress: Progress) -> None:
        """Show how many frames are done."""
        from gui.app.units import duration

        done, total, left = progress.done, progress.total, progress.seconds_left
        rest = f"{done}/{total} frames"
        if done < total and math.isfinite(left):
            rest += f", {duration(left)} left"
        self.show("drawing", done / total, rest)

    def show(self, what: str, share: float, rest: str = "") -> None:
        """Show that the fraction `share` (0 to 1) of the work is done, unless the line was just drawn."""
        now = time.monotonic()
        if now - self.last < self.every and not (share >= 1.0 and self.drawn):
            return
        self.last, self.drawn = now, True
        full = round(LENGTH * min(max(share, 0.0), 1.0))
        text = f"{what:<10} [{'#' * full}{'.' * (LENGTH - full)}] {share:4.0%}  {rest}"
        print(f"\r{text:<78}" if self.live else text, end="" if self.live else "\n", file=self.stream, flush=True)

    def say(self, sentence: str) -> None:
        """Write a sentence on a line of its own, above the bar."""
        print(f"\r{sentence:<78}" if self.live else sentence, file=self.stream, flush=True)

    def end(self) -> None:
        """End the line."""
        if self.live and self.drawn:
            print(file=self.stream, flush=True)
