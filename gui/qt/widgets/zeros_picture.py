"""Poles and zeros in the complex plane, drawn: where they are now, and where they go along the motion."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.qt.widgets.quiet import mix

UNSTABLE = QColor("#D55E00")
ZERO = QColor("#0072B2")
POLE = QColor("#7a7f87")
DECADES = (1.0, 10.0, 100.0, 1000.0)
LINEAR = 1.0
"""Below this size [1/s] the axes are linear, above it logarithmic."""
RADIUS = 4.5


def squeeze(value: Any) -> Any:
    """The place on an axis that is linear near 0 and logarithmic far from it."""
    return np.arcsinh(np.asarray(value) / LINEAR)


class ZerosPicture(QWidget):
    """Zeros as rings, poles as crosses; their whole way thin, the instant of the playhead bold."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.found: Any = None
        self.t = 0.0
        self.reach = float(squeeze(DECADES[-1]))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Poles and zeros in the complex plane")
        self.setToolTip(
            "Rings: zeros, the motions that the tool does not show. Crosses: poles of the arm with free "
            "motors.\nFaint: along the whole motion. The axes are logarithmic beyond ±1 /s. The right half-plane "
            "is unstable."
        )

    def sizeHint(self) -> QSize:
        return QSize(240, 210)

    def show_zeros(self, found: Any) -> None:
        """Draw these poles and zeros (a `robots.dynamics.flexible.analysis.Zeros`); None draws the empty plane."""
        self.found = found
        if found is not None:
            known: Any = np.concatenate([found.zeros.ravel(), found.poles.ravel()])
            known = known[~np.isnan(known)]
            largest = max(np.abs(known.real).max(initial=10.0), np.abs(known.imag).max(initial=10.0))
            self.reach = float(squeeze(1.6 * min(largest, 1e5)))
        self.update()

    def show_time(self, t: float) -> None:
        """Make the instant `t` bold."""
        if self.found is not None and self._row(t) != self._row(self.t):
            self.update()
        self.t = t

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        self._paint_plane(painter, frame)
        if self.found is not None:
            painter.setClipRect(frame)
            row = self._row(self.t)
            for k in range(len(self.found.t)):
                self._paint_row(painter, frame, k, faint=True)
            self._paint_row(painter, frame, row, faint=False)
        painter.end()

    def _row(self, t: float) -> int:
        return int(np.clip(np.searchsorted(self.found.t, t, side="right") - 1, 0, len(self.found.t) - 1))

    def place(self, frame: QRectF, value: complex) -> QPointF:
        """Where a complex number lies in the frame."""
        x, y = float(squeeze(value.real)), float(squeeze(value.imag))
        half_width, half_height = 0.5 * frame.width() - 6.0, 0.5 * frame.height() - 6.0
        return QPointF(
            frame.center().x() + half_width * max(-1.0, min(1.0, x / self.reach)),
            frame.center().y() - half_height * max(-1.0, min(1.0, y / self.reach)),
        )

    def _paint_plane(self, painter: QPainter, frame: QRectF) -> None:
        base, text = self.palette().color(QPalette.ColorRole.Base), self.palette().color(QPalette.ColorRole.Text)
        painter.fillRect(frame, base)
        right = QRectF(frame.center().x(), frame.top(), 0.5 * frame.width(), frame.height())
        painter.fillRect(right, mix(base, UNSTABLE, 0.10))
        muted = mix(base, text, 0.55)
        font = painter.font()
        font.setPointSizeF(max(7.0, 0.8 * font.pointSizeF()))
        painter.setFont(font)
        for decade in DECADES:
            if squeeze(decade) > self.reach:
                continue
            for sign in (-1.0, 1.0):
                painter.setPen(QPen(mix(base, text, 0.10), 1.0))
                across, up = self.place(frame, complex(sign * decade, 0)), self.place(frame, complex(0, sign * decade))
                painter.drawLine(QPointF(across.x(), frame.top()), QPointF(across.x(), frame.bottom()))
                painter.drawLine(QPointF(frame.left(), up.y()), QPointF(frame.right(), up.y()))
            painter.setPen(muted)
            up = self.place(frame, complex(0, decade))
            painter.drawText(QPointF(frame.center().x() + 4.0, up.y() - 2.0), f"{decade:g}i")
            if decade > DECADES[0]:
                painter.drawText(self.place(frame, complex(-decade, 0)) + QPointF(2.0, 11.0), f"−{decade:g}")
        painter.setPen(QPen(mix(base, text, 0.35), 1.0))
        painter.drawLine(frame.center() - QPointF(0.5 * frame.width(), 0), frame.center() + QPointF(frame.width(), 0))
        painter.drawLine(frame.center() - QPointF(0, frame.height()), frame.center() + QPointF(0, frame.height()))
        painter.setPen(muted)
        painter.drawText(QPointF(frame.right() - 52.0, frame.bottom() - 6.0), "unstable")
        painter.drawText(QPointF(frame.left() + 6.0, frame.top() + 14.0), "1/s")

    def _paint_row(self, painter: QPainter, frame: QRectF, row: int, faint: bool) -> None:
        for value in self.found.poles[row]:
            self._paint_pole(painter, frame, value, faint)
        for value in self.found.zeros[row]:
            if math.isnan(value.real):
                continue
            colour = QColor(UNSTABLE if value.real > 1e-6 * abs(value) else ZERO)
            spot = self.place(frame, value)
            if faint:
                colour.setAlpha(60)
                painter.setPen(QColor(0, 0, 0, 0))
                painter.setBrush(colour)
                painter.drawEllipse(spot, 2.0, 2.0)
            else:
                painter.setPen(QPen(colour, 2.2))
                painter.setBrush(self.palette().color(QPalette.ColorRole.Base))
                painter.drawEllipse(spot, RADIUS, RADIUS)

    def _paint_pole(self, painter: QPainter, frame: QRectF, value: complex, faint: bool) -> None:
        if math.isnan(value.real):
            return
        spot, colour = self.place(frame, value), QColor(POLE)
        size = 1.5 if faint else 3.6
        colour.setAlpha(40 if faint else 255)
        painter.setPen(QPen(colour, 1.0 if faint else 1.6))
        painter.drawLine(spot + QPointF(-size, -size), spot + QPointF(size, size))
        painter.drawLine(spot + QPointF(-size, size), spot + QPointF(size, -size))
