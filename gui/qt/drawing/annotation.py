"""The texts over a scene: its title, the runs with their colours, and the time."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from gui.app.units import clock, tick_text
from gui.compose.picture import LegendEntry
from gui.qt.drawing.legend import paint_sample
from gui.qt.drawing.style import Style, sample_length
from scene.camera import WHOLE, Bars

MARGIN = 22.0
SAMPLE = 2.6
LINE = sample_length("dash", SAMPLE)
"""Width and length of a run's line in the heading."""

CLOCK, MOST_HEAD, MOST_FOOT = MARGIN + 20.0, 0.4, 0.2
"""The height of the clock with its margin, and the largest shares of a scene's height that are left free for texts."""


def shortened_label(text: str, metrics: QFontMetricsF, room: float) -> str:
    """An axis label such as `error of the tip, largest [m]`, shortened to fit `room` [px]; its unit stays."""
    if metrics.horizontalAdvance(text) > room:
        # What follows a comma is a detail, and goes first.
        text = re.sub(r",[^\[]*", " ", text).strip()
    title, bracket, unit = text.partition(" [")
    left = room - metrics.horizontalAdvance(bracket + unit)
    return metrics.elidedText(title, Qt.TextElideMode.ElideRight, left) + bracket + unit


def paint_heading(painter: QPainter, place: QRectF, title: str, legend: Sequence[LegendEntry], style: Style) -> None:
    """The title at the top left, and below it a line for each run: colour, method, setting, and whether it failed.

    It lies on a pale plate, so that it stays readable when an arm swings behind it.
    """
    unit = style.scale
    left, y = place.left() + MARGIN * unit, place.top() + (MARGIN - 4.0) * unit
    room = place.width() - 2.0 * MARGIN * unit
    font = style.font(21.0, bold=True)
    heading = QFontMetricsF(font).elidedText(title, Qt.TextElideMode.ElideRight, room)
    widths = _heading_widths(heading, legend, style)
    height = heading_height(title, legend, style) - (MARGIN - 2.0) * unit
    _veil(painter, QRectF(left, y, min(max(widths), room), height), style)
    if title:
        painter.setFont(font)
        painter.setPen(style.colour("text"))
        painter.drawText(QRectF(left, y, room, 30.0 * unit), Qt.AlignmentFlag.AlignVCenter, heading)
        y += 34.0 * unit
    for entry in legend:
        _paint_entry(painter, QRectF(left, y, room, 21.0 * unit), entry, style)
        y += 23.0 * unit


def heading_height(title: str, legend: Sequence[LegendEntry], style: Style) -> float:
    """The height of `paint_heading`, with its margin [px]."""
    return (MARGIN + (34.0 if title else 0.0) + 23.0 * len(legend)) * style.scale


def bars_of(size: tuple[int, int], title: str | None, legend: Sequence[LegendEntry], style: Style) -> Bars:
    """What heading and clock take of a scene of this size [px]; without a title there is neither."""
    if title is None:
        return WHOLE
    wide, high = size
    head, foot = heading_height(title, legend, style) / high, CLOCK * style.scale / high
    across = max(_heading_widths(title, legend, style), default=0.0) + 2.0 * MARGIN * style.scale
    return Bars(min(head, MOST_HEAD), min(foot, MOST_FOOT), min(across / wide, 1.0))


def paint_clock(painter: QPainter, place: QRectF, t: float, speed: float, style: Style) -> None:
    """The time at the bottom left, and the speed of the film if it is not real time."""
    unit = style.scale
    left, height = place.left() + MARGIN * unit, 26.0 * unit
    y = place.bottom() - MARGIN * unit - height + 6.0 * unit
    texts = [(f"t = {clock(t)}", style.font(17.0, bold=True), style.colour("text"))]
    if speed not in (0.0, 1.0):
        texts.append((f"{tick_text(speed)}× speed", style.font(14.0), style.colour("muted")))
    widths = [QFontMetricsF(font).horizontalAdvance(text) for text, font, _ in texts]
    gap = 14.0 * unit
    _veil(painter, QRectF(left, y, sum(widths) + gap * (len(widths) - 1), height), style)
    for (text, font, colour), width in zip(texts, widths, strict=True):
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(QRectF(left, y, width + gap, height), Qt.AlignmentFlag.AlignVCenter, text)
        left += width + gap


def _pieces(entry: LegendEntry, style: Style) -> list[tuple[str, QFont, QColor]]:
    """The texts of one line, with their fonts and colours."""
    pieces = [
        (entry.label, style.font(14.0, bold=entry.current), style.colour("text")),
        (entry.setting, style.font(14.0), style.colour("muted")),
        (entry.note, style.font(14.0, bold=entry.alarm), style.colour("danger" if entry.alarm else "muted")),
    ]
    return [piece for piece in pieces if piece[0]]


def _heading_widths(title: str, legend: Sequence[LegendEntry], style: Style) -> list[float]:
    """The widths of the heading's lines [px]."""
    wide = QFontMetricsF(style.font(21.0, bold=True)).horizontalAdvance(title)
    return [wide, *(_entry_width(entry, style) for entry in legend)]


def _entry_width(entry: LegendEntry, style: Style) -> float:
    words = [QFontMetricsF(font).horizontalAdvance(text) for text, font, _ in _pieces(entry, style)]
    return (LINE + 10.0) * style.scale + sum(words) + 10.0 * style.scale * (len(words) - 1)


def _paint_entry(painter: QPainter, place: QRectF, entry: LegendEntry, style: Style) -> None:
    unit, middle = style.scale, place.center().y()
    colour, dash = style.run_colour(entry.colour), style.dash(entry.colour, entry.dash)
    start, mark = QPointF(place.left(), middle), style.mark(entry.colour)
    paint_sample(painter, start, colour, dash, SAMPLE * unit, LINE * unit, mark, style.colour("surface"))
    x = place.left() + (LINE + 10.0) * unit
    for text, font, colour in _pieces(entry, style):
        room = QRectF(x, place.top(), place.right() - x, place.height())
        if room.width() <= 0.0:
            return
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        x += QFontMetricsF(font).horizontalAdvance(shown) + 10.0 * unit


def _veil(painter: QPainter, place: QRectF, style: Style) -> None:
    """A pale plate behind text."""
    unit = style.scale
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(style.colour("surface", 0.62))
    painter.drawRoundedRect(place.adjusted(-10 * unit, -5 * unit, 10 * unit, 5 * unit), 8 * unit, 8 * unit)
    painter.setBrush(Qt.BrushStyle.NoBrush)
