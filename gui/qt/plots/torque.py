"""What the motors have to give, and how far the springs give way."""

from __future__ import annotations

from gui.qt.plots.extra import SeriesPlot


class TorquePlot(SeriesPlot):
    """The motor torques that the inverse dynamics has found."""

    key, title, order, default = "torque", "Motor torque", 16, True
    special = True
    keys = ("torque",)


class DeflectionPlot(SeriesPlot):
    """How far the springs of gears and passive joints are bent."""

    key, title, order, default = "deflection", "Deflection", 18, True
    special = True
    keys = ("deflection",)
