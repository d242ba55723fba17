"""Poles and zeros of an arm that bends as a chart of the complex plane."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gui.charts.colours import COLOURS, NEUTRAL
from gui.charts.plot import NOT_COMPUTED
from robots.model.chart import Axis, Band, Chart, Curve

if TYPE_CHECKING:
    from robots.dynamics.flexible.analysis import Zeros

FURTHEST = 1e5
HELP = (
    "Rings: zeros, the motions that the tool does not show. Crosses: poles of the arm with free motors.\n"
    "Faint: along the whole motion. The axes are logarithmic beyond ±1 /s. The right half-plane is unstable."
)


def zeros_chart(found: Zeros | None) -> Chart:
    """Zeros as rings, poles as crosses: their whole way faint, and with the times at which they are where."""
    across, up = Axis("Re", "1/s", "asinh", whole=True), Axis("Im", "1/s", "asinh", whole=True)
    if found is None:
        return Chart(x=across, y=up, empty=NOT_COMPUTED)
    known = np.concatenate([found.zeros.ravel(), found.poles.ravel()])
    known = known[~np.isnan(known)]
    largest = max(np.abs(known.real).max(initial=10.0), np.abs(known.imag).max(initial=10.0))
    reach = 1.6 * min(float(largest), FURTHEST)
    curves = []
    for table, mark, colour, name in (
        (found.zeros, "circle", COLOURS[0], "zeros"),
        (found.poles, "cross", NEUTRAL, "poles"),
    ):
        for number, way in enumerate(table.T):
            there = ~np.isnan(way)
            z, t = way[there], found.t[there]
            unstable = z.real > 1e-6 * np.abs(z) if name == "zeros" else None
            looks = Curve(z.real, z.imag, name, colour=colour, joined=False, mark=mark, faded=True, t=t, alarm=unstable)
            curves.append(replace(looks, listed=number == 0))
    bands = (Band(0.0, np.inf, tone="unstable"),)
    return Chart(x=across, y=up, curves=tuple(curves), bands=bands, view=(-reach, reach, -reach, reach))
