"""How far the tool's orientation is from the desired one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gui.app.formatting import ORIENTATION
from gui.charts.plots.error import ErrorPlot
from gui.charts.shown import Shown
from robots.model.chart import Chart
from robots.model.quantities import error_parts


class OrientationErrorPlot(ErrorPlot):
    """The errors of an orientation."""

    key, title, order, default, special, each = "orientation", "Orientation error", 12, True, True, True

    def variants(self, shown: Shown) -> Mapping[str, str]:
        found = {key: error_parts(key)[0] for key in super().variants(shown)}
        return {key: ORIENTATION[quantity] for key, quantity in found.items() if quantity in ORIENTATION}

    def chart(self, shown: Shown, variant: str) -> Chart:
        chart = super().chart(shown, variant)
        return chart if variant else replace(chart, empty="The task leaves the orientation free")


PLOT = OrientationErrorPlot()
