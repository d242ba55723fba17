"""How well conditioned the equations of an implicit step are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gui.charts.plot import Plot
from gui.charts.shown import Shown
from robots.model.chart import Array, Axis, Chart
from robots.simulation.run import Run

NAMES = {"condition": "condition number", "newton": "Newton iterations"}


class ConditioningPlot(Plot):
    """Condition number of the iteration matrix, or Newton's iterations, of every step; on a logarithmic axis."""

    key, title, order, default, special = "conditioning", "Conditioning", 42, True, True

    def variants(self, shown: Shown) -> Mapping[str, str]:
        known = {key for _, run in shown.integrated for key in NAMES if len(logged(run, key)[0])}
        return {key: name for key, name in NAMES.items() if key in known}

    def chart(self, shown: Shown, variant: str) -> Chart:
        if not variant:
            return Chart(empty="The method logs neither a condition number nor iterations.")
        curves = tuple(shown.curve(row, *logged(run, variant)) for row, run in shown.integrated)
        return Chart(y=Axis(NAMES[variant], scale="log"), curves=curves)


def logged(run: Run, key: str) -> tuple[Array, Array]:
    """Times at which steps ended and their values in the log; empty if it has none."""
    log = run.log
    values = np.asarray(getattr(log, key), dtype=float)
    known = log.accepted & np.isfinite(values) & (values > 0.0)
    return (log.t + log.h)[known], values[known]


PLOT = ConditioningPlot()
