"""Lines that turn back again and again: where they have no dashes, and what is left of them when they are thinned."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from assets.polylines import decimate, steps_before, stretches, thin
from gui.charts.colours import DASHES
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.style import style_of
from robots.model.chart import Chart, Curve


def test_a_line_that_flips_at_every_step_is_a_zigzag_where_its_teeth_are_close() -> None:
    x, sign = np.arange(0.0, 400.0, 5.0), np.resize([-1.0, 1.0], 80)
    growing = 60.0 * np.linspace(0.0, 1.0, 80) ** 2 * sign
    (calm, dense), (zigzag, flips) = stretches(x, growing, 3.0)
    assert (dense, flips) == (False, True)
    assert calm.stop < 30, "teeth lower than they are apart are none"
    assert zigzag == slice(calm.stop - 1, 80)
    assert stretches(6.0 * x, growing, 3.0) == [(slice(0, 80), False)], "each tooth can be told from the next"
    assert [dense for _, dense in stretches(*decimate(x / 50.0, growing, 8), 3.0)][-1], "thinned, it is one still"
    t = np.linspace(0.0, 60.0, 3000)
    assert stretches(10.0 * t, 90.0 * np.sin(t), 3.0) == [(slice(0, 3000), False)], "a swing is none"
    assert stretches(90.0 * np.cos(t), 90.0 * np.sin(t), 3.0) == [(slice(0, 3000), False)]
    flips_in_a_plane = stretches(growing, 0.3 * growing, 3.0)
    assert flips_in_a_plane[-1][1]
    for few in range(3):
        assert not any(dense for _, dense in stretches(x[:few], growing[:few], 3.0))


def test_teeth_of_one_step_have_no_dashes_much_further_apart_than_swings_of_many() -> None:
    """Each side of a tooth of a run that flips is one step; the window's smooth curves have points in between."""
    steps = np.arange(0.0, 400.0, 5.0)
    x = np.union1d(steps, np.linspace(0.0, 395.0, 1200))
    y = 60.0 * np.cos(np.pi * x / 5.0)
    assert stretches(x, y, 1.0, steps_before(x, steps)) == [(slice(0, x.size), True)]
    assert stretches(x, y, 1.0, steps_before(x, np.arange(0.0, 400.0, 1.25))) == [(slice(0, x.size), False)], (
        "a swing of many steps"
    )
    assert stretches(x, y, 1.0) == [(slice(0, x.size), False)]
    assert stretches(x, y, 3.0) == [(slice(0, x.size), True)], "nobody can follow its dashes"
    uneven = np.interp(x, steps, np.resize([60.0, -60.0, 0.0, -60.0], steps.size))
    assert stretches(x, uneven, 3.0) == [(slice(0, x.size), False)], "dashes of unequal sides line up nowhere"


def test_steps_are_counted_with_their_parts() -> None:
    at = np.array([0.0, 0.5, 2.0, 9.0])
    assert steps_before(at, np.array([0.0, 1.0, 3.0])).tolist() == [0.0, 0.5, 1.5, 2.0]
    assert np.isnan(steps_before(at, None)).all()


def test_a_thinned_motion_that_flips_at_every_step_keeps_both_sides() -> None:
    """Every second point of it, or every fourth, was a calm line."""
    sign = np.resize([-1.0, 1.0], 40_000)
    for limit in (9_000, 11_000, 20_000):
        _, y = thin(np.arange(sign.size, dtype=float), sign, limit)
        assert y.size <= limit + 2
        assert 0.4 < np.mean(y > 0.0) < 0.6


@pytest.mark.parametrize("dash", [name for name, lengths in DASHES.items() if lengths])
def test_the_teeth_of_a_dense_zigzag_have_no_dashes_in_files(dash: str) -> None:
    """Dots of neighbouring teeth lined up into slow waves that no run has."""

    def drawn(width: float, dash: str) -> QImage:
        t = np.arange(100.0)
        curve = Curve(t, np.where(t % 2, 1.0, -1.0), colour="#0072B2", dash=dash, steps=t)
        image = QImage(int(width), 300, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        chart = ChartPainter(Chart(curves=(curve,)), QRectF(0, 0, width, 300), (0.0, 99.0), style_of("light"))
        chart.paint_curves(painter)
        painter.end()
        return image

    assert drawn(500.0, dash) == drawn(500.0, "solid")
    assert drawn(3000.0, dash) != drawn(3000.0, "solid")
