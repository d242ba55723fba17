"""The legend of a figure's runs: what is too long for a line goes on below."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from gui.qt.drawing.dots import tags_placed
from gui.qt.drawing.style import style_of
from gui.qt.drawing.words import broken

PARTS = ["Runge-Kutta 1", "step 31.4 ms", "then gravity = 9 m/s² from 0.45 s", "the same as RK4"]


@pytest.mark.parametrize("most", [1, 2, 9])
@pytest.mark.parametrize("letters", [3, 20, 32, 200])
def test_lines_break_after_commas_and_none_is_too_long(application: QApplication, letters: int, most: int) -> None:
    metrics = QFontMetricsF(style_of("light").font(12.0))
    width = letters * metrics.horizontalAdvance("n")
    lines = broken(PARTS, metrics, width, most)
    assert len(lines) <= most
    assert all(metrics.horizontalAdvance(line) <= width for line in lines)
    if most == 9 and letters >= 32:
        assert " ".join(lines) == ", ".join(PARTS), "all of it is there"
    elif letters >= 20 and lines[-1].endswith("…"):
        kept = " ".join(lines).removesuffix("…").removesuffix(", ")
        assert ", ".join(PARTS).startswith(kept), "whole words and numbers"


@pytest.mark.parametrize("radius", [4.5, 6.75, 12.0])
def test_words_beside_a_mark_are_clear_of_it_at_every_edge(application: QApplication, radius: float) -> None:
    """An arrow at the edge covered the foot of the 1 of the first eigenvalue's name."""
    area, font = QRectF(0, 0, 200, 200), style_of("light").font(11.0)
    for spot in (QPointF(x, y) for x in (6, 100, 194) for y in (6, 100, 194)):
        ((_, box),) = tags_placed([("λ₁", spot, radius)], font, area)
        assert not box.intersects(QRectF(spot.x() - radius, spot.y() - radius, 2 * radius, 2 * radius))
        assert box.left() >= area.left()
        assert box.top() >= area.top()
