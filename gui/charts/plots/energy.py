"""How far the energy is from its initial value."""

from __future__ import annotations

from gui.charts.plot import Plot
from gui.charts.shown import Shown
from robots.model.chart import Axis, Chart

KEY = "energy_J"
WORK = (
    "Work is done on this arm (by dampers, friction, motors or a hand), so its energy is not constant and does not "
    "measure the error."
)


class EnergyPlot(Plot):
    """|E(t) - E(0)|, which is zero for the exact solution while nothing does work on the arm."""

    key, title, order, default = "energy", "Energy error", 30, True

    def chart(self, shown: Shown, variant: str) -> Chart:
        curves = tuple(shown.curve(row, run.t, run.errors[KEY]) for row, run in shown.runs if KEY in run.errors)
        note = "against its initial value" if curves else ""
        return Chart(y=Axis("|ΔE|", "J", "log"), curves=curves, note=note, empty=WORK)


PLOT = EnergyPlot()
