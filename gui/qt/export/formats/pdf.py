"""PDF: charts on a page of their own size, for papers."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from gui.qt.export.format import PageFormat
from gui.qt.export.formats._texts import drawing_metadata, texts_element
from scene.format import Texts

if TYPE_CHECKING:
    from gui.qt.drawing.page import Page

POINTS_PER_UNIT = 0.75
"""A page's unit is 1/96 inch, PDF's 1/72."""

FINER = 10
"""Qt rounds to dots; there are this many in a unit."""


def as_pdf(page: Page, texts: Texts) -> bytes:
    """The page as a PDF document of one page."""
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QSizeF
    from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

    device = QBuffer()
    device.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(device)
    title = page.title or texts.get("title", "")
    writer.setTitle(title)
    writer.setCreator("Armstep")
    writer.setPageSize(QPageSize(QSizeF(*page.size) * POINTS_PER_UNIT, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF())
    writer.setResolution(96 * FINER)
    if texts:
        writer.setDocumentXmpMetadata(QByteArray(xmp_packet(title, texts)))
    painter = QPainter(writer)
    painter.scale(FINER, FINER)
    page.paint(painter)
    painter.end()
    return bytes(device.data().data())


def xmp_packet(title: str, texts: Texts) -> bytes:
    """The XMP packet of a PDF page with a title and the texts (ISO 16684-1; uncompressed, so that it can be found)."""
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">'
        f'<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{html.escape(title)}</rdf:li></rdf:Alt></dc:title>'
        f"<xmp:CreatorTool>Armstep</xmp:CreatorTool>{texts_element(texts)}</rdf:Description></rdf:RDF></x:xmpmeta>\n"
        '<?xpacket end="w"?>'
    ).encode()


FORMAT = PageFormat(suffix=".pdf", label="PDF page", place=41, write=as_pdf, reader=drawing_metadata)
