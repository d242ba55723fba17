"""Texts that travel inside drawings (SVG, PDF) and tables (NPZ), under the same names as in pictures and films."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

PLACE = "urn:armstep:texts"
"""The XML namespace of our texts."""

FOUND = re.compile(rb"<armstep:texts[^>]*>(.*?)</armstep:texts>", re.S)


def _element(texts: Mapping[str, str]) -> str:
    content = html.escape(json.dumps(dict(texts)), quote=False)
    return f'<armstep:texts xmlns:armstep="{PLACE}">{content}</armstep:texts>'


def svg_with_texts(drawing: bytes, texts: Mapping[str, str]) -> bytes:
    """An SVG drawing with the texts in a metadata element behind its opening tag (SVG 1.1, chapter 21)."""
    start = drawing.index(b">", drawing.index(b"<svg")) + 1
    return drawing[:start] + f"\n<metadata>{_element(texts)}</metadata>".encode() + drawing[start:]


def xmp_packet(title: str, creator: str, texts: Mapping[str, str]) -> bytes:
    """The XMP packet of a PDF page with a title and the texts (ISO 16684-1; uncompressed, so that it can be found)."""
    title, creator = html.escape(title), html.escape(creator)
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">'
        f'<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>'
        f"<xmp:CreatorTool>{creator}</xmp:CreatorTool>{_element(texts)}</rdf:Description></rdf:RDF></x:xmpmeta>\n"
        '<?xpacket end="w"?>'
    ).encode()


def drawing_metadata(path: Path) -> dict[str, str]:
    """The texts inside an SVG or PDF drawing; nothing in a file of another programme."""
    found = FOUND.search(path.read_bytes())
    if found is None:
        return {}
    return {str(key): str(value) for key, value in json.loads(html.unescape(found[1].decode())).items()}


def table_metadata(path: Path) -> dict[str, str]:
    """The texts among the arrays of an NPZ file."""
    with np.load(path, allow_pickle=False) as arrays:
        return {key: str(arrays[key]) for key in arrays.files if arrays[key].dtype.kind == "U"}
