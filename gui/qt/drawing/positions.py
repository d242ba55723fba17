"""Positions on a chart's axes from pixels: what the mouse points at."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from gui.qt.drawing.chart import ChartPainter


def position_at(laid: ChartPainter, spot: QPointF) -> tuple[float, float]:
    """The positions on both axes at a pixel of the chart's area."""
    area, ((left, right), (low, high)) = laid.area, laid.sides
    across = (spot.x() - area.left()) / max(area.width(), 1.0)
    up = (area.bottom() - spot.y()) / max(area.height(), 1.0)
    return left + across * (right - left), low + up * (high - low)
