"""How curves are drawn: the run's colour and dash, joints as shades of it, the rest in the theme's colours."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette, QPen

from gui.qt.style.dashes import dash_pattern
from gui.qt.widgets.quiet import is_dark, mix, on_ground

WIDTH = 1.6


def run_pen(colour: str | QColor, dash: str, width: float = WIDTH) -> QPen:
    """The pen of a run."""
    pen = QPen(QColor(colour))
    pen.setCosmetic(True)
    pen.setWidthF(width)
    pen.setJoinStyle(Qt.PenJoinStyle.BevelJoin)
    pattern = dash_pattern(dash)
    if pattern:
        pen.setDashPattern(pattern)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def shade(colour: str, index: int, count: int, palette: QPalette) -> QColor:
    """The colour of joint `index` of `count`: the run's own for the first, then nearer to the text's colour."""
    base = on_ground(colour, palette)
    if count < 2 or index == 0:
        return base
    target = QColor("#ffffff") if is_dark(palette) else QColor("#000000")
    return mix(base, target, 0.7 * index / (count - 1))


def faded(colour: QColor, palette: QPalette) -> QColor:
    """The colour of what can no longer be trusted: almost the background's."""
    return mix(QColor(colour), palette.color(QPalette.ColorRole.Base), 0.68)


def cursor_pen(palette: QPalette) -> QPen:
    """The shared time cursor."""
    return pg.mkPen(
        mix(palette.color(QPalette.ColorRole.Base), palette.color(QPalette.ColorRole.Text), 0.62), width=1.4
    )


def grid_pen(palette: QPalette) -> QPen:
    """Grid lines: calm, just visible."""
    return pg.mkPen(mix(palette.color(QPalette.ColorRole.Base), palette.color(QPalette.ColorRole.Text), 0.12), width=1)


def quiet_text(palette: QPalette) -> QColor:
    """Numbers and titles of axes."""
    return mix(palette.color(QPalette.ColorRole.PlaceholderText), palette.color(QPalette.ColorRole.Text), 0.35)
