"""Text as outlines, for drawings that must look alike where the font is missing."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath


class OutlinePainter(QPainter):
    """A painter whose texts are filled shapes; it takes the calls of `QPainter.drawText` that this house makes."""

    def drawText(self, place: Any, *rest: Any) -> None:
        text, metrics = str(rest[-1]), QFontMetricsF(self.font())
        if isinstance(place, QPointF):
            self._draw_line(place, text)
            return
        flags = Qt.AlignmentFlag(int(getattr(rest[0], "value", rest[0])) & 0xFF)
        wraps = bool(int(getattr(rest[0], "value", rest[0])) & Qt.TextFlag.TextWordWrap.value)
        lines = wrapped(text, metrics, place.width()) if wraps else [text]
        height = metrics.height() + (len(lines) - 1) * metrics.lineSpacing()
        top = place.top()
        if flags & Qt.AlignmentFlag.AlignVCenter:
            top = place.center().y() - 0.5 * height
        for number, line in enumerate(lines):
            self._draw_line(
                QPointF(
                    _left(place, flags, metrics.horizontalAdvance(line)),
                    top + metrics.ascent() + number * metrics.lineSpacing(),
                ),
                line,
            )

    def _draw_line(self, start: QPointF, text: str) -> None:
        path = QPainterPath()
        path.addText(start, self.font(), text)
        self.fillPath(path, self.pen().color())


def wrapped(text: str, metrics: QFontMetricsF, width: float) -> list[str]:
    """The text in lines that are at most `width` wide, if its words are."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and metrics.horizontalAdvance(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _left(place: QRectF, flags: Qt.AlignmentFlag, width: float) -> float:
    """Where a line begins."""
    if flags & Qt.AlignmentFlag.AlignRight:
        return place.right() - width
    return place.center().x() - 0.5 * width if flags & Qt.AlignmentFlag.AlignHCenter else place.left()
