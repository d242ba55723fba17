"""Further quantities of the robot."""

from __future__ import annotations

from gui.charts.plots._series import SeriesPlot


class ExtraPlot(SeriesPlot):
    """Every series of the robot."""

    key, title, order = "extra", "Robot-specific plots", 50


PLOT = ExtraPlot()
