"""Axes of one fixed width, so that stacked plots align, with whole powers of ten on logarithmic ones."""

from __future__ import annotations

import math

import pyqtgraph as pg

from gui.app.units import number_text, power_text

AXIS_WIDTH = 56
AXIS_HEIGHT = 22


class ValueAxis(pg.AxisItem):
    """The left axis: linear, or logarithmic when the plotted values are decimal logarithms."""

    def __init__(self, *, logarithmic: bool = False) -> None:
        super().__init__("left")
        self.logarithmic = logarithmic
        self.enableAutoSIPrefix(False)
        self.setWidth(AXIS_WIDTH)
        self.setStyle(tickLength=-4, tickTextOffset=4, autoExpandTextSpace=False)

    def tickValues(self, minVal: float, maxVal: float, size: float):
        if not self.logarithmic:
            return linear_ticks(minVal, maxVal, max(2, int(size / 22)))
        low, high = math.ceil(minVal), math.floor(maxVal)
        if high - low < 1:
            return [(1.0, _within_a_decade(minVal, maxVal, size))]
        every = max(1, -(-(high - low + 1) // max(2, int(size / 24))))
        first = -(-low // every) * every
        return [(float(every), [float(power) for power in range(first, high + 1, every)])]

    def tickStrings(self, values, scale: float, spacing: float) -> list[str]:
        if self.logarithmic:
            return [power_label(value) for value in values]
        return [number_text(float(f"{value:.6g}"), 6) for value in values]


class TimeAxis(pg.AxisItem):
    """The time axis below a plot."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.enableAutoSIPrefix(False)
        self.setHeight(AXIS_HEIGHT)
        self.setStyle(tickLength=-4, tickTextOffset=3, autoExpandTextSpace=False)

    def tickValues(self, minVal: float, maxVal: float, size: float):
        return linear_ticks(minVal, maxVal, max(2, int(size / 48)))

    def tickStrings(self, values, scale: float, spacing: float) -> list[str]:
        return [number_text(float(f"{value:.6g}"), 6) for value in values]


def linear_ticks(low: float, high: float, most: int) -> list[tuple[float, list[float]]]:
    """At most about `most` ticks at multiples of 1, 2 or 5 times a power of ten."""
    span = high - low
    if not (span > 0.0 and math.isfinite(span)):
        return [(1.0, [])]
    rough = span / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * nice for nice in (1.0, 2.0, 5.0, 10.0) if power * nice >= rough)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [(step, [index * step for index in range(first, last + 1)])]


def power_label(exponent: float) -> str:
    """The label of 10**exponent: 10⁻³, or 2·10⁻³ between the powers."""
    whole = math.floor(exponent + 1e-9)
    leading = 10.0 ** (exponent - whole)
    if abs(leading - 1.0) < 1e-6:
        return power_text(whole)
    return f"{number_text(float(f'{leading:.3g}'))}·{power_text(whole)}"


def _within_a_decade(low: float, high: float, size: float) -> list[float]:
    """Ticks for a logarithmic range that holds at most one whole power."""
    for leads in ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
        powers = range(math.floor(low), math.ceil(high) + 1)
        places = [math.log10(lead) + power for power in powers for lead in leads]
        places = [place for place in places if low <= place <= high]
        if 0 < len(places) <= max(1.0, size / 22):
            return places
    return [(low + high) / 2.0]
