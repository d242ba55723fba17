"""Poles and zeros of the linearised arm, for arms that bend."""

from __future__ import annotations

from gui.charts.plot import Plot
from gui.charts.shown import Shown, remembered
from gui.charts.zeros import chart_of_run, zeros_chart
from robots.dynamics.flexible.arm import FlexibleArm
from robots.dynamics.flexible.run_analysis import zeros_along
from robots.model.chart import Chart
from robots.model.robot import Robot


class ZerosPlot(Plot):
    """Of the current run; a zero in the right half-plane means that no bounded torque follows the path."""

    key, title, order, plane = "zeros", "Poles and zeros", 47, True

    def suits(self, robot: Robot) -> bool:
        return isinstance(robot, FlexibleArm)

    def chart(self, shown: Shown, variant: str) -> Chart:
        run = next((run for _, run in shown.runs), None)
        if run is None or not isinstance(run.robot, FlexibleArm):
            return zeros_chart(None)
        return chart_of_run(run, remembered(run, "zeros", lambda: zeros_along(run)))


PLOT = ZerosPlot()
