"""A page of charts and pictures in rows and columns, as a named style has it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPixmap, qGray

from gui.app.formatting import one_name
from gui.app.view import THEMES
from gui.charts import fit
from gui.charts.figure_style import FigureStyle, letter_of
from gui.charts.ticks import with_numbers
from gui.compose.picture import LegendEntry, final_legend
from gui.qt.drawing.annotation import MARGIN, heading_height, paint_heading
from gui.qt.drawing.chart import BAR, BARE, BOTTOM, RIGHT, ChartPainter
from gui.qt.drawing.legend import GAP, SPACE, Cell, CurveEntry, cell_of, entries_on_paper, flowing, paint_cells
from gui.qt.drawing.page import SMOOTH
from gui.qt.drawing.style import Style, families_of
from gui.qt.drawing.words import broken
from gui.qt.style.theme_file import Theme, load
from robots.model.chart import TIME, Chart

if TYPE_CHECKING:
    from gui.app.runs import RunRow

PER_MM = 96.0 / 25.4
"""Units in a millimetre."""

TENTHS = 10
"""A page is laid out in tenths of a unit, because fonts and lines have whole sizes."""

TEXT, POINTS = 12.0, 9.0
"""The height of text in units, and the same in points."""

LINE_HEIGHT, HEADING, ENTRIES, RUN_LINE = 16.0, 26.0, 18.0, 22.0
"""Of the caption, of a chart's name, and of a line of a chart's legend and of the runs', in units."""

LEGEND_LINES = 12
"""Runs with long names share so many lines."""

EDGE = 4.0
"""Around a picture, in units."""

SQUARE, FLAT, TALLEST = 0.8, 0.5, 170.0
"""A chart's height as a fraction of its width, for a plane and over time, and the largest over time in units."""

LEAST, LEAST_WHOLE, CLEAR = 20.0, 72.0, 10.0
"""The least height of a frame in units, that of what cannot be stretched, and how far the words of a drawing keep from
its marks."""

EMPTY = Chart()


@dataclass(frozen=True, slots=True, eq=False)
class PagePanel:
    """A chart with the shown parts of its axes (None for all), or a picture with its name."""

    chart: Chart = EMPTY
    span: fit.Range | None = None
    values: fit.Range | None = None
    picture: QImage | None = None
    name: str = ""

    @property
    def timed(self) -> bool:
        """Whether it is a chart over time."""
        return self.picture is None and self.chart.x == TIME


@dataclass(slots=True, eq=False)
class PlacedPanel:
    """A panel on the page: its rectangle, the lines of its legend, and what paints it."""

    panel: PagePanel
    letter: str
    box: QRectF
    lines: list[list[Cell]]
    painter: ChartPainter | None = None

    def right(self, unit: float) -> float:
        """Where the lines of its legend end."""
        beside = self.painter is not None and self.panel.chart.colours
        return self.painter.area.right() if beside else self.box.right() - RIGHT * unit


