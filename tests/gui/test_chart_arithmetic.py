"""Arithmetic of charts: which points are drawn, where names stand, what an explosion does to the axes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from assets.polylines import decimate, simplified, staircase, thin
from gui.app.lessons.chart import poll_chart
from gui.charts.fit import AIR, ENOUGH, FEW, SUNK, aired, outside_text, placed, tamed, value_range, value_text, visible
from gui.charts.plots.step_size import PLOT
from gui.charts.shown import Shown
from gui.charts.steps import HIGH, ticks_of
from gui.charts.summary import summary
from gui.charts.ticks import ticks
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.clip import pieces
from gui.qt.drawing.style import style_of
from gui.qt.drawing.words import spread
from gui.qt.panels._runs_widths import lent
from gui.qt.plots.items import fill, kinds_of
from robots.model.chart import Axis, Chart, ColourField, Curve
from scene.formats import html


def test_decimation_keeps_every_peak_the_ends_and_the_order() -> None:
    t = np.linspace(0.0, 1.0, 100_000)
    y = np.sin(40 * t)
    y[54_321] = 7.0
    y[12_345] = -9.0
    few_t, few_y = decimate(t, y, 300)
    assert few_t.size <= 4 * (300 + 2)
    assert few_y.max() == 7.0
    assert few_y.min() == -9.0
    assert few_t[0] == 0.0
    assert few_t[-1] == 1.0
    assert np.all(np.diff(few_t) >= 0)


def test_stairs_of_very_unequal_steps_stay_stairs() -> None:
    sizes = np.concatenate((np.full(2000, 1e-3), [0.2, 0.6, 1.1, 2.1], np.full(2000, 1e-3)))
    t, h = staircase(np.append(0.0, np.cumsum(sizes)[:-1]), sizes)
    for shown in (None, (1.5, 6.5), (2.3, 2.4)):
        few_t, few_h = decimate(t, h, 200, shown)
        across, up = np.diff(few_t), np.diff(few_h)
        column = (8.0 if shown is None else shown[1] - shown[0]) / 200
        visible = (few_t[:-1] >= (shown or (0.0, 8.0))[0]) & (few_t[1:] <= (shown or (0.0, 8.0))[1])
        assert np.all((across <= column) | (up == 0.0) | ~visible), "no line slopes over more than a column"
        assert few_t.size <= 4 * 202
    assert np.interp(3.0, *decimate(t, h, 200)) == 1.1


def test_a_lone_step_beside_a_crowd_is_a_tick_where_it_ends() -> None:
    crowd, lone = np.linspace(6.0, 10.0, 900), np.array([2.53, 3.12, 4.21])
    x, y = ticks_of(np.concatenate((np.linspace(0.0, 2.0, 500), lone, crowd)), 0.0, 0.0, 10.0, 1000)
    places, tops = x[::2], y[1::2]
    between = places[(places > 2.0) & (places < 6.0 - 1e-9)]
    np.testing.assert_allclose(between, lone, atol=0.006)
    assert np.all(tops[(places > 2.0) & (places < 5.9)] == HIGH), "as high as a lone step"
    assert np.all(tops[places >= 6.0] < HIGH)
    assert np.ptp(tops[places >= 6.0]) < 0.1 * HIGH, "equal steps are equally high"
    pair = ticks_of(np.array([4.0, 4.01, 4.02]), 0.0, 0.0, 10.0, 1000)
    np.testing.assert_allclose(pair[0][::2], [4.0, 4.01, 4.02])
    assert np.all(pair[1][1::2] == HIGH)


@pytest.mark.parametrize(("hands", "numbers"), [([1, 1], ["0", "1"]), ([2, 0], ["0", "1", "2"]), ([0, 0], ["0", "1"])])
def test_an_axis_that_counts_hands_has_whole_numbers(hands: list[int], numbers: list[str]) -> None:
    chart = poll_chart(["1", "2"], hands, "hands")
    assert chart.view is not None
    assert [text for _, text in ticks(chart.x, *chart.view[:2], 6)] == numbers


def test_a_bar_ends_at_its_number_and_has_one_name() -> None:
    chart = poll_chart(["1", "2"], [2, 1], "hands")
    assert chart.y.names == ("1: 2", "2: 1")
    assert not chart.listed, "a legend would have one colour twice"
    image = QImage(400, 160, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    laid = ChartPainter(chart, QRectF(0, 0, 400, 160), None, style_of("light"), compact=True)
    laid.paint_curves(painter)
    painter.end()
    for number, lane in ((2.0, 0.5), (1.0, -0.5)):
        y, end = round(float(laid.upward(lane))), float(laid.across(number))
        inked = [x for x in range(400) if image.pixelColor(x, y) != Qt.GlobalColor.white]
        assert max(inked) == pytest.approx(end, abs=1.5)


def test_a_gap_in_a_crowded_curve_stays_a_gap() -> None:
    t = np.linspace(0.0, 1.0, 10_000)
    y = np.sin(40 * t)
    y[4_000:4_003] = y[7_000:7_500] = np.nan
    few_t, few_y = decimate(t, y, 100)
    assert np.isnan(few_y[(few_t > 0.39) & (few_t < 0.41)]).any()
    assert np.isnan(few_y[(few_t > 0.71) & (few_t < 0.74)]).all()
    assert np.isfinite(few_y[[0, -1]]).all()
    nothing = decimate(t, np.full(t.size, np.nan), 100)
    assert np.isnan(nothing[1]).all()


def test_a_page_shows_a_crowded_curve_in_enough_columns() -> None:
    """Every spike of a page's curve is there, and its bound holds; with 375 columns half of the spikes went."""
    t = np.linspace(0.0, 1.0, 50_001)
    y = np.random.default_rng(1).uniform(-0.1, 0.1, t.size)
    spikes = np.linspace(30, 49_970, 700).astype(int)
    y[spikes] = 1.0 + np.arange(700) / 1000.0
    values = np.array(html._curve(Curve(t, y, colour="#123456"), ())["values"])
    assert np.isin(np.round(y[spikes], 3), np.round(values, 3)).all()
    assert values.size <= 4 * (html.CHART_COLUMNS + 2) == 3000


