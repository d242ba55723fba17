"""Each joint's rate against its angle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gui.app.units import subscripted
from gui.charts.plot import Plot
from gui.charts.shown import Shown, columns
from robots.model.chart import Axis, Chart, Curve
from robots.model.registry import robot_of


class PhasePlanePlot(Plot):
    """The phase plane of one joint."""

    key, title, order, plane = "phase-plane", "Phase plane", 60, True

    def variants(self, shown: Shown) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for _, run in shown.runs:
            names = columns(run)[1]
            for name in names:
                if name[0] == "q" and name[1:].isdigit() and f"v{name[1:]}" in names:
                    found.setdefault(name[1:], f"joint {name[1:]} {run.robot.joint_of(name)}".rstrip())
        return found

    def chart(self, shown: Shown, variant: str) -> Chart:
        q, v = f"q{variant}", f"v{variant}"
        robot = robot_of(shown.current.scenario)
        angle, rate = shown.unit(robot.unit(q) or "rad"), shown.unit(robot.unit(v) or "rad/s")
        curves: list[Curve] = []
        for row, run in shown.runs:
            t, values = columns(run)
            if q in values and v in values:
                curves.append(replace(shown.curve(row, angle.per_si * values[q], rate.per_si * values[v]), t=t))
        across, up = Axis(subscripted(q), angle.symbol, whole=True), Axis(subscripted(v), rate.symbol, whole=True)
        return Chart(x=across, y=up, curves=tuple(curves), empty="This robot has no joints.")


PLOT = PhasePlanePlot()
