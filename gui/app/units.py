"""Between the SI values of the computation and the text that a person reads and types: numbers and units.

What is only read has its power of ten written out, 3.2·10⁻⁵; what can be typed, and what a terminal or a file shows, is
as short as it can be typed, 3.2e-5 (`number_text`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from assets.counting import (
    MOST_DIGITS,
    NO_BREAK,
    SUPERSCRIPTS,
    counted,
    cut,
    digits_set,
    grouped,
    scientific_text,
    seconds,
    short,
)
from assets.counting import apart as numbers_apart
from assets.expressions import OutOfRange, evaluate, in_si, in_si_units
from assets.expressions import quantity as typed_quantity
from assets.fields import Field, Value
from robots.model.quantities import LARGEST_ANGLE

ANGLES = {"rad": "°", "rad/s": "°/s", "rad/s2": "°/s²"}
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
MOST_CHARACTERS, EXACT, LEAST = 9, 9, 3
ELLIPSIS = "…"


RAISED = tuple(map(chr, SUPERSCRIPTS.values()))
"""The last sign of a power of ten."""


@dataclass(frozen=True, slots=True)
class Unit:
    """How a quantity is shown: `symbol` beside the number, how many shown units make one SI unit, and that unit."""

    symbol: str
    per_si: float
    si: str

    @classmethod
    def of(cls, si_unit: str, degrees: bool = True) -> Unit:
        """Angles are shown in degrees if the person prefers that, everything else as it is; `m^2` becomes m²."""
        if degrees and si_unit in ANGLES:
            return cls(ANGLES[si_unit], 180.0 / math.pi, si_unit)
        return cls(prettify(si_unit), 1.0, si_unit)

    @classmethod
    def shown(cls, unit: str) -> Unit:
        """Numbers are shown in just this unit, such as ms."""
        si, size = in_si(unit)
        return cls(prettify(unit), 1.0 / size, si)

    def exact(self, value: Value | None) -> str:
        """What can be typed for just this value: the fewest digits in the shown unit that are read as it.

        Where no number of the shown unit is read as it, it is the nearest one. No number is as it is.
        """
        if value is None or isinstance(value, str):
            return value or ""
        shown = value if self.per_si == 1.0 else value * self.per_si
        if isinstance(shown, int) or not math.isfinite(shown):
            return number_text(shown)
        for digits in range(1, MOST_DIGITS + 1):
            short = float(f"{shown:.{digits}g}")
            if self.in_si(short) == value:
                return number_text(short, max(digits, EXACT))
        return number_text(shown, MOST_DIGITS)

    def in_si(self, shown: float) -> float:
        """The SI value of a number of the shown unit, as `read` has it."""
        return float(in_si_units(shown, 1.0 / self.per_si))

    def text(self, value: Value | None, fits: Callable[[str], bool] | None = None) -> str:
        """The number alone, to be read: all its digits if there is room, otherwise its first, and an ellipsis.

        What differs from a short number by the rounding of a computation only is that number.

        Args:
            value: in SI units.
            fits: whether there is room for a text; a few digits fit into a sentence.
        """
        exact = self.exact(value)
        if value is None or isinstance(value, int | str) or not math.isfinite(value):
            return exact
        shown = value * self.per_si
        if math.isclose(float(f"{shown:.{EXACT}g}"), shown, rel_tol=1e-14):
            exact = number_text(shown, EXACT)
        if fits(exact) if fits else len(exact) <= EXACT + 2:  # with a sign and a point
            return exact
        return shortened(shown, fits or (lambda text: len(text) <= MOST_CHARACTERS))

    def allowed(self, field: Field) -> str:
        """What a field accepts, as a phrase."""
        if field.unit == "rad" and min(-field.minimum, field.maximum) >= LARGEST_ANGLE:
            # More than anybody types: 57295.8 degrees look as if they meant something.
            return f"any angle{', or none' if field.optional else ''}"
        return field.allowed(self.symbol, self.per_si)

    def read(self, text: str) -> float | int | None:
        """The SI value that a person typed (`1e-3`, `1 ms`, `30°`, `2*pi/3 rad`), or None when it cannot be read."""
        try:
            return typed_quantity(text, self.si, 1.0 / self.per_si)
        except ValueError:
            return None

    def why_not(self, text: str) -> str:
        """Why an expression has no value, as a sentence after a stop and a blank; empty for what is no expression."""
        try:
            typed_quantity(text, self.si, 1.0 / self.per_si)
        except OutOfRange as problem:
            return f". {problem.why}"
        except ValueError:
            return ""
        return ""


def numbers_in(text: str) -> list[str]:
    """The numbers of a list, on lines or with tabs, semicolons, blanks or commas and blanks between; empty for one."""
    parts = re.split(r"[\n\t;]+" if re.search(r"[\n\t;]", text.strip()) else r",\s+|\s+", text.strip())
    parts = [part.strip() for part in parts if part.strip()]
    try:
        for part in parts:
            evaluate(part.replace(",", ".").replace("−", "-"))
    except ValueError:
        return []
    return parts if len(parts) > 1 else []


def prettify(unit: str) -> str:
    """`kg m2` as kg m², `m/s^2` as m/s²."""
    return re.sub(r"(?<=[a-z])\^?(-?\d+)", lambda power: power[1].translate(SUPERSCRIPTS), unit)


def number_text(value: float, digits: int = 6) -> str:
    """A number as short as it can be typed: `0.01`, `1e-6`, `123.457`."""
    return short(value, digits) if isinstance(value, float) else str(value)


def shortened(value: float, fits: Callable[[str], bool]) -> str:
    """A number in the room that there is: all its digits with a power of ten, or its first, and an ellipsis."""
    lead, _, power = f"{value:.{MOST_DIGITS - 3}e}".partition("e")
    power = f"e{int(power)}"
    if fits(whole := lead.rstrip("0").rstrip(".") + power):
        return whole
    plain, _, small = number_text(value, MOST_DIGITS - 2).partition("e")
    heads = [plain[:end] for end in range(len(plain), plain.find(".") - 1, -1)] if not small and "." in plain else []
    texts = [head.rstrip(".") + ELLIPSIS for head in heads if len(head.replace(".", "").lstrip("-0")) >= LEAST]
    texts += [lead[:end].rstrip(".") + ELLIPSIS + power for end in range(len(lead), lead.find(".") - 1, -1)]
    return next(filter(fits, texts), texts[-1])


def power_text(exponent: float) -> str:
    """10 to the `exponent`: 10⁻⁶, or 2·10⁻³ between whole powers."""
    whole = math.floor(exponent + 1e-9)
    power = f"10{str(whole).translate(SUPERSCRIPTS)}"
    lead = 10.0 ** (exponent - whole)
    return power if abs(lead - 1.0) < 1e-6 else f"{lead:.3g}·{power}"


def written_out(value: float) -> bool:
    """Whether the number at a tick is short enough without a power of ten."""
    return value == 0.0 or 1e-4 <= abs(value) < 1e5


def tick_text(value: float, digits: int = 6, *, plain: bool | None = None) -> str:
    """The number at a tick, without needless digits; a true minus sign. `plain` is whether it is written out."""
    if value == 0.0:
        return "0"
    text = f"{value:.{digits}g}"
    plain = written_out(value) if plain is None else plain
    return text.replace("-", "−") if plain else scientific_text(float(text), digits)


def reading(value: float | None, unit: str = "", digits: int | None = 3) -> str:
    """A number to read, with its unit: three digits, a true minus, an en dash for nan; without `digits` a setting."""
    if value is None or not math.isfinite(value):
        return "–"
    digits = digits or digits_set(value)
    plain = value == 0.0 or 1e-3 <= abs(value) < 1e4
    if not plain:
        return with_unit(scientific_text(value, digits), unit)
    text = f"{value:.{digits}g}"
    return with_unit((f"{float(text):.0f}" if "e" in text else text).replace("-", "−"), unit)


def with_unit(number: str, symbol: str) -> str:
    """`9.81 m/s²`, `30°`, `7`, but `10⁷ °`: beside a power the sign of degrees would be a zero of it."""
    joined = symbol == "" or (symbol == "°" and not number.endswith(RAISED))
    return number + (symbol if joined else f"{NO_BREAK}{symbol.removeprefix('1').replace(' ', NO_BREAK)}")


def subscripted(name: str) -> str:
    """`q1` as q₁; names of other kinds as they are."""
    return name[0] + name[1:].translate(SUBSCRIPTS) if re.fullmatch(r"[A-Za-zλ]\d+", name) else name


def duration(seconds: float) -> str:
    """A length of time in words: 8 s, 2 min 5 s, 1 h 3 min."""
    whole = max(1, round(seconds))
    if whole < 60:
        return with_unit(f"{whole}", "s")
    if whole < 3600:
        return f"{with_unit(f'{whole // 60}', 'min')} {with_unit(f'{whole % 60}', 's')}"
    return f"{with_unit(f'{whole // 3600}', 'h')} {with_unit(f'{whole % 3600 // 60}', 'min')}"


def number(value: float, digits: int = 3) -> str:
    """A number for reading, with `digits` significant digits: `0.125`, `−3.2·10⁻⁵`, `12 345`."""
    if not math.isfinite(value):
        return "not finite" if math.isnan(value) else ("\u221e" if value > 0 else "\u2212\u221e")
    if value == int(value) and abs(value) < 1e6:
        return count(int(value))
    text = f"{value:.{digits}g}"
    return scientific_text(value, digits) if "e" in text else text.replace("-", "\u2212")


def count(value: int, one: str = "") -> str:
    """A whole number with thin spaces between thousands, a true minus, and its noun: `12 345`, `1 step`, `3 steps`."""
    number = grouped(value)
    return f"{number} {counted(value, one).partition(' ')[2]}" if one else number


def quantity(value: float, unit: str, digits: int | None = 3) -> str:
    """A number with its unit, short times in their usual fractions: `10 ms`, `3.2·10⁻⁵ rad`, `30°`.

    Without `digits` it is a setting, and shown exactly where a few do that: `12.75 ms`.
    """
    digits = digits or digits_set(value)
    if unit == "s" and 1e-12 <= abs(value) < 1:
        return with_unit(*seconds(value, digits).replace("-", "\u2212").split(" "))
    return with_unit(number(value, digits), unit)


def apart(one: float, other: float, unit: str = "", digits: int = 3) -> tuple[str, str]:
    """Two quantities that a sentence compares: both with `digits`, or with as many more as tell them apart."""
    return numbers_apart(one, other, lambda value, count: quantity(value, unit, count), digits)


def beyond(value: float, limit: float, unit: str) -> tuple[str, str]:
    """A setting and the limit that it is beyond, cut off so that what is read keeps to it; both as with `apart`."""

    def text(one: float, digits: int) -> str:
        return quantity(cut(one, digits) if one == limit and one > 0.0 else one, unit, digits)

    return numbers_apart(value, limit, text, digits_set(value))


def scientific(value: float, unit: str = "") -> str:
    """An error: `3.2·10⁻⁵ rad`, `21 rad`, `0`."""
    if value == 0:
        text = "0"
    elif 0.1 <= abs(value) < 1000:
        text = f"{value:.{2 if abs(value) < 100 else 3}g}"
    elif not math.isfinite(value):
        text = number(value)
    else:
        text = scientific_text(value)
    return with_unit(text, unit)


def clock(t: float) -> str:
    """A time of the simulation to the millisecond: `2.130 s`."""
    return with_unit(f"{t:.3f}".replace("-", "\u2212"), "s")


def clocked(text: str) -> str:
    """A sentence of the solvers about when a run ended, with that time as `clock` has it."""
    return re.sub(r"(\bt = |\bat )(-?[\d.]+(?:e[+-]?\d+)?) s\b", lambda found: found[1] + clock(float(found[2])), text)


def instant(t: float) -> str:
    """A time that was set: to the millisecond, or exactly where a few digits do that: `0.0125 s`."""
    exact = f"{t:.{digits_set(t)}g}"
    return (
        clock(t)
        if math.isclose(round(t, 3), t) or not math.isclose(float(exact), t)
        else with_unit(number_text(t), "s")
    )


def factor(speed: float) -> str:
    """A playback speed: `1\u00d7`, `1/8\u00d7`."""
    if 0 < speed < 1 and abs(1 / speed - round(1 / speed)) < 1e-9:
        return f"1/{round(1 / speed)}\u00d7"
    return f"{speed:.3g}\u00d7"
