"""The torques that the motors need."""

from __future__ import annotations

from gui.charts.plots._series import SeriesPlot


class TorquePlot(SeriesPlot):
    """The motor torques found by inverse dynamics."""

    key, title, order, default, special = "torque", "Motor torque", 16, True, True
    keys = ("torque",)


PLOT = TorquePlot()
