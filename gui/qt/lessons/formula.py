"""TeX formulas as vector graphics in the text's colour."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from PySide6.QtCore import QByteArray
from PySide6.QtSvg import QSvgRenderer

from gui.app.lessons.plain import FORMULA, in_a_line


@dataclass(frozen=True, slots=True)
class DrawnFormula:
    """A formula as SVG.

    Attributes:
        svg: the picture.
        width, height: its size [px].
        below: how far it reaches below the line that it stands on [px].
    """

    svg: bytes
    width: float
    height: float
    below: float


@lru_cache(maxsize=512)
def drawn(tex: str, size: float, colour: str) -> DrawnFormula | None:
    """A formula at a size of type [px]; None if it is not understood.

    Args:
        tex: without dollar signs.
        size: of the type around it [px].
        colour: `#rrggbb`.
    """
    from ziamath.config import config
    from ziamath.zmath import Math

    config.svg2 = False
    try:
        made = Math.fromlatex(tex, size=size, color=colour)
        svg = made.svg()
        below = -float(made.getyofst())
    except Exception:  # the reader of TeX has no common error
        return None
    box = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
    if box is None:
        return None
    return DrawnFormula(svg.encode(), float(box[1]), float(box[2]), max(below, 0.0))


def get_ready() -> None:
    """Load the font and the reader of TeX, in any thread: the first formula would wait for them."""
    drawn("h", 15.0, "#000000")


@lru_cache(maxsize=512)
def renderer(formula: DrawnFormula) -> QSvgRenderer:
    """What draws it."""
    return QSvgRenderer(QByteArray(formula.svg))


def as_html(markdown: str) -> str:
    """Markdown with formulas as HTML: paragraphs, emphasis, code, and formulas as pictures inside the page."""
    made: list[str] = []

    def kept(match: re.Match[str]) -> str:
        if match["code"] is not None:
            made.append(f"<code>{escape(match[0].strip('`'))}</code>")
            return _mark(len(made))
        tex = (match["display"] or match["inline"]).strip()
        found = drawn(tex, 17.0, "#1a1a1a")
        if found is None:
            made.append(f"<code>{escape(tex)}</code>")
        else:
            style = f"vertical-align:{-found.below:.1f}px" if match["inline"] else "display:block;margin:.6em auto"
            named = f'<svg role="img" aria-label="{escape(in_a_line(tex))}" style="{style}" '
            made.append(found.svg.decode().replace("<svg ", named, 1))
        return _mark(len(made))

    text = escape(FORMULA.sub(kept, markdown))
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"(?<!\*)\*([^*\n]+)\*", r"<em>\1</em>", text)
    text = "<br><br>".join(part.strip() for part in re.split(r"\n\s*\n", text))
    return re.sub(f"{_MARK}(\\d+){_MARK}", lambda match: made[int(match[1]) - 1], text)


_MARK = "\ue000"


def _mark(number: int) -> str:
    return f"{_MARK}{number}{_MARK}"
