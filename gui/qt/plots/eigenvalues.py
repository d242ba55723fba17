"""How stiff the equations are: their eigenvalues along the run, beside the steps that the method can afford."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gui.app.units import SUBSCRIPTS
from gui.qt.plots.data import Array
from gui.qt.plots.pens import run_pen, shade
from gui.qt.plots.plot import Trace
from gui.qt.plots.step_size import staircase
from gui.qt.plots.time_plot import TimePlot
from gui.qt.widgets.quiet import on_ground

FEW, NAMED = 9, 3


class EigenvaluesPlot(TimePlot):
    """|lambda| of the linearised equations and 1/h of every step; a method free of stability limits steps far below."""

    key, title, order, default = "eigenvalues", "Eigenvalues", 44, True
    special = True
    logarithmic = True

    def emptiness(self) -> str:
        return "These equations have no eigenvalues to show."

    def value_title(self) -> tuple[str, str]:
        return "|λ|, 1/h", "1/s"

    def traces(self) -> list[Trace]:
        made: list[Trace] = []
        for row in self.visible_rows():
            if row.run is None:
                continue
            log, good = row.run.log, np.asarray(row.run.log.accepted, dtype=bool)
            times, steps = staircase(log.t[good], log.h[good])
            pen = run_pen(on_ground(row.colour, self.palette()), row.dash, 2.2)
            made.append(self.trace(row, times, 1.0 / steps, pen=pen, name="1/h"))
            instants, moduli = one_of_each_pair(*row.run.eigenvalues)
            named = len(moduli.T) if len(moduli.T) <= FEW else NAMED
            for k, values in enumerate(moduli.T):
                thin = run_pen(shade(row.colour, k + 1, len(moduli.T) + 1, self.palette()), row.dash, 1.0)
                name, shown = f"λ{k + 1}".translate(SUBSCRIPTS), k < named and row is self.session.runs.current
                made.append(self.trace(row, instants, values, pen=thin, name=name, legend=shown))
        return made


def one_of_each_pair(times: Array, eigenvalues: NDArray[np.complex128]) -> tuple[Array, Array]:
    """Times (m,) and moduli (m, k) of eigenvalues (m, d), the largest first, filled up with nan.

    A conjugate pair counts once, and 0, which a logarithmic axis cannot show, not at all.
    """
    whole = np.abs(eigenvalues)
    seen = (eigenvalues.imag >= 0.0) & (whole > 0.0)
    rows = [moduli[keep] for moduli, keep in zip(whole, seen, strict=True)]
    moduli = np.full((len(rows), max(map(len, rows), default=0)), np.nan)
    for into, row in zip(moduli, rows, strict=True):
        into[: len(row)] = row
    return times, moduli