def test_short_curves_are_left_alone() -> None:
    t = np.linspace(0.0, 1.0, 50)
    assert decimate(t, t, 300)[0] is t
    assert thin(t, t, 100)[0] is t


def test_a_line_needs_its_corners_only() -> None:
    x = np.linspace(0.0, 2.0, 201)
    straight, bent = simplified(x, 3.0 * x - 1.0, tolerance=1e-9), simplified(x, np.abs(x - 0.5), tolerance=1e-9)
    assert straight[0].tolist() == [0.0, 2.0]
    np.testing.assert_allclose(bent, [[0.0, 0.5, 2.0], [0.5, 0.0, 1.5]], atol=1e-12)


def test_a_curve_has_values_between_its_points_and_none_beyond() -> None:
    x, y = np.array([0.0, 1.0, 3.0]), np.array([2.0, 4.0, 0.0])
    curve = Curve(x, y)
    assert [curve.at(at) for at in (0.0, 0.25, 1.0, 2.0, 3.0)] == [2.0, 2.5, 4.0, 2.0, 0.0]
    for nowhere in (curve.at(-0.1), curve.at(3.1), Curve(x, y, joined=False).at(1.0), Curve(x[:0], y[:0]).at(0.0)):
        assert np.isnan(nowhere)


def test_a_line_on_a_logarithmic_axis_dives_where_it_is_negative_and_the_axis_ignores_that() -> None:
    t = np.arange(6.0)
    curve = Curve(t, np.array([10.0, 1.0, -5.0, -5.0, 0.0, 10.0]))
    chart = Chart(y=Axis("angle", "°", "log"), curves=(curve,))
    x, y = placed(chart, curve)
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0, 5.0]
    assert y.tolist() == [1.0, 0.0, SUNK, SUNK, 1.0]
    low, high = value_range(chart, [(x, y)], 0.0, 5.0)
    assert -1.0 < low < 0.0 < 1.0 < high < 2.0
    assert value_range(chart, [(x[2:4], y[2:4])], 0.0, 5.0)[0] > SUNK


def test_an_alarm_lasts_beyond_the_last_point() -> None:
    t = np.arange(3.0)
    curve = Curve(t, t, t=t, alarm=np.array([False, False, True]))
    assert [curve.alarmed(at) for at in (0.0, 0.5, 2.0, 9.0)] == [False, False, True, True]
    assert curve.when(9.0) == (2.0, 2.0)
    assert not Curve(t, t).alarmed(2.0)


