"""The motion of a machine without joint angles: a car's heights, a beam's bending."""

from __future__ import annotations

from gui.charts.plots._series import SeriesPlot


class MotionPlot(SeriesPlot):
    """The robot's series, the most informative one first. A car moves up and down by millimetres."""

    key, title, order, default, special = "motion", "Motion", 19, True, True
    digits = 4


PLOT = MotionPlot()
