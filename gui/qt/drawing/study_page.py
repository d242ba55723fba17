"""A study's figure as a page: on the paper desk and in files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gui.charts import fit
from gui.charts.colours import colour_of, dash_of
from gui.charts.figure_style import FigureStyle
from gui.compose.picture import LegendEntry
from gui.qt.drawing.charts_page import PER_MM, ChartsPage, PagePanel
from robots.model.chart import Chart
from robots.model.figure import Figure


def study_page(figure: Figure, style: FigureStyle) -> ChartsPage:
    """The charts of a figure below each other, with one legend for all."""
    drawing = all(chart.bare for chart in figure.charts)
    looks = {
        label: (colour_of(slot), "solid" if drawing else dash_of(slot)) for slot, label in enumerate(figure.labels)
    }
    panels = []
    for chart in figure.charts:
        own = ((curve, *looks[curve.name]) for curve in chart.curves)
        curves = tuple(replace(one, colour=colour, dash=dash, listed=False) for one, colour, dash in own)
        alike = [one for one in figure.charts if one.x == chart.x]
        panels.append(PagePanel(replace(chart, curves=curves), None if chart.equal else _span(alike)))
    legend = [LegendEntry(colour, dash, label, "") for label, (colour, dash) in looks.items()]
    title = f"{figure.name[:1].upper()}{figure.name[1:]}: {figure.title}"
    return ChartsPage(panels, style, title=title, legend=legend, caption=f"{title}.")


def style_for(size: tuple[float, float], theme: str, show: tuple[str, ...], font: str) -> FigureStyle:
    """The style of a page that fills a widget of `size` [px]."""
    width, height = (max(side / PER_MM, 20.0) for side in size)
    return FigureStyle(width=width, height=height, theme=theme, show=show, font=font)


def _span(charts: Sequence[Chart]) -> fit.Range:
    """The shown part of the horizontal axis that the charts share, with some margin if it is logarithmic."""
    axis = charts[0].x
    values = [axis.place(curve.x) for chart in charts for curve in chart.curves if curve.x.size]
    if not values:
        return 0.0, 1.0
    low, high = min(float(one.min()) for one in values), max(float(one.max()) for one in values)
    return fit.aired(low, high, axis) if axis.log else (0.0 if 0.0 < low < 0.1 * high else low, high)
