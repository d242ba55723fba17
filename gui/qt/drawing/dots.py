"""The marks of a chart's curves at the playhead, at the edge where they lie beyond it, and what stands beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from gui.charts import fit
from gui.qt.drawing.marks import paint_mark
from gui.qt.drawing.style import Style, pen
from robots.model.chart import Curve

Place = TypeVar("Place")

INSET = 6.0
"""How far inside the frame an arrow to what lies beyond it stands."""

LINE = 1.5
"""Width of the line around a mark [px]."""

ALARMED = 1.5
"""How much larger a mark is where its curve should not be: a diamond has less in it than a circle as high."""

UPSIDE_DOWN = {"wedge": "triangle", "triangle": "wedge"}
"""Pixels grow downwards."""

CENTRED = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip


def mark_at(curve: Curve, t: float) -> str:
    """What marks a curve's place at the time `t`: its own cross, or a diamond where it should not be there."""
    return "cross" if curve.mark == "cross" else "diamond" if curve.alarmed(t) else "circle"


def in_order(marks: Sequence[tuple[Curve, Place]], t: float) -> list[tuple[Curve, Place]]:
    """Curves and places as they are painted: earlier ones over later ones, and those of growing modes over all."""
    painted = list(reversed(marks))
    painted.sort(key=lambda mark: mark[0].alarmed(t))
    return painted


def size_at(curve: Curve, t: float) -> float:
    """How large the mark of a curve is at the time `t`, in marks of the usual size."""
    return ALARMED if curve.alarmed(t) else 1.0


def look_at(curve: Curve, t: float, style: Style, arrow: str) -> tuple[str, QColor, QColor]:
    """What stands for a curve at the time `t`, its mark or an arrow to it, what fills it, and its line's colour.

    What warns is amber with a line in the curve's colour, so that it says whose it is.
    """
    tint, mark = style.dot_colour(curve, t), arrow or mark_at(curve, t)
    around = style.curve_colour(replace(curve, faded=False)) if curve.alarmed(t) else style.colour("surface")
    return mark, tint, tint if mark == "cross" else around


def tags_placed(marks: Sequence[tuple[str, QPointF, float]], font: QFont, area: QRectF) -> list[tuple[str, QRectF]]:
    """What stands beside marks, above right of each or where the frame leaves room; none covers an earlier one.

    Args:
        marks: the words, the place and the radius [px] of each, which they keep clear of.
        font: of the words.
        area: the frame [px].
    """
    metrics, placed = QFontMetricsF(font), list[tuple[str, QRectF]]()
    for text, spot, away in marks:
        wide, high = metrics.horizontalAdvance(text), metrics.height()
        left = spot.x() + away if spot.x() + away + wide <= area.right() else spot.x() - away - wide
        top = spot.y() - away - high if spot.y() - away - high >= area.top() else spot.y() + away
        box = QRectF(left, top, wide, high)
        if text and not any(box.intersects(other) for _, other in placed):
            placed.append((text, box))
    return placed


def paint_dots(painter: QPainter, spots: Sequence[tuple[Curve, QPointF]], t: float, area: QRectF, style: Style) -> None:
    """A mark where each curve is; in a plane one beyond the frame is an arrow at its edge.

    Args:
        painter: to paint with.
        spots: curves with their places [px].
        t: the time at which they are there [s].
        area: the frame [px].
        style: of the chart.
    """
    if area.isEmpty():
        return  # a layout in the making leaves no room
    frame, tags = area.adjusted(-2, -2, 2, 2), list[tuple[str, QPointF, float]]()
    for curve, place in in_order(spots, t):
        spot, arrow = (place, "") if curve.t is None else _held(place, area, INSET * style.scale)
        if not (math.isfinite(spot.x()) and math.isfinite(spot.y()) and frame.contains(spot)):
            continue
        mark, tint, line = look_at(curve, t, style, arrow)
        painter.setPen(pen(line, width=LINE * style.scale))
        painter.setBrush(tint)
        size = 4.0 * style.scale * size_at(curve, t)
        paint_mark(painter, mark, spot, size)
        tags.insert(0, (curve.tag, spot, size))
    painter.setFont(style.font(11.0))
    painter.setPen(style.colour("text"))
    for text, box in tags_placed(tags, painter.font(), area):
        painter.drawText(box, int(CENTRED), text)


def _held(spot: QPointF, area: QRectF, inset: float) -> tuple[QPointF, str]:
    """Where a mark stands [px], and as which arrow: at the frame's edge if its place is beyond it."""
    if math.isnan(spot.x()) or math.isnan(spot.y()):
        return spot, ""
    sides = (area.left(), area.right()), (area.top(), area.bottom())
    (x, y), arrow = fit.held((spot.x(), spot.y()), *sides, (inset, inset))
    return QPointF(x, y), UPSIDE_DOWN.get(arrow, arrow)
