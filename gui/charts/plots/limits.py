"""Joint angles and rates as parts of their limits."""

from __future__ import annotations

from gui.charts.plots._series import SeriesPlot


class LimitsPlot(SeriesPlot):
    """Angles and rates relative to their limits, which are lines at 1 and -1."""

    key, title, order, default, special = "limits", "Limits", 22, True, True
    keys = ("limits", "speeds")


PLOT = LimitsPlot()
