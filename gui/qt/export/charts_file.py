"""The charts of some runs as a drawing of their own: SVG or PDF for papers and slides, PNG for everything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage, QPageSize, QPainter, QPdfWriter

from assets.errors import BadInput
from gui.compose.picture import legend
from gui.qt.drawing.annotation import MARGIN, heading_height, paint_heading
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.page import Page
from gui.qt.drawing.run_charts import charts_of
from gui.qt.drawing.style import Style, style_of
from robots.scenario.file import write_atomically
from scene.formats.drawing import svg_with_texts, xmp_packet

SUFFIXES = (".svg", ".pdf", ".png")
WIDTH, CHART_HEIGHT = 960.0, 200.0
"""The page's width and the height of one chart, in units; a unit is 1/96 inch."""

PIXELS = 2.0
"""Pixels per unit in a PNG."""


def write_charts(rows: Sequence[Any], file: Path, *, title: str = "", theme: str = "light") -> Path:
    """Draw every chart of the computed, visible `rows` on one page, one below the other, with a legend above.

    Raises:
        BadInput: a suffix that is none of `SUFFIXES`.
        ArmstepError: the file cannot be written, and why.
    """
    from gui.qt.export.exporter import embedded

    check_charts_file(file)
    shown = [row for row in rows if row.visible and row.run is not None]
    return write_page(ChartsPage(shown, title, theme), file, embedded(shown) if shown else {})


def write_page(page: Page, file: Path, texts: Mapping[str, str] | None = None) -> Path:
    """Write a page as the drawing that the file's suffix names; `texts` travel inside.

    Raises:
        BadInput: a suffix that is none of `SUFFIXES`, or a folder that is not there.
        ArmstepError: the file cannot be written, and why.
    """
    check_charts_file(file)
    device = QBuffer()
    device.open(QIODevice.OpenModeFlag.WriteOnly)
    {".svg": _svg, ".pdf": _pdf, ".png": _png}[file.suffix.lower()](page, device, texts or {})
    content = bytes(device.data().data())
    write_atomically(file, svg_with_texts(content, texts) if texts and file.suffix.lower() == ".svg" else content)
    return file


def check_charts_file(file: Path) -> None:
    """Refuse a name that no charts can be written to. Raises BadInput."""
    if file.suffix.lower() not in SUFFIXES:
        raise BadInput("file", str(file), "one that ends in " + ", ".join(SUFFIXES), SUFFIXES)
    if not file.parent.is_dir():
        raise BadInput("file", str(file), "in an existing folder")


class ChartsPage:
    """The charts laid out; `size` is width and height in units."""

    def __init__(self, rows: Sequence[Any], title: str, theme: str) -> None:
        self.style: Style = style_of(theme, (960, 720))
        self.title = title
        self.legend = legend(rows, float("-inf"))
        self.top = heading_height(title, self.legend, self.style)
        charts = charts_of(rows)
        span = max((float(row.run.t_end) for row in rows), default=1.0)
        self.painters = []
        for index, chart in enumerate(charts):
            last = index == len(charts) - 1
            place = QRectF(0.0, self.top + index * CHART_HEIGHT, WIDTH, CHART_HEIGHT + (26.0 if last else 0.0))
            self.painters.append(ChartPainter(chart, place, (0.0, span), self.style, times=last))
        self.size = WIDTH, self.top + len(charts) * CHART_HEIGHT + 34.0

    def paint(self, painter: QPainter) -> None:
        """Draw the page."""
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.fillRect(QRectF(0, 0, *self.size), self.style.colour("panel"))
        paint_heading(painter, QRectF(MARGIN, 0, WIDTH, self.top), self.title, self.legend, self.style)
        for chart in self.painters:
            chart.paint_ground(painter)
            chart.paint_curves(painter)
            chart.paint_names(painter)


def as_svg(page: Page) -> bytes:
    """The page as an SVG drawing."""
    device = QBuffer()
    device.open(QIODevice.OpenModeFlag.WriteOnly)
    _svg(page, device, {})
    return bytes(device.data().data())


def _svg(page: Page, device: QBuffer, _: Mapping[str, str]) -> None:
    from PySide6.QtSvg import QSvgGenerator

    generator = QSvgGenerator()
    generator.setOutputDevice(device)
    generator.setResolution(96)
    generator.setSize(QSize(round(page.size[0]), round(page.size[1])))
    generator.setViewBox(QRectF(0, 0, *page.size))
    generator.setTitle(page.title)
    painter = QPainter(generator)
    page.paint(painter)
    painter.end()


def _pdf(page: Page, device: QBuffer, texts: Mapping[str, str]) -> None:
    writer = QPdfWriter(device)
    writer.setTitle(page.title)
    writer.setCreator("Armstep")
    writer.setPageSize(QPageSize(QSizeF(*page.size) * 0.75, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF())
    writer.setResolution(960)
    if texts:
        writer.setDocumentXmpMetadata(QByteArray(xmp_packet(page.title, "Armstep", texts)))
    painter = QPainter(writer)
    painter.scale(10.0, 10.0)
    page.paint(painter)
    painter.end()


def _png(page: Page, device: QBuffer, texts: Mapping[str, str]) -> None:
    image = QImage(round(page.size[0] * PIXELS), round(page.size[1] * PIXELS), QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    painter.scale(PIXELS, PIXELS)
    page.paint(painter)
    painter.end()
    for key, text in texts.items():
        image.setText(key, text)
    image.save(device, "PNG")  # type: ignore[call-overload]
