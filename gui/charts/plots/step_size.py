"""The steps that the solver took, and those it rejected."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assets.polylines import staircase
from gui.charts.plot import Plot
from gui.charts.shown import Shown
from robots.model.chart import Axis, Chart, Curve


class StepSizePlot(Plot):
    """Accepted steps as a staircase, rejected ones as crosses, on a logarithmic axis."""

    key, title, order, default = "step-size", "Step size", 40, True

    def chart(self, shown: Shown, variant: str) -> Chart:
        curves: list[Curve] = []
        for row, run in shown.runs:
            log, good = run.log, np.asarray(run.log.accepted, dtype=bool)
            curves.append(shown.curve(row, *staircase(log.t[good], log.h[good])))
            if not good.all():
                lost = shown.curve(row, log.t[~good], np.abs(log.h[~good]), f"{row.label}, rejected")
                curves.append(replace(lost, joined=False, mark="cross", listed=False, wild=True))
        note = "× rejected" if any(curve.mark for curve in curves) else ""
        return Chart(y=Axis("step", "s", "log"), curves=tuple(curves), note=note)


PLOT = StepSizePlot()
