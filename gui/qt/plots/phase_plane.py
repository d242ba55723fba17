"""Each joint's rate against its angle."""

from __future__ import annotations

from typing import Any

from gui.qt.plots.data import Array, columns, subscripted
from gui.qt.plots.plane_plot import PlanePlot
from gui.qt.plots.plot import Trace


class PhasePlanePlot(PlanePlot):
    """The phase plane of one joint, chosen in the title."""

    key, title, order = "phase-plane", "Phase plane", 60

    def variants(self) -> list[tuple[str, str]]:
        names: dict[str, str] = {}
        for row in self._rows():
            _, values = columns(row.run)
            names |= {
                name[1:]: f"joint {name[1:]}"
                for name in values
                if name[0] == "q" and name[1:].isdigit() and f"v{name[1:]}" in values
            }
        return list(names.items())

    def titles(self) -> tuple[str, str]:
        q, v = subscripted(f"q{self.variant}"), subscripted(f"v{self.variant}")
        return f"{q} [{self.unit('rad').symbol}]", f"{v} [{self.unit('rad/s').symbol}]"

    def traces(self) -> list[Trace]:
        angle, rate = self.unit("rad").per_si, self.unit("rad/s").per_si
        made: list[Trace] = []
        for row in self._rows():
            values = columns(row.run)[1]
            made.append(self.trace(row, values[f"q{self.variant}"] * angle, values[f"v{self.variant}"] * rate))
        return made

    def times(self) -> list[Array]:
        return [columns(row.run)[0] for row in self._rows()]

    def _rows(self) -> list[Any]:
        return [row for row in self.visible_rows() if row.run is not None]
