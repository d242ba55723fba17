"""The common part of the plots of the robot's own series."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assets.counting import capital
from gui.charts.plot import Plot
from gui.charts.shown import Shown, at_a_time, called, series
from robots.model.chart import Array, Axis, Chart, Curve
from robots.model.robot import Series

if TYPE_CHECKING:
    from robots.simulation.run import Run


class SeriesPlot(Plot):
    """Some of the robot's own series, one at a time, with the limits that they should keep.

    Class attributes:
        keys: which series; empty for all.
        scale: of the axis of values.
        digits: of the values in legends.
    """

    keys: ClassVar[tuple[str, ...]] = ()
    scale: ClassVar[str] = "linear"
    digits: ClassVar[int] = 3

    def variants(self, shown: Shown) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for _, run in shown.runs:
            for key, quantity in series(run)[1].items():
                if not self.keys or key in self.keys:
                    found.setdefault(key, capital(quantity.label))
        return {key: found[key] for key in self.keys or found if key in found}

    def chart(self, shown: Shown, variant: str) -> Chart:
        curves: list[Curve] = []
        chosen: Series | None = None
        for row, run in shown.runs:
            times, known = series(run)
            if (quantity := known.get(variant)) is None:
                continue
            chosen = chosen or quantity
            per_si = shown.unit(quantity.unit).per_si
            table = np.atleast_2d(np.asarray(quantity.values).T) * per_si
            labels = [*quantity.labels, *[quantity.label] * (len(table) - len(quantity.labels))]
            named = {called(run, label): values for label, values in zip(labels, table, strict=False)}
            curves += shown.family(row, times, named, at_a_time(run, partial(_values, variant, per_si)))
        if chosen is None:
            return Chart(empty="This plot has nothing to show for this robot.")
        unit = shown.unit(chosen.unit)
        allowed = chosen.allowed[0] * unit.per_si, chosen.allowed[1] * unit.per_si
        axis = Axis(chosen.label, unit.symbol, self.scale, whole=True, digits=self.digits)
        title = capital(chosen.label)
        asked = shown.asked([variant], unit.per_si)
        return Chart(title, y=axis, curves=tuple(curves), allowed=allowed, asked=asked)


def _values(variant: str, per_si: float, run: Run, t: Array) -> Array:
    return per_si * np.asarray(run.series(t)[variant].values)[0].reshape(-1)
