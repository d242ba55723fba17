"""How far the springs give way."""

from __future__ import annotations

from gui.charts.plots._series import SeriesPlot


class DeflectionPlot(SeriesPlot):
    """How far the springs of gears and passive joints are bent."""

    key, title, order, default, special = "deflection", "Deflection", 18, True, True
    keys = ("deflection",)


PLOT = DeflectionPlot()
