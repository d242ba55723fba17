"""A study in a folder: its page, its tables and curves as CSV, and every figure as SVG and PDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gui.qt.drawing.page import FigurePage
from gui.qt.export.charts_file import write_page
from gui.qt.export.film import qt_for_text
from robots.model.study import write

if TYPE_CHECKING:
    from robots.model.study import Study, StudyResult


def write_study(folder: Path, study: Study, result: StudyResult, theme: str = "light") -> None:
    """Write everything of a study into `folder`, which is made if need be.

    Raises:
        ArmstepError: when that cannot be written, and why.
    """
    qt_for_text()
    write(folder, study, result)
    for figure in result.figures:
        page = FigurePage(figure, theme)
        for suffix in (".svg", ".pdf"):
            write_page(page, folder / f"{figure.stem}{suffix}")
