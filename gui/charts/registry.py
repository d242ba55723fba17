"""Finds the plots: the `PLOT` of every file in `gui/charts/plots`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assets.registry import Registry
from gui.app.view import USUAL, ViewSettings
from gui.charts.choice import PlotChoice, choices
from gui.charts.plot import Plot
from gui.charts.shown import Shown
from robots.model.chart import Chart
from robots.model.registry import robot_of

if TYPE_CHECKING:
    from gui.app.runs import RunRow


_REGISTRY: Registry[Plot] = Registry.of_modules(
    "plot", "gui.charts.plots", attribute="PLOT", order=lambda plot: plot.order
)
plots = _REGISTRY.all


def chosen_plots(view: ViewSettings) -> dict[str, PlotChoice]:
    """The plots that a view shows, by key and in order."""
    return choices(view.plots, plots(), (key for key, plot in plots().items() if plot.default))


def with_plot(view: ViewSettings, key: str, shown: bool) -> list[str]:
    """A view's `plots` with the plot of that key, or without it."""
    chosen = chosen_plots(view)
    wanted = {**chosen, key: chosen.get(key, PlotChoice(key))}
    texts = [choice.text for name, choice in wanted.items() if shown or name != key]
    return [choice.text for choice in choices(texts, plots(), ()).values()]


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
