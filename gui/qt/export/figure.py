"""The page of charts and stills that an export's settings describe."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assets.errors import ArmstepError, BadInput
from gui.app.runs import RunRow
from gui.app.units import tick_text
from gui.app.view import ViewSettings
from gui.charts.choice import PanelChoice, panel_choices
from gui.charts.figure_style import ACROSS, FigureStyle, letter_of, ranges_of
from gui.charts.figures.panels import KEPT, ChartPanel, of_runs, result_charts, study_charts, study_of
from gui.charts.fit import Range
from gui.charts.registry import charts_of, examined
from gui.compose.picture import final_legend
from gui.qt.export.inside import texts_of
from gui.qt.export.panel_sources import PanelSources, Subject, sources_of
from gui.qt.export.settings import ExportSettings
from robots.model.chart import TIME, Axis, Chart

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QImage

    from gui.qt.drawing.charts_page import ChartsPage, PagePanel
    from robots.scenario.scenario import Scenario

STILL = "png"
"""The format whose rules a still on a page follows."""

MOST_PIXELS = 4096
PICTURE_DPI = 300.0
"""Of pictures beside drawn curves, unless more are asked for."""

ON_PAPER = 0.8
"""The size of a still's lines and labels beside that on a screen: then labels are as high as the charts' text."""


def page_of(
    rows: Sequence[RunRow], view: ViewSettings, settings: ExportSettings, sources: PanelSources | None = None
) -> ChartsPage:
    """The page of the computed, visible `rows`, and of what else its panels show.

    Raises:
        BadInput: a part outside the run, a plot that says nothing of it, or a page too small for its panels.
        ArmstepError: a still cannot be drawn, or a file cannot be read.
    """
    from gui.qt.drawing.charts_page import PER_MM, ChartsPage, PagePanel
    from gui.qt.export.figure_room import refuse_narrow
    from gui.qt.export.film import qt_for_text

    qt_for_text()
    style, first = settings.figure_style(), rows[0]
    sources = sources_of(settings) if sources is None else sources
    wanted, ranges = panel_choices(settings.plots) or [PanelChoice.of("")], Ranges(settings.ranges)
    panels: list[PagePanel] = []
    for panel in wanted:
        if panel.still:
            panels.append(_still_panel(panel, rows, view, settings, sources))
            continue
        for shown in _charts(panel, rows, view, settings, sources):
            chart = shown.chart
            span, values = ranges.of(panel, chart)
            panels.append(PagePanel(chart, span or shown.span, values, name=shown.name))
    ranges.check()
    mine = any(not panel.owner and of_runs(panel) for panel in wanted)
    own = mine or any(not panel.owner and panel.key in KEPT for panel in wanted)
    title = settings.title or (first.scenario.title if own else "")
    caption = caption_of(title, rows if mine else (), panels, lettered=style.shows("letters") and len(panels) > 1)

    def made(width: float) -> ChartsPage:
        return ChartsPage(
            panels,
            style if width == style.width else replace(settings, width=width).figure_style(),
            title=title,
            legend=final_legend(rows) if mine else (),
            caption=caption,
            t=settings.at,
            outlines=settings.outlines,
        )

    page = refuse_narrow(made, style.width)
    least = math.ceil(page.size[1] / PER_MM - 0.5)
    if settings.height and least > settings.height:
        raise BadInput("height", settings.height, f"at least {least} mm for these panels")
    return page


def _still_panel(
    panel: PanelChoice, rows: Sequence[RunRow], view: ViewSettings, settings: ExportSettings, sources: PanelSources
) -> PagePanel:
    from gui.qt.drawing.charts_page import PagePanel

    other = sources.others.get(panel.owner)
    at = panel.time(settings.instant)
    name = f"{other.title if other else 'The arm'} at {tick_text(at)}\u00a0s"
    seen, mine = (other.view, other.rows) if other else (view, rows)
    return PagePanel(picture=_still(mine, seen, settings, settings.figure_style(), at), name=name)


def _charts(
    panel: PanelChoice, rows: Sequence[RunRow], view: ViewSettings, settings: ExportSettings, sources: PanelSources
) -> list[ChartPanel]:
    """The charts of a panel."""
    study, other = study_of(panel), sources.others.get(panel.owner)
    if study is not None:
        return study_charts(panel, study, sources.studies[panel.owner, panel.key])
    if panel.key in KEPT:
        found = result_charts(panel, sources.results_of(panel))
        return [replace(one, chart=_named(one.chart, other), name=_named_by(one.name, other)) for one in found]
    mine, seen = (other.rows, other.view) if other else (rows, view)
    text = replace(panel, owner="").text
    seen = replace(seen, plots=(text,)) if text else seen
    charts = charts_of(examined(mine, seen), seen, every=not text)
    if not charts:
        raise BadInput("plots", panel.text, "a plot with curves for this scenario")
    if panel.variant and panel.variant != charts[0].variant:
        views = charts[0].variants or ("",)
        raise BadInput("plots", panel.text, choices=[replace(panel, variant=one, scale="").text for one in views])
    run = mine[0].run
    assert run is not None
    span = (0.0, _last(mine))
    if other is None:
        start, end = settings.span(float(run.t[0]), float(run.scenario.duration))
        span = start, _last(rows) if settings.end is None else end
    return [ChartPanel(_named(chart, other), span if chart.x == TIME else None) for chart in charts]


def _named(chart: Chart, owner: Subject | None) -> Chart:
    """The chart; its title begins with whose it is, if it is not the figure's own."""
    if owner is None or not owner.title or not chart.title:
        return chart
    title = _named_by(chart.title, owner)
    return replace(chart, title=title, variants=chart.variants if chart.subtitle else {})


