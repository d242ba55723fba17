"""The sentences that Armstep itself says in a lesson, in the lesson's language."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from assets.counting import scientific_text
from assets.registry import Registry


def _read(key: str, text: str) -> Mapping[str, str]:
    return json.loads(text)


PHRASES: Registry[Mapping[str, str]] = Registry.of_files("language", "phrases", ".json", _read)


def phrase(language: str, key: str, *, in_class: bool = False, **parts: object) -> str:
    """The sentence called `key`, with its parts in place; in English if the language is not known.

    A class has its own sentence where one is called `class KEY`: it is not spoken to as one person.
    """
    known = _of(language)
    return known[f"class {key}" if in_class and f"class {key}" in known else key].format(**parts)


def in_words(value: float, unit: str, language: str) -> str:
    """A number with three digits and its unit."""
    if not math.isfinite(value):
        return "–"
    size = abs(value)
    text = f"{value:.0f}" if 1000.0 <= size < 1e5 else f"{value:.3g}"
    number = scientific_text(value, 3) if "e" in text else text
    number = number.replace("-", "−").replace(".", _of(language)["decimal"])
    return f"{number} {unit}".strip()


def _of(language: str) -> Mapping[str, str]:
    key = language.partition("-")[0]
    return PHRASES.find(key if key in PHRASES else "en")
