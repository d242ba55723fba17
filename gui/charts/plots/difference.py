"""How far pinned runs are from the current one, and how fast they part."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gui.app.units import reading
from gui.charts.plot import Plot
from gui.charts.shown import Shown
from robots.model.chart import Array, Axis, Chart, Curve
from robots.model.robot import of_joint
from robots.simulation.run import Run

TIP, JOINTS = "tip", "joints"
MOST_POINTS = 2000
FLOOR, FULL = 1e-13, 0.1
"""Below this part of the arm's size (or of 1 rad) a difference is round-off; above this one it grows no further."""

FEWEST, LEAST_GROWTH = 10, math.log(10.0)
"""A rate needs this many points, over which the difference grows at least so that its logarithm does by this."""


class DifferencePlot(Plot):
    """The distance between the tips, or between the joints' angles, of each pinned run and the current one."""

    key, title, order = "difference", "Difference of runs", 15

    def variants(self, shown: Shown) -> Mapping[str, str]:
        runs = [run for _, run in shown.runs]
        both = {TIP: "tool position", JOINTS: "joint angles"}
        known = [key for key in both if runs and all(_places(run, run.t[:1], key).size for run in runs)]
        return {key: both[key] for key in known or [JOINTS]}

    def chart(self, shown: Shown, variant: str) -> Chart:
        pairs = list(shown.runs)
        current, unit = pairs[0][1], "m" if variant == TIP else "rad"
        size = current.shape(0.0).radius if variant == TIP else 1.0
        curves: list[Curve] = []
        notes = []
        if not _places(current, current.t[:1], variant).size:
            return Chart(empty=f"This robot has no {'tip' if variant == TIP else 'joint angles'} to compare.")
        for row, run in pairs[1:]:
            if run.scenario.robot != current.scenario.robot:
                continue
            t = common_times(current, run)
            apart = np.linalg.norm(_places(current, t, variant) - _places(run, t, variant), axis=1)
            remark = ""
            if (rate := growth_rate(t, apart, size)) is not None:
                remark = f"grows at {reading(rate, '/s')}"
                growth = f"{remark}, tenfold in {reading(LEAST_GROWTH / rate, 's')}"
                notes.append(growth if len(pairs) == 2 else f"{shown.name_of(row)} {growth}")
            curves.append(replace(shown.curve(row, t, apart), listed=True, remark=remark))
        axis = Axis("difference", unit, "log", early=None)
        empty = "Pin a run (P), then change something: this plot shows how far apart the two are."
        if len(pairs) > 1:
            empty = "The runs are the same." if curves else "The pinned runs are of other robots."
            curves = curves if any(np.any(curve.y > 0.0) for curve in curves) else []
        return Chart(y=axis, curves=tuple(curves), note="; ".join(notes), empty=empty)


def common_times(first: Run, second: Run) -> Array:
    """Times at which both runs have states: those of their steps, or fewer."""
    end = min(first.t_end, second.t_end)
    times = np.union1d(first.t, second.t)
    times = times[times <= end]
    return times if times.size <= MOST_POINTS else np.linspace(times[0], end, MOST_POINTS)


def growth_rate(t: Array, apart: Array, size: float) -> float | None:
    """The rate of exponential growth [1/s] by least squares, from round-off until it is no longer small; or None.

    There is none where a power of the time fits better, as when other masses lead away from the same start.
    """
    large = np.flatnonzero(apart >= FULL * size)
    until = int(large[0]) if large.size else apart.size
    part = apart[:until] > FLOOR * size
    if part.sum() < FEWEST:
        return None
    x, y = t[:until][part], np.log(apart[:until][part])
    (rate, _), scatter = _line(x - x[0], y)
    since = x - t[0]
    if since[0] > 0.0 and _line(np.log(since), y)[1] < scatter:
        return None
    return rate if rate * (x[-1] - x[0]) >= LEAST_GROWTH else None


def _line(x: Array, y: Array) -> tuple[Array, float]:
    """The slope and the height of the straight line through points, and how far they are from it (sum of squares)."""
    fit = np.polyfit(x, y, 1)
    return fit, float(np.sum((np.polyval(fit, x) - y) ** 2))


def _places(run: Run, t: Array, variant: str) -> Array:
    """What is compared, (m, n): tips [m], or angles [rad]."""
    if variant == TIP:
        return run.tip(t)
    columns = run.columns(t)
    angles = [values for name, values in columns.items() if of_joint(name, "q")]
    return np.stack(angles, axis=1) if angles else np.empty((len(t), 0))


PLOT = DifferencePlot()
