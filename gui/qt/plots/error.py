"""How far the runs are from the truth: from the reference run, or from the path that the task asks for."""

from __future__ import annotations

import numpy as np

from gui.app import formatting as readouts
from gui.qt.plots.data import broke_off, error_name
from gui.qt.plots.pens import faded, run_pen
from gui.qt.plots.plot import Trace
from gui.qt.plots.time_plot import TimePlot
from gui.qt.widgets.quiet import on_ground

POSITION = "position_m"
"""What a robot that tracks a path is judged by first."""


class ErrorPlot(TimePlot):
    """The error of every visible run, on a logarithmic axis; grey where the reference itself cannot be trusted."""

    key, title, order, default = "error", "Error", 10, True
    logarithmic = True

    def variants(self) -> list[tuple[str, str]]:
        """Every error that a visible run has, those against the reference first unless a path is tracked."""
        against: dict[str, str] = {}
        tracking: dict[str, str] = {}
        for row in self.visible_rows():
            for key in row.reference.errors if row.reference is not None else ():
                against.setdefault(key, error_name(key, row.scenario))
            for key in row.run.errors if row.run is not None else ():
                if not key.startswith("energy"):
                    tracking.setdefault(key, error_name(key, row.scenario))
        first, then = (tracking, against) if POSITION in tracking else (against, tracking)
        return list({**first, **then}.items())

    def explanation(self) -> str:
        if not self.variant:
            return ""
        return "against the reference run" if self._against_reference() else self._judged_by_itself()

    def emptiness(self) -> str:
        row = self.session.runs.current
        states = {
            "computing": "The reference run is being computed…",
            "unavailable": row.reference_message or "This scenario has no reference run.",
            "failed": row.reference_message or "The reference run could not be computed.",
        }
        return states.get(row.reference_state, "No error to show yet")

    def value_title(self) -> tuple[str, str]:
        return "error", readouts.error_unit(self.variant, self.session.runs.current.scenario)

    def traces(self) -> list[Trace]:
        made: list[Trace] = []
        for row in self.visible_rows():
            if row.reference is not None and self.variant in row.reference.errors:
                t, values = row.reference.t, row.reference.errors[self.variant]
                trusted = int(np.searchsorted(t, row.reference.trusted_until, side="right"))
                made.append(self.trace(row, t[:trusted], values[:trusted]))
                if trusted < t.size:
                    rest = max(0, trusted - 1)
                    grey = run_pen(faded(on_ground(row.colour, self.palette()), self.palette()), row.dash)
                    name = f"{row.label}, reference not trusted"
                    made.append(self.trace(row, t[rest:], values[rest:], pen=grey, name=name, legend=False))
            elif row.run is not None and self.variant in row.run.errors:
                wild = broke_off(row.run)
                made.append(self.trace(row, row.run.t, row.run.errors[self.variant], wild=wild))
        return made

    def _against_reference(self) -> bool:
        return any(row.reference is not None and self.variant in row.reference.errors for row in self.visible_rows())

    def _judged_by_itself(self) -> str:
        tracked = self.variant.startswith(("position", "orientation", "tool"))
        return "against the desired path" if tracked else "against what must stay constant"


class OrientationErrorPlot(ErrorPlot):
    """How far the tool's orientation is from the desired one."""

    key, title, order, default = "orientation", "Orientation error", 12, True
    special = True

    def variants(self) -> list[tuple[str, str]]:
        found = [(key, name) for key, name in super().variants() if key.startswith("orientation")]
        return [(key, name.removeprefix("orientation, ").removesuffix(" of the angle")) for key, name in found]
