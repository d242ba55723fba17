"""Further quantities that the robot at hand offers."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from gui.qt.plots.bands import Bands
from gui.qt.plots.data import Array, series, subscripted
from gui.qt.plots.pens import run_pen, shade
from gui.qt.plots.plot import Trace
from gui.qt.plots.time_plot import TimePlot, value_at


class SeriesPlot(TimePlot):
    """Some of the robot's own series, one at a time, chosen in the title, with the limits that they should keep.

    Class attributes:
        keys: which series; empty for all.
    """

    keys: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.bands = Bands(self.area)

    def variants(self) -> list[tuple[str, str]]:
        found: dict[str, str] = {}
        for row in self.visible_rows():
            for key, quantity in self._series(row).items():
                if not self.keys or key in self.keys:
                    found.setdefault(key, quantity.label[:1].upper() + quantity.label[1:])
        return [(key, found[key]) for key in self.keys or found if key in found]

    def heading(self) -> str:
        count = len(self.variants())
        return self.title if count == 0 else self.value_title()[0].capitalize() if count == 1 else ""

    def emptiness(self) -> str:
        return "This robot has no such quantities."

    def value_title(self) -> tuple[str, str]:
        quantity = self._chosen()
        return ("", "") if quantity is None else (quantity.label, self.unit(quantity.unit).symbol)

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
                made.append(self.trace(row, times, values * factor, pen=pen, name=subscripted(name)))
        return made

    def move_cursor(self, t: float) -> None:
        super().move_cursor(t)
        low, high = self._allowed()
        values = [value_at(trace, t) for trace in self.shown if trace.legend]
        inside = all(low <= (self._on_axis(value)) <= high for value in values if not math.isnan(value))
        self.bands.show(low, high, self.palette(), warning=not inside)

    def _limits(self, values: Array) -> tuple[float, float]:
        """All of the curve: where it dips is what matters."""
        return float(values.min()), float(values.max())

    def _show_values(self, low: float, high: float) -> None:
        """Show the limits beside the curves."""
        ends = [end for end in self._allowed() if math.isfinite(end)]
        super()._show_values(min(low, *ends, low), max(high, *ends, high))

    def _allowed(self) -> tuple[float, float]:
        """Where the values should stay, in the axis' units."""
        quantity = self._chosen()
        if quantity is None:
            return -math.inf, math.inf
        factor = self.unit(quantity.unit).per_si
        low, high = (self._on_axis(end * factor) for end in quantity.allowed)
        return low, high

    def _on_axis(self, value: float) -> float:
        """A value as the axis counts: its decimal logarithm where that is logarithmic."""
        if not self.logarithmic:
            return value
        return math.log10(value) if 0.0 < value < math.inf else math.copysign(math.inf, value or -1.0)

    def _chosen(self) -> Any:
        """The chosen series of the first run that has it."""
        found = (self._series(row).get(self.variant) for row in self.visible_rows())
        return next((quantity for quantity in found if quantity is not None), None)

    def _series(self, row: Any) -> dict[str, Any]:
        return series(row.run)[1] if row.run is not None else {}


class ExtraPlot(SeriesPlot):
    """Every series of the robot."""

    key, title, order = "extra", "More of this robot", 50

    def emptiness(self) -> str:
        return "This robot has no further quantities."
