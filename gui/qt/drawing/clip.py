"""Polylines cut off at a frame, for drawings whose viewers do not clip (SVG)."""

from __future__ import annotations

import math
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF

from robots.model.chart import Array

Point = tuple[float, float]


def pieces(x: Array, y: Array, frame: QRectF) -> list[list[QPointF]]:
    """The parts of the line through the points, (n,) each, that lie in the frame; nan part it."""
    points: list[Point] = list(zip(x.tolist(), y.tolist(), strict=True))
    inside = (x >= frame.left()) & (x <= frame.right()) & (y >= frame.top()) & (y <= frame.bottom())
    if inside.all():
        return [[QPointF(*point) for point in points]]
    found: list[list[QPointF]] = []
    last: Point | None = None
    for start, end in pairwise(points):
        cut = _cut(start, end, frame)
        if cut is None:
            last = None
            continue
        if last != cut[0]:
            found.append([QPointF(*cut[0])])
        found[-1].append(QPointF(*cut[1]))
        last = cut[1]
    return found


def _cut(start: Point, end: Point, frame: QRectF) -> tuple[Point, Point] | None:
    """The part of a segment in the frame: between the latest entry and the earliest exit at its four sides.

    None if there is none, or if one of its ends is nan.
    """
    if math.isnan(start[1] + end[1]):
        return None
    enters, leaves = 0.0, 1.0
    sides = ((frame.left(), frame.right()), (frame.top(), frame.bottom()))
    for (low, high), a, b in zip(sides, start, end, strict=True):
        if a == b:
            if not low <= a <= high:
                return None
            continue
        near, far = sorted(((low - a) / (b - a), (high - a) / (b - a)))
        enters, leaves = max(enters, near), min(leaves, far)
    if enters > leaves:
        return None

    def at(share: float) -> Point:
        return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])

    return (start if enters == 0.0 else at(enters)), (end if leaves == 1.0 else at(leaves))
