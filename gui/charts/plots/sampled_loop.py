"""How seldom a control may sample: the growth of its loop from sample to sample, and the border of stability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf, isfinite

import numpy as np

from gui.app.units import beyond
from gui.charts.plot import NOT_SAMPLED, Plot
from gui.charts.shown import Shown, remembered
from robots.model.chart import Array, Axis, Band, Chart, Curve
from robots.model.robot import Robot
from robots.simulation.sampled_loop import LoopStability

SPAN, POINTS = 30.0, 161
RATIOS = np.array([0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0])
"""Delays, in periods, at which the border is computed."""


class SampledLoopPlot(Plot):
    """The spectral radius of the loop linearised at rest, over the sampling period; or the border over the delay."""

    key, title, order, plane, each = "sampled-loop", "Sampled loop", 47, True, True

    def suits(self, robot: Robot) -> bool:
        """For robots whose control may sample."""
        return any(field.key in ("sampling", "feedback") for field in robot.task)

    def variants(self, shown: Shown) -> Mapping[str, str]:
        return {"growth": "Growth", "delay": "Border"}

    def chart(self, shown: Shown, variant: str) -> Chart:
        loops = [(row, run, found) for row, run in shown.runs if (found := run.loop_stability) is not None]
        if not loops:
            return Chart(empty=NOT_SAMPLED)
        drawn = _border if variant == "delay" else _growth
        curves: list[Curve] = []
        for row, run, found in loops:
            x, y, place = remembered(run, f"sampled loop, {variant}", lambda found=found: drawn(found))
            curve = shown.curve(row, x, y)
            own = replace(curve, name=f"{curve.name}, as it is", x=np.array(place[:1]), y=np.array(place[1:]))
            curves += [curve, replace(own, joined=False, mark="circle", filled=True, listed=False)]
        first = loops[0][2]
        longest = first.longest
        border = beyond(first.loop.period, longest, "s")[1] if isfinite(longest) else "no limit"
        chance = " and ".join(dict.fromkeys(name for *_, found in loops for name in found.without))
        left_out = f", without {chance}" if chance else ""
        note = f"linearised at rest{left_out}; longest stable period: {border}"
        if variant == "delay":
            return Chart(x=Axis("delay", "s"), y=Axis("sampling period", "s"), curves=tuple(curves), note=note)
        bands = (Band(longest, inf, tone="unstable"),) if isfinite(longest) else ()
        x = Axis("sampling period", "s", "log")
        return Chart(
            x=x, y=Axis("growth per sample"), curves=tuple(curves), note=note, bands=bands, allowed=(-inf, 1.0)
        )


def _growth(found: LoopStability) -> tuple[Array, Array, tuple[float, float]]:
    """Periods, the growth at each, and the loop's own place."""
    loop = found.loop
    periods = np.geomspace(loop.period / SPAN, loop.period * SPAN, POINTS)
    if loop.delay > 0.0:
        periods = periods[periods > loop.delay / SPAN]
    growth = loop.growth(periods)
    near = growth < 3.0
    return periods[near], growth[near], (loop.period, found.factor)


def _border(found: LoopStability) -> tuple[Array, Array, tuple[float, float]]:
    """Delays, the longest stable period at each, and the loop's own place."""
    loop = found.loop
    periods = np.array([loop.longest(ratio=ratio) for ratio in RATIOS.tolist()])
    known = np.isfinite(periods) & (periods > 0.0)
    return (RATIOS * periods)[known], periods[known], (loop.delay, loop.period)


PLOT = SampledLoopPlot()
