"""Words inside a chart: they keep apart from each other, and from the curves behind them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from gui.qt.drawing.style import Style
from robots.model.chart import ChartLabel

SIZE = 11.0
"""The height of words in units."""

FILLED = 0.9
"""How much of its box a text may fill."""

PLATE = 2.0
"""How far the ground behind words without a box reaches beyond them on both sides [px]."""

PARTS, SMALLEST = re.compile("[,;:] |  "), 0.8
"""What separates the parts of a heading, and the smallest size of their type."""

CENTRE, ANYWHERE = int(Qt.AlignmentFlag.AlignCenter), QRectF(-1e6, -1e6, 2e6, 2e6)


def paint_labels(
    painter: QPainter,
    labels: Sequence[ChartLabel],
    place: Callable[[float, float], QPointF],
    frame: QRectF,
    style: Style,
) -> None:
    """Write a chart's words: in their boxes, or where they have none, beside each other.

    Args:
        painter: draws them.
        labels: the words.
        place: the pixel of a place in the chart.
        frame: of the chart [px].
        style: colours and scale.
    """
    painter.setPen(style.colour("text"))
    for label in labels:
        if any(label.room):
            middle = place(label.x, label.y)
            corner = place(label.x + 0.5 * label.room[0], label.y + 0.5 * label.room[1])
            _paint_inside(painter, label.text, middle, corner, style.font(SIZE))
    painter.setFont(style.font(SIZE))
    for text, box in free_boxes(labels, place, frame, style):
        painter.fillRect(plate(box, style), style.colour("surface", 0.8))
        painter.drawText(box.adjusted(0.0, -1.0, 0.0, 1.0), CENTRE, text)


def broken(parts: Sequence[str], metrics: QFontMetricsF, width: float, most: int) -> list[str]:
    """A list of parts in lines of this width, broken after commas; dots stand for what `most` lines do not hold."""
    lines = [[parts[0]]]
    for part in parts[1:]:
        if metrics.horizontalAdvance(f"{', '.join([*lines[-1], part])},") <= width:
            lines[-1].append(part)
        else:
            lines.append([part])
    kept = lines[:most]
    while len(lines) > most and len(kept[-1]) > 1:
        if metrics.horizontalAdvance(", ".join([*kept[-1], "…"])) <= width:
            break
        kept[-1].pop()
    if len(lines) > most:
        kept[-1].append("…")
    texts = [f"{', '.join(line)}{',' if line is not kept[-1] else ''}" for line in kept]
    return [metrics.elidedText(text, Qt.TextElideMode.ElideRight, width) for text in texts]


def fitting(text: str, font: QFont, width: float) -> tuple[str, QFont]:
    """As much of a heading as is whole in this width, and its font: parts, in smaller type the first, at last words.

    Dots in its place would say neither what the parts are nor how many.
    """
    ends = [found.start() for found in PARTS.finditer(text)]
    tries = [(end, 1.0) for end in (len(text), *reversed(ends))]
    tries += [(ends[0] if ends else len(text), share) for share in (0.9, SMALLEST)]
    tries += [(end, SMALLEST) for end in range(len(text) - 1, 0, -1) if text[end] == " "]
    for end, share in tries:
        smaller = QFont(font)
        smaller.setPixelSize(round(share * font.pixelSize()))
        if QFontMetricsF(smaller).horizontalAdvance(text[:end]) <= width:
            return text[:end], smaller
    return "", font


def plate(box: QRectF, style: Style) -> QRectF:
    """The ground behind words in their box: it leaves out what is blank above their capitals, where marks may be."""
    metrics = QFontMetricsF(style.font(SIZE))
    return box.adjusted(0.0, metrics.ascent() - metrics.capHeight() - PLATE, 0.0, 0.0)


def free_boxes(
    labels: Sequence[ChartLabel], place: Callable[[float, float], QPointF], frame: QRectF, style: Style
) -> list[tuple[str, QRectF]]:
    """The words without a box of their own that there is room for, and what each takes [px]; see `paint_labels`."""
    free, metrics = [label for label in labels if not any(label.room)], QFontMetricsF(style.font(SIZE))
    wanted: list[tuple[str, QRectF]] = []
    for label in free:
        box = metrics.boundingRect(ANYWHERE, CENTRE, label.text).adjusted(-PLATE, 0.0, PLATE, 0.0)
        box.moveCenter(place(label.x, label.y))
        if box.intersects(frame):  # others name what lies outside the shown part
            wanted.append((label.text, box))
    placed = kept_apart([box for _, box in wanted], frame)
    return [(text, box) for (text, _), box in zip(wanted, placed, strict=True) if box is not None]


def _paint_inside(painter: QPainter, text: str, middle: QPointF, corner: QPointF, font: QFont) -> None:
    """Write words around the middle of the box with this corner, smaller where they would leave it."""
    box = QRectF()
    room = 2.0 * abs(corner.x() - middle.x()), 2.0 * abs(corner.y() - middle.y())
    for _ in range(2):
        box = QFontMetricsF(font).boundingRect(ANYWHERE, CENTRE, text)
        filled = max(
            (size / side for size, side in zip((box.width(), box.height()), room, strict=True) if side), default=0.0
        )
        if filled > FILLED:
            font.setPixelSize(max(1, int(font.pixelSize() * FILLED / filled)))
    box.moveCenter(middle)
    painter.setFont(font)
    painter.drawText(box.adjusted(-1.0, -1.0, 1.0, 1.0), CENTRE, text)


def kept_apart(boxes: Sequence[QRectF], frame: QRectF) -> list[QRectF | None]:
    """The boxes, moved up or down in the frame so far that none covers another; None for those without room there."""
    groups: list[list[int]] = [[k] for k in range(len(boxes))]
    placed: list[QRectF | None] = [*boxes]
    while True:
        for group in groups:
            gap = max(boxes[k].height() for k in group)
            most = max(1, int(frame.height() / gap))
            for k in group[most:]:
                placed[k] = None
            wanted = [boxes[k].center().y() - frame.top() for k in group[:most]]
            for k, at in zip(group, spread(wanted, gap, frame.height()), strict=False):
                box = QRectF(boxes[k])
                box.moveCenter(QPointF(box.center().x(), frame.top() + at))
                placed[k] = box
        pair = next((pair for pair in combinations(groups, 2) if _covered(*pair, placed)), None)
        if pair is None:
            return placed
        groups = [group for group in groups if group not in pair] + [sorted(pair[0] + pair[1])]


def _covered(one: Sequence[int], other: Sequence[int], placed: Sequence[QRectF | None]) -> bool:
    """Whether a box of one group covers a part of one of the other group."""
    pairs = [(placed[i], placed[j]) for i in one for j in other]
    return any(a is not None and b is not None and a.intersects(b) for a, b in pairs)


def spread(wanted: Sequence[float], gap: float, room: float) -> list[float]:
    """Positions near the wanted ones, in the same order from low to high, `gap` apart, within 0 .. `room`."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places = list(wanted)
    floor = gap / 2.0
    for index in order:
        places[index] = floor = max(places[index], floor)
        floor += gap
    ceiling = room - gap / 2.0
    for index in reversed(order):
        places[index] = ceiling = min(places[index], ceiling)
        ceiling -= gap
    return places
