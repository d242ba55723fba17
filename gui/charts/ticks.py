"""Where an axis has its ticks, and their labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from gui.app.units import power_text, tick_text, written_out
from robots.model.chart import Axis

Said = TypeVar("Said")
ROUND = (1.0, 2.0, 5.0, 10.0)

MOST_DIGITS = 15
"""Of a number at a tick: what a double holds."""

FINEST = 8
"""Where there would be fewer than two ticks, the outer two of finer ones show the scale."""


NARROWEST = 1e-300
"""A narrower range has no two numbers between its ends."""


def ticks(axis: Axis, low: float, high: float, most: int, least: float = 0.0) -> list[tuple[float, str]]:
    """At most about `most` ticks between the places `low` and `high` of an axis, and at least two if it is possible.

    Numbers are at least `least` apart, and whole where the axis counts.

    Returns:
        Their places and their texts.
    """
    if axis.names:
        return [(0.5 - lane, name) for lane, name in enumerate(axis.names)]
    if axis.scale == "asinh":
        decades = [sign * 10.0**power for power in range(6) for sign in (-1.0, 1.0)]
        found = [(float(axis.place(value)), value) for value in decades]
        kept = dict(_apart([(place, value) for place, value in found if low <= place <= high], least))
        return list(zip(kept, _alike(list(kept.values())), strict=True))
    find = log_ticks if axis.log else whole_ticks if axis.decimals == 0 else linear_ticks
    places = find(low, high, most)
    for finer in range(most + 1, FINEST + 1):
        if len(places) > 1:
            break
        if len(some := find(low, high, finer)) > 1:
            places = [some[0], some[-1]]
    return _apart(list(zip(places, map(power_text, places) if axis.log else _different(places), strict=True)), least)


def _different(places: list[float]) -> list[str]:
    """The numbers at some places, with as many digits as tell neighbours apart."""
    texts: list[str] = []
    for digits in range(6, MOST_DIGITS + 1):
        texts = _alike(places, digits)
        if len(set(texts)) == len(texts):
            break
    return texts


def _alike(values: list[float], digits: int = 6) -> list[str]:
    """The numbers of one axis, all written out or all as powers of ten."""
    plain = all(map(written_out, values))
    return [tick_text(value, digits, plain=plain) for value in values]


def _apart(found: list[tuple[float, Said]], least: float) -> list[tuple[float, Said]]:
    """Those of some ticks that are not nearer to each other than `least`; the outer ones stay first."""
    kept: list[float] = []
    places = [place for place, _ in found]
    for place in sorted(places, key=lambda one: -abs(one - 0.5 * (min(places) + max(places)))):
        if all(abs(place - other) >= least for other in kept):
            kept.append(place)
    return [tick for tick in found if tick[0] in kept]


def whole_ticks(low: float, high: float, most: int) -> list[float]:
    """The same of an axis that counts: whole numbers."""
    return linear_ticks(low, high, most, 1.0)


def linear_ticks(low: float, high: float, most: int, finest: float = 0.0) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten in [low, high], at most about `most` of them, `finest` apart."""
    span = high - low
    if not NARROWEST < span < math.inf:
        return []
    rough = max(span / max(most, 1), finest)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * nice for nice in ROUND if power * nice >= rough * (1.0 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def log_ticks(low: float, high: float, most: int) -> list[float]:
    """Whole powers of ten between the exponents `low` and `high`, or some between them where there is at most one."""
    first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
    if last - first < 1:
        return _within_a_decade(low, high, most)
    every = max(1, -(-(last - first + 1) // max(2, most)))
    return [float(power) for power in range(-(-first // every) * every, last + 1, every)]


def _within_a_decade(low: float, high: float, most: int) -> list[float]:
    for leads in ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
        powers = range(math.floor(low), math.ceil(high) + 1)
        places = [math.log10(lead) + power for power in powers for lead in leads]
        places = [place for place in places if low <= place <= high]
        if 0 < len(places) <= max(1, most):
            return places
    return [(low + high) / 2.0]


def with_numbers(spans: Sequence[object], columns: int = 1) -> list[bool]:
    """Which charts have numbers along their axes: all but those right above one over the same times.

    Args:
        spans: the times that each chart shows, in reading order; None for one that is not over time.
        columns: side by side.
    """
    below = [*spans[columns:], *(None for _ in range(columns))]
    return [span is None or span != lower for span, lower in zip(spans, below, strict=False)]
