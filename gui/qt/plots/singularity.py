"""How near the arm is to a singular posture."""

from __future__ import annotations

from gui.qt.plots.extra import SeriesPlot


class SingularityPlot(SeriesPlot):
    """Manipulability, smallest singular value and Cholesky pivot; the band turns amber near a singular posture."""

    key, title, order, default = "singularity", "Manipulability", 24, True
    special = True
    keys = ("manipulability", "singular-value", "pivot")
    logarithmic = True
