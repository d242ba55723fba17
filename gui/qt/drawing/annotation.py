"""The words over a scene: what it shows, which run is which colour, and what time it is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from gui.qt.drawing.chart import pen
from gui.qt.drawing.style import Style
from gui.qt.drawing.ticks import plain
from gui.qt.picture import LegendEntry

MARGIN = 22.0


def paint_heading(painter: QPainter, place: QRectF, title: str, legend: Sequence[LegendEntry], style: Style) -> None:
    """The title at the top left, and below it a line for each run: colour, method, setting, and whether it failed."""
    unit = style.scale
    left, y = place.left() + MARGIN * unit, place.top() + (MARGIN - 4.0) * unit
    room = place.width() - 2.0 * MARGIN * unit
    if title:
        painter.setFont(style.font(21.0, bold=True))
        painter.setPen(style.colour("text"))
        text = QFontMetricsF(painter.font()).elidedText(title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(left, y, room, 30.0 * unit), Qt.AlignmentFlag.AlignVCenter, text)
        y += 34.0 * unit
    for entry in legend:
        _paint_entry(painter, QRectF(left, y, room, 21.0 * unit), entry, style)
        y += 23.0 * unit


def heading_height(title: str, legend: Sequence[LegendEntry], style: Style) -> float:
    """How high `paint_heading` will be, with its margin [px]."""
    return (MARGIN + (34.0 if title else 0.0) + 23.0 * len(legend)) * style.scale


def _paint_entry(painter: QPainter, place: QRectF, entry: LegendEntry, style: Style) -> None:
    unit, middle = style.scale, place.center().y()
    painter.setPen(pen(style.curve(entry.colour), entry.dash, 3.2 * unit))
    painter.drawLine(QPointF(place.left(), middle), QPointF(place.left() + 26.0 * unit, middle))
    x = place.left() + 36.0 * unit
    for text, colour, bold in (
        (entry.label, style.colour("text"), entry.current),
        (entry.setting, style.colour("muted"), False),
        (entry.note, style.colour("warning"), True),
    ):
        if not text or x >= place.right():
            continue
        painter.setFont(style.font(14.0, bold=bold))
        metrics = QFontMetricsF(painter.font())
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.right() - x)
        painter.setPen(QColor(colour))
        painter.drawText(
            QRectF(x, place.top(), place.right() - x, place.height()), Qt.AlignmentFlag.AlignVCenter, shown
        )
        x += metrics.horizontalAdvance(shown) + 10.0 * unit


def paint_clock(painter: QPainter, place: QRectF, t: float, speed: float, style: Style) -> None:
    """The time at the bottom left, and the speed of the film where it is not the true one."""
    unit = style.scale
    left, height = place.left() + MARGIN * unit, 26.0 * unit
    y = place.bottom() - MARGIN * unit - height + 6.0 * unit
    text = f"t = {t:.3f} s".replace("-", "−")
    painter.setFont(style.font(17.0, bold=True))
    painter.setPen(style.colour("text"))
    painter.drawText(QRectF(left, y, place.width(), height), Qt.AlignmentFlag.AlignVCenter, text)
    if speed not in (0.0, 1.0):
        x = left + QFontMetricsF(painter.font()).horizontalAdvance(text) + 14.0 * unit
        painter.setFont(style.font(14.0))
        painter.setPen(style.colour("muted"))
        painter.drawText(QRectF(x, y, place.width(), height), Qt.AlignmentFlag.AlignVCenter, f"{plain(speed)}× speed")
