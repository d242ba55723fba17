"""How far the tool's orientation is from the desired one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gui.charts.plots.error import ErrorPlot
from gui.charts.shown import Shown
from robots.model.chart import Chart


class OrientationErrorPlot(ErrorPlot):
    """The errors of an orientation."""

    key, title, order, default, special, each = "orientation", "Orientation error", 12, True, True, True

    def variants(self, shown: Shown) -> Mapping[str, str]:
        found = {key: name for key, name in super().variants(shown).items() if key.startswith("orientation")}
        return {key: name.removeprefix("orientation (").removesuffix(")") for key, name in found.items()}

    def chart(self, shown: Shown, variant: str) -> Chart:
        chart = super().chart(shown, variant)
        return chart if variant else replace(chart, empty="The task leaves the orientation free")


PLOT = OrientationErrorPlot()
