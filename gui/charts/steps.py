"""The steps of the runs as ticks on lanes, one below the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.app import units
from gui.app.formatting import method_name
from gui.app.table.distinctions import names as names_of
from gui.charts import colours
from gui.charts.shown import remembered, untrusted
from robots.model.chart import Array, Axis, Band, Chart, Curve

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from robots.scenario.scenario import Scenario
    from robots.simulation.run import Run

HIGH, CROSSES, TOP = 0.74, 0.84, 1.0
"""Height of a lone step's tick, where rejected steps have their crosses, and the lane's upper edge."""

REJECTED, FAILED = "rejected", "a fixed step that failed"
"""What marks of lost attempts stand for, as their curves' names end."""

SIGNS = {"cross": "×", "square": "■", "triangle": "▵"}
"""Of marks, in what is said of a chart."""

LOST = {REJECTED: "cross", FAILED: "square"}
"""The mark of each: no step is in the other's place, as counts of them are not."""

DENSE = 0.3
"""Where more than this part of the columns has a step, steps are drawn as a density and no longer one by one."""


APART = 4
"""Steps that are further apart than so many columns are no crowd."""

LEAST_BOX = 9
"""A crowd has more columns with steps than this, and its density is a mean over at least so many."""

HEIGHT = "Where ticks merge: the higher, the denser the steps of that run"
"""What the height of a crowd says."""


def steps_chart(rows: Iterable[RunRow]) -> Chart:
    """The accepted steps of each run as ticks where they ended.

    Crosses stand where rejected ones began, a square where one that failed did, triangles for impacts.
    The first run's reference is not trusted where the ground is grey.
    """
    curves: list[Curve] = []
    names: list[str] = []
    bands: tuple[Band, ...] = ()
    shown = [(row, row.run) for row in rows if row.run is not None]
    own = [row for row, _ in shown]
    # Beside a lane there is little room; a legend has the method's whole name.
    briefly, titles = names_of(own, _briefly), names_of(own)
    for (row, run), name, title in zip(shown, briefly, titles, strict=True):
        base = -float(len(names))
        if not names and row.reference is not None:
            bands = untrusted([float(row.reference.trusted_until)], [float(run.t_end)])
        names.append(name)
        taken, rejected, failed = step_ends(run)
        lost = (rejected, REJECTED), (failed, FAILED)
        impacts = np.array([impact.t for impact in run.impacts])
        for some, mark, up, colour, kind in (
            (taken, "tick", 0.0, row.colour, ""),
            *((some, LOST[kind], CROSSES, colours.REJECTED, kind) for some, kind in lost),
            *([(impacts, "triangle", CROSSES, row.colour, "impacts")] if len(impacts) else ()),
        ):
            place = np.full(len(some), base + up)
            listed = not kind
            what = f"{title}, {kind}" if kind else title
            looks = title, colour, row.dash
            curve = Curve(some, place, what, *looks, joined=False, mark=mark, listed=listed)
            curves.append(replace(curve, filled=kind == FAILED))
    triangles = f"{SIGNS['triangle']} impact on a stop" if any(curve.mark == "triangle" for curve in curves) else ""
    note = "; ".join(filter(None, (lost_text(curves), triangles)))
    said = [steps_text(run) for _, run in shown]
    said = said if len(said) < 2 else [f"{title}: {text}" for title, text in zip(titles, said, strict=True)]
    if any(curve.mark == "tick" and curve.x.size > LEAST_BOX for curve in curves):
        said.append(HEIGHT[0].lower() + HEIGHT[1:])
    axis = Axis(whole=True, names=tuple(names))
    view = (0.0, 1.0, 1.0 - len(names), TOP)
    return Chart(y=axis, curves=tuple(curves), note=note, details="; ".join(said), bands=bands, view=view)


def lost_text(curves: Iterable[Curve]) -> str:
    """What the crosses and squares of a chart of steps stand for; empty without any."""
    drawn = [curve.name for curve in curves if curve.x.size]
    kinds = [kind for kind in LOST if any(name.endswith(f", {kind}") for name in drawn)]
    return "; ".join(f"{SIGNS[LOST[kind]]} {kind}" for kind in kinds)


