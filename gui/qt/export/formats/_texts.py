"""The texts that travel inside drawings, as an XML element."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path

PLACE = "urn:armstep:texts"
"""The XML namespace of our texts."""

FOUND = re.compile(rb"<armstep:texts[^>]*>(.*?)</armstep:texts>", re.S)


def texts_element(texts: Mapping[str, str]) -> str:
    """The element."""
    content = html.escape(json.dumps(dict(texts)), quote=False)
    return f'<armstep:texts xmlns:armstep="{PLACE}">{content}</armstep:texts>'


def drawing_metadata(path: Path) -> dict[str, str]:
    """The texts inside a drawing; nothing in a file of another program."""
    found = FOUND.search(path.read_bytes())
    if found is None:
        return {}
    return {str(key): str(value) for key, value in json.loads(html.unescape(found[1].decode())).items()}
