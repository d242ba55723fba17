"""The motion of a machine without joint angles: a car's heights, a beam's bending."""

from __future__ import annotations

from gui.app.units import short_text, with_unit
from gui.qt.plots.extra import SeriesPlot


class MotionPlot(SeriesPlot):
    """The robot's series, what tells most first."""

    key, title, order, default = "motion", "Motion", 19, True
    special = True

    def value_text(self, value: float) -> str:
        """A car rides up and down by millimetres."""
        return with_unit(short_text(value, 4), self.value_title()[1])
