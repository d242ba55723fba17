"""Poles and zeros of an arm that bends as a chart of the complex plane."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.charts.colours import COLOURS, NEUTRAL
from gui.charts.plot import NOT_COMPUTED
from gui.charts.shown import latest
from robots.model.chart import Axis, Band, Chart, Curve

if TYPE_CHECKING:
    from robots.dynamics.flexible.analysis import Complex, Zeros
    from robots.simulation.run import Run

FURTHEST = 1e5
HELP = (
    "Rings: zeros, the motions that the tool does not show. Crosses: poles of the arm with free motors.\n"
    "Faint: along the whole motion. The axes are logarithmic beyond ±1 /s. The right half-plane is unstable."
)


def chart_of_run(run: Run, found: Zeros) -> Chart:
    """The chart of a run, whose large marks are the poles and zeros at the playhead itself."""
    from robots.dynamics.flexible.run_analysis import zeros_along

    start, end = float(run.t[0]), run.t_end
    return zeros_chart(found, latest(run, lambda there, t: zeros_along(there, np.clip(t, start, end))))


def zeros_chart(found: Zeros | None, now: Callable[[float], Zeros | None] | None = None) -> Chart:
    """Zeros as rings, poles as crosses: their whole way faint, and with the times at which they are where.

    Args:
        found: along the run.
        now: at one time; None takes the marks at the playhead from those along the run.
    """
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
            unstable = _unstable(z) if name == "zeros" else None
            looks = Curve(z.real, z.imag, name, colour=colour, joined=False, mark=mark, faded=True, t=t, alarm=unstable)
            live = None if now is None else partial(_mark, now, name, number)
            curves.append(replace(looks, listed=number == 0, live=live))
    bands = (Band(0.0, np.inf, tone="unstable"),)
    return Chart(x=across, y=up, curves=tuple(curves), bands=bands, view=(-reach, reach, -reach, reach))


def _unstable(z: Complex) -> NDArray[np.bool_]:
    return np.asarray(z.real > 1e-6 * np.abs(z))


def _mark(now: Callable[[float], Zeros | None], name: str, number: int, t: float) -> tuple[float, float, bool] | None:
    """Where one of the poles or zeros is at a time, and whether it is an unstable zero; None where it is unknown."""
    if (found := now(t)) is None:
        return None
    z = (found.zeros if name == "zeros" else found.poles)[0, number : number + 1]
    if not len(z) or np.isnan(z[0]):
        return None
    return float(z[0].real), float(z[0].imag), name == "zeros" and bool(_unstable(z)[0])
