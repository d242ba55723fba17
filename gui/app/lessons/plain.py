"""Markdown with formulas as plain text: for screen readers, lists and notes."""

from __future__ import annotations

import re
from html.entities import html5

from assets.counting import SUPERSCRIPTS
from gui.app.units import SUBSCRIPTS

FORMULA = re.compile(r"(?P<code>`[^`]*`|\\\$)|\$\$(?P<display>.+?)\$\$|\$(?P<inline>[^$\n]+?)\$", re.DOTALL)
"""A formula in Markdown; text between backticks is code."""


PRIMES = {"dot": "′", "ddot": "″"}
"""The derivatives of what has these dots."""

SIGNS = {
    "dots": "…",
    "ldots": "…",
    "cdots": "…",
    "cdot": "·",
    "quad": " ",
    "to": "→",
    "infty": "∞",
    "neq": "≠",
    "partial": "∂",
}
"""What TeX calls otherwise than HTML does."""

FUNCTIONS = frozenset({"deg", "lg", "Pr", "sup"})
"""Words of TeX that are signs in HTML; all others that neither has are words, too."""

LOOKS = frozenset({"left", "right", "mathrm", "mathbf", "boldsymbol", "text", "operatorname", "bar", "hat", "vec"})
"""Only how a formula looks."""


def spoken(markdown: str) -> str:
    """The text for a screen reader: formulas in one line of letters and signs, without Markdown's own."""
    plain = FORMULA.sub(lambda m: m[0] if m["code"] else in_a_line(m["display"] or m["inline"]), markdown)
    return " ".join(re.sub(r"[*_`#]+(?=\S)|(?<=\S)[*_`]+", "", plain).split())


def in_a_line(tex: str) -> str:
    r"""A formula in one line of letters and signs: `10^{-8}` is 10⁻⁸, `q_1 = 2\pi` is q₁ = 2π, `C\,h^p` is C h^p."""
    text = re.sub(r"\\[,;:! ]|~", " ", tex)
    text = re.sub(r"\\(d?dot)(?![A-Za-z])\s*\{?(\\[A-Za-z]+|[A-Za-z])\}?", lambda m: m[2] + PRIMES[m[1]], text)
    text = re.sub(r"\\d?frac\{([^{}]*)\}\{([^{}]*)\}", lambda m: f"{_together(m[1])}/{_together(m[2])}", text)
    text = re.sub(r"\\sqrt\{([^{}]*)\}", lambda m: f"√{_together(m[1])}", text)
    text = re.sub(r"\\([A-Za-z]+)", lambda m: _named(m[1]), text)
    text = re.sub(r"\^\{?(-?\d+)\}?", lambda power: power[1].translate(SUPERSCRIPTS), text)
    text = re.sub(r"_\{?(\d+)\}?", lambda index: index[1].translate(SUBSCRIPTS), text)
    text = re.sub(r"\^\{([^{}]*)\}", lambda power: f"^{_together(power[1])}", text)
    return " ".join(re.sub(r"[{}_\\]", " ", text).replace("-", "−").split())


def _named(name: str) -> str:
    return name if name in FUNCTIONS else "" if name in LOOKS else SIGNS.get(name) or html5.get(f"{name};", name)


def _together(text: str) -> str:
    return text if len(text) == 1 or text.isdigit() else f"({text})"
