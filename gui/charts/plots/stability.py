"""What the steps of the runs do to the modes of the arm: h λ in the stability regions of the methods."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gui.charts.plot import Plot
from gui.charts.shown import Shown
from gui.charts.stability import modes, region_chart
from robots.model.chart import Chart, Curve
from robots.simulation.run import Run


class StabilityPlot(Plot):
    """The region of every shown run's method in the run's colour and dash; amber where a mode grows."""

    key, title, order, plane = "stability", "Stability region", 46, True

    def chart(self, shown: Shown, variant: str) -> Chart:
        from robots.scenario.method_selection import method_of

        regions, curves = [], list[Curve]()
        for row, run in shown.runs:
            method = method_of(run.scenario)
            regions += [(row.colour, row.dash, stability) for _, stability in method.regions]
            if (stability := method.stability) is None:
                continue
            times, points = steps_times_modes(run)
            for index, curve in enumerate(modes(points, stability, times)):
                looks = replace(curve, name=row.label, run=row.label, colour=row.colour, dash=row.dash)
                curves.append(replace(looks, listed=index == 0))
        return region_chart(regions, curves)


def steps_times_modes(run: Run) -> tuple[np.ndarray, np.ndarray]:
    """Times (m,) and h λ there, (m, d), with the step that the run took, but not with a shortened last step."""
    times, values = run.eigenvalues
    taken = np.flatnonzero(run.log.accepted)
    if not len(taken):
        return times[:0], values[:0]
    begins, sizes = run.log.t[taken], run.log.h[taken]
    last = len(taken) - 1 if len(taken) == 1 or sizes[-1] >= sizes[-2] else len(taken) - 2
    at = np.clip(np.searchsorted(begins, times, side="right") - 1, 0, last)
    return times, sizes[at, np.newaxis] * values


PLOT = StabilityPlot()
