"""What the motors have to give."""

from __future__ import annotations

from gui.charts.plots._series import SeriesPlot


class TorquePlot(SeriesPlot):
    """The motor torques that the inverse dynamics has found."""

    key, title, order, default, special = "torque", "Motor torque", 16, True, True
    keys = ("torque",)


PLOT = TorquePlot()
