"""The steps that the solver took, and those it rejected."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assets.polylines import staircase
from gui.charts import colours
from gui.charts.plot import Plot
from gui.charts.shown import Shown
from gui.charts.steps import FAILED, LOST, REJECTED, lost_text
from robots.model.chart import Axis, Chart, Curve

CAUTIOUS = 12
"""So many steps at the beginning may be left out below: the first is a guess, from which the steps grow manyfold."""

SHORT = 3.0
"""A step cut short, as where a pull begins, may be so many decades shorter than others before it is left out."""


class StepSizePlot(Plot):
    """Accepted steps as a staircase, rejected ones as crosses, one that failed as a square, on a logarithmic axis."""

    key, title, order, default = "step-size", "Step size", 40, True

    def chart(self, shown: Shown, variant: str) -> Chart:
        curves: list[Curve] = []
        for row, run in shown.integrated:
            log, good = run.log, np.asarray(run.log.accepted, dtype=bool)
            curves.append(shown.curve(row, *staircase(log.t[good], log.h[good])))
            for lost, kind in ((~good & ~run.failed_attempts, REJECTED), (run.failed_attempts, FAILED)):
                if lost.any():
                    curve = shown.curve(row, log.t[lost], np.abs(log.h[lost]), f"{row.label}, {kind}")
                    marks = replace(curve, joined=False, mark=LOST[kind], filled=kind == FAILED, listed=False)
                    # In its run's colour a mark on the run's line would be a speck of it.
                    curves.append(replace(marks, wild=True, tint=colours.REJECTED))
        note = lost_text(curves)
        axis = Axis("step", "s", "log", early=2 * CAUTIOUS, dips=SHORT, digits=None)
        return Chart(y=axis, curves=tuple(curves), note=note)


PLOT = StepSizePlot()
