"""The steps of the runs as ticks on lanes, one below the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.app.formatting import short_name
from gui.app.table.distinctions import names as names_of
from gui.charts import colours
from gui.charts.shown import remembered
from robots.model.chart import Array, Axis, Band, Chart, Curve

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from robots.scenario.scenario import Scenario
    from robots.simulation.run import Run

HIGH, REJECTED, TOP = 0.74, 0.84, 1.0
"""Height of a lone step's tick, where rejected steps have their crosses, and the lane's upper edge."""

DENSE = 0.3
"""Where more than this part of the columns has a step, steps are drawn as a density and no longer one by one."""


def steps_chart(rows: Iterable[RunRow]) -> Chart:
    """The accepted steps of each run as ticks where they ended; crosses for rejected ones, triangles for impacts.

    The first run's reference is not trusted where the ground is grey.
    """
    curves: list[Curve] = []
    names: list[str] = []
    trusted = np.inf
    shown = [(row, row.run) for row in rows if row.run is not None]
    own = [row for row, _ in shown]
    # Beside a lane there is little room; a legend has the method's whole name.
    briefly, titles = names_of(own, _briefly), names_of(own)
    for (row, run), name, title in zip(shown, briefly, titles, strict=True):
        base = -float(len(names))
        if not names and row.reference is not None:
            trusted = float(row.reference.trusted_until)
        names.append(name)
        taken, rejected = step_ends(run)
        impacts = np.array([impact.t for impact in run.impacts])
        for some, mark, up, colour, kind in (
            (taken, "tick", 0.0, row.colour, ""),
            (rejected, "cross", REJECTED, colours.REJECTED, "rejected"),
            *([(impacts, "triangle", REJECTED, row.colour, "impacts")] if len(impacts) else ()),
        ):
            place = np.full(len(some), base + up)
            listed = not kind
            what = f"{title}, {kind}" if kind else title
            looks = title, colour, row.dash
            curves.append(Curve(some, place, what, *looks, joined=False, mark=mark, listed=listed))
    bands = (Band(trusted),) if np.isfinite(trusted) else ()
    note = "× rejected" + ("; ▵ impact on a stop" if any(curve.mark == "triangle" for curve in curves) else "")
    axis = Axis(whole=True, names=tuple(names))
    view = (0.0, 1.0, 1.0 - len(names), TOP)
    return Chart(y=axis, curves=tuple(curves), note=note, bands=bands, view=view)


def _briefly(scenario: Scenario) -> str:
    """What a method is called in little room: as on its button, without other names in brackets."""
    return short_name(scenario).partition(" (")[0]


def step_ends(run: Run) -> tuple[Array, Array]:
    """When the run's accepted steps ended, and its rejected ones, in order [s]: sorted once, not for each report."""

    def found() -> tuple[Array, Array]:
        taken, ends = run.log.accepted.astype(bool), run.log.t + run.log.h
        return np.sort(ends[taken]), np.sort(ends[~taken])

    return remembered(run, "step ends", found)


def ticks_of(x: Array, base: float, start: float, end: float, columns: int) -> tuple[Array, Array]:
    """The lower and upper ends of the ticks at `x`, one for each of the drawing's columns, (2m,) each.

    Args:
        x: where the ticks are, (n,).
        base: their lower end.
        start, end: the shown part of the axis.
        columns: of the drawing [px].
    """
    inside = x[(x >= start) & (x <= end)]
    at = np.rint((inside - start) / (end - start) * columns).astype(np.int64)
    tall = heights(np.bincount(np.clip(at, 0, columns), minlength=columns + 1))
    filled = np.flatnonzero(tall)
    places = start + filled / columns * (end - start)
    ends = np.stack((np.full(len(filled), base), base + HIGH * tall[filled]), axis=1)
    return np.repeat(places, 2), ends.ravel()


def heights(counts: NDArray[np.int64]) -> Array:
    """Heights 0 .. 1 of the columns, (n,): lone steps are full ticks; dense ones grow with their number."""
    filled = np.flatnonzero(counts)
    if len(filled) == 0:
        return np.zeros(len(counts))
    extent = filled[-1] - filled[0] + 1
    if len(filled) < DENSE * extent:
        return (counts > 0).astype(float)
    # So wide a box that a constant step gives a constant height, and no pattern of ones and twos.
    box = np.ones(int(np.clip(24 * extent / counts.sum(), 9, 61)))
    smooth = np.convolve(counts, box, "same")[: len(counts)]
    inside = np.zeros(len(counts))
    inside[filled[0] : filled[-1] + 1] = 1.0
    smooth /= np.convolve(inside, box, "same")[: len(counts)].clip(1.0)
    smooth[: filled[0]] = smooth[filled[-1] + 1 :] = 0.0
    return np.where(smooth > 0, 0.25 + 0.6 * np.sqrt(smooth / smooth.max()), 0.0)
