"""How stiff the equations are: their eigenvalues along the run, beside the steps that the method takes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assets.polylines import staircase
from gui.app.units import subscripted
from gui.charts.plot import Plot
from gui.charts.shown import Shown
from gui.charts.stability import one_of_each_pair
from robots.model.chart import Array, Axis, Chart, Curve

FEW, NAMED = 9, 3
MARKS = "circle", "square", "triangle", "diamond"
"""Of a few eigenvalues, whose shades of one colour are alike: a value that no line joins is seen, too."""


class EigenvaluesPlot(Plot):
    """|lambda| of the linearised equations and 1/h of every step, far below for a method without stability limit."""

    key, title, order, default, special = "eigenvalues", "Eigenvalues", 44, True, True

    def chart(self, shown: Shown, variant: str) -> Chart:
        curves: list[Curve] = []
        for row, run in shown.runs:
            log, good = run.log, np.asarray(run.log.accepted, dtype=bool)
            times, steps = staircase(log.t[good], log.h[good])
            curves.append(replace(shown.curve(row, times, 1.0 / steps, "1/h"), width=1.4))
            instants, moduli = moduli_of_pairs(*run.eigenvalues)
            count = len(moduli.T)
            named = count if count <= FEW else NAMED
            for k, values in enumerate(moduli.T):
                mode = shown.curve(row, instants, values, subscripted(f"λ{k + 1}"))
                mark = MARKS[k] if count <= len(MARKS) else ""
                looks = replace(mode, width=0.65, shade=0.7 * (k + 1) / count, mark=mark)
                curves.append(replace(looks, listed=mode.listed and k < named))
        empty = "These equations have no eigenvalues to show."
        return Chart(y=Axis("|λ|, 1/h", "1/s", "log"), curves=tuple(curves), empty=empty)


def moduli_of_pairs(times: Array, eigenvalues: NDArray[np.complex128]) -> tuple[Array, Array]:
    """Times (m,) and moduli (m, k) of eigenvalues (m, d), the largest first, filled up with nan.

    A conjugate pair counts once; 0, which a logarithmic axis cannot show, does not count.
    """
    moduli = np.abs(one_of_each_pair(eigenvalues))
    moduli[moduli == 0.0] = np.nan
    return times, moduli[:, ~np.isnan(moduli).all(axis=0)]


PLOT = EigenvaluesPlot()
