"""Where an axis has its marks, and how numbers and times are written."""

from __future__ import annotations

import math

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def linear_ticks(low: float, high: float, about: int = 4) -> list[float]:
    """Round values (1, 2 or 5 times a power of ten apart) inside [low, high], roughly `about` of them."""
    span = high - low
    if not (math.isfinite(span) and span > 0.0):
        return []
    raw = span / max(about, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def decade_ticks(low: int, high: int, about: int = 4) -> list[int]:
    """Exponents between the decades `low` and `high`, evenly apart, roughly `about` of them."""
    step = max(1, math.ceil((high - low) / max(about, 1)))
    return [exponent for exponent in range(low, high + 1) if exponent % step == 0]


def plain(value: float) -> str:
    """A tick's number without needless digits; a true minus sign."""
    if value == 0.0:
        return "0"
    size = abs(value)
    text = f"{value:.6g}" if 1e-4 <= size < 1e6 else power(value)
    return text.replace("-", "−") if "e" not in text else text


def power(value: float) -> str:
    """`value` as people write it: 3.2·10⁻⁷, and 10⁻⁷ when the leading number is one."""
    exponent = math.floor(math.log10(abs(value)))
    lead = value / 10.0**exponent
    tail = f"10{str(exponent).translate(_RAISED)}"
    return tail if math.isclose(lead, 1.0, rel_tol=1e-6) else f"{lead:.2g}·{tail}".replace("-", "−")


def decade(exponent: int) -> str:
    """The label of 10 to the `exponent`."""
    return f"10{str(exponent).translate(_RAISED)}"


def reading(value: float, unit: str = "") -> str:
    """A number read off a curve: three digits, scientific where it is very small or large, and its unit."""
    if not math.isfinite(value):
        return "–"
    size = abs(value)
    number = f"{value:.3g}" if size == 0.0 or 1e-3 <= size < 1e4 else power(value)
    return f"{number.replace('-', '−')} {unit}".strip()


def duration(seconds: float) -> str:
    """A span of time as people say it: 8 s, 2 min 5 s, 1 h 3 min."""
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