def _named_by(name: str, owner: Subject | None) -> str:
    return f"{owner.title}: {name}" if owner is not None and owner.title and name else name


class Ranges:
    """The shown ranges of axes by panel: `error=1e-9:1e-3` upright, `phase-plane.x=0:1` across.

    Args:
        text: what a person wrote.
    """

    def __init__(self, text: str) -> None:
        self._given = ranges_of(text)
        self._unused = {*self._given}

    def of(self, panel: PanelChoice, chart: Chart) -> tuple[Range | None, Range | None]:
        """The shown parts of the axes of a panel's chart, in positions on them; None where nothing was asked for."""
        key = panel.key or chart.key
        return self._take(f"{key}{ACROSS}", chart.x), self._take(key, chart.y)

    def check(self) -> None:
        """Refuse a range that no panel took. Raises BadInput."""
        if self._unused:
            raise BadInput("ranges", ", ".join(sorted(self._unused)), "for plots of the figure")

    def _take(self, key: str, axis: Axis) -> Range | None:
        ends = self._given.get(key)
        self._unused.discard(key)
        if ends is None:
            return None
        low, high = (float(axis.place(end)) for end in ends)
        if not (math.isfinite(low) and math.isfinite(high)):
            raise BadInput("ranges", f"{ends[0]:g}:{ends[1]:g}", "above 0 on a logarithmic axis")
        return low, high


def _last(rows: Sequence[RunRow]) -> float:
    """When the last of the runs should end [s]: as in the window, an axis reaches beyond one that failed."""
    return max(float(row.run.scenario.duration) for row in rows if row.run is not None)


def write_chart(chart: Chart, settings: ExportSettings, scenario: Scenario) -> Path:
    """Write a chart that belongs to no run, such as a work-precision diagram, as a page of its own.

    Raises:
        BadInput: a setting that cannot be used.
        ArmstepError: the file cannot be written, and why.
    """
    from gui.qt.drawing.charts_page import ChartsPage, PagePanel
    from gui.qt.export.charts_file import write_page
    from gui.qt.export.film import qt_for_text

    qt_for_text()
    settings.check()
    title, style = settings.title or scenario.title, settings.figure_style()
    caption = ". ".join(filter(None, (title.rstrip("."), chart.title))) + "."
    page = ChartsPage([PagePanel(chart)], style, title=title, caption=caption, outlines=settings.outlines)
    write_page(page, settings.file, texts_of(scenario), style.dpi)
    return settings.file


def caption_of(title: str, rows: Sequence[RunRow], panels: Sequence[PagePanel], *, lettered: bool) -> str:
    """What a figure shows, in sentences: the scenario, the runs, and each chart."""
    runs = "; ".join(", ".join(filter(None, (one.label, one.setting, one.note))) for one in final_legend(rows))
    said = []
    for index, panel in enumerate(panels):
        chart = panel.chart
        words = panel.name or " ".join(filter(None, (chart.title, chart.subtitle, chart.note)))
        said.append(f"{letter_of(index)} {words}" if lettered else words)
    return ". ".join(filter(None, (title.rstrip("."), runs, "; ".join(said)))) + "."


def _still(
    rows: Sequence[RunRow], view: ViewSettings, settings: ExportSettings, style: FigureStyle, t: float
) -> QImage:
    """The scene at `t` as a picture of the style's dots per inch; among curves, of no more than journals ask for."""
    from PySide6.QtGui import QImage

    from gui.qt.export.charts_file import UNITS_PER_INCH
    from gui.qt.export.film import Film

    run = rows[0].run
    assert run is not None
    if not 0.0 <= t <= float(run.scenario.duration):
        raise BadInput("time", t, f"from 0 to {run.scenario.duration:g} s")
    inches = style.width / style.columns / 25.4
    asked = settings.dpi is not None or settings.file.suffix not in (".svg", ".pdf")
    across = min(inches * (style.dpi if asked else min(style.dpi, PICTURE_DPI)), MOST_PIXELS)
    size = max(round(across), 16), max(round(0.62 * across), 16)
    theme = style.theme if style.theme in ("light", "dark", "projector") else "light"
    film = Film(
        rows,
        view,
        ExportSettings(
            settings.file, STILL, size, at=t, quality="high", camera=settings.camera, caption=False, theme=theme
        ),
        scale=ON_PAPER * across / inches / UNITS_PER_INCH,
    )
    with film:
        pixels = film.frame(t)
    if not pixels.size:
        raise ArmstepError("the scene cannot be drawn")
    image = QImage(pixels.data, size[0], size[1], 4 * size[0], QImage.Format.Format_RGBA8888).copy()
    return image.convertToFormat(QImage.Format.Format_Grayscale8) if style.theme == "mono" else image
