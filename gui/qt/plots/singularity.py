"""How near the arm is to a singular posture."""

from __future__ import annotations

from gui.qt.plots.extra import SeriesPlot


class SingularityPlot(SeriesPlot):
    """Manipulability and smallest singular value, over a band that turns amber near a singular posture."""

    key, title, order, default = "singularity", "Manipulability", 24, True
    special = True
    keys = ("manipulability", "singular-value")
    logarithmic = True
