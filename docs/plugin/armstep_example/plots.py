"""The kinetic energy of the joints, if all their inertias were 1 kg m2."""

from __future__ import annotations

import numpy as np

from gui.charts.plot import Plot
from gui.charts.shown import Shown, columns
from robots.model.chart import Axis, Chart


class LivelinessPlot(Plot):
    """Half the sum of the squared joint rates."""

    key, title, order, default = "liveliness", "Liveliness", 32, True

    def chart(self, shown: Shown, variant: str) -> Chart:
        """One curve for each run."""
        curves = []
        for row, run in shown.runs:
            t, values = columns(run)
            rates = [values[name] for name in values if name[0] == "v" and name[1:].isdigit()]
            if rates:
                curves.append(shown.curve(row, t, 0.5 * np.square(rates).sum(axis=0)))
        return Chart(y=Axis("liveliness", "J"), curves=tuple(curves), empty="This robot has no joints.")


PLOT = LivelinessPlot()
