"""SVG: charts as vector graphics, for web pages and drawing programs."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from gui.qt.export.format import PAGE, PageFormat
from gui.qt.export.formats._texts import drawing_metadata, texts_element
from scene.format import Texts

if TYPE_CHECKING:
    from gui.qt.drawing.page import Page


MM_PER_UNIT = 25.4 / 96.0
_TEXT = re.compile(r"(<text [^>]*?)\s*>([^<]*\S[^<]*)</text>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


def as_svg(page: Page, texts: Texts) -> bytes:
    """The page as an SVG drawing, with the texts in a metadata element behind its opening tag (SVG 1.1, chapter 21)."""
    from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSize
    from PySide6.QtGui import QPainter
    from PySide6.QtSvg import QSvgGenerator

    from gui.qt.drawing.outlines import OutlinePainter

    device = QBuffer()
    device.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(device)
    generator.setResolution(96)
    generator.setSize(QSize(round(page.size[0]), round(page.size[1])))
    generator.setViewBox(QRectF(0, 0, *page.size))
    generator.setTitle(page.title or texts.get("title", ""))
    painter = OutlinePainter(generator) if page.outlines else QPainter(generator)
    page.paint(painter)
    painter.end()
    drawing = exactly_sized(as_wide_in_any_font(bytes(device.data().data())), page.size)
    if not texts:
        return drawing
    start = drawing.index(b">", drawing.index(b"<svg")) + 1
    return drawing[:start] + f"\n<metadata>{texts_element(texts)}</metadata>".encode() + drawing[start:]


def as_wide_in_any_font(drawing: bytes) -> bytes:
    """The drawing, each of whose texts takes the room that it has here, where another font of its list is used."""
    return _TEXT.sub(_with_length, drawing.decode()).encode()


def _with_length(found: re.Match[str]) -> str:
    """A text element with the length of its text (SVG 1.1, section 10.5); as it is where its font is not known."""
    from PySide6.QtGui import QFont, QFontMetricsF

    start, text = found.groups()
    known = dict(_ATTRIBUTE.findall(start))
    families = [name.strip(" '") for name in known.get("font-family", "").split(",")]
    size, weight = known.get("font-size", ""), known.get("font-weight", "")
    if not all((*families, re.fullmatch(r"\d+(\.\d+)?", size), re.fullmatch(r"[1-9]\d{0,2}", weight))):
        return found[0]
    font = QFont(families)
    font.setPixelSize(max(1, round(float(size))))
    font.setWeight(QFont.Weight(int(weight)))
    font.setItalic(known.get("font-style") in ("italic", "oblique"))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    length = QFontMetricsF(font).horizontalAdvance(unescape(text))
    return f'{start} textLength="{length:.6g}" lengthAdjust="spacingAndGlyphs">{text}</text>'


def exactly_sized(drawing: bytes, size: tuple[float, float]) -> bytes:
    """The drawing with the page's size, which Qt rounds to whole units of 1/96 inch."""
    width, height = (f"{side * MM_PER_UNIT:.4f}mm" for side in size)
    return re.sub(rb'width="[^"]*" height="[^"]*"', f'width="{width}" height="{height}"'.encode(), drawing, count=1)


FORMAT = PageFormat(
    suffix=".svg", label="SVG drawing", place=40, settings=PAGE | {"outlines"}, write=as_svg, reader=drawing_metadata
)