@pytest.mark.parametrize(
    ("value", "text"), [(-0.04, "0.0°"), (0.0, "0.0°"), (-0.06, "−0.1°"), (359.96, "360.0°"), (2e5, "2·10⁵\u00a0°")]
)
def test_values_in_legends_have_a_sign_only_if_they_are_not_zero(value: float, text: str) -> None:
    assert value_text(Axis("angle", "°", decimals=1), value) == text
    rate = text.replace("\u00a0", "").replace("°", "\u00a0°/s")
    assert value_text(Axis("rate", "°/s", decimals=1), value) == rate


def test_what_is_visible_reaches_both_edges() -> None:
    t = np.arange(10.0)
    part = visible(t, 2.5, 5.5)
    assert t[part].tolist() == [2.0, 3.0, 4.0, 5.0, 6.0]


def test_a_logarithm_leaves_out_what_has_none() -> None:
    curve = Curve(np.arange(5.0), np.array([0.0, 1e-3, np.nan, -1.0, 100.0]))
    t, y = placed(Chart(y=Axis(scale="log")), curve)
    assert t.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert y == pytest.approx([-3.0, np.nan, SUNK, 2.0], nan_ok=True)


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_a_gap_of_values_over_time_is_a_gap_of_the_line(scale: str) -> None:
    t, nan = np.arange(8.0), np.nan
    curve = Curve(t, np.array([nan, 1.0, 2.0, nan, nan, 9.0, 8.0, nan]))
    chart = Chart(y=Axis(scale=scale), curves=(curve,))
    x, y = placed(chart, curve)
    assert x.tolist() == [1.0, 2.0, 3.0, 5.0, 6.0], "one point for the gap, none before and after"
    assert np.isnan(y).tolist() == [False, False, True, False, False]
    low, high = value_range(chart, [(x, y)], 0.0, 7.0)
    assert np.isfinite((low, high)).all()
    drawn = pieces(x, chart.y.place(y) if scale == "linear" else y, QRectF(0.0, -20.0, 10.0, 40.0))
    assert [[point.x() for point in piece] for piece in drawn] == [[1.0, 2.0], [5.0, 6.0]]
    assert simplified(x, y, tolerance=1e-9)[0].tolist() == x.tolist()
    item = kinds_of(chart)[0][1]()
    fill(item, curve, style_of("light"), x, y, antialias=False)
    path = item.getPath()
    moves = [path.elementAt(k).x for k in range(path.elementCount()) if path.elementAt(k).isMoveTo()]
    assert {1.0, 5.0} <= set(moves)


def test_a_curve_of_which_one_point_shows_has_a_mark() -> None:
    t, log = np.array([0.0, 0.02]), Axis(scale="log")
    single, whole = Curve(t, np.array([0.0, 1e-3])), Curve(t, np.array([1e-4, 1e-3]))
    marked = Chart(y=log, curves=(single, whole)).with_lone_points()
    assert [curve.mark for curve in marked.curves] == ["circle", ""]
    assert [curve.mark for curve in Chart(curves=(single,)).with_lone_points().curves] == [""]


def test_a_staircase_shows_both_ends_of_each_step() -> None:
    t, h = staircase(np.array([0.0, 0.5]), np.array([0.5, 0.25]))
    assert t.tolist() == [0.0, 0.5, 0.5, 0.75]
    assert h.tolist() == [0.5, 0.5, 0.25, 0.25]


def test_names_at_the_ends_are_kept_apart_and_inside() -> None:
    places = spread([10.0, 11.0, 9.5, 99.0], 12.0, 100.0)
    ranked = sorted(places)
    assert all(high - low >= 12.0 for low, high in pairwise(ranked))
    assert ranked[0] >= 6.0
    assert ranked[-1] <= 94.0
    assert places[2] < places[0] < places[1] < places[3]


def test_an_explosion_does_not_squash_what_came_before() -> None:
    values = np.concatenate((np.sin(np.linspace(0, 6, 100)), [1e10, -1e20]))
    assert np.abs(tamed(values, False)).max() < 10.0
    growing = np.concatenate((np.full(5, 57.0), 68.0 * (-100.0) ** np.arange(45)))
    assert tamed(growing, False).tolist() == [57.0] * 5 + [68.0], "what grows all the time is seen at its beginning"
    assert tamed(np.arange(-6.0, 96.0, 2.0), True).min() == -4.0
    assert tamed(np.arange(-6.0, 96.0, 2.0), True).max() == 2.0
    assert tamed(np.array([-3.0, 200.0]), True).tolist() == [-3.0, 200.0], "two values are as usual as each other"


