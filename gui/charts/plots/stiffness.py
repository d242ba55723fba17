"""Whether stability or accuracy limits the steps: each step against the longest stable one."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from assets.polylines import staircase
from gui.app.units import number, with_unit
from gui.charts.plot import BEING_JUDGED, Plot
from gui.charts.shown import Shown
from robots.model.chart import Array, Axis, Chart, Curve

if TYPE_CHECKING:
    from robots.simulation.run import Run
    from robots.simulation.stability import StepStability


class StiffnessPlot(Plot):
    """The step divided by the longest step that lets no mode grow; near 1 the equations are stiff for the method."""

    key, title, order, verdict = "stiffness", "Stiffness", 45, True

    def chart(self, shown: Shown, variant: str) -> Chart:
        from robots.simulation.stability import stiff_from

        curves, note = list[Curve](), ""
        for row, run in shown.integrated:
            found = run.stability if row.judged else None
            if found is None or not np.isfinite(found.longest).any():
                continue
            curves.append(shown.curve(row, *_shares(run, found)))
            if row is shown.current and (start := stiff_from(found)) is not None:
                note = f"stiff for this method from t = {with_unit(number(start), 's')} on"
        none = "None of these methods has a longest stable step here."
        empty = none if shown.current.judged else BEING_JUDGED
        axis = Axis("step / longest stable step", scale="log")
        return Chart(y=axis, curves=tuple(curves), note=note, empty=empty, allowed=(-np.inf, 1.0 if curves else np.inf))


def _shares(run: Run, found: StepStability) -> tuple[Array, Array]:
    """Times (n,) [s], and there the step over the longest stable one (n,).

    Where an error estimate chooses the steps every step counts, with the limit of the instants around it: of those
    before a change if it begins before that.
    """
    known = np.isfinite(found.longest) & (found.longest > 0.0)
    if not found.controlled.all():
        return found.t[known], found.step[known] / found.longest[known]
    good = np.asarray(run.log.accepted, dtype=bool)
    t, step = run.log.t[good], run.log.h[good]
    limit, size = np.full(len(t), np.nan), np.log(np.where(known, found.longest, np.nan))
    for begin, end in pairwise((-np.inf, *run.boundaries, np.inf)):
        steps, instants = (begin <= t) & (t < end), (begin <= found.t) & (found.t < end)
        if instants.any():
            limit[steps] = np.exp(np.interp(t[steps], found.t[instants], size[instants]))
    times, sizes = staircase(t, step)
    shares = sizes / np.repeat(limit, 2)
    return times[np.isfinite(shares)], shares[np.isfinite(shares)]


PLOT = StiffnessPlot()
