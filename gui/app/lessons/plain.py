"""Markdown with formulas as plain text: for screen readers, lists and notes."""

from __future__ import annotations

import re

from assets.counting import SUPERSCRIPTS
from gui.app.units import SUBSCRIPTS

FORMULA = re.compile(r"(?P<code>`[^`]*`|\\\$)|\$\$(?P<display>.+?)\$\$|\$(?P<inline>[^$\n]+?)\$", re.DOTALL)
"""A formula in Markdown; text between backticks is code."""


def spoken(markdown: str) -> str:
    """The text for a screen reader: formulas as TeX with raised and lowered numbers, without Markdown's signs."""
    plain = FORMULA.sub(lambda m: m[0] if m["code"] else _in_a_line(m["display"] or m["inline"]), markdown)
    return " ".join(re.sub(r"[*_`#]+(?=\S)|(?<=\S)[*_`]+", "", plain).split())


def _in_a_line(tex: str) -> str:
    """A formula in one line of letters: `10^{-8}` is 10⁻⁸, `q_1` is q₁."""
    raised = re.sub(r"\^\{?(-?\d+)\}?", lambda power: power[1].translate(SUPERSCRIPTS), tex.replace(r"\,", " "))
    return re.sub(r"_\{?(\d+)\}?", lambda index: index[1].translate(SUBSCRIPTS), raised).strip()