def range_of(t: np.ndarray, values: np.ndarray, *, errors: bool = True, end: float = 1.0) -> tuple[float, float]:
    chart = Chart(y=Axis("error", "m", "log", early=None if errors else 0), curves=(Curve(t, values),))
    return value_range(chart, [placed(chart, chart.curves[0])], 0.0, end)


def test_round_off_of_the_first_steps_does_not_squash_an_error() -> None:
    """Half of the points are in the first hundredth of the time, as where the step is controlled."""
    t = np.concatenate((np.linspace(1e-4, 0.01, 30), np.linspace(0.02, 1.0, 30)))
    values = np.where(t < 0.015, 1e-16, 1e-6 * t)
    assert -9.0 < range_of(t, values)[0] < -6.0
    assert range_of(t, values, errors=False)[0] < -16.0, "other values are shown, however short their time is"
    assert range_of(t, values, end=0.015)[0] < -15.0, "zoomed in, it is what there is"


def test_a_burst_of_short_steps_is_seen_unless_it_is_the_first() -> None:
    t = np.linspace(0.0, 1.0, 1001)
    assert range_of(t, np.where(abs(t - 0.5) < 0.02, 1e-6, 1e-2))[0] < -6.0
    assert range_of(t, np.where(t < 0.02, 1e-9, 1e-2))[0] > -3.0
    chart = Chart(y=Axis("step", "s", "log", early=24), curves=(Curve(t, t),))
    for first, seen in ((10, False), (49, True)):
        few = replace(chart, curves=(Curve(t, np.where(t < 0.001 * first - 5e-4, 1e-9, 1e-2)),))
        assert (value_range(few, [placed(few, few.curves[0])], 0.0, 1.0)[0] < -8.0) == seen, "a layer is no guess"


@pytest.mark.parametrize(("short", "seen"), [(2e-3, True), (2e-5, True), (1e-12, False)])
def test_a_lone_short_step_within_a_run_is_on_the_axis_of_steps(short: float, seen: bool) -> None:
    """Where a pull begins, one of a thousand steps is cut short; where an impact is found, it may be next to none."""
    t = np.linspace(0.0, 10.0, 1001)
    axis = PLOT.chart(Shown(None, ()), "").y  # type: ignore[arg-type]
    chart = Chart(y=axis, curves=(Curve(t, np.where(t == t[500], short, 1e-2)),))
    low = value_range(chart, [placed(chart, chart.curves[0])], 0.0, 10.0)[0]
    assert (low < np.log10(short)) == seen
    assert low > -6.0, "the rest is not squashed"


def test_the_value_at_the_end_is_on_the_axis() -> None:
    """The last of many equal steps is cut short, and legends read it at the end."""
    t = np.linspace(0.0, 1.0, 101)
    steps = np.where(t < 1.0, 2.46e-2, 6.2e-3)
    for errors in (True, False):
        assert range_of(t, steps, errors=errors)[0] < np.log10(6.2e-3)
    assert range_of(t, steps, end=0.9)[0] > np.log10(6.2e-3), "it is not shown"
    assert range_of(t, np.where(t < 1.0, 1e-2, 0.0))[0] > -4.0, "no logarithm"
    assert range_of(t, np.where(t < 1.0, 1e-2, 1e-300))[0] > -18.0, "round-off"


def test_an_error_that_stays_at_round_off_is_seen() -> None:
    t = np.linspace(0.0, 1.0, 101)
    assert range_of(t, np.where(t < 0.1, 1e-16, 1e-6))[0] < -16.0
    grows = range_of(t, 1e-15 * 10.0 ** (14.0 * t))
    assert -15.5 < grows[0] < -14.0, "exponential growth is seen nearly from its beginning"
    assert range_of(t[:2], np.array([1e-16, 1e-6]))[0] < -16.0, "each of two points lasts"


