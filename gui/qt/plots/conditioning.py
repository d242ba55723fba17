"""How well an implicit step can be solved at all."""

from __future__ import annotations

from typing import Any

import numpy as np

from gui.qt.plots.data import Array
from gui.qt.plots.plot import Trace
from gui.qt.plots.time_plot import TimePlot

NAMES = {"condition": "condition number", "newton": "Newton iterations"}


class ConditioningPlot(TimePlot):
    """Condition number of the iteration matrix, or Newton's iterations, of every step; on a logarithmic axis."""

    key, title, order, default = "conditioning", "Conditioning", 42, True
    special = True
    logarithmic = True

    def variants(self) -> list[tuple[str, str]]:
        told = {
            key for row in self.visible_rows() if row.run is not None for key in NAMES if len(_told(row.run, key)[0])
        }
        return [(key, name) for key, name in NAMES.items() if key in told]

    def emptiness(self) -> str:
        return "The method tells neither a condition number nor iterations."

    def value_title(self) -> tuple[str, str]:
        return NAMES.get(self.variant, ""), ""

    def traces(self) -> list[Trace]:
        made: list[Trace] = []
        for row in self.visible_rows():
            if row.run is not None and self.variant:
                made.append(self.trace(row, *_told(row.run, self.variant)))
        return made


def _told(run: Any, key: str) -> tuple[Array, Array]:
    """Times at which steps ended and what the log says of them; empty where it says nothing."""
    log = run.log
    values = np.asarray(getattr(log, key), dtype=float)
    known = log.accepted & np.isfinite(values) & (values > 0.0)
    return (log.t + log.h)[known], values[known]
