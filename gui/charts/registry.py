"""Finds the plots: the `PLOT` of every file in `gui/charts/plots`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assets.registry import Registry
from gui.charts.plot import Plot
from gui.charts.shown import Shown
from robots.model.chart import Chart
from robots.model.registry import find_robot

if TYPE_CHECKING:
    from gui.app.runs import RunRow


_REGISTRY: Registry[Plot] = Registry.of_modules(
    "plot", "gui.charts.plots", attribute="PLOT", order=lambda plot: plot.order
)
plots = _REGISTRY.all


def charts_of(rows: Sequence[RunRow], *, degrees: bool = True) -> list[Chart]:
    """The charts of `rows` (the current one first), stacked as in the window at first; empty ones are left out.

    Every plot gives its first variant. What is left of the plots that want `each` variant shown comes last.
    """
    if not rows:
        return []
    shown = Shown.of(rows, degrees=degrees)
    robot = find_robot(shown.current.scenario.robot)
    suitable = [plot for plot in plots().values() if plot.default and plot.suits(robot)]
    charts = [plot.drawn(shown) for plot in suitable]
    seen = {chart.variant for chart in charts}
    for plot, chart in reversed(list(zip(suitable, charts, strict=True))):
        rest = [variant for variant in chart.variants if plot.each and variant not in seen]
        charts += [plot.drawn(shown, variant) for variant in rest]
        seen.update(rest)
    return [chart for chart in charts if not chart.blank]
