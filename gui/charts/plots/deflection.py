"""The deflection of the springs."""

from __future__ import annotations

from gui.charts.plots._series import SeriesPlot


class DeflectionPlot(SeriesPlot):
    """The deflection of the springs in gears and passive joints."""

    key, title, order, default, special = "deflection", "Deflection", 18, True, True
    keys = ("deflection",)


PLOT = DeflectionPlot()
