"""How close the arm is to a singular posture."""

from __future__ import annotations

from gui.charts.plots._series import SeriesPlot


class SingularityPlot(SeriesPlot):
    """Manipulability, smallest singular value and Cholesky pivot; the band turns amber near a singular posture."""

    key, title, order, default, special = "singularity", "Manipulability", 24, True, True
    keys = ("manipulability", "singular-value", "pivot")
    scale = "log"


PLOT = SingularityPlot()
