"""How far the energy is from its initial value."""

from __future__ import annotations

from collections.abc import Mapping

from gui.charts.plot import Plot
from gui.charts.shown import Shown, remembered
from robots.model.chart import Array, Axis, Chart
from robots.simulation.drift import drifts
from robots.simulation.run import Run

SIZE, SIGNED = "size", "signed"
KEY = "energy_J"
WORK = "Dampers, friction, motors or a hand change the energy of this arm, so the change is not an error."

CHANGES = "the arm's energy changes"
"""Beside the name of the plot where that is no error."""

INITIAL = "against its initial value"
IMPACTS = "energy lost in impacts is not counted"
PULLS = "what a hand adds is not counted"


class EnergyPlot(Plot):
    """E(t) - E(0), its size or with its sign: zero for the exact solution while nothing does work on the arm."""

    key, title, order, default = "energy", "Energy error", 30, True

    def variants(self, shown: Shown) -> Mapping[str, str]:
        known = any(KEY in run.errors for _, run in shown.runs)
        return {SIZE: self.title, SIGNED: "Signed"} if known else {}

    def chart(self, shown: Shown, variant: str) -> Chart:
        signed = variant == SIGNED
        curves = tuple(
            shown.curve(row, run.t, drift(run) if signed else run.errors[KEY])
            for row, run in shown.runs
            if KEY in run.errors
        )
        changed = {
            IMPACTS: any(run.impacts for _, run in shown.runs),
            PULLS: any(phase.pull is not None for _, run in shown.runs for phase in run.phases),
        }
        # First what has changed the value, since a narrow head cuts the end.
        note = "; ".join([*(words for words, so in changed.items() if so), INITIAL]) if curves else CHANGES
        axis = Axis("ΔE", "J") if signed else Axis("|ΔE|", "J", "log", early=None)
        return Chart(y=axis, curves=curves, asked=shown.asked([KEY]), note=note, empty=WORK)


def drift(run: Run) -> Array:
    """How much the energy has grown at the run's rows, (n,) [J]."""
    return remembered(run, "energy drift", lambda: drifts(run.robot, run.phases, run.t, run.y)[KEY])


PLOT = EnergyPlot()
