"""The steps of all runs below each other, as the timeline shows those of the current one."""

from __future__ import annotations

from gui.charts.plot import Plot
from gui.charts.shown import Shown
from gui.charts.steps import steps_chart
from robots.model.chart import Chart


class StepsPlot(Plot):
    """A lane of ticks and crosses for each run."""

    key, title, order = "steps", "Steps", 41

    def chart(self, shown: Shown, variant: str) -> Chart:
        return steps_chart(shown.rows)


PLOT = StepsPlot()
