"""The steps of all runs below each other, as the timeline shows those of the current one."""

from __future__ import annotations

from gui.charts.plot import Plot
from gui.charts.shown import Shown
from gui.charts.steps import steps_chart
from robots.model.chart import Chart

NO_STEPS = "A recording has no steps"


class StepsPlot(Plot):
    """A lane of ticks and crosses for each run."""

    key, title, order = "steps", "Steps", 41

    def chart(self, shown: Shown, variant: str) -> Chart:
        stepped = [row for row in shown.rows if not row.recording]
        return steps_chart(stepped) if stepped else Chart(empty=NO_STEPS)


PLOT = StepsPlot()
