"""Numbers and names in sentences."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import combinations

SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
FRACTIONS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "\u00b5s"), (1e-9, "ns"), (1e-12, "ps"))
MOST_DIGITS = 17
"""Any two numbers differ in so many digits."""

MOST_SET, COMPUTED = 5, 3
"""A setting is shown exactly with up to so many digits; one that needs more has as many as what is computed."""

NO_BREAK = "\u00a0"
"""The space between a number and its unit: no line ends there."""

JOINED = "\N{WORD JOINER}"
"""Nothing, where no line ends either: within |R|."""

_BEFORE_UNIT = re.compile(
    r"(?<=[\d⁰¹²³⁴⁵⁶⁷⁸⁹∞)]) (?=(?:"
    r"[mkµnp]?s|min|h|[mµ]?m|k?m/h|k?g|m?rad|k?J|k?N|k?W|k?Hz|px|pt|dpi|fps|[kKMG]i?B|%|(?:m|rad|°|1)?/s|N·?m|Nm|kg·?m"
    r")(?![^\W²³])(?!-\w))"
)

MENU_TEXT = 28
"""The most characters of a menu's entry that names what a person has made."""


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 joint`, `3 joints`; `many` is the plural if it is not `one` with an s."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def grouped(value: int) -> str:
    """A whole number with thin spaces between thousands, and a true minus: `12 345`."""
    return f"{value:,}".replace(",", "\u202f").replace("-", "\u2212")


def ordinal(value: int) -> str:
    """Which of many: `second`, `third`, `4th`, `21st`."""
    words = {1: "first", 2: "second", 3: "third"}
    if value in words:
        return words[value]
    tens, ones = divmod(value % 100, 10)
    return f"{grouped(value)}{'th' if tens == 1 else {1: 'st', 2: 'nd', 3: 'rd'}.get(ones, 'th')}"


def words_of(text: str) -> tuple[str, ...]:
    """`rk4, dop853` as the words between the commas; what is empty does not count."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def capital(text: str) -> str:
    """A text with a capital letter at its beginning: what stands at the beginning of a sentence, or alone."""
    return text[:1].upper() + text[1:]


def short(value: float, digits: int = 2) -> str:
    """A few digits, the exponent without zeros: `0.63`, `6.3e-6`."""
    mantissa, exponent, power = f"{value:.{digits}g}".partition("e")
    return f"{mantissa}e{int(power)}" if exponent else mantissa


def apart(one: float, other: float, text: Callable[[float, int], str], digits: int = 3) -> tuple[str, str]:
    """Two numbers that a sentence compares: both with `digits`, or with as many more as tell them apart.

    Args:
        one, other: the numbers.
        text: writes a number with so many digits.
        digits: how many there are at least.
    """
    found = text(one, digits), text(other, digits)
    if found[0] != found[1] or one == other or digits >= MOST_DIGITS:
        return found
    return apart(one, other, text, digits + 1)


def cut(value: float, digits: int = COMPUTED) -> float:
    """A positive number cut off after so many digits: what is read of a limit keeps to it."""
    unit = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
    return float(f"{math.floor(value / unit * (1.0 + 1e-15) + 1e-9) * unit:.{digits}g}")


def digits_set(value: float) -> int:
    """How many digits show a setting: 4 for 12.75, but 3 for 1/60, which no five digits show exactly."""
    few = (count for count in range(1, MOST_SET + 1) if math.isclose(float(f"{value:.{count}g}"), value, rel_tol=1e-9))
    return max(next(few, COMPUTED), COMPUTED)


def seconds(value: float, digits: int | None = None) -> str:
    """A time in seconds, a short one in its usual fraction: `8 s`, `35.5 ms`, `3.2 µs`.

    Args:
        value: the time [s].
        digits: how many it has; None for a setting, which has those that a person gave it.
    """
    digits = digits or digits_set(value)
    rounded = float(f"{value:.{digits}g}")
    size = abs(rounded)
    factor, name = next(((one, name) for one, name in FRACTIONS if size >= one * (1.0 - 1e-12)), (1.0, "s"))
    return f"{rounded / factor:.{max(digits, 6)}g} {name}"


def scientific_text(value: float, digits: int = 2) -> str:
    """A number with its power of ten: 3.2·10⁻⁷, −10⁻⁷."""
    lead, _, exponent = f"{value:.{digits - 1}e}".replace("-", "−", int(value < 0.0)).partition("e")
    lead = lead.rstrip("0").rstrip(".") if "." in lead else lead
    power = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return f"{lead}·{power}" if lead not in ("1", "−1") else lead.replace("1", power)


def unbroken(text: str) -> str:
    """A sentence in which no line ends between a number and its unit: `0.5 s`, `9.81 m/s²`."""
    return _BEFORE_UNIT.sub(NO_BREAK, text)


def written_out(text: str) -> str:
    """A sentence with the powers of ten of its numbers written out: `4.8e-06 m` as 4.8·10⁻⁶ m, `7.3e+00` as 7.3."""

    def power(found: re.Match[str]) -> str:
        value, digits = float(found[0]), len(found["lead"].replace(".", ""))
        return f"{value:.{digits}g}" if 1e-3 <= value < 10.0**digits else scientific_text(value, digits)

    return re.sub(r"(?<![\w.])(?P<lead>\d+(?:\.\d+)?)e[+-]?\d+(?!\w)", power, text)


def entry_text(text: str) -> str:
    """A text for a menu, which must not cover the window: of a long one the middle is left out, since ends differ.

    It is cut between words, unless words are so long that little would be left.
    """
    if len(text) <= MENU_TEXT:
        return text
    words, half = text.split(" "), MENU_TEXT // 2
    ends = ((words[:last], words[first:]) for last, first in combinations(range(1, len(words)), 2))
    ways = [(" ".join(begin).rstrip(" ,("), " ".join(end).lstrip(" ,)")) for begin, end in ends]
    fitting = [way for way in ways if half <= sum(map(len, way)) <= MENU_TEXT - len("… ")]
    if fitting:
        return "… ".join(max(fitting, key=lambda way: (min(map(len, way)), sum(map(len, way)))))
    return f"{text[: half - 1].rstrip(' ,(')}…{text[-half:].lstrip(' ,)')}"
