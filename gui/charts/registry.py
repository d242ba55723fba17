"""Finds the plots: the `PLOT` of every file in `gui/charts/plots`, and those of plugins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from assets.errors import BadInput
from assets.registry import Registry, expect
from gui.app.view import USUAL, ViewSettings
from gui.charts.choice import PlotChoice, choices
from gui.charts.plot import Plot
from gui.charts.shown import Shown
from robots.model.chart import Chart
from robots.model.registry import robot_of

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from robots.model.robot import Robot
    from robots.scenario.scenario import Scenario
    from robots.simulation.run import Run


class PluginPlot(Plot):
    """A plot of another package: if it fails, its chart says why, and the other plots are drawn.

    Args:
        key: its entry point's name.
        plot: what the entry point names. Raises BadInput if it is no plot.
    """

    def __init__(self, key: str, plot: object) -> None:
        self._plot = expect(plot, Plot)
        for name in ("key", "title", "order", "default", "special", "plane", "each"):
            setattr(self, name, getattr(plot, name))

    def suits(self, robot: Robot) -> bool:
        """See `Plot`; never if it fails."""
        return _REGISTRY.guarded(self.key, lambda: bool(self._plot.suits(robot)), lambda _: False)

    def variants(self, shown: Shown) -> Mapping[str, str]:
        """See `Plot`; none if it fails."""
        return _REGISTRY.guarded(self.key, lambda: dict(self._plot.variants(shown)), lambda _: {})

    def chart(self, shown: Shown, variant: str) -> Chart:
        """See `Plot`; an empty chart if it fails."""

        def chart() -> Chart:
            return _drawable(self._plot.chart(shown, variant))

        return _REGISTRY.guarded(self.key, chart, lambda why: Chart(empty=why))

    def examined(self, run: Run) -> Run:
        """See `Plot`; the run alone if it fails."""
        return _REGISTRY.guarded(self.key, lambda: self._plot.examined(run), lambda _: run)


def _drawable(value: object) -> Chart:
    """A chart that painters can draw; raises BadInput for anything else."""
    chart = expect(value, Chart)
    for curve in chart.curves:
        if np.ndim(curve.x) != 1 or np.shape(curve.x) != np.shape(curve.y):
            shapes = f"{np.shape(curve.x)} and {np.shape(curve.y)}"
            raise BadInput("a curve's x and y", shapes, "arrays of one dimension and the same length")
    return chart


_REGISTRY: Registry[Plot] = Registry.of_modules(
    "plot",
    "gui.charts.plots",
    attribute="PLOT",
    order=lambda plot: plot.order,
    group="armstep.plots",
    adopt=PluginPlot,
)
plots = _REGISTRY.all


def plots_of(scenario: Scenario) -> list[str]:
    """The keys of the plots that suit a scenario's robot."""
    robot = robot_of(scenario)
    return [key for key, plot in plots().items() if plot.suits(robot)]


def chosen_plots(view: ViewSettings) -> dict[str, PlotChoice]:
    """The plots that a view shows, by key and in order."""
    return choices(view.plots, plots(), (key for key, plot in plots().items() if plot.default))


def plots_with_curves(
    rows: Sequence[RunRow], view: ViewSettings, among: Mapping[str, PlotChoice] | None = None
) -> list[PlotChoice]:
    """The plots that suit the robot of `rows` and have curves of them, or may have when all is computed.

    Args:
        rows: one at least.
        view: how they are shown.
        among: the choices to look at, by key; without them, what the view shows.
    """
    shown, robot = Shown.of(rows, degrees=view.degrees), robot_of(rows[0].scenario)
    computed = not shown.awaited and all(row.run and row.reference_state != "computing" for row in shown.rows)
    judged = all(row.judged for row in shown.rows)

    def may_have(choice: PlotChoice) -> bool:
        plot = plots()[choice.key]
        return not computed or (plot.verdict and not judged) or not plot.drawn(shown, choice).blank

    looked = chosen_plots(view) if among is None else among
    return [choice for key, choice in looked.items() if plots()[key].suits(robot) and may_have(choice)]


def with_plot(view: ViewSettings, key: str, shown: bool) -> list[str]:
    """A view's `plots` with the plot of that key, or without it."""
    chosen = chosen_plots(view)
    wanted = {**chosen, key: chosen.get(key, PlotChoice(key))}
    texts = [choice.text for name, choice in wanted.items() if shown or name != key]
    return [choice.text for choice in choices(texts, plots(), ()).values()]


def examined(rows: Sequence[RunRow], view: ViewSettings) -> list[RunRow]:
    """The rows with all that the plots of a view need, computed now: for files, which do not wait for a window."""
    runs = [row.run for row in rows if row.visible and row.run is not None]
    for key in chosen_plots(view):
        for run in runs:
            plots()[key].examined(run)
    return [replace(row, judged=row.run is not None) for row in rows]


def charts_of(rows: Sequence[RunRow], view: ViewSettings = USUAL, *, every: bool = True) -> list[Chart]:
    """The charts of `rows` (the current one first), stacked as the view has them; empty ones are left out.

    What is left of the plots that want `each` variant shown, and for which no variant is chosen, comes last if `every`.
    """
    if not rows:
        return []
    shown = Shown.of(rows, degrees=view.degrees)
    robot = robot_of(shown.current.scenario)
    chosen = [choice for key, choice in chosen_plots(view).items() if plots()[key].suits(robot)]
    charts = [plots()[choice.key].drawn(shown, choice) for choice in chosen]
    seen = {chart.variant for chart in charts}
    for choice, chart in reversed(list(zip(chosen, charts, strict=True))):
        plot = plots()[choice.key]
        rest = [one for one in chart.variants if every and plot.each and not choice.variant and one not in seen]
        charts += [plot.drawn(shown, PlotChoice(choice.key, variant, choice.scale)) for variant in rest]
        seen.update(rest)
    return [chart for chart in charts if not chart.blank]
