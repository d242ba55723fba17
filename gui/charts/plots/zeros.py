"""Poles and zeros of the linearised arm, for arms that bend."""

from __future__ import annotations

from gui.charts.plot import Plot
from gui.charts.shown import Shown, remembered
from gui.charts.zeros import zeros_chart
from robots.dynamics.flexible.analysis import along
from robots.dynamics.flexible.arm import FlexibleArm
from robots.model.chart import Chart
from robots.model.robot import Robot

POSTURES = 61


class ZerosPlot(Plot):
    """Of the current run; a zero in the right half-plane means that no bounded torque follows the path."""

    key, title, order, plane = "zeros", "Poles and zeros", 47, True

    def suits(self, robot: Robot) -> bool:
        return isinstance(robot, FlexibleArm)

    def chart(self, shown: Shown, variant: str) -> Chart:
        run = next((run for _, run in shown.runs), None)
        if run is None or not isinstance(robot := run.robot, FlexibleArm):
            return zeros_chart(None)
        return zeros_chart(remembered(run, "zeros", lambda: along(robot.build(run.scenario), run.t, run.y, POSTURES)))


PLOT = ZerosPlot()
