"""Each joint's rate against its angle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from gui.app.units import subscripted
from gui.charts.plot import Plot
from gui.charts.shown import Shown, at_a_time, columns
from robots.model.chart import Array, Axis, Chart, Curve
from robots.model.registry import robot_of

if TYPE_CHECKING:
    from robots.simulation.run import Run


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
                curve = shown.curve(row, angle.per_si * values[q], rate.per_si * values[v])
                exact = at_a_time(run, partial(_point, (q, angle.per_si), (v, rate.per_si)))
                curves.append(replace(curve, t=t, exact=exact))
        across, up = Axis(subscripted(q), angle.symbol, whole=True), Axis(subscripted(v), rate.symbol, whole=True)
        return Chart(x=across, y=up, curves=tuple(curves), empty="This robot has no joints.")


def _point(x: tuple[str, float], y: tuple[str, float], run: Run, t: Array) -> tuple[float, float]:
    known = run.columns(t)
    return float(x[1] * known[x[0]][0]), float(y[1] * known[y[0]][0])


PLOT = PhasePlanePlot()
