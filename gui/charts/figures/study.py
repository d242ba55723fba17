"""The charts of a study's figure with colours: a curve of one name looks alike in all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gui.charts import fit
from gui.charts.colours import colour_of, dash_of
from gui.charts.work_precision import SHAPES
from robots.model.chart import Chart
from robots.papers.figure import Figure


def figure_looks(figure: Figure) -> dict[str, tuple[str, str, str]]:
    """Colour, dash and mark of each curve, by its name; the mark is empty where no curve has any."""
    drawing = all(chart.bare for chart in figure.charts)
    marked = {curve.name for chart in figure.charts for curve in chart.curves if curve.mark == "circle"}
    return {
        label: (
            colour_of(slot),
            "solid" if drawing else dash_of(slot),
            SHAPES[slot % len(SHAPES)] if label in marked else "",
        )
        for slot, label in enumerate(figure.labels)
    }


def figure_charts(figure: Figure, *, listed: bool = True) -> list[tuple[Chart, fit.Range | None]]:
    """Each chart with the shown part of its horizontal axis, None for all; legends name each curve once if `listed`."""
    looks, found = figure_looks(figure), []
    for chart in figure.charts:
        names = [curve.name for curve in chart.curves]
        own = ((curve, *looks[curve.name], names.index(curve.name) == k) for k, curve in enumerate(chart.curves))
        curves = tuple(
            replace(
                one,
                colour=colour,
                dash=dash,
                mark=mark if one.mark == "circle" else one.mark,
                listed=listed and first and bool(one.name),
            )
            for one, colour, dash, mark, first in own
        )
        alike = [one for one in figure.charts if one.x == chart.x]
        found.append((replace(chart, curves=curves), None if chart.equal else _span(alike)))
    return found


def _span(charts: Sequence[Chart]) -> fit.Range:
    """The shown part of the horizontal axis that the charts share, with some margin if it is logarithmic."""
    axis = charts[0].x
    values = [axis.place(curve.x) for chart in charts for curve in chart.curves if curve.x.size]
    if not values:
        return 0.0, 1.0
    low, high = min(float(one.min()) for one in values), max(float(one.max()) for one in values)
    return fit.aired(low, high, axis) if axis.log else (0.0 if 0.0 < low < 0.1 * high else low, high)