def test_the_range_of_millions_of_values_is_that_of_all_and_found_among_few(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    partition = np.partition

    def noting(values: np.ndarray, place: int) -> np.ndarray:
        looked.append(values.size)
        return partition(values, place)

    t = np.arange(1_000_000.0)
    error = Curve(t, 1e-9 * (1.0 + t) * (1.2 + np.sin(t)), "error", "run", "#000000")
    error.y[500_000], error.y[777_777] = 1e-300, 10.0
    chart = Chart(y=Axis("error", "m", "log"), curves=(error,))
    points = [placed(chart, error)]
    every = partition(points[0][1], t.size // FEW)[t.size // FEW]
    monkeypatch.setattr(np, "partition", noting)
    low, high = value_range(chart, points, 0.0, 1e6)
    assert high == pytest.approx(1.0 + AIR * (1.0 - every), abs=0.02), "the largest of all"
    assert low == pytest.approx(every - AIR * (1.0 - every), abs=0.02), "a dip stretches nothing"
    assert looked == [pytest.approx(ENOUGH, rel=0.1)]


@pytest.mark.parametrize(
    ("low", "high", "ends"),
    [
        (5.0, 5.0, (4.5, 5.5)),
        (5.0, 5.0 + 1e-12, (4.5, 5.5)),  # rounding
        (5.0, 5.000001, (4.999998, 5.000003)),  # a small change is seen, and not as a large one
        (-80.0, -80.0, (-88.0, -72.0)),
        (0.0, 0.0, (-0.5, 0.5)),
        (5.0, 5.001, (5.0, 5.001)),  # a small change is one
        (0.0, 1e-14, (-5e-13, 5.1e-13)),  # and round-off looks like what it is
    ],
)
def test_a_constant_has_an_axis_that_can_be_read(low: float, high: float, ends: tuple[float, float]) -> None:
    found = aired(low, high, Axis())
    pad = 0.1 * (ends[1] - ends[0])
    assert ends[0] - pad <= found[0] <= low
    assert high <= found[1] <= ends[1] + pad
    assert found[1] - found[0] >= 0.99 * (ends[1] - ends[0])


@pytest.mark.parametrize(
    ("values", "axis", "span"),
    [
        ((5.0, 5.0), Axis(), (0.0, 5.0)),
        ((5.0, 5.0 + 1e-9), Axis(), (0.0, 5.0 + 1e-9)),
        ((-3.0, -3.0), Axis(), (-3.0, 0.0)),
        ((0.0, 0.0), Axis(), (0.0, 1.0)),
        ((1e-3, 1e-3), Axis(scale="log"), (-4.0, -3.0)),
        ((4.0, 5.0), Axis(), (4.0, 5.0)),
    ],
)
def test_the_colours_of_one_number_go_no_further_than_it(
    values: tuple[float, float], axis: Axis, span: tuple[float, float]
) -> None:
    field = ColourField(np.array([values]), np.zeros((1, 2), np.int8), 0.0, 1.0, 0.0, 1.0, axis)
    assert field.span == pytest.approx(span)


def test_columns_of_numbers_lend_their_air_to_texts_and_no_more() -> None:
    widths, least = {"error": 140, "rhs": 120, "actions": 48}, {"error": 100, "rhs": 120, "actions": 136}
    assert lent(widths, least, 400) == widths, "there is room"
    assert lent(widths, least, 288) == {"error": 120, "rhs": 120, "actions": 48}
    assert lent(widths, least, 100) == {"error": 100, "rhs": 120, "actions": 48}, "numbers stay whole"


def test_marks_beyond_the_picture_are_counted_and_later_ones_too() -> None:
    sides = (-1.0, 1.0), (-2.0, 2.0)
    still = Curve(np.zeros(2), np.zeros(2), "still", t=np.array([0.0, 1.0]), joined=False, mark="dot")
    away = replace(still, x=np.array([0.0, 7.0]), name="away")

    def said(*curves: Curve, t: float = 1.0) -> str:
        return outside_text(Chart(curves=curves, view=(-1.0, 1.0, -2.0, 2.0)), t, *sides)

    assert said(still, t=0.0) == ""
    assert said(still, away, t=0.0) == "1 point at other times outside the picture"
    assert said(still, away) == "1 of 2 marks outside the picture, where the arrow points"
    assert said(away) == "the mark outside the picture, where the arrow points"
    assert said(replace(still, x=np.full(2, np.nan))) == ""
    further, back, down = (replace(away, x=away.x + 1.0), replace(away, x=-away.x), replace(away, y=away.x - 30.0))
    assert said(still, away, further) == "2 of 3 marks outside the picture, where the arrow points", "one is seen"
    assert said(still, away, back) == "2 of 3 marks outside the picture, in the arrows' directions"
    assert said(still, away, further, down) == "3 of 4 marks outside the picture, in the arrows' directions"
    both = Chart(curves=(still, away), view=(-1.0, 1.0, -2.0, 2.0))
    assert "1 of 2 marks outside" in summary(both, 1.0)
    assert "outside" not in summary(both, 1.0, ((-9.0, 9.0), (-2.0, 2.0))), "they have zoomed out"
