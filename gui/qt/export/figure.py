"""The page of charts and stills that an export's settings describe."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assets.errors import ArmstepError, BadInput
from gui.app.runs import RunRow
from gui.app.units import tick_text
from gui.app.view import ViewSettings
from gui.charts.choice import PlotChoice, is_still, owner_of, panel_texts, still_time
from gui.charts.figure_style import FigureStyle, ranges_of
from gui.charts.registry import charts_of
from gui.compose.picture import final_legend
from gui.qt.export.inside import scenario_of, texts_of
from gui.qt.export.request import ExportRequest, computed_rows
from gui.qt.export.settings import ExportSettings
from robots.model.chart import TIME, Chart

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QImage

    from gui.qt.drawing.charts_page import ChartsPage, PagePanel
    from robots.scenario.scenario import Scenario

STILL = "png"
"""The format whose rules a still on a page follows."""

MOST_PIXELS = 4096

ON_PAPER = 0.8
"""The size of a still's lines and labels beside that on a screen: then labels are as high as the charts' text."""


Shown = tuple[Sequence[RunRow], ViewSettings]


def other_rows(settings: ExportSettings) -> dict[str, Shown]:
    """The computed rows of the other scenarios whose panels the figure has, with their views, by name."""
    found: dict[str, Shown] = {}
    for owner, _ in map(owner_of, panel_texts(settings.plots)):
        if owner and owner not in found:
            scenario = scenario_of(owner)
            view = ViewSettings().with_mapping(scenario.view)
            request = ExportRequest((scenario.alone(),), (0,), view, settings)
            found[owner] = computed_rows(request), view
    return found


def page_of(
    rows: Sequence[RunRow], view: ViewSettings, settings: ExportSettings, others: Mapping[str, Shown] | None = None
) -> ChartsPage:
    """The page of the computed, visible `rows`, and of `others` if the settings name other scenarios.

    Raises:
        BadInput: a part outside the run, or a plot that says nothing of it.
        ArmstepError: a still cannot be drawn.
    """
    from gui.qt.drawing.charts_page import PER_MM, ChartsPage, PagePanel
    from gui.qt.export.film import qt_for_text

    qt_for_text()
    style, first = settings.figure_style(), rows[0]
    assert first.run is not None
    start, end = settings.span(float(first.run.t[0]), float(first.run.scenario.duration))
    end = _last(rows) if settings.end is None else end
    ranges = ranges_of(settings.ranges)
    unused = {*ranges}
    panels: list[PagePanel] = []
    others = other_rows(settings) if others is None else others
    for owner, text in map(owner_of, panel_texts(settings.plots) or [""]):
        mine, seen = others[owner] if owner else (rows, view)
        if is_still(text):
            at = still_time(text, settings.instant)
            name = f"{mine[0].scenario.title if owner else 'The arm'} at {tick_text(at)}\u00a0s"
            panels.append(PagePanel(picture=_still(mine, seen, settings, style, at), name=name))
            continue
        charts = charts_of(mine, replace(seen, plots=(text,)) if text else seen, every=not text)
        if not charts:
            raise BadInput("plots", text, "a plot with curves for this scenario")
        key = PlotChoice.of(text).key
        for chart in charts:
            whole = (0.0, _last(mine)) if owner else (start, end)
            span = whole if chart.x == TIME else None
            if owner:
                named = f"{mine[0].scenario.title}: {chart.title}"
                chart = replace(chart, title=named, variants=chart.variants if chart.subtitle else {})
            values = ranges.get(key or chart.key)
            unused.discard(key or chart.key)
            panels.append(PagePanel(chart, span, _values(chart, values)))
    if unused:
        raise BadInput("ranges", ", ".join(sorted(unused)), "for plots of the figure")
    title = settings.title or first.scenario.title
    page = ChartsPage(
        panels,
        style,
        title=title,
        legend=final_legend(rows),
        caption=caption_of(title, rows, panels, lettered=style.shows("letters") and len(panels) > 1),
        t=settings.at,
        outlines=settings.outlines,
    )
    least = math.ceil(page.size[1] / PER_MM - 0.5)
    if settings.height and least > settings.height:
        raise BadInput("height", settings.height, f"at least {least} mm for these panels")
    return page


def _last(rows: Sequence[RunRow]) -> float:
    """When the last of the runs ends [s]."""
    return max(float(row.run.t_end) for row in rows if row.run is not None)


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
        said.append(f"({chr(ord('a') + index % 26)}) {words}" if lettered else words)
    return ". ".join(filter(None, (title.rstrip("."), runs, "; ".join(said)))) + "."


def _values(chart: Chart, ends: tuple[float, float] | None) -> tuple[float, float] | None:
    """The shown part of the vertical axis, in positions on it."""
    if ends is None:
        return None
    low, high = (float(chart.y.place(end)) for end in ends)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise BadInput("ranges", f"{ends[0]:g}:{ends[1]:g}", "above 0 on a logarithmic axis")
    return low, high


def _still(
    rows: Sequence[RunRow], view: ViewSettings, settings: ExportSettings, style: FigureStyle, t: float
) -> QImage:
    """The scene at `t` as a picture of the style's dots per inch."""
    from PySide6.QtGui import QImage

    from gui.qt.export.charts_file import UNITS_PER_INCH
    from gui.qt.export.film import Film

    run = rows[0].run
    assert run is not None
    if not 0.0 <= t <= float(run.scenario.duration):
        raise BadInput("time", t, f"from 0 to {run.scenario.duration:g} s")
    inches = style.width / style.columns / 25.4
    across = min(inches * style.dpi, MOST_PIXELS)
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
