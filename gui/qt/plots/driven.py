"""What the torques are good for: the tool's error of the arm that is driven by them."""

from __future__ import annotations

import numpy as np

from gui.app import formatting as readouts
from gui.qt.plots.data import error_name
from gui.qt.plots.plot import Trace
from gui.qt.plots.time_plot import TimePlot


class DrivenPlot(TimePlot):
    """The error of every visible run's driven arm, on a logarithmic axis."""

    key, title, order, default = "driven", "Driven by the torque", 20, True
    special = True
    logarithmic = True

    def variants(self) -> list[tuple[str, str]]:
        found: dict[str, str] = {}
        for row in self.visible_rows():
            if row.run is not None and row.run.companion is not None:
                found |= {key: error_name(key) for key in row.run.companion.errors}
        return list(found.items())

    def explanation(self) -> str:
        return "driven by the torque, against the desired path" if self.variant else ""

    def emptiness(self) -> str:
        return "Choose how the torque is held, under Task, to drive the arm with it."

    def value_title(self) -> tuple[str, str]:
        return "error", readouts.error_unit(self.variant)

    def traces(self) -> list[Trace]:
        made: list[Trace] = []
        for row in self.visible_rows():
            follower = row.run.companion if row.run is not None else None
            if follower is not None and self.variant in follower.errors:
                made.append(self.trace(row, np.asarray(follower.t), np.asarray(follower.errors[self.variant])))
        return made
