"""Joint angles and joint rates over time."""

from __future__ import annotations

from gui.app.units import short_text
from gui.qt.plots.data import columns, subscripted
from gui.qt.plots.pens import run_pen, shade
from gui.qt.plots.plot import Trace
from gui.qt.plots.time_plot import TimePlot

GROUPS = {"q": ("Joint angles", "angle", "rad"), "v": ("Joint rates", "rate", "rad/s")}


class JointsPlot(TimePlot):
    """Angles or rates of every joint: the run's colour, nearer to the text's colour from joint to joint."""

    key, title, order, default = "joints", "Joint angles and rates", 20, True

    def heading(self) -> str:
        return ""

    def variants(self) -> list[tuple[str, str]]:
        return [(letter, name) for letter, (name, _, _) in GROUPS.items()]

    def value_title(self) -> tuple[str, str]:
        _, name, unit = GROUPS[self.variant or next(iter(GROUPS))]
        return name, self.unit(unit).symbol

    def value_text(self, value: float) -> str:
        if not abs(value) < 1e5:
            return short_text(value)
        text = f"{value:.1f}" if self.session.view.settings.degrees else f"{value:.3f}"
        return text.replace("-", "−") + ("°" if self.value_title()[1] == "°" else "")

    def traces(self) -> list[Trace]:
        made: list[Trace] = []
        factor = self.unit(GROUPS[self.variant][2]).per_si
        for row in self.visible_rows():
            if row.run is None:
                continue
            t, values = columns(row.run)
            names = [name for name in values if name[0] == self.variant and name[1:].isdigit()]
            for index, name in enumerate(names):
                pen = run_pen(shade(row.colour, index, len(names), self.palette()), row.dash)
                made.append(self.trace(row, t, values[name] * factor, pen=pen, name=subscripted(name)))
        return made
