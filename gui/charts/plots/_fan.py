"""The fan of an ensemble: stripes between the quantiles of its members, and a line at their median."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from assets.polylines import stripe
from robots.ensembles.statistics import SHARES
from robots.model.chart import Curve

if TYPE_CHECKING:
    from gui.app.runs import RunRow

MEDIAN = SHARES.index(0.5)


def fans_of(row: RunRow, curves: Mapping[str, Curve], per_si: float) -> list[Curve]:
    """The fans of a row's ensemble around its curves, in their colours; nothing without an ensemble.

    Args:
        row: the run.
        curves: its curves, by the output that each shows.
        per_si: how many of the shown unit make one SI unit.
    """
    if row.ensemble is None:
        return []
    made: list[Curve] = []
    for name, curve in curves.items():
        if (rows := row.ensemble.quantiles.get(name)) is None:
            continue
        plain = replace(curve, listed=False, joined=False, awaited=False)
        for low in range(MEDIAN - 1, -1, -1):
            high = len(SHARES) - 1 - low
            x, y = stripe(row.ensemble.times, per_si * rows[low], per_si * rows[high])
            shares = f"{100.0 * SHARES[low]:.0f} to {SHARES[high]:.0%}"
            made.append(replace(plain, x=x, y=y, name=f"{curve.name}, {shares} of the members", mark="stripe"))
        median = replace(plain, x=row.ensemble.times, y=per_si * rows[MEDIAN], joined=True, faded=True)
        made.append(replace(median, name=f"{curve.name}, median of the members", width=0.7))
    return made
