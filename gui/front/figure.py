"""The plots of runs as a picture that a notebook shows and a script saves; no display is needed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gui.app.runs import RunRow


class Figure:
    """A page of plots, one below the other.

    Args:
        rows: the computed runs, the current one first.
        title: the heading.
        theme: `light`, `dark` or `projector`.
    """

    def __init__(self, rows: Sequence[RunRow], title: str, theme: str) -> None:
        self._runs, self.title, self.theme = rows, title, theme

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page as SVG, PDF or PNG, by the suffix, with the scenario inside. Returns the file.

        Raises:
            BadInput: another suffix.
            ArmstepError: the file cannot be written, and why.
        """
        from gui.qt.export.charts_file import write_charts
        from gui.qt.export.film import qt_for_text

        qt_for_text()
        return write_charts(self._runs, Path(path), title=self.title, theme=self.theme)

    def _content(self, suffix: str) -> bytes:
        with TemporaryDirectory(prefix="armstep-") as folder:
            return self.save(Path(folder) / f"figure{suffix}").read_bytes()

    def _repr_svg_(self) -> str:
        return self._content(".svg").decode("utf-8")

    def _repr_png_(self) -> bytes:
        return self._content(".png")

    def __repr__(self) -> str:
        methods = ", ".join(row.scenario.method for row in self._runs)
        return f"<Figure {self.title or 'without a title'}: {methods}>"
