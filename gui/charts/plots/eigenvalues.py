"""How stiff the equations are: their eigenvalues along the run, beside the steps that the method takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assets.polylines import staircase
from gui.app.units import subscripted
from gui.charts.plot import Plot
from gui.charts.shown import DARKEST, Shown, eigenvalues_at, latest
from gui.charts.stability import NOWHERE, one_of_each_pair
from robots.model.chart import Array, Axis, Chart, Curve

if TYPE_CHECKING:
    from robots.simulation.run import Run

FEW, NAMED = 9, 3
MARKS = "circle", "square", "triangle", "diamond"
"""Of a few eigenvalues, whose shades of one colour are alike: a value that no line joins is seen, too."""


class EigenvaluesPlot(Plot):
    """|lambda| of the linearised equations and 1/h of every step, far below for a method without stability limit.

    Lines join a few instants of the run; the values at the playhead are those of the playhead itself, and so are the
    names of legends: a mode that none of the instants has is there while the playhead has it.
    """

    key, title, order, default, special = "eigenvalues", "Eigenvalues", 44, True, True

    def chart(self, shown: Shown, variant: str) -> Chart:
        curves: list[Curve] = []
        for row, run in shown.runs:
            log, good = run.log, np.asarray(run.log.accepted, dtype=bool)
            times, steps = staircase(log.t[good], log.h[good])
            curves.append(replace(shown.curve(row, times, 1.0 / steps, "1/h"), width=1.4))
            instants, moduli = moduli_of_pairs(*run.eigenvalues)
            now, count = latest(run, _moduli), len(moduli.T)
            named = count if count <= FEW else NAMED
            # Where a pair has become two real ones the playhead may have a mode that no instant has.
            for k in range(max(count, min(run.eigenvalues[1].shape[-1], FEW))):
                points = (instants, moduli.T[k]) if k < count else (NOWHERE, NOWHERE)
                mode = shown.curve(row, *points, subscripted(f"λ{k + 1}"))
                mark = MARKS[k] if count <= len(MARKS) and k < len(MARKS) else ""
                shade = DARKEST * min(1.0, (k + 1) / max(count, 1))
                looks = replace(mode, width=0.65, shade=shade, mark=mark, live=partial(_value, now, k))
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


def _moduli(run: Run, t: Array) -> Array:
    """The moduli at one time (1,), (k,), the largest first; none outside the run."""
    if not run.t[0] <= t[0] <= run.t_end:
        return np.empty(0)
    found = eigenvalues_at(run, float(t[0]))
    return moduli_of_pairs(t, found[np.newaxis, np.argsort(-np.abs(found), kind="stable")])[1][0]


def _value(now: Callable[[float], Array | None], k: int, t: float) -> tuple[float, float, bool] | None:
    moduli = now(t)
    return None if moduli is None or k >= len(moduli) else (t, float(moduli[k]), False)


PLOT = EigenvaluesPlot()
