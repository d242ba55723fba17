"""Joint angles and joint rates over time."""

from __future__ import annotations

from collections.abc import Mapping

from gui.app.units import subscripted
from gui.charts.plot import Plot
from gui.charts.shown import Shown, columns
from robots.model.chart import Axis, Chart, Curve

GROUPS = {"q": ("Joint angles", "angle", "rad"), "v": ("Joint rates", "rate", "rad/s")}


class JointsPlot(Plot):
    """Angles or rates of every joint."""

    key, title, order, default = "joints", "Joint angles and rates", 20, True

    def variants(self, shown: Shown) -> Mapping[str, str]:
        return {letter: title for letter, (title, _, _) in GROUPS.items()}

    def chart(self, shown: Shown, variant: str) -> Chart:
        title, name, si_unit = GROUPS[variant]
        unit = shown.unit(si_unit)
        curves: list[Curve] = []
        for row, run in shown.runs:
            t, values = columns(run)
            mine = {key: column for key, column in values.items() if key[0] == variant and key[1:].isdigit()}
            curves += shown.family(row, t, {subscripted(key): unit.per_si * column for key, column in mine.items()})
        axis = Axis(name, unit.symbol, decimals=1 if shown.degrees else 3)
        return Chart(title, y=axis, curves=tuple(curves), empty="This robot has no joints.")


PLOT = JointsPlot()
