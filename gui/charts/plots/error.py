"""The errors of the runs: against the reference run, or against the path of the task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gui.app.formatting import error_against, error_name, error_unit
from gui.app.run_texts import TRACKING
from gui.app.units import clock
from gui.charts.plot import NOT_COMPUTED, Plot
from gui.charts.shown import Shown, broke_off, untrusted
from robots.model.chart import Axis, Chart, Curve


class ErrorPlot(Plot):
    """The error of every shown run, on a logarithmic axis; grey where the reference cannot be trusted."""

    key, title, order, default, each = "error", "Error", 10, True, True

    def variants(self, shown: Shown) -> Mapping[str, str]:
        """Every error of a shown run, those against the reference first unless a path is tracked."""
        against: dict[str, str] = {}
        tracking: dict[str, str] = {}
        for row, run in shown.runs:
            for key in row.reference.errors if row.reference is not None else ():
                against.setdefault(key, error_name(key, row.scenario))
            for key in run.errors:
                if not key.startswith("energy"):
                    tracking.setdefault(key, error_name(key, row.scenario))
        return {**tracking, **against} if TRACKING in tracking else {**against, **tracking}

    def chart(self, shown: Shown, variant: str) -> Chart:
        curves: list[Curve] = []
        trusted: list[float] = []
        ends: list[float] = []
        for row, run in shown.runs:
            if row.reference is not None and variant in row.reference.errors:
                trusted.append(float(row.reference.trusted_until))
                ends.append(float(row.reference.t[-1]))
                curves += _judged(shown.curve(row, row.reference.t, row.reference.errors[variant]), trusted[-1])
            elif variant in run.errors:
                curves.append(replace(shown.curve(row, run.t, run.errors[variant]), wild=broke_off(run)))
        axis = Axis("error", error_unit(variant, shown.current.scenario), "log", early=None)
        bands = untrusted(trusted, ends)
        note = f"against {error_against(variant) or 'what must stay constant'}" if variant else ""
        if trusted and max(trusted) < shown.current.scenario.duration:
            note += f", trusted until {clock(max(trusted))}"
        return Chart(y=axis, curves=tuple(curves), note=note, empty=_emptiness(shown), bands=bands)


def _judged(curve: Curve, trusted_until: float) -> list[Curve]:
    """The curve in two parts, the second of which cannot be trusted."""
    trusted = int(np.searchsorted(curve.x, trusted_until, side="right"))
    if trusted == curve.x.size:
        return [curve]
    rest, name = slice(max(0, trusted - 1), None), f"{curve.run}, reference not trusted"
    grey = replace(curve, x=curve.x[rest], y=curve.y[rest], name=name, faded=True, awaited=False, listed=False)
    return [replace(curve, x=curve.x[:trusted], y=curve.y[:trusted]), grey]


def _emptiness(shown: Shown) -> str:
    row = shown.current
    states = {
        "computing": "The reference run is being computed…",
        "unavailable": row.reference_message or "This scenario has no reference run.",
        "failed": row.reference_message or "The reference run could not be computed.",
    }
    return states.get(row.reference_state, NOT_COMPUTED)


PLOT = ErrorPlot()
