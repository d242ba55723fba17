"""Pages of charts as files: the plots of some runs, and the figures of a study."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assets.errors import BadInput
from assets.writing import write_atomically
from gui.app.runs import RunRow
from gui.app.view import USUAL, ViewSettings
from gui.charts.registry import charts_of
from gui.qt.drawing.canvas import Canvas
from gui.qt.drawing.page import ChartsPage, FigurePage, Page
from gui.qt.export.film import qt_for_text
from gui.qt.export.format import PageFormat, find_format, key_of, pictures_of_charts
from gui.qt.export.inside import embedded
from robots.model import study as studies
from scene.format import StillFormat, Texts
from scene.writer import Order

PIXELS = 2.0
"""Pixels per unit in a PNG."""


def write_charts(
    rows: Sequence[RunRow], file: Path, view: ViewSettings = USUAL, *, title: str = "", theme: str = "light"
) -> Path:
    """Draw the charts that the view has of the computed, visible `rows` on one page, one below the other.

    Raises:
        BadInput: no format of that suffix holds charts.
        ArmstepError: the file cannot be written, and why.
    """
    shown = [row for row in rows if row.visible and row.run is not None]
    page = ChartsPage(charts_of(shown, view), shown, title, theme)
    write_page(page, file, embedded(shown) if shown else {})
    return file


def write_study(folder: Path, study: studies.Study, result: studies.StudyResult, theme: str = "light") -> None:
    """Write a study into `folder`, made if need be: its page, tables and curves as CSV, figures as SVG and PDF.

    Raises:
        ArmstepError: when that cannot be written, and why.
    """
    qt_for_text()
    studies.write(folder, study, result)
    for figure in result.figures:
        page = FigurePage(figure, theme)
        for suffix in (".svg", ".pdf"):
            write_page(page, folder / f"{figure.stem}{suffix}")


def write_page(page: Page, file: Path, texts: Texts | None = None) -> None:
    """Write a page as the picture that the file's suffix names; `texts` travel inside.

    Raises:
        BadInput: no format of that suffix holds charts.
        ArmstepError: the file cannot be written, and why.
    """
    kind = find_format(key_of(file))
    if isinstance(kind, PageFormat):
        write_atomically(file, kind.write(page, texts or {}))
    elif isinstance(kind, StillFormat):
        frame = raster(page)
        with kind.writer(Order(file, (frame.shape[1], frame.shape[0]), 1.0, metadata=texts or {})) as writer:
            writer.add(frame)
    else:
        able = [format.suffix for format in pictures_of_charts()]
        raise BadInput("file", str(file), "one that ends in " + ", ".join(able), able)


def raster(page: Page) -> NDArray[np.uint8]:
    """The page as a frame (height, width, 4), the caller's own."""
    canvas = Canvas((round(page.size[0] * PIXELS), round(page.size[1] * PIXELS)))
    painter = canvas.painter()
    painter.scale(PIXELS, PIXELS)
    page.paint(painter)
    painter.end()
    return canvas.pixels.copy()
