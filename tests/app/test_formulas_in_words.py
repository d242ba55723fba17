"""Formulas of lessons for those who cannot see them: letters and signs, no TeX."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest

from gui.app.lessons.engine import default_lesson_engine
from gui.app.lessons.plain import FORMULA, in_a_line, spoken
from robots.lessons.library import LESSONS

TEX = re.compile(r"[\\{}$]|[_^](?![\w(])")
"""Of a formula that was left as it is written."""


def texts(part: object) -> Iterator[str]:
    """Every text in a lesson."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, tuple | list):
        for one in part:
            yield from texts(one)
    elif is_dataclass(part):
        for field in fields(part):
            yield from texts(getattr(part, field.name))


@pytest.mark.parametrize("key", LESSONS.keys())
def test_every_formula_of_a_lesson_is_spoken(key: str) -> None:
    lesson, _ = default_lesson_engine().find(key)
    for text in texts(lesson):
        for match in FORMULA.finditer(text):
            if match["code"] is None:
                said = in_a_line(match["display"] or match["inline"])
                assert not TEX.search(said), (match[0], said)
                assert said in spoken(text)


@pytest.mark.parametrize(
    ("tex", "said"),
    [
        (r"q_1 = 2\pi", "q₁ = 2π"),
        (r"10^{-8}", "10⁻⁸"),
        (r"C\,h^p", "C h^p"),
        (r"e^{-h\mu}", "e^(−hμ)"),
        (r"\log C + p \log h", "log C + p log h"),
        (r"\ddot\Phi + 2\alpha\dot\Phi + \beta^2\Phi = 0", "Φ″ + 2αΦ′ + β²Φ = 0"),
        (r"\frac{h}{2} \le \sqrt{k/m}", "h/2 ≤ √(k/m)"),
        (r"h_{\max}", "h max"),
        (r"\sup_t |x|", "sup t |x|"),
        (r"1 + 0.7 + \dots", "1 + 0.7 + …"),
    ],
)
def test_a_formula_is_one_line_of_letters_and_signs(tex: str, said: str) -> None:
    assert in_a_line(tex) == said
