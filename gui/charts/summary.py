"""A chart in words, for those who cannot see it."""

from __future__ import annotations

import numpy as np

from assets.counting import counted
from gui.app.units import number_text, with_unit
from gui.charts import fit
from robots.model.chart import Chart, Curve

MOST = 6
"""How many curves are read out; the rest are counted."""


def summary(chart: Chart, t: float | None = None, sides: tuple[fit.Range, fit.Range] | None = None) -> str:
    """What a chart shows: its axes, and where each curve begins, ends and is largest.

    Args:
        chart: the chart.
        t: the playhead, whose values are given too [s].
        sides: the shown part of both axes, in positions on them; None for what is shown at first.
    """
    if not chart.curves:
        return chart.empty or "Nothing to show yet"
    if chart.bare:
        words = (chart.in_full, *(label.text.replace("\n", ": ") for label in chart.labels))
        return ". ".join(filter(None, words)) + "."
    kind = {"log": ", logarithmic", "asinh": ", logarithmic on both sides of zero"}.get(chart.y.scale, "")
    parts = [f"{chart.y.label or 'values'}{kind}, over {chart.x.label or 'values'}", chart.in_full]
    if t is not None and (sides or chart.view):
        parts.append(fit.outside_text(chart, t, *(sides or fit.plane_range(chart, ()))))
    present = [one for one in chart.curves if one.live is None or one.x.size or (t is not None and one.when(t))]
    parts += [_curve(curve, chart, t) for curve in present[:MOST]]
    rest = len(present) - MOST
    return ". ".join(filter(None, (*parts, f"{counted(rest, 'more curve')}" if rest > 0 else ""))) + "."


def _curve(curve: Curve, chart: Chart, t: float | None) -> str:
    known = np.isfinite(curve.x) & np.isfinite(curve.y)
    x, y, name = curve.x[known], curve.y[known], curve.name or curve.run or "curve"
    name = ", ".join(filter(None, (name, curve.tag)))
    now = None if t is None else curve.when(t, chart.x, chart.y)
    if not y.size:
        if curve.live is None or now is None:
            return f"{name}: no points"
        return f"{name}: {_point(*now, chart)} at the playhead"
    if curve.mark == "stripe":
        return f"{name}: from {_value(y[-2], chart)} to {_value(y[-1], chart)} at the end"
    low, high = int(y.argmin()), int(y.argmax())
    if curve.t is not None:
        # In a plane a point is two numbers; the later one is that across.
        words = [f"{name}: from {_point(x[0], y[0], chart)} to {_point(x[-1], y[-1], chart)}"]
    else:
        words = [f"{name}: from {_value(y[0], chart)} to {_value(y[-1], chart)}"]
    if y[high] > max(y[0], y[-1]):
        words.append(f"largest {_value(y[high], chart)} at {_place(x[high], chart)}")
    if y[low] < min(y[0], y[-1]):
        words.append(f"smallest {_value(y[low], chart)} at {_place(x[low], chart)}")
    if now is not None and np.isfinite(now[1]):
        shown = _value(now[1], chart) if curve.t is None else _point(*now, chart)
        words.append(f"{shown} at the playhead")
    if curve.alarm is not None and curve.alarm.any():
        words.append(f"outside its limits first at {_place(curve.x[curve.alarm.argmax()], chart)}")
    return ", ".join(words)


def _value(value: float, chart: Chart) -> str:
    return with_unit(number_text(float(value), 3), chart.y.unit)


def _point(x: float, y: float, chart: Chart) -> str:
    return f"{_value(y, chart)} over {_place(x, chart)}"


def _place(value: float, chart: Chart) -> str:
    return with_unit(number_text(float(value), 3), chart.x.unit)
