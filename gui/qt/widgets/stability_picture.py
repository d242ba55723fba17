"""The stability region of a method, drawn: where a step does not lengthen a mode that decays."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.app.units import number_text
from gui.qt.widgets.quiet import mix

if TYPE_CHECKING:
    from solvers.tableaux.stability import Stability

POINTS, SCAN = 220, 90
UNBOUNDED = 5.0
WARNING = QColor("#E69F00")


class StabilityPicture(QWidget):
    """The complex plane of z = h λ with the region |R(z)| ≤ 1 filled, and the points h λ of the arm at the playhead.

    A point outside the region is drawn in amber: that mode grows from step to step.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stability: Stability | None = None
        self.key = ""
        self.points: NDArray[np.complex128] = np.zeros(0, dtype=complex)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Stability region")

    def sizeHint(self) -> QSize:
        return QSize(220, 190)

    def show_stability(self, key: str, stability: Stability | None) -> None:
        """Draw the region of the method `key`; None draws nothing."""
        self.key, self.stability = key, stability
        self.points = np.zeros(0, dtype=complex)
        self.setVisible(stability is not None)
        if stability is not None:
            self.setToolTip(f"Stability region, |R(hλ)| ≤ 1: {limits_text(stability)}")
            self.setAccessibleDescription(limits_text(stability))
        self.update()

    def show_points(self, points: NDArray[np.complex128]) -> None:
        """Draw these values of h λ."""
        if points.shape != self.points.shape or not np.allclose(points, self.points, rtol=1e-3, atol=1e-9):
            self.points = points
            self.update()

    def paintEvent(self, event) -> None:
        if self.stability is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_region(painter, QRectF(self.rect()), self.key, self.stability, self.points, self.palette())
        painter.end()


@lru_cache(maxsize=256)
def half_height(stability: Stability) -> float:
    """Half the height of the window of the complex plane that shows the region well."""
    if not (math.isfinite(stability.real_limit) and math.isfinite(stability.imaginary_limit)):
        return UNBOUNDED
    size = max(stability.real_limit, stability.imaginary_limit, 1.5)
    x, y = np.linspace(-1.2 * size, 0.3 * size, SCAN), np.linspace(0.0, 2.0 * size, SCAN)
    inside = (stability.modulus(x[np.newaxis, :] + 1j * y[:, np.newaxis]) <= 1.0).any(axis=1)
    return 1.15 * max(1.5, float(y[inside].max(initial=0.0)))


@lru_cache(maxsize=64)
def _moduli(key: str, modulus: Any, left: float, right: float, half: float) -> NDArray[np.float64]:
    x, y = np.linspace(left, right, POINTS), np.linspace(half, -half, POINTS)
    return modulus(x[np.newaxis, :] + 1j * y[:, np.newaxis])


def region_image(moduli: NDArray[np.float64], colour: QColor) -> QImage:
    """The region as a picture with a soft rim, one pixel wide."""
    rise, across = np.gradient(moduli)
    slope = np.maximum(np.hypot(rise, across), 1e-9)
    inside = np.clip(0.5 - np.nan_to_num((moduli - 1.0) / slope, nan=1.0, posinf=1.0), 0.0, 1.0)
    pixels = np.empty((*moduli.shape, 4), dtype=np.uint8)
    pixels[..., :3] = (colour.red(), colour.green(), colour.blue())
    pixels[..., 3] = (inside * colour.alpha()).astype(np.uint8)
    height, width = moduli.shape
    return QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()


def paint_region(
    painter: QPainter, frame: QRectF, key: str, stability: Stability, points: NDArray[np.complex128], palette: QPalette
) -> None:
    """Draw region, axes, limits and points into `frame`."""
    half = half_height(stability)
    scale = frame.height() / (2.0 * half)
    wide = frame.width() / scale
    reach = stability.real_limit if math.isfinite(stability.real_limit) else half
    spare = wide - 1.2 * reach - 0.6 * half
    left = -1.2 * reach - max(0.0, spare / 2.0)
    right = left + wide

    def place(z: complex) -> QPointF:
        return QPointF(frame.left() + (z.real - left) * scale, frame.center().y() - z.imag * scale)

    fill = QColor(palette.color(QPalette.ColorRole.Highlight))
    fill.setAlpha(72)
    rounded = (round(left, 3), round(right, 3), round(half, 3))
    image = region_image(_moduli(key, stability.modulus, *rounded), fill)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(frame, image)
    muted = palette.color(QPalette.ColorRole.PlaceholderText)
    painter.setPen(QPen(mix(palette.color(QPalette.ColorRole.Base), muted, 0.6), 1.0))
    painter.drawLine(QPointF(frame.left(), place(0j).y()), QPointF(frame.right(), place(0j).y()))
    painter.drawLine(QPointF(place(0j).x(), frame.top()), QPointF(place(0j).x(), frame.bottom()))
    painter.setPen(muted)
    _paint_limits(painter, frame, stability, place)
    for z in points:
        grows = float(stability.modulus(np.array([z]))[0]) > 1.0 + 1e-9
        painter.setPen(QPen(palette.color(QPalette.ColorRole.Base), 1.0))
        painter.setBrush(WARNING if grows else palette.color(QPalette.ColorRole.Highlight))
        spot = place(complex(z))
        spot.setX(min(max(spot.x(), frame.left() + 5), frame.right() - 5))
        spot.setY(min(max(spot.y(), frame.top() + 5), frame.bottom() - 5))
        painter.drawEllipse(spot, 4.0, 4.0)


def _paint_limits(painter: QPainter, frame: QRectF, stability: Stability, place: Any) -> None:
    """Write both limits where they lie on the axes, and name the axes."""
    metrics = QFontMetrics(painter.font())
    origin = place(0j)
    painter.drawText(QPointF(frame.right() - metrics.horizontalAdvance("Re hλ"), origin.y() - 4), "Re hλ")
    # Right of the axis, where most methods have no region; the limit's number keeps below it.
    painter.drawText(QPointF(origin.x() + 14, frame.top() + metrics.ascent()), "Im hλ")
    lowest = frame.top() + metrics.height() + metrics.ascent()
    if math.isfinite(stability.real_limit) and stability.real_limit > 0:
        spot = place(complex(-stability.real_limit))
        text = f"−{number_text(float(f'{stability.real_limit:.4g}'))}"
        painter.drawLine(QPointF(spot.x(), spot.y() - 4), QPointF(spot.x(), spot.y() + 4))
        left = max(frame.left(), spot.x() - metrics.horizontalAdvance(text) / 2)
        painter.drawText(QPointF(left, spot.y() + metrics.ascent() + 5), text)
    if math.isfinite(stability.imaginary_limit) and stability.imaginary_limit > 0:
        spot = place(1j * stability.imaginary_limit)
        painter.drawLine(QPointF(spot.x() - 4, spot.y()), QPointF(spot.x() + 4, spot.y()))
        text = f"{number_text(float(f'{stability.imaginary_limit:.4g}'))} i"
        painter.drawText(QPointF(spot.x() + 8, max(spot.y() - 3, lowest)), text)


def limits_text(stability: Stability) -> str:
    """The limits and stability properties in words."""
    marks = [name for name, holds in (("A-stable", stability.a_stable), ("L-stable", stability.l_stable)) if holds]
    real, imaginary = (_limit(value) for value in (stability.real_limit, stability.imaginary_limit))
    return ", ".join(
        [*marks, f"real limit −{real}" if real != "0" else "no real limit", f"imaginary limit {imaginary}"]
    )


def _limit(value: float) -> str:
    return "∞" if math.isinf(value) else number_text(float(f"{value:.4g}"))
