"""SVG: charts as vector graphics, for web pages and drawing programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.qt.export.format import PageFormat
from gui.qt.export.formats._texts import drawing_metadata, texts_element
from scene.format import Texts

if TYPE_CHECKING:
    from gui.qt.drawing.page import Page


def as_svg(page: Page, texts: Texts) -> bytes:
    """The page as an SVG drawing, with the texts in a metadata element behind its opening tag (SVG 1.1, chapter 21)."""
    from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSize
    from PySide6.QtGui import QPainter
    from PySide6.QtSvg import QSvgGenerator

    device = QBuffer()
    device.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(device)
    generator.setResolution(96)
    generator.setSize(QSize(round(page.size[0]), round(page.size[1])))
    generator.setViewBox(QRectF(0, 0, *page.size))
    generator.setTitle(page.title)
    painter = QPainter(generator)
    page.paint(painter)
    painter.end()
    drawing = bytes(device.data().data())
    if not texts:
        return drawing
    start = drawing.index(b">", drawing.index(b"<svg")) + 1
    return drawing[:start] + f"\n<metadata>{texts_element(texts)}</metadata>".encode() + drawing[start:]


FORMAT = PageFormat(suffix=".svg", label="SVG drawing", place=40, write=as_svg, reader=drawing_metadata)
