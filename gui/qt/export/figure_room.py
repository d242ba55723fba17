"""How wide a figure has to be: what its page writes is whole, or elided after its first word, and covers nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

from PySide6.QtGui import QFont, QFontMetricsF

from assets.errors import BadInput
from gui.qt.drawing.annotation import MARGIN
from gui.qt.drawing.chart import BESIDE, ChartPainter
from gui.qt.drawing.charts_page import EDGE, LEAST_WHOLE, ChartsPage, PlacedPanel
from gui.qt.drawing.legend import GAP, Cell
from gui.qt.drawing.words import free_boxes, plate

LEAST_ACROSS = 72.0
"""The least width of a frame in units."""

APART = 1.5
"""How far the words of a drawing keep from its marks, and half of what is between two of them, in units."""

WIDEST = 2000
"""A figure may be so wide [mm]."""

NUMBER, NAME, BAR_NAME = 7.0, 16.0, 12.0
"""Between a value and its axis, the room of an upright name, and what keeps a bar's name from a heading, in units."""


def refuse_narrow(page: Callable[[float], ChartsPage], width: float) -> ChartsPage:
    """The page of that width [mm]. Raises BadInput where it is too narrow for what it writes; says what is wide enough.

    What no page has room for refuses none.
    """
    made = page(width)
    if has_room(made) or not has_room(page(WIDEST)):
        return made
    narrow, wide = int(width), WIDEST
    while wide - narrow > 1:
        middle = (narrow + wide) // 2 if wide < 4 * narrow else 2 * narrow
        narrow, wide = (narrow, middle) if has_room(page(middle)) else (middle, wide)
    raise BadInput("width", width, f"at least {wide} mm for these panels")


def has_room(page: ChartsPage) -> bool:
    """Whether all that a page writes has room across."""
    unit, across = page.style.scale, 10.0 * page.size[0]
    head = _advance(page.style.font(21.0, bold=True))
    room = across - page.edge - 2.0 * MARGIN * unit
    runs = across - MARGIN * unit
    return (
        (not page.heading or _least(page.heading, head) <= room)
        and (not page.caption or page.caption_box(0.0).width() <= across - 2.0 * EDGE * unit)
        and _lines_fit(page.legend, runs, unit)
        and not any(_cut(entry.name) for line in page.legend for entry, _, _ in line)
        and all(_fits(page, place) for place in page.places)
    )


def _fits(page: ChartsPage, place: PlacedPanel) -> bool:
    unit, painter = page.style.scale, place.painter
    if painter is None:
        return place.box.width() - 2.0 * EDGE * unit >= LEAST_WHOLE * unit
    return (
        painter.area.width() >= LEAST_ACROSS * unit
        and (painter.chart.bare or _axes_fit(painter))
        and _heading_fits(painter)
        and _lines_fit(place.lines, place.right(unit) - painter.area.left(), unit)
        and (not painter.chart.bare or _drawing_fits(painter))
    )


def _axes_fit(painter: ChartPainter) -> bool:
    """Whether the numbers of both axes are apart, and they and the names in the chart's place."""
    place, area, unit = painter.place, painter.area, painter.style.scale
    measure = _advance(painter.style.font(11.0))
    values = max((measure(text) for _, text in painter.value_ticks()), default=0.0)
    beside = (NUMBER + (NAME if painter.upright else 0.0)) * unit
    if values + beside > area.left() - place.left() and not painter.chart.y.names:
        return False
    if not painter.numbers:
        return True
    half = min(area.center().x() - place.left(), place.right() - area.center().x())
    end = place.left()
    for x, text in painter.across_ticks():
        wide = measure(text)
        if x - 0.5 * wide < end:
            return False
        end = x + 0.5 * wide + 0.5 * GAP * unit
    return end - 0.5 * GAP * unit <= place.right() and measure(painter.chart.x.label) <= 2.0 * half


def _heading_fits(painter: ChartPainter) -> bool:
    """Whether the first word of a chart's name has room, and the name of its colours."""
    style, chart, heading = painter.style, painter.chart, painter.heading
    room = heading.width() - (_advance(style.font(12.0))(painter.letter) + BESIDE * style.scale) * bool(painter.letter)
    if chart.colours is not None:
        name = _advance(style.font(11.0))(chart.colours.axis.label) + BAR_NAME * style.scale
        if name > painter.place.right() - painter.area.left():
            return False
    return not (style.names and chart.title) or _least(chart.title, _advance(style.font(13.0, bold=True))) <= room


def _drawing_fits(painter: ChartPainter) -> bool:
    """Whether all words of a drawing are inside it, and cover none of its marks."""
    labels = [label for label in painter.chart.labels if not any(label.room)]
    boxes = [box for _, box in free_boxes(labels, painter.spot, painter.area, painter.style)]
    spots = [painter.spot(x, y) for curve in painter.chart.curves for x, y in zip(curve.x, curve.y, strict=True)]
    away = APART * painter.style.scale
    plates = [plate(box, painter.style).adjusted(-away, -away, away, away) for box in boxes]
    if any(one.intersects(other) for one, other in combinations(plates, 2)):
        return False
    inside = all(painter.place.left() <= box.left() and box.right() <= painter.place.right() for box in boxes)
    return inside and len(boxes) == len(labels) and not any(box.contains(spot) for box in plates for spot in spots)


def _lines_fit(lines: Iterable[list[Cell]], room: float, unit: float) -> bool:
    return all(sum(width for _, width, _ in line) - GAP * unit <= room + 0.5 for line in lines)


def _cut(name: str) -> bool:
    """Whether a run's own name is cut: after a whole setting an ellipsis follows a comma."""
    return name.endswith("…") and not name.endswith(", …")


def _least(words: str, measure: Callable[[str], float]) -> float:
    """The room that words need: all of it, or the first of them and an ellipsis."""
    return min(measure(words), measure(words.split()[0] + "…"))


def _advance(font: QFont) -> Callable[[str], float]:
    return QFontMetricsF(font).horizontalAdvance
