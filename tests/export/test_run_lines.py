"""What tells a figure's runs apart: their dashes, and a legend whose long lines go on below."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from gui.cli import main
from gui.qt.drawing import chart
from gui.qt.drawing.dots import tags_placed
from gui.qt.drawing.style import strokes, style_of
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


@pytest.mark.parametrize("duration", [10, 20])
def test_the_energy_error_of_a_run_is_dashed_in_a_narrow_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, duration: int
) -> None:
    """Its dips are near to each other but unequal: a fifth of the line was solid, as that of another run."""
    seen = []
    monkeypatch.setattr(chart, "strokes", lambda *given: seen.append((given[0], strokes(*given))) or seen[-1][1])
    words = ["--plots", "energy", "--width", "85mm", "--compare", "rk2,rk4", "--set", f"duration={duration}"]
    assert main(["render", "rr-swing", "--out", str(tmp_path / "figure.pdf"), *words]) == 0
    dashed = [(x, parts) for x, parts in seen if any(pen.style() != Qt.PenStyle.SolidLine for _, pen in parts)]
    assert len(dashed) == 2
    for x, parts in dashed:
        solid = sum(x[part][-1] - x[part][0] for part, pen in parts if pen.style() == Qt.PenStyle.SolidLine)
        assert solid < 0.08 * (x[-1] - x[0])
