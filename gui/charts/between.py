"""What lies between two cursors: how much a curve changed from one to the other, and how fast it grew."""

from __future__ import annotations

import math
from dataclasses import replace

from gui.app.units import reading
from gui.charts.fit import longest_text, value_text
from robots.model.chart import PLAIN, Axis, Curve

ROUNDING = 1e-12
"""A curve's values have this relative error, since they are interpolated: a smaller change is none."""


def change_and_rate(curve: Curve, mark: float, t: float, axis: Axis = PLAIN) -> tuple[float, float]:
    """Between the times `mark` and `t` [s]: the change of the value, and the rate of exponential growth [1/s].

    Values are those on the line as `axis` draws it. A rate below 0 is decay; it is nan for values that are not
    positive. Both are nan where the curve has no value.
    """
    before, after = curve.at(mark, axis), curve.at(t, axis)
    if abs(after - before) <= ROUNDING * max(abs(before), abs(after)):
        after = before
    grows = before > 0.0 and after > 0.0 and t != mark
    return after - before, math.log(after / before) / (t - mark) + 0.0 if grows else math.nan


def longest_change(axis: Axis) -> str:
    """As long as what legends write of any change on the axis usually is."""
    text = f"Δ {longest_text(replace(axis, scale=PLAIN.scale))}"
    return f"{text}, {reading(-888.0, '/s')}" if axis.log else text


def between_text(axis: Axis, curve: Curve, mark: float, t: float) -> str:
    """`Δ −0.12°`, on a logarithmic axis `Δ 3.2·10⁻⁵ rad, 4.1 /s`; `Δ –` where the curve has no value."""
    change, rate = change_and_rate(curve, mark, t, axis)
    text = f"Δ {value_text(axis, change)}"
    return text if math.isnan(rate) or not axis.log else f"{text}, {reading(rate, '/s')}"
