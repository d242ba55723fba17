"""Where the tip of the arm went, seen along one axis of the world."""

from __future__ import annotations

from typing import Any

import numpy as np

from gui.qt.plots.data import Array, tip
from gui.qt.plots.plane_plot import PlanePlot
from gui.qt.plots.plot import Trace

PLANES = {"xz": ("from the front", 0, 2), "xy": ("from above", 0, 1), "yz": ("from the side", 1, 2)}


class TipPathPlot(PlanePlot):
    """The tip's path, projected; both axes have one scale."""

    key, title, order = "tip-path", "Tip path", 70
    equal_scales = True

    def variants(self) -> list[tuple[str, str]]:
        """The plane in which the current run moves most comes first."""
        paths = [self._path(row)[1] for row in self._rows()]
        spread = np.ptp(np.concatenate(paths), axis=0) if paths else np.ones(3)
        keys = sorted(PLANES, key=lambda key: -float(spread[PLANES[key][1]] * spread[PLANES[key][2]]))
        return [(key, PLANES[key][0]) for key in keys]

    def emptiness(self) -> str:
        return "This robot has no tip."

    def titles(self) -> tuple[str, str]:
        _, across, up = PLANES[self.variant]
        return f"{'xyz'[across]} [m]", f"{'xyz'[up]} [m]"

    def traces(self) -> list[Trace]:
        _, across, up = PLANES[self.variant]
        return [self.trace(row, path[:, across], path[:, up]) for row in self._rows() for path in [self._path(row)[1]]]

    def times(self) -> list[Array]:
        return [self._path(row)[0] for row in self._rows()]

    def _rows(self) -> list[Any]:
        return [row for row in self.visible_rows() if row.run is not None and self._path(row)[1].size]

    def _path(self, row: Any) -> tuple[Array, Array]:
        return tip(row.run)
