"""The marks at the points of a curve."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPolygonF

CORNERS = {
    "triangle": ((0.0, -1.2), (-1.0, 0.8), (1.0, 0.8)),
    "wedge": ((0.0, 1.2), (-1.0, -0.8), (1.0, -0.8)),
    "diamond": ((0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)),
}


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
