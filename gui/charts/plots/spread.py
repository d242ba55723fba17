"""How far the members of an ensemble are from its middle."""

from __future__ import annotations

import numpy as np

from assets.polylines import stripe
from gui.app.units import reading
from gui.charts.plot import Plot
from gui.charts.plots.difference import growth_rate
from gui.charts.shown import Shown, untrusted
from robots.ensembles.statistics import AGREEING, SHARES
from robots.model.chart import Axis, Band, Chart, Curve

COMPUTING = "The ensemble is being computed…"
NO_ENSEMBLE = "To draw many runs around this one, add a field under Ensemble in the Scenario panel."


class SpreadPlot(Plot):
    """The quantiles of the members' distances from the median tip, and until when the ensemble agrees."""

    key, title, order = "spread", "Spread of the ensemble", 16

    def chart(self, shown: Shown, variant: str) -> Chart:
        curves: list[Curve] = []
        stripes: list[Curve] = []
        notes: list[str] = []
        bands: list[Band] = []
        unit = "m"
        for row, run in shown.runs:
            if (found := row.ensemble) is None:
                continue
            unit = "m" if found.has_tips else "rad"
            rows = found.distances
            middle = shown.curve(row, found.times, rows[SHARES.index(0.5)], "half of the members")
            curves.append(middle)
            x, y = stripe(found.times, rows[0], rows[-1])
            name = f"{middle.name}, 5 to 95% of the members"
            stripes.append(Curve(x, y, name, middle.run, middle.colour, joined=False, listed=False, mark="stripe"))
            rate = growth_rate(found.times, middle.y, run.shape(0.0).radius if found.has_tips else 1.0)
            notes += [] if rate is None else [f"grows at {reading(rate, '/s')}"]
            if row is shown.current and found.agrees_until is not None:
                there = found.runs.size - len(found.missing)
                some = f" of {there} members" if len(found.missing) else ""
                notes.append(f"{AGREEING:.0%}{some} agree until {reading(found.agrees_until, 's')}")
                bands += untrusted([found.agrees_until], [float(found.times[-1])])
        axis = Axis("distance from the median", unit, "log", early=None)
        kept = tuple(curve for curve in (*curves, *stripes) if np.isfinite(curve.y).any())
        coming = (row for row, _ in shown.runs if row.ensemble is None and row.scenario.ensemble is not None)
        empty = next((row.ensemble_message or COMPUTING for row in coming), NO_ENSEMBLE)
        return Chart(y=axis, curves=kept, note="; ".join(notes), bands=tuple(bands), empty=empty)


PLOT = SpreadPlot()
