"""Where the tip of the arm went, seen along one axis of the world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gui.charts.plot import Plot
from gui.charts.shown import Shown, at_a_time, tip
from robots.model.chart import Array, Axis, Chart, Curve

if TYPE_CHECKING:
    from robots.simulation.run import Run

PLANES = {"xz": ("from the front", 0, 2), "xy": ("from above", 0, 1), "yz": ("from the side", 1, 2)}


class TipPathPlot(Plot):
    """The tip's path, projected; both axes have one scale."""

    key, title, order, plane = "tip-path", "Tip path", 70, True

    def variants(self, shown: Shown) -> Mapping[str, str]:
        """The plane in which the runs move most comes first."""
        paths = [path for _, run in shown.runs if (path := tip(run)[1]).size]
        spread = np.ptp(np.concatenate(paths), axis=0) if paths else np.ones(3)
        keys = sorted(PLANES, key=lambda key: -float(spread[PLANES[key][1]] * spread[PLANES[key][2]]))
        return {key: PLANES[key][0] for key in keys}

    def chart(self, shown: Shown, variant: str) -> Chart:
        _, across, up = PLANES[variant]
        curves: list[Curve] = []
        for row, run in shown.runs:
            t, path = tip(run)
            if path.size:
                exact = at_a_time(run, partial(_point, across, up))
                curves.append(replace(shown.curve(row, path[:, across], path[:, up]), t=t, exact=exact))
        x, y = Axis("xyz"[across], "m", whole=True), Axis("xyz"[up], "m", whole=True)
        return Chart(x=x, y=y, curves=tuple(curves), empty="This robot has no tip.", equal=True)


def _point(across: int, up: int, run: Run, t: Array) -> tuple[float, float]:
    place = run.tip(t)[0]
    return float(place[across]), float(place[up])


PLOT = TipPathPlot()