def signs_of(chart: Chart) -> dict[str, Curve]:
    """A curve whose marks each sign in the chart's note stands for: a legend is in the colour of what it explains.

    Marks of several colours, such as those of several runs, have a sign in the colour of the words.
    """
    found = {}
    for mark, sign in SIGNS.items():
        drawn = [curve for curve in chart.curves if curve.mark == mark and curve.x.size]
        if sign in chart.note and len({(one.tint or one.colour, one.shade, one.faded) for one in drawn}) == 1:
            found[sign] = drawn[0]
    return found


def steps_text(run: Run) -> str:
    """How many steps the run took and how long they are: `1 000 steps of 10 ms`, `80 steps of 1.2 ms to 60 ms`.

    Of fixed steps it is the longest one that was taken up to each break: a method of several steps divides the time up
    to there evenly, and others cut the last one short.
    """
    number = units.count(run.counts.steps, "step")
    logs = [(phase.scenario.step, phase.solution.log) for phase in run.phases]
    taken = [(step, sizes) for step, log in logs if (sizes := np.abs(log.h[log.accepted])).size]
    if not taken:
        return number
    if any(step is None for step, _ in taken):
        every, digits = np.concatenate([sizes for _, sizes in taken]), 2
    else:
        # One that is all there is between two breaks is cut short, too.
        whole = [sizes.max() for step, sizes in taken if sizes.size > 1 or sizes[0] >= (1.0 - 1e-9) * (step or 0.0)]
        every, digits = np.array(whole or [sizes.max() for _, sizes in taken]), None
        each = dict.fromkeys(units.quantity(float(size), "s", digits) for size in every)
        if len(each) <= 2:
            return f"{number} of {' and '.join(each)}"
    low, high = (units.quantity(float(size), "s", digits) for size in (every.min(), every.max()))
    return f"{number} of {low}" if low == high else f"{number} of {low} to {high}"


def _briefly(scenario: Scenario) -> str:
    """What a method is called in little room: without other names in brackets."""
    return method_name(scenario).partition(" (")[0]


def step_ends(run: Run) -> tuple[Array, Array, Array]:
    """When the run's accepted steps ended, and when rejected ones and a fixed one that failed began, in order [s].

    A lost attempt led nowhere: the solution stays, or ends, where it began, as in the plot of step sizes.
    They are sorted once, not for each report.
    """

    def found() -> tuple[Array, Array, Array]:
        taken, failed, starts = run.log.accepted.astype(bool), run.failed_attempts, run.log.t
        return np.sort((starts + run.log.h)[taken]), np.sort(starts[~taken & ~failed]), np.sort(starts[failed])

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
    """Heights 0 .. 1 of the columns, (n,): lone steps are full ticks; dense ones grow with their number.

    Only within a crowd is there a density: a lone step beside one stays a tick where it ends.
    """
    filled = np.flatnonzero(counts)
    if len(filled) == 0:
        return np.zeros(len(counts))
    tall = (counts > 0).astype(float)
    if len(filled) < DENSE * (filled[-1] - filled[0] + 1):
        return tall
    smooth = np.zeros(len(counts))
    for crowd in np.split(filled, np.flatnonzero(np.diff(filled) > APART) + 1):
        if len(crowd) > LEAST_BOX:
            extent = slice(crowd[0], crowd[-1] + 1)
            smooth[extent] = _density(counts[extent])
    return np.where(smooth > 0, 0.25 + 0.6 * np.sqrt(smooth / max(smooth.max(), 1e-300)), tall)


def _density(counts: NDArray[np.int64]) -> Array:
    """The mean number of steps around each of a crowd's columns, (n,)."""
    # So wide a box that a constant step gives a constant height, and no pattern of ones and twos.
    box = np.ones(min(int(np.clip(24 * len(counts) / counts.sum(), LEAST_BOX, 61)), len(counts)))
    return np.convolve(counts, box, "same") / np.convolve(np.ones(len(counts)), box, "same")
