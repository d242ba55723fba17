"""The steps that the solver took, and those it had to take back."""

from __future__ import annotations

import numpy as np

from gui.qt.plots.pens import run_pen
from gui.qt.plots.plot import Trace
from gui.qt.plots.time_plot import TimePlot
from gui.qt.widgets.quiet import on_ground


class StepSizePlot(TimePlot):
    """Accepted steps as a staircase, rejected ones as crosses, on a logarithmic axis."""

    key, title, order, default = "step-size", "Step size", 40, True
    logarithmic = True

    def explanation(self) -> str:
        return "× rejected" if any(trace.symbol for trace in self.shown) else ""

    def value_title(self) -> tuple[str, str]:
        return "step", "s"

    def traces(self) -> list[Trace]:
        made: list[Trace] = []
        for row in self.visible_rows():
            if row.run is None:
                continue
            log = row.run.log
            size, good = np.abs(log.h), np.asarray(log.accepted, dtype=bool)
            times, steps = staircase(log.t[good], log.h[good])
            made.append(self.trace(row, times, steps))
            if not good.all():
                cross = run_pen(on_ground(row.colour, self.palette()), "solid", 1.3)
                name = f"{row.label}, rejected"
                made.append(
                    self.trace(
                        row, log.t[~good], size[~good], pen=cross, name=name, symbol="x", legend=False, wild=True
                    )
                )
        return made


def staircase(t: np.ndarray, h: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of every step at its size, (2n,) each, from the steps' beginnings `t` and signed sizes `h`, (n,)."""
    return np.stack((t, t + h), axis=1).ravel(), np.repeat(np.abs(h), 2)
