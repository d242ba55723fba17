"""The errors of the runs: against the reference run, the path of the task, or a recording beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gui.app.formatting import error_against, error_name, error_unit
from gui.app.run_texts import TRACKING
from gui.app.units import clock
from gui.charts.plot import NOT_COMPUTED, Plot
from gui.charts.shown import Shown, broke_off, columns, remembered, untrusted
from robots.model.chart import Array, Axis, Chart, Curve

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from robots.simulation.run import Run

BESIDE = " from "
"""Between the key of a distance and the name of the recording that it is measured from."""


class ErrorPlot(Plot):
    """The error of every shown run, on a logarithmic axis; grey where the reference cannot be trusted.

    A recording beside the runs has no error of its own: it is what they are measured against, too.
    """

    key, title, order, default, each = "error", "Error", 10, True, True

    def variants(self, shown: Shown) -> Mapping[str, str]:
        """Every error of a shown run, those against the reference first unless a path is tracked.

        Names that two of them share say what each is against.
        """
        against: dict[str, str] = {}
        tracking: dict[str, str] = {}
        for row, run in shown.integrated:
            for key in row.reference.errors if row.reference is not None else ():
                against.setdefault(key, error_name(key, row.scenario))
            for key in run.errors:
                if not key.startswith("energy"):
                    tracking.setdefault(key, error_name(key, row.scenario))
        found = {**tracking, **against} if TRACKING in tracking else {**against, **tracking}
        for row, run in shown.integrated:
            for recording in _recordings(shown):
                for key in _distances(run, recording):
                    found.setdefault(f"{key}{BESIDE}{recording.label}", error_name(key, row.scenario))
        often = Counter(found.values())
        return {
            key: f"{name} against {_against(key)}" if often[name] > 1 and _against(key) else name
            for key, name in found.items()
        }

    def chart(self, shown: Shown, variant: str) -> Chart:
        curves: list[Curve] = []
        trusted: list[float] = []
        ends: list[float] = []
        key, beside, whose = variant.partition(BESIDE)
        recording = next((row for row in _recordings(shown) if beside and row.label == whose), None)
        for row, run in shown.integrated:
            if recording is not None:
                if (distance := _distances(run, recording).get(key)) is not None:
                    curves.append(shown.curve(row, columns(run)[0], distance))
            elif row.reference is not None and variant in row.reference.errors:
                trusted.append(float(row.reference.trusted_until))
                ends.append(float(row.reference.t[-1]))
                curves += _judged(shown.curve(row, row.reference.t, row.reference.errors[variant]), trusted[-1])
            elif variant in run.errors:
                curves.append(replace(shown.curve(row, run.t, run.errors[variant]), wild=broke_off(run)))
        axis = Axis("error", error_unit(key, shown.current.scenario), "log", early=None)
        bands = untrusted(trusted, ends)
        note = f"against {_against(variant) or 'what must stay constant'}" if variant else ""
        if trusted and max(trusted) < shown.current.scenario.duration:
            note += f", trusted until {clock(max(trusted))}"
        asked = shown.asked([variant])
        said = note if curves else ""
        return Chart(y=axis, curves=tuple(curves), asked=asked, note=said, empty=_emptiness(shown), bands=bands)


def _recordings(shown: Shown) -> list[RunRow]:
    return [row for row, _ in shown.runs if row.recording]


def _distances(run: Run, recording: RunRow) -> dict[str, Array]:
    """How far a run is from a recording at the times at which it is drawn, by the error's key."""
    from robots.scenario.logs import distances

    name = f"distances from {hash(str(recording.scenario.task['log']))}"
    return remembered(run, name, lambda: distances(recording.scenario, *columns(run)))


def _against(variant: str) -> str:
    """What an error is measured against: a recording by its name."""
    key, _, whose = variant.partition(BESIDE)
    return whose or error_against(key)


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
