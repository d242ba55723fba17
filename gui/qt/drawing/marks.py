"""The marks at the points of a curve, stripes, and lines over colours."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QTextLayout,
)

from gui.qt.drawing.style import Style
from gui.qt.drawing.style import pen as pen_of
from robots.model.chart import Array

LINES = ("tick", "stripe")
"""Marks that are drawn as lines."""

OF_EDGE = 0.22
"""The largest radius of a mark, in edges of a drawing."""

CORNERS = {
    "triangle": ((0.0, -1.2), (-1.0, 0.8), (1.0, 0.8)),
    "wedge": ((0.0, 1.2), (-1.0, -0.8), (1.0, -0.8)),
    "star": (
        # Fatter than a pentagram, whose hollow form looks filled.
        *((0.0, -1.5), (0.53, -0.73), (1.43, -0.46), (0.86, 0.28), (0.88, 1.21)),
        *((0.0, 0.9), (-0.88, 1.21), (-0.86, 0.28), (-1.43, -0.46), (-0.53, -0.73)),
    ),
    "left": ((-1.2, 0.0), (0.8, -1.0), (0.8, 1.0)),
    "right": ((1.2, 0.0), (-0.8, -1.0), (-0.8, 1.0)),
    "diamond": ((0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)),
}


def mark_size(style: Style, across: Callable[[float], Array], *, bare: bool) -> float:
    """The radius of a curve's marks [px]; a bare drawing keeps the edges between its marks visible.

    Args:
        style: of the chart.
        across: places values of the horizontal axis; a drawing's edges are 1 long.
        bare: whether the chart is a drawing.
    """
    usual = 1.8 * style.line * style.scale
    return min(usual, OF_EDGE * abs(float(across(1.0) - across(0.0)))) if bare else usual


def paint_mark(painter: QPainter, shape: str, spot: QPointF, size: float) -> None:
    """Draw a mark around `spot` with the painter's pen and brush."""
    x, y = spot.x(), spot.y()
    if shape == "cross":
        painter.drawLines(
            [QLineF(x - size, y - size, x + size, y + size), QLineF(x - size, y + size, x + size, y - size)]
        )
    elif shape in CORNERS:
        painter.drawPolygon(QPolygonF([QPointF(x + a * size, y + b * size) for a, b in CORNERS[shape]]))
    elif shape == "square":
        painter.drawRect(QRectF(x - 0.9 * size, y - 0.9 * size, 1.8 * size, 1.8 * size))
    else:
        radius = 0.25 * size if shape == "dot" else size
        painter.drawEllipse(spot, radius, radius)


def paint_signed(
    painter: QPainter, text: str, place: QRectF, colours: Mapping[str, QColor], *, wraps: bool = False
) -> None:
    """Write a text with the painter's font and pen, its signs in these colours.

    Args:
        painter: what draws.
        text: one line, or as many as it takes.
        place: a line stands in the middle of its height, several begin at its top.
        colours: by sign.
        wraps: whether there are as many lines as the width asks for.
    """
    if wraps:
        _paint_wrapped(painter, text, place, colours)
        return
    plain, x, metrics = painter.pen(), place.left(), QFontMetricsF(painter.font())
    for piece in filter(None, re.split(f"([{re.escape(''.join(colours))}])", text) if colours else [text]):
        painter.setPen(colours.get(piece, plain.color()))
        box = QRectF(x, place.top(), place.right() - x, place.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, piece)
        x += metrics.horizontalAdvance(piece)
    painter.setPen(plain)


def _paint_wrapped(painter: QPainter, text: str, place: QRectF, colours: Mapping[str, QColor]) -> None:
    layout, formats = QTextLayout(text, painter.font(), painter.device()), []
    for start, sign in enumerate(text):
        if sign in colours:
            found = QTextLayout.FormatRange()
            found.start, found.length = start, 1
            found.format.setForeground(colours[sign])
            formats.append(found)
    layout.setFormats(formats)
    layout.beginLayout()
    y = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(place.width())
        line.setPosition(QPointF(0.0, y))
        y += line.height()
    layout.endLayout()
    layout.draw(painter, place.topLeft())


def paint_ticks(painter: QPainter, x: Array, y: Array, pen: QPen) -> None:
    """Draw upright lines between pairs of pixels (2n,)."""
    painter.setPen(pen)
    ends = np.stack([np.rint(x) + 0.5, y], axis=1).reshape(-1, 4)
    painter.drawLines([QLineF(*tick) for tick in ends.tolist()])


def paint_stripe(painter: QPainter, x: Array, y: Array, colour: QColor, frame: QRectF) -> None:
    """Fill the part in the frame of what is inside the closed line through the pixels (n,)."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    closed = QPolygonF([QPointF(*point) for point in zip(x.tolist(), y.tolist(), strict=True)])
    painter.drawPolygon(closed if frame.contains(closed.boundingRect()) else closed.intersected(QPolygonF(frame)))


def paint_pieces(painter: QPainter, x: Array, y: Array, dash: str, width: float, scale: float) -> None:
    """Draw straight pieces between pairs of pixels (n, 2): white on wider black ones, to show on every colour."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # Pixels of thousands of pieces are drawn forty times faster one by one; but dashes go on from one to the next.
    apart = dash == "solid" and painter.paintEngine().type() == QPaintEngine.Type.Raster
    drawn = _lines(x, y) if apart else _path(x, y)
    for colour, name, thick in (("#000000", "solid", width + 1.4), ("#ffffff", dash, width)):
        stroke = pen_of(QColor(colour), name, thick * scale)
        if isinstance(drawn, QPainterPath):
            painter.setPen(stroke)
            painter.drawPath(drawn)
        else:
            stroke.setCapStyle(Qt.PenCapStyle.SquareCap)
            painter.setPen(stroke)
            painter.drawLines(drawn)


def _lines(x: Array, y: Array) -> list[QLineF]:
    ends = np.stack([x[:, 0], y[:, 0], x[:, 1], y[:, 1]], axis=1)
    return [QLineF(*piece) for piece in ends.tolist()]


def _path(x: Array, y: Array) -> QPainterPath:
    """The pieces with those that go on where the one before ends joined."""
    path, last = QPainterPath(), None
    for (x0, x1), (y0, y1) in zip(x.tolist(), y.tolist(), strict=True):
        if (x0, y0) != last:
            path.moveTo(x0, y0)
        path.lineTo(x1, y1)
        last = x1, y1
    return path
