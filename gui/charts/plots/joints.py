"""Joint angles and joint rates over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gui.charts.plot import Plot
from gui.charts.plots._fan import fans_of
from gui.charts.shown import Shown, at_a_time, called, columns
from robots.model.chart import Array, Axis, Chart, Curve

if TYPE_CHECKING:
    from robots.simulation.run import Run

GROUPS = {
    "q": ("Joint angles", "angle", "q", "rad"),
    "v": ("Joint rates", "rate", "v", "rad/s"),
    "slide": ("Sliding joints", "position", "q", "m"),
    "speed": ("Speeds of sliding joints", "speed", "v", "m/s"),
}
"""Title, axis, first letter of the columns, and their unit: angles and lengths never share an axis."""


class JointsPlot(Plot):
    """Angles or rates of every joint, or positions and speeds of those that slide."""

    key, title, order, default = "joints", "Joint angles and rates", 20, True

    def variants(self, shown: Shown) -> Mapping[str, str]:
        robots = [(run.robot, columns(run)[1]) for _, run in shown.runs]
        units = {robot.unit(name) for robot, known in robots for name in known}
        return {key: title for key, (title, _, _, unit) in GROUPS.items() if unit in units or unit.startswith("rad")}

    def chart(self, shown: Shown, variant: str) -> Chart:
        title, name, letter, si_unit = GROUPS[variant]
        unit = shown.unit(si_unit)
        curves: list[Curve] = []
        fans: list[Curve] = []
        keys: dict[str, None] = {}
        for row, run in shown.runs:
            t, values = columns(run)
            mine = {key: values[key] for key in values if key[0] == letter and run.robot.unit(key) == si_unit}
            keys |= dict.fromkeys(mine)
            names = {called(run, key): unit.per_si * column for key, column in mine.items()}
            own = shown.family(row, t, names, at_a_time(run, partial(_values, tuple(mine), unit.per_si)))
            curves += own
            fans += fans_of(row, dict(zip(mine, own, strict=True)), unit.per_si)
        axis = Axis(name, unit.symbol, decimals=1 if unit.symbol.startswith("°") else 3)
        asked = shown.asked(keys, unit.per_si)
        return Chart(title, y=axis, curves=(*curves, *fans), asked=asked, empty="This robot has no joints.")


def _values(keys: Sequence[str], per_si: float, run: Run, t: Array) -> Array:
    known = run.columns(t)
    return np.array([per_si * known[key][0] for key in keys])


PLOT = JointsPlot()
