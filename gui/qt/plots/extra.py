"""Further quantities that the robot at hand offers."""

from __future__ import annotations

from typing import Any

import numpy as np

from gui.qt.plots.data import series
from gui.qt.plots.pens import run_pen, shade
from gui.qt.plots.plot import Trace
from gui.qt.plots.time_plot import TimePlot


class ExtraPlot(TimePlot):
    """One of the robot's own series, chosen in the title."""

    key, title, order = "extra", "More of this robot", 50

    def variants(self) -> list[tuple[str, str]]:
        found: dict[str, str] = {}
        for row in self.visible_rows():
            for key, quantity in self._series(row).items():
                found.setdefault(key, quantity.label)
        return list(found.items())

    def heading(self) -> str:
        count = len(self.variants())
        return self.title if count == 0 else self.value_title()[0].capitalize() if count == 1 else ""

    def emptiness(self) -> str:
        return "This robot has no further quantities."

    def value_title(self) -> tuple[str, str]:
        for row in self.visible_rows():
            if self.variant in self._series(row):
                quantity = self._series(row)[self.variant]
                return quantity.label, self.unit(quantity.unit).symbol
        return "", ""

    def traces(self) -> list[Trace]:
        made: list[Trace] = []
        for row in self.visible_rows():
            quantity = self._series(row).get(self.variant)
            if quantity is None:
                continue
            times, factor = series(row.run)[0], self.unit(quantity.unit).per_si
            table = np.atleast_2d(np.asarray(quantity.values).T)
            for index, values in enumerate(table):
                name = quantity.labels[index] if index < len(quantity.labels) else quantity.label
                pen = run_pen(shade(row.colour, index, len(table), self.palette()), row.dash)
                made.append(self.trace(row, times, values * factor, pen=pen, name=name))
        return made

    def _series(self, row: Any) -> dict[str, Any]:
        return series(row.run)[1] if row.run is not None else {}
