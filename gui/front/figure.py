"""The plots of runs as a picture that a notebook shows and a script saves; no display is needed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
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
        settings: how the page looks, as for `armstep render`: theme, style, width, font, plots ...
    """

    def __init__(self, rows: Sequence[RunRow], title: str, settings: Mapping[str, object]) -> None:
        self._runs, self.title, self._settings = rows, title, {"style": "web", **settings}

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page as SVG, PDF or PNG, by the suffix, with the scenario inside. Returns the file.

        Raises:
            BadInput: another suffix, or a setting that cannot be used.
            ArmstepError: the file cannot be written; says why.
        """
        from gui.app.view import ViewSettings
        from gui.qt.export.exporter import render_rows
        from gui.qt.export.settings import ExportSettings

        view = ViewSettings().with_mapping(self._runs[0].scenario.view)
        settings = ExportSettings.chosen(os.fspath(path), {"title": self.title, **self._settings})
        return render_rows(self._runs, view, settings)

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
