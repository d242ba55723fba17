"""Pages of charts as files, and the figures of a study."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assets.writing import write_atomically
from gui.charts.figure_style import FigureStyle
from gui.qt.drawing.canvas import Canvas
from gui.qt.drawing.page import Page
from gui.qt.drawing.study_page import study_page
from gui.qt.export.film import qt_for_text
from gui.qt.export.format import NoFormat, PageFormat, find_format, formats_of, key_of
from gui.qt.export.inside import texts_of
from robots.papers import study as studies
from scene.format import StillFormat, Texts
from scene.writer import Order

DPI, UNITS_PER_INCH = 192.0, 96.0
"""Dots per inch of a PNG, and the units of a page."""


def write_study(folder: Path, study: studies.Study, result: studies.StudyResult, style: FigureStyle) -> None:
    """Write a study into `folder`, made if need be: its page, tables and curves as CSV, figures as SVG and PDF.

    The figures look as the style says, and hold the scenario that they open.

    Raises:
        ArmstepError: when that cannot be written, and why.
    """
    qt_for_text()
    studies.write(folder, study, result)
    for figure in result.figures:
        page, scenario = study_page(figure, style), study.scenario_of(figure)
        texts = texts_of(scenario) if scenario is not None else {}
        for suffix in (".svg", ".pdf"):
            write_page(page, folder / f"{figure.stem}{suffix}", texts)


def write_page(page: Page, file: Path, texts: Texts | None = None, dpi: float = DPI) -> None:
    """Write a page as the picture that the file's suffix names, of `dpi` dots per inch; `texts` travel inside.

    Raises:
        BadInput: no format of that suffix holds charts.
        ArmstepError: the file cannot be written, and why.
    """
    kind = find_format(key_of(file))
    if isinstance(kind, PageFormat):
        write_atomically(file, kind.write(page, texts or {}))
    elif isinstance(kind, StillFormat):
        frame = raster(page, dpi)
        size = frame.shape[1], frame.shape[0]
        with kind.writer(Order(file, size, 1.0, metadata=texts or {}, dpi=dpi)) as writer:
            writer.add(frame)
    else:
        able = [format.suffix for format in formats_of("plots")]
        raise NoFormat(str(file), able)


def raster(page: Page, dpi: float = DPI) -> NDArray[np.uint8]:
    """The page as a frame (height, width, 4), the caller's own."""
    pixels = dpi / UNITS_PER_INCH
    canvas = Canvas((round(page.size[0] * pixels), round(page.size[1] * pixels)))
    painter = canvas.painter()
    painter.scale(pixels, pixels)
    page.paint(painter)
    painter.end()
    return canvas.pixels.copy()
