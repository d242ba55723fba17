"""Charts beside the scene: honest axes, curves that keep their extremes, text that fits."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from assets.errors import ArmstepError, BadInput
from gui.charts.ticks import decade, decade_ticks, duration, linear_ticks, plain, reading
from gui.qt.drawing.chart import Chart, ChartPainter, Curve, linear_range, log_range, thin, value_at
from gui.qt.drawing.run_charts import charts_of, steps_chart
from gui.qt.drawing.style import style_of
from gui.qt.export.charts_file import write_charts


@given(low=st.floats(-1e6, 1e6), span=st.floats(1e-6, 1e6))
def test_linear_ticks_are_round_and_inside(low: float, span: float) -> None:
    ticks = linear_ticks(low, low + span, 4)
    assert 1 <= len(ticks) <= 9
    assert all(low - 1e-6 * span <= tick <= low + span + 1e-6 * span for tick in ticks)
    if len(ticks) > 1:
        step = ticks[1] - ticks[0]
        lead = step / 10.0 ** math.floor(math.log10(step) + 1e-9)
        assert min(abs(lead - round_) for round_ in (1.0, 2.0, 5.0, 10.0)) < 1e-3


def test_decades() -> None:
    assert decade_ticks(-12, 0, 4) == [-12, -9, -6, -3, 0]
    assert decade(-7) == "10⁻⁷"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.5e-9, "1.5·10⁻⁹"),
        (-0.25, "−0.25"),
        (1e-7, "10⁻⁷"),
        (123.4, "123"),
        (math.nan, "–"),
        (math.inf, "–"),
    ],
)
def test_readings(value: float, text: str) -> None:
    assert reading(value) == text


def test_plain_numbers_and_durations() -> None:
    assert [plain(v) for v in (0.0, -200.0, 0.05, 1e7)] == ["0", "−200", "0.05", "10⁷"]
    assert [duration(s) for s in (0.2, 59.4, 125.0, 3780.0)] == ["1 s", "59 s", "2 min 5 s", "1 h 3 min"]


def test_thinned_curve_keeps_its_extremes() -> None:
    x = np.linspace(0.0, 300.0, 200_001)
    y = np.sin(40.0 * x)
    y[77_777] = 9.0
    few_x, few_y = thin(x, y)
    assert len(few_x) < 2000
    assert few_y.max() == 9.0
    assert few_y.min() == y.min()
    assert np.all(np.diff(few_x) >= 0.0)


def test_log_axis_holds_every_positive_value_and_ignores_zeros() -> None:
    chart = Chart("", "", (Curve(np.arange(4.0), np.array([0.0, 3e-9, math.nan, 2e-3]), "#000000"),), log=True)
    assert log_range(chart) == (-9.0, -2.0)
    assert log_range(Chart("", "", (Curve(np.zeros(2), np.zeros(2), "#000000"),), log=True)) == (-1.0, 1.0)


def test_run_that_blew_up_does_not_flatten_the_others() -> None:
    y = np.sin(np.linspace(0.0, 9.0, 1000))
    y[-1] = 1e30
    low, high = linear_range(Chart("", "", (Curve(np.arange(1000.0), y, "#000000"),)))
    assert -5.0 < low < -1.0 < 1.0 < high < 5.0


def test_curves_are_read_as_they_are_drawn() -> None:
    line = Curve(np.array([0.0, 1.0]), np.array([2.0, 4.0]), "#000000")
    steps = replace(line, staircase=True)
    assert value_at(line, 0.5) == 3.0
    assert value_at(steps, 0.5) == 2.0
    assert math.isnan(value_at(line, 1.5))


def test_axes_place_values_where_they_belong() -> None:
    curve = Curve(np.array([0.0, 10.0]), np.array([1e-8, 1e-2]), "#000000")
    chart = ChartPainter(
        Chart("", "", (curve,), log=True),
        QRectF(0, 0, 400, 200),
        (0.0, 10.0),
        style_of("light", (960, 720)),
        times=True,
    )
    area = chart.area
    assert float(chart.across(5.0)) == pytest.approx(area.center().x(), abs=1.0)
    assert float(chart.upward(1e-5)) == pytest.approx(area.center().y(), abs=1.0)
    assert math.isnan(float(chart.upward(0.0)))


def test_a_run_that_blew_up_stays_within_what_a_painter_can_count() -> None:
    far = np.array([0.0, 1e15, -1e300])
    chart = ChartPainter(
        Chart("", "", (Curve(far, far, "#000000"),)),
        QRectF(0, 0, 400, 200),
        (0.0, 1.0),
        style_of("light", (960, 720)),
        times=True,
    )
    assert np.abs(chart.across(far)).max() < 2e4
    assert np.abs(chart.upward(far)).max() < 2e4


def test_runs_have_the_charts_that_tell_about_them(rows) -> None:
    titles = [chart.title for chart in charts_of(rows)]
    assert titles[0] == "Error against the reference"
    assert set(titles) >= {"Joint angles", "Energy error", "Step size"}
    unjudged = [replace(row, reference=None, reference_run=None) for row in rows]
    assert "Error against the reference" not in [chart.title for chart in charts_of(unjudged)]
    assert charts_of([]) == []


def test_step_chart_covers_the_run_with_the_accepted_steps(rows) -> None:
    chart = steps_chart(rows)
    coarse, fine = chart.curves
    assert fine.x[-1] == pytest.approx(1.0)
    assert np.allclose(fine.y, 0.01)
    assert np.allclose(coarse.y, 0.05)


@pytest.mark.parametrize(("suffix", "start"), [(".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG")])
def test_charts_on_one_page(rows, tmp_path: Path, suffix: str, start: bytes) -> None:
    for theme in ("light", "dark"):
        file = write_charts(rows, tmp_path / f"charts{suffix}", title="A <title> & more", theme=theme)
        assert file.read_bytes().startswith(start)
    assert [entry.name for entry in tmp_path.iterdir()] == [f"charts{suffix}"]


def test_charts_that_cannot_be_written_say_why(rows, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"\.svg"):
        write_charts(rows, tmp_path / "charts.bmp")
    with pytest.raises(ArmstepError, match="nowhere"):
        write_charts(rows, tmp_path / "nowhere" / "charts.svg")
