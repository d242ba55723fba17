"""How far the energy is from where it began."""

from __future__ import annotations

from gui.qt.plots.plot import Trace
from gui.qt.plots.time_plot import TimePlot

KEY = "energy_J"


class EnergyPlot(TimePlot):
    """|E(t) - E(0)|, which the exact solution keeps at zero while nothing does work on the arm."""

    key, title, order, default = "energy", "Energy error", 30, True
    logarithmic = True

    def explanation(self) -> str:
        return "against the energy at the start" if self.shown else ""

    def emptiness(self) -> str:
        if self.session.runs.current.run is None:
            return "No run to show yet"
        return (
            "Work is done on this arm (by dampers, friction, motors or a hand): its energy is not constant, "
            "so it is no measure of the error."
        )

    def value_title(self) -> tuple[str, str]:
        return "|ΔE|", "J"

    def traces(self) -> list[Trace]:
        return [
            self.trace(row, row.run.t, row.run.errors[KEY])
            for row in self.visible_rows()
            if row.run is not None and KEY in row.run.errors
        ]
