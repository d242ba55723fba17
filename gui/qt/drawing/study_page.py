"""A study's figure as a page: on the paper desk and in files."""

from __future__ import annotations

from dataclasses import replace

from assets.counting import capital
from gui.charts.figure_style import FigureStyle
from gui.charts.figures.study import figure_charts, figure_looks
from gui.compose.picture import LegendEntry
from gui.qt.drawing.charts_page import PER_MM, ChartsPage, PagePanel
from robots.papers.figure import Figure

MOST_COLUMNS = 4
"""Beside each other on a page of a given height."""


def study_page(figure: Figure, style: FigureStyle) -> ChartsPage:
    """The charts of a figure below each other, with one legend for all.

    Solid lines, the first, are drawn below dashed ones: lines that coincide are all seen.
    """
    panels = [
        PagePanel(replace(chart, curves=chart.curves[::-1]), span)
        for chart, span in figure_charts(figure, listed=False)
    ]
    legend = [LegendEntry(*look[:2], label, "", mark=look[2]) for label, look in figure_looks(figure).items()]
    title = f"{capital(figure.name)}: {figure.title}"
    return ChartsPage(panels, style, title=title, legend=legend, caption=f"{title}.")


def whole_page(figure: Figure, style: FigureStyle) -> ChartsPage:
    """The page of a figure with as few columns as it takes to fit the style's height, of `MOST_COLUMNS` at most."""
    page, columns = study_page(figure, style), 1
    while page.size[1] > style.height * PER_MM + 1.0 and columns < min(len(figure.charts), MOST_COLUMNS):
        columns += 1
        page = study_page(figure, replace(style, columns=columns))
    return page


def style_for(size: tuple[float, float], theme: str, show: tuple[str, ...], font: str) -> FigureStyle:
    """The style of a page that fills a widget of `size` [px]."""
    width, height = (max(side / PER_MM, 20.0) for side in size)
    return FigureStyle(width=width, height=height, theme=theme, show=show, font=font)
