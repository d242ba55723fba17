"""The common part of the plots of the robot's own series."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from assets.counting import capital
from gui.charts.plot import Plot
from gui.charts.shown import Shown, called, series
from robots.model.chart import Axis, Chart, Curve
from robots.model.robot import Series


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
            table = np.atleast_2d(np.asarray(quantity.values).T) * shown.unit(quantity.unit).per_si
            labels = [*quantity.labels, *[quantity.label] * (len(table) - len(quantity.labels))]
            curves += shown.family(
                row, times, {called(run, label): values for label, values in zip(labels, table, strict=False)}
            )
        if chosen is None:
            return Chart(empty="This plot has nothing to show for this robot.")
        unit = shown.unit(chosen.unit)
        allowed = chosen.allowed[0] * unit.per_si, chosen.allowed[1] * unit.per_si
        axis = Axis(chosen.label, unit.symbol, self.scale, whole=True, digits=self.digits)
        title = capital(chosen.label)
        return Chart(title, y=axis, curves=tuple(curves), allowed=allowed)