class ChartsPage:
    """The panels in rows and columns, below a title and a legend of the runs, above a caption.

    Args:
        panels: in reading order.
        figure: how the page looks.
        title: its name; shown if the style shows titles.
        legend: the runs.
        caption: the text below.
        t: the playhead [s]; None without one.
        outlines: whether its texts do not depend on a font.
    """

    def __init__(
        self,
        panels: Sequence[PagePanel],
        figure: FigureStyle,
        *,
        title: str = "",
        legend: Sequence[LegendEntry] = (),
        caption: str = "",
        t: float | None = None,
        outlines: bool = False,
    ) -> None:
        self.outlines = outlines
        self.figure, self.title, self.style = figure, title, style_of_figure(figure)
        self.caption = caption if figure.shows("caption") else ""
        self.t = t if figure.shows("playhead") else None
        self.heading = title if figure.shows("title") else ""
        self._width = figure.width * PER_MM * TENTHS
        several = len(legend) > 1 or self.heading or any(entry.note for entry in legend)
        self.legend = self._run_lines(legend) if figure.shows("legend") and several else []
        self._caption_height = self._measure_caption()
        self.places = self._placed(panels)
        self.size = self._width / TENTHS, self._height / TENTHS

    @property
    def painters(self) -> list[ChartPainter]:
        """The painters of the charts."""
        return [place.painter for place in self.places if place.painter is not None]

    @property
    def edge(self) -> float:
        """Where the title and the runs begin."""
        return min(self._left_edge, MARGIN * self.style.scale)

    # -- places --------------------------------------------------------------------------------------------------------

    def _placed(self, panels: Sequence[PagePanel]) -> list[PlacedPanel]:
        figure, unit = self.figure, self.style.scale
        columns = min(figure.columns, max(len(panels), 1))
        lines = math.ceil(len(panels) / columns)
        width = self._width / columns
        top = heading_height(self.heading, (), self.style) if self.heading else 0.0
        top += (RUN_LINE * len(self.legend) + (0.0 if top else 6.0)) * unit if self.legend else 0.0
        left = self._left(panels, width)
        bars = {index % columns for index, panel in enumerate(panels) if panel.chart.colours}
        insides = [width - left - (RIGHT + (BAR if column in bars else 0.0)) * unit for column in range(columns)]
        places = []
        for index, panel in enumerate(panels):
            letter = letter_of(index) if figure.shows("letters") and len(panels) > 1 else ""
            # A legend beside another panel's bar of colours may be as wide as the column.
            room = insides[index % columns] if panel.chart.colours else width - left - RIGHT * unit
            cells = self._cells(panel, letter, room)
            places.append(PlacedPanel(panel, letter, QRectF(), cells))
        lowest = with_numbers([(panel.span,) if panel.timed else None for panel in panels], columns)
        rows = [range(line * columns, min((line + 1) * columns, len(panels))) for line in range(lines)]
        lowest = [any(lowest[other] for other in rows[index // columns]) for index in range(len(panels))]
        heads = [max(self._head(places[index]) for index in row) for row in rows]
        feet = [max((BOTTOM if lowest[index] else BARE) * unit for index in row) for row in rows]
        inner = [
            max(self._inner(panels[index], width, insides[index % columns], foot) for index in row)
            for row, foot in zip(rows, feet, strict=True)
        ]
        if figure.height:
            free = figure.height * PER_MM * TENTHS - top - self._caption_height - sum(heads) - sum(feet)
            inner = filling(inner, [max(_least(panels[index]) * unit for index in row) for row in rows], free)
        y = top
        for row, head, foot, height in zip(rows, heads, feet, inner, strict=True):
            for column, index in enumerate(row):
                box = QRectF(column * width, y, width, head + height + foot)
                area = QRectF(box.left() + left, y + head, insides[column], height)
                self._fill(places[index], box, area, numbers=lowest[index])
            y += head + height + foot
        self._top, self._bottom, self._left_edge = top, y, left
        self._height = max(y + self._caption_height, figure.height * PER_MM * TENTHS)
        return places

    def _fill(self, place: PlacedPanel, box: QRectF, area: QRectF, *, numbers: bool) -> None:
        place.box, panel = box, place.panel
        if panel.picture is None:
            place.painter = ChartPainter(
                panel.chart,
                box,
                panel.span,
                self.style,
                numbers=numbers,
                values=panel.values,
                area=area,
                letter=place.letter,
            )

    def _inner(self, panel: PagePanel, outer: float, width: float, foot: float) -> float:
        """The height of a frame that a panel needs: `outer` wide as a whole, above a foot; a chart's frame has `width`.

        A picture fills the foot too.
        """
        unit = self.style.scale
        if panel.picture is not None:
            across = outer - 2.0 * EDGE * unit
            return across * panel.picture.height() / panel.picture.width() + EDGE * unit - foot
        tallest = TALLEST * unit
        if panel.timed:
            return min(FLAT * width, tallest)
        # Words and trees keep apart in a narrow column, too.
        return max(min(SQUARE * width, 2.0 * tallest), _least(panel) * unit if panel.chart.bare else 0.0)

    def _head(self, place: PlacedPanel) -> float:
        """The height above a chart's frame."""
        named = place.letter or place.panel.chart.colours or (self.style.names and place.panel.picture is None)
        extra = len(place.lines) - (1 if self._beside(place) else 0)
        return ((HEADING if named or place.lines else BARE) + ENTRIES * max(extra, 0)) * self.style.scale

    def _beside(self, place: PlacedPanel) -> bool:
        """Whether the first line of a chart's legend stands beside its name."""
        if self.style.names:
            return len(place.lines) == 1 and bool(place.lines[0]) and not self._crowded(place)
        return not (place.lines and place.panel.chart.note and self._crowded(place))

    def _crowded(self, place: PlacedPanel) -> bool:
        metrics = QFontMetricsF(self.style.font(12.0, bold=True))
        chart = place.panel.chart
        names = (chart.title, chart.subtitle, f"[{chart.y.unit}]") if self.style.names else ()
        words = metrics.horizontalAdvance("  ".join((place.letter, *names, chart.note)))
        cells = sum(width for _, width, _ in place.lines[0])
        return 1.15 * words + cells > self._width / self.figure.columns - 2.0 * HEADING * self.style.scale

    def _cells(self, panel: PagePanel, letter: str, width: float) -> list[list[Cell]]:
        """The lines of a chart's legend."""
        if panel.picture is not None or not self.figure.shows("legend"):
            return []
        measure = QFontMetricsF(self.style.font(12.0)).horizontalAdvance
        room = width - (measure(letter + "  ") if letter else 0.0)
        return flowing(entries_on_paper(panel.chart, self.style), measure, room, self.style.scale)

    def _left(self, panels: Sequence[PagePanel], width: float) -> float:
        """The room for numbers and names of the upright axes, the same for all charts so that they stand in line."""
        metrics, unit = QFontMetricsF(self.style.font(11.0)), self.style.scale
        most = 0.0
        for panel in panels:
            if panel.picture is None:
                frame = QRectF(0.0, 0.0, width, FLAT * width)
                drawn = ChartPainter(panel.chart, frame, panel.span, self.style, values=panel.values, area=frame)
                texts = [metrics.horizontalAdvance(text) for _, text in drawn.value_ticks()]
                most = max(most, max(texts, default=0.0) + (18.0 * unit if drawn.upright else 0.0))
        return min(most + 12.0 * unit, 0.4 * width)

    def _run_lines(self, legend: Sequence[LegendEntry]) -> list[list[Cell]]:
        """The legend of the runs, line after line; what is too long goes on below, as whole words and numbers."""
        style, room = self.style, self._width - MARGIN * self.style.scale
        metrics = QFontMetricsF(style.font(12.0))
        dashes = [style.dash(one.colour, one.dash) for one in legend]
        sample = max((CurveEntry("", dash, "").length for dash in dashes), default=0.0)
        found, most = list[list[CurveEntry]](), max(1, LEGEND_LINES // max(len(legend), 1))
        for one, dash in zip(legend, dashes, strict=True):
            colour, mark = style.run_colour(one.colour).name(), one.mark or style.mark(one.colour)
            entry = CurveEntry(colour, dash, "", mark=mark, filled=bool(one.mark), sample=sample)
            left = room - cell_of(entry, metrics.horizontalAdvance, style.scale)[1] + (GAP - SPACE) * style.scale
            parts = [one_name(one.label), *filter(None, (*one.setting.split(", "), one.note))]
            whole = ", ".join([one.label, *parts[1:]])
            texts = [whole] if metrics.horizontalAdvance(whole) <= left else broken(parts, metrics, left, most)
            found.append([replace(entry, name=text, goes_on=place > 0) for place, text in enumerate(texts)])
        if all(len(lines) == 1 for lines in found):
            return flowing([entry for (entry,) in found], metrics.horizontalAdvance, room, style.scale)
        return [[cell_of(entry, metrics.horizontalAdvance, style.scale)] for lines in found for entry in lines]

    def _measure_caption(self) -> float:
        if not self.caption:
            return 0.0
        return self.caption_box(0.0).height() + 0.8 * LINE_HEIGHT * self.style.scale

    def caption_box(self, top: float) -> QRectF:
        """Where the caption is, below `top`."""
        edge = EDGE * self.style.scale
        room = QRectF(edge, top, self._width - 2.0 * edge, 1e6)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
        return QFontMetricsF(self.style.font(12.0)).boundingRect(room, int(flags), self.caption)

    # -- painting ------------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter) -> None:
        """Draw the page."""
        painter.save()
        painter.scale(1.0 / TENTHS, 1.0 / TENTHS)
        painter.setRenderHints(SMOOTH)
        painter.fillRect(QRectF(0.0, 0.0, self._width, self._height), self.style.colour("surface"))
        self._paint_heading(painter)
        for place in self.places:
            self._paint_panel(painter, place)
        if self.caption:
            painter.setFont(self.style.font(12.0))
            painter.setPen(self.style.colour("text"))
            box = self.caption_box(self._bottom + 0.4 * LINE_HEIGHT * self.style.scale)
            flags = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
            painter.drawText(box.adjusted(0.0, 0.0, 1.0, 1.0), int(flags), self.caption)
        painter.restore()

    def _paint_heading(self, painter: QPainter) -> None:
        edge, unit = self.edge, self.style.scale
        if self.heading:
            place = QRectF(edge - MARGIN * unit, 0.0, self._width - edge, self._top)
            paint_heading(painter, place, self.heading, (), self.style)
        painter.setFont(self.style.font(12.0))
        for number, cells in enumerate(reversed(self.legend), start=1):
            width = sum(cell[1] for cell in cells)
            line = QRectF(edge, self._top - RUN_LINE * number * unit, width - GAP * unit, RUN_LINE * unit)
            paint_cells(painter, cells, line, self.style)

    def _paint_panel(self, painter: QPainter, place: PlacedPanel) -> None:
        style, unit, chart = self.style, self.style.scale, place.painter
        if chart is None:
            self._paint_picture(painter, place)
            return
        chart.paint_ground(painter)
        chart.paint_curves(painter)
        if self.t is not None:
            chart.paint_line(painter, self.t)
            chart.paint_dots(painter, self.t)
        painter.setFont(style.font(12.0))
        top = place.box.top() + 4.0 * unit + (0.0 if self._beside(place) else ENTRIES * unit)
        right = place.right(unit)
        for number, cells in enumerate(place.lines):
            line = QRectF(QPointF(chart.area.left(), top + number * ENTRIES * unit), QSizeF(0.0, 22.0 * unit))
            line.setRight(right)
            paint_cells(painter, cells, line, style)

    def _paint_picture(self, painter: QPainter, place: PlacedPanel) -> None:
        style, unit = self.style, self.style.scale
        assert place.panel.picture is not None
        if place.letter:
            painter.setFont(style.font(12.0))
            painter.setPen(style.colour("text"))
            left = place.box.left() + self._left_edge  # where the headings of charts begin
            box = QRectF(left, place.box.top() + 4.0 * unit, place.box.right() - left, 22.0 * unit)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, place.letter)
        frame = place.box.adjusted(EDGE * unit, self._head(place), -EDGE * unit, -EDGE * unit)
        image = place.panel.picture
        share = min(frame.width() / image.width(), frame.height() / image.height())
        size = image.width() * share, image.height() * share
        corner = QPointF(frame.center().x() - 0.5 * size[0], frame.top())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(QRectF(corner.x(), corner.y(), *size), QPixmap.fromImage(image), QRectF(image.rect()))


def filling(wanted: Sequence[float], least: Sequence[float], room: float) -> list[float]:
    """Heights in proportion to the wanted ones that fill `room`; where one's least is more than that, it is the least.

    They need more room than there is where all have their least height.
    """
    least = [min(pair) for pair in zip(wanted, least, strict=True)]
    rest, short = list(range(len(wanted))), list(range(len(wanted)))
    share = 1.0
    while short and rest:
        left = room - sum(height for index, height in enumerate(least) if index not in rest)
        share = left / max(sum(wanted[index] for index in rest), 1.0)
        short = [index for index in rest if wanted[index] * share < least[index]]
        rest = [index for index in rest if index not in short]
    return [wanted[index] * share if index in rest else height for index, height in enumerate(least)]


def _least(panel: PagePanel) -> float:
    """The least height of a panel's frame in units: regions, pictures and trees have one scale both ways."""
    chart = panel.chart
    if panel.picture is None and not chart.equal:
        return LEAST
    free = [label for label in chart.labels if not any(label.room)] if chart.bare else []
    if chart.view is None or not free or not chart.curves:
        return LEAST_WHOLE
    x, y = (np.concatenate([getattr(curve, axis) for curve in chart.curves]) for axis in "xy")
    nearest = min(float(np.hypot(x - label.x, y - label.y).min()) for label in free)
    return max(LEAST_WHOLE, CLEAR * (chart.view[3] - chart.view[2]) / nearest)


def page_of_chart(panel: PagePanel, figure: FigureStyle, rows: Sequence[RunRow] = ()) -> ChartsPage:
    """A page of one chart, of these runs if any."""
    return ChartsPage([panel], figure, title=panel.chart.title, legend=final_legend(rows))


def style_of_figure(figure: FigureStyle) -> Style:
    """Colours, fonts and sizes of a page."""
    return Style(
        load(figure.theme) if figure.theme in THEMES else _without_colours(load(THEMES[0])),
        line=2.2 if figure.theme == "projector" else 1.4,
        scale=figure.points / POINTS * TENTHS,
        plain=True,
        families=families_of(figure.family),
        text=TEXT,
        fine=TENTHS,
        grid=figure.shows("grid"),
        names=figure.shows("names"),
        mono=figure.theme == "mono",
    )


def _without_colours(theme: Theme) -> Theme:
    """A theme in black, greys and white."""
    greys = {role: QColor(*[qGray(QColor(colour).rgb())] * 3).name() for role, colour in theme.colours.items()}
    return Theme(theme.name, {**greys, "text": "#000000"}, theme.sizes)
