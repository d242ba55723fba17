"""Charts beside the scene: honest axes, curves that keep their extremes, text that fits."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import zlib
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from assets.errors import ArmstepError, BadInput
from gui.app.units import duration, power_text, reading, tick_text
from gui.app.view import ViewSettings
from gui.charts.colours import DASHES, colour_of
from gui.charts.figure_style import FigureStyle
from gui.charts.fit import placed, plane_range, value_range
from gui.charts.registry import charts_of
from gui.charts.shown import untrusted
from gui.charts.ticks import linear_ticks, log_ticks, ticks
from gui.charts.work_precision import look_of
from gui.cli import main
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.charts_page import PagePanel, page_of_chart
from gui.qt.drawing.legend import entries_of
from gui.qt.drawing.marks import paint_mark
from gui.qt.drawing.study_page import style_for, whole_page
from gui.qt.drawing.style import pen, sample_length, style_of
from gui.qt.export.charts_file import write_page
from gui.qt.export.exporter import render_rows
from gui.qt.export.settings import ExportSettings
from gui.qt.style.theme import font
from gui.qt.style.theme_file import load
from robots.model.chart import Axis, Band, Chart, Curve
from robots.papers.figure import Figure, panel
from robots.studies.hmmwv_bump import topology

LOG = Axis("error", "m", "log")
SVG = "{http://www.w3.org/2000/svg}"


@given(low=st.floats(-1e6, 1e6), span=st.floats(1e-6, 1e6))
def test_linear_ticks_are_round_and_inside(low: float, span: float) -> None:
    ticks = linear_ticks(low, low + span, 4)
    assert 1 <= len(ticks) <= 9
    assert all(low - 1e-6 * span <= tick <= low + span + 1e-6 * span for tick in ticks)
    if len(ticks) > 1:
        step = ticks[1] - ticks[0]
        decade = 10.0 ** math.floor(math.log10(step) + 1e-9)
        # Far from 0 two ticks as doubles are by this much further apart than they should be, or closer together.
        rounding = math.ulp(max(abs(low), abs(low + span)))
        assert min(abs(step - round_ * decade) for round_ in (1.0, 2.0, 5.0, 10.0)) < 1e-3 * decade + rounding


def test_six_methods_are_told_apart_without_colours() -> None:
    pictures = []
    for index in range(6):
        image = QImage(32, 32, QImage.Format.Format_Grayscale8)
        image.fill(255)
        painter = QPainter(image)
        paint_mark(painter, look_of(index)[1], QPointF(16.0, 16.0), 10.0)
        painter.end()
        pictures.append(bytes(image.constBits()))
    assert len(set(pictures)) == 6
    assert len({look_of(index) for index in range(60)}) == 60
    assert len({look_of(index)[0] for index in range(10)}) == 10, "the first and the seventh method were both blue"


def test_ticks_of_a_narrow_range_differ() -> None:
    texts = [text for _, text in ticks(Axis("height", "m"), 0.71, 0.71 + 3.5e-8, 6)]
    assert texts == ["0.71", "0.71000001", "0.71000002", "0.71000003"]


def test_an_axis_writes_all_its_numbers_in_one_way() -> None:
    """50000 stood above −10⁵."""
    torque, part = Axis("torque", "N m"), Axis("Re", "1/s", "asinh")
    assert [text for _, text in ticks(torque, -1.1e5, 9e4, 4)] == ["−10⁵", "−5·10⁴", "0", "5·10⁴"]
    assert [text for _, text in ticks(torque, -5.5e4, 9e4, 4)] == ["−50000", "0", "50000"]
    low, high = part.place(np.array([0.5, 2e5])).tolist()
    assert [text for _, text in ticks(part, low, high, 4)] == ["10⁰", "10¹", "10²", "10³", "10⁴", "10⁵"]


def test_the_ground_is_grey_where_a_run_cannot_be_judged_and_no_further() -> None:
    """Grey after the end of a run that could be trusted to its end looked as if its references disagreed."""
    assert untrusted([10.0], [10.0]) == untrusted([math.inf], [10.0]) == untrusted([], []) == ()
    assert untrusted([4.0], [10.0]) == (Band(4.0, 10.0),)
    assert untrusted([4.0, 6.0], [10.0, 20.0]) == (Band(6.0, 20.0),)
    assert untrusted([4.0, 20.0], [10.0, 20.0]) == (), "the longer one can be judged to its end"
    assert untrusted([10.0, 8.0], [10.0, 20.0]) == (Band(10.0, 20.0),), "there the shorter one has ended"
    assert untrusted([6.0], [3.0]) == (), "it failed before"


def test_logarithmic_ticks_are_whole_powers_where_there_are_two() -> None:
    assert log_ticks(-12.0, 0.0, 4) == [-12.0, -8.0, -4.0, 0.0]
    assert ticks(LOG, -2.1, -0.9, 5) == [(-2.0, "10⁻²"), (-1.0, "10⁻¹")]
    assert [text for _, text in ticks(LOG, -2.3, -1.65, 5)] == ["10⁻²", "2·10⁻²"]
    assert [text for _, text in ticks(Axis(scale="asinh"), -3.0, 3.0, 5)] == ["−1", "1", "−10", "10"]


@pytest.mark.parametrize("axis", [LOG, Axis("angle", "rad")])
@pytest.mark.parametrize(("low", "high"), [(1.2, 2.3), (0.3, 3.9), (-8.7, -2.2), (-0.9, 0.4), (0.6, 5.5)])
def test_a_low_axis_has_two_ticks(axis: Axis, low: float, high: float) -> None:
    """One number alone is no scale."""
    for most in (2, 3, 4):
        found = [place for place, _ in ticks(axis, low, high, most)]
        assert 2 <= len(found) <= most + 1
        assert found == sorted(found)
        assert low <= found[0] < found[-1] <= high


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.5e-9, "1.5·10⁻⁹"),
        (-0.25, "−0.25"),
        (1e-7, "10⁻⁷"),
        (9.9999e-8, "10⁻⁷"),
        (-2.19e4, "−2.19·10⁴"),
        (123.4, "123"),
        (math.nan, "–"),
        (math.inf, "–"),
    ],
)
def test_readings(value: float, text: str) -> None:
    assert reading(value) == text


def test_plain_numbers_powers_and_durations() -> None:
    assert [tick_text(v) for v in (0.0, -200.0, 0.05, -1e5, 2.5e-7)] == ["0", "−200", "0.05", "−10⁵", "2.5·10⁻⁷"]
    assert [power_text(x) for x in (-7, -6.0 + math.log10(2.0))] == ["10⁻⁷", "2·10⁻⁶"]
    assert [duration(s) for s in (0.2, 59.4, 125.0, 3780.0)] == [
        "1\u00a0s",
        "59\u00a0s",
        "2\u00a0min 5\u00a0s",
        "1\u00a0h 3\u00a0min",
    ]


def shown_values(chart: Chart, start: float = 0.0, end: float = 1e9) -> tuple[float, float]:
    return value_range(chart, [placed(chart, curve) for curve in chart.curves], start, end)


def test_a_log_axis_holds_every_positive_value_and_ignores_zeros() -> None:
    chart = Chart(y=LOG, curves=(Curve(np.arange(4.0), np.array([0.0, 3e-9, math.nan, 2e-3])),))
    low, high = shown_values(chart)
    assert low < math.log10(3e-9) < math.log10(2e-3) < high < -2.0
    assert shown_values(Chart(y=LOG, curves=(Curve(np.zeros(2), np.zeros(2)),))) == pytest.approx((-0.06, 1.06))
    flat = Chart(y=LOG, curves=(Curve(np.arange(3.0), np.full(3, 1e-2)),))
    assert np.ptp(shown_values(flat)) >= 1.0, "at least a decade"


def test_rare_dips_do_not_stretch_an_axis_unless_it_is_whole() -> None:
    y = np.full(1000, 1e-3)
    y[500] = 1e-16
    curve = Curve(np.arange(1000.0), y)
    assert shown_values(Chart(y=LOG, curves=(curve,)))[0] > -5.0
    assert shown_values(Chart(y=replace(LOG, whole=True), curves=(curve,)))[0] < -16.0


def test_a_run_that_blew_up_does_not_flatten_the_others() -> None:
    y = np.sin(np.linspace(0.0, 9.0, 1000))
    wild = y.copy()
    wild[-1] = 1e30
    low, high = shown_values(Chart(curves=(Curve(np.arange(1000.0), wild, wild=True),)))
    assert -5.0 < low < -0.9 < 0.9 < high < 5.0
    both = Chart(curves=(Curve(np.arange(1000.0), wild, wild=True), Curve(np.arange(1000.0), y)))
    assert shown_values(both) == pytest.approx((-1.12, 1.12), abs=0.01)


def test_limits_stay_in_sight() -> None:
    chart = Chart(curves=(Curve(np.arange(3.0), np.zeros(3)),), allowed=(-1.0, 2.0))
    low, high = shown_values(chart)
    assert low < -1.0 < 2.0 < high


def test_a_plane_shows_all_points_of_runs_that_went_well() -> None:
    good, bad = Curve(np.array([0.0, 2.0]), np.array([1.0, 3.0])), Curve(np.array([1e9]), np.array([1e9]), wild=True)
    chart = Chart(x=Axis("x", "m"), curves=(bad, good))
    (left, right), (low, high) = plane_range(chart, [placed(chart, curve) for curve in chart.curves])
    assert (left, right, low, high) == pytest.approx((-0.12, 2.12, 0.88, 3.12))


def test_curves_are_read_as_they_are_drawn() -> None:
    line = Curve(np.array([0.0, 1.0]), np.array([2.0, 4.0]))
    assert line.at(0.5) == 3.0
    assert math.isnan(line.at(1.5))
    assert math.isnan(replace(line, joined=False, mark="cross").at(0.5))
    assert replace(line, t=np.array([5.0, 6.0])).when(5.5) == (0.5, 3.0)


def test_axes_place_values_where_they_belong() -> None:
    curve = Curve(np.array([0.0, 10.0]), np.array([1e-8, 1e-2]))
    chart = ChartPainter(Chart(y=LOG, curves=(curve,)), QRectF(0, 0, 400, 200), (0.0, 10.0), style_of("light"))
    area = chart.area
    assert float(chart.across(5.0)) == pytest.approx(area.center().x(), abs=1.0)
    assert float(chart.upward(1e-5)) == pytest.approx(area.center().y(), abs=1.0)
    assert math.isnan(float(chart.upward(0.0)))


def test_a_run_that_blew_up_stays_within_what_a_painter_can_count() -> None:
    far = np.array([0.0, 1e15, -1e300])
    chart = ChartPainter(Chart(curves=(Curve(far, far),)), QRectF(0, 0, 400, 200), (0.0, 1.0), style_of("light"))
    assert np.abs(chart.across(far)).max() < 2e4
    assert np.abs(chart.upward(far)).max() < 2e4


def test_samples_of_lines_show_a_whole_dash() -> None:
    for dash in [name for name, lengths in DASHES.items() if lengths]:
        assert sample_length(dash, 2.0) > 2.0 * sum(pen("#000000", dash, 2.0).dashPattern())


def test_runs_have_the_charts_that_the_window_shows_at_first(rows) -> None:
    charts = charts_of(rows)
    assert [chart.title for chart in charts] == ["Error", "Joint angles", "Energy error", "Step size"]
    assert charts[0].note == "against the reference"
    unjudged = [replace(row, reference=None, reference_run=None) for row in rows]
    assert "Error" not in [chart.title for chart in charts_of(unjudged)]
    assert charts_of([]) == []
    radians = charts_of(rows, ViewSettings(degrees=False))[1]
    assert charts[1].curves[0].y == pytest.approx(np.degrees(radians.curves[0].y))


def test_a_run_alone_has_a_colour_for_each_joint_and_beside_others_shades(rows) -> None:
    alone, beside = charts_of(rows[:1])[1], charts_of(rows)[1]
    assert len({curve.colour for curve in alone.curves}) == 2
    assert {(curve.run, curve.colour) for curve in beside.curves} == {(row.label, row.colour) for row in rows}


def test_a_legend_of_its_own_names_the_runs_only_where_no_other_does(rows) -> None:
    chart = charts_of(rows)[0]
    assert [entry.name for entry in entries_of(chart, style_of("light"))] == [rows[0].label]
    assert entries_of(chart, style_of("light"), runs=False) == ()
    values = entries_of(chart, style_of("light"), 0.5, runs=False)
    assert [entry.name for entry in values] == ["", ""]
    assert all(entry.value.endswith("rad") for entry in values)


def test_a_legend_leaves_out_what_its_chart_does(rows) -> None:
    """Of many curves of a run a chart may name the first ones alone; pinned runs get values of the same ones."""
    chart = Chart(
        curves=tuple(
            Curve(
                x=np.array([0.0, 1.0]),
                y=np.ones(2),
                name=f"{lead}λ{k}",
                run=run,
                colour=colour,
                listed=listed and k < 3,
            )
            for run, colour, lead, listed in (("RK4", "#0072b2", "", True), ("Euler", "#009e73", "", False))
            for k in range(1, 9)
        )
    )
    entries = entries_of(chart, style_of("light"), 0.5, ghosts=True)
    assert [entry.tip for entry in entries] == ["λ1", "λ2", "Euler, λ1", "Euler, λ2"]


def test_the_step_chart_covers_the_run_with_the_accepted_steps(rows) -> None:
    fine, coarse = charts_of(rows)[3].curves
    assert fine.x[-1] == pytest.approx(1.0)
    assert np.allclose(fine.y, 0.01)
    assert np.allclose(coarse.y, 0.05)


@pytest.mark.parametrize(("suffix", "start"), [(".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG")])
def test_charts_on_one_page(rows, tmp_path: Path, suffix: str, start: bytes) -> None:
    for theme in ("light", "dark"):
        file = render_rows(
            rows,
            ViewSettings(),
            ExportSettings(tmp_path / f"charts{suffix}", style="web", title="A <title> & more", theme=theme),
        )
        assert file.read_bytes().startswith(start)
    assert [entry.name for entry in tmp_path.iterdir()] == [f"charts{suffix}"]


@pytest.mark.parametrize(
    ("span", "values", "tick"),
    [((0.0, 1.0), None, "0.4"), ((0.25, 0.75), None, "0.5"), ((0.0, 1.0), (-20.0, 5.0), "0.4")],
)
def test_a_plot_saved_as_svg_keeps_its_curves_within_its_axes(rows, tmp_path: Path, span, values, tick: str) -> None:
    chart = charts_of(rows[:1])[1]
    page = page_of_chart(PagePanel(chart, span, values), FigureStyle(width=131.5))
    write_page(page, tmp_path / "plot.svg")
    root = ElementTree.parse(tmp_path / "plot.svg").getroot()
    assert not root.findall(f".//{SVG}image")
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"Joint angles", "time [s]", tick, "0", "q₁", "q₂"} <= set(texts), "titles, ticks of both axes, names"
    area = page.painters[0].area
    drawn = 0
    for line in root.iter(f"{SVG}polyline"):
        points = np.array([pair.split(",") for pair in line.attrib["points"].split()], dtype=float)
        assert points[:, 0].min() >= area.left() - 1.0
        assert points[:, 0].max() <= area.right() + 1.0
        if len(points) > 5:
            drawn += 1
            assert values or points[0, 0] == pytest.approx(area.left(), abs=1.0)
            assert values or points[-1, 0] == pytest.approx(area.right(), abs=1.0)
            assert (points[:, 1] >= area.top() - 1.0).all()
            assert (points[:, 1] <= area.bottom() + 1.0).all()
    assert drawn == (2 if values is None else 1), "one polyline a curve, and none for a playhead"


def test_a_plot_saved_as_pdf_is_drawn_with_lines_of_their_width_and_texts(rows, tmp_path: Path) -> None:
    page = page_of_chart(PagePanel(charts_of(rows[:1])[1], (0.0, 1.0)), FigureStyle(width=131.5))
    write_page(page, tmp_path / "plot.pdf")
    content = (tmp_path / "plot.pdf").read_bytes()
    assert b"/DCTDecode" not in content
    assert not re.search(rb"/Subtype\s*/Image", content), "no embedded picture"
    streams = [zlib.decompress(part) for part in re.findall(rb"stream\r?\n(\x78.*?)\r?\nendstream", content, re.S)]
    drawing = max((part for part in streams if b" Tf" in part or b" w" in part), key=len)
    assert drawing.count(b" Tf") > 8, "titles and the numbers of both axes are text"
    widths = {float(width) for width in re.findall(rb"([\d.]+) w\b", drawing)}
    assert max(widths) > 1.0
    assert 0.0 not in widths, "no hairlines"


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs poppler's pdftotext")
def test_numbers_in_a_pdf_can_be_searched_and_a_run_that_stopped_says_so(
    tmp_path: Path, qapp: QApplication, request: pytest.FixtureRequest
) -> None:
    before = qapp.font()
    request.addfinalizer(lambda: qapp.setFont(before))
    qapp.setFont(font(load("light")))  # as in a window, whose figures have equal widths
    file = tmp_path / "plots.pdf"
    coarse = ["--set", "method=euler", "--set", "step=0.3"]
    assert main(["render", "rr-swing", "--out", str(file), *coarse]) == 1
    text = subprocess.run(["pdftotext", str(file), "-"], capture_output=True, text=True, check=True).stdout
    assert not re.search("[\ue000-\uf8ff]", text), "no private characters"
    for words in (
        "step 300 ms",
        "−1500",
        "10⁴",
        "time [s]",
        "[J] against its initial value",
        "diverged at t = 7.200 s",
    ):
        assert words in text, words


def test_charts_that_cannot_be_written_say_why(rows, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"\.svg"):
        render_rows(rows, ViewSettings(), ExportSettings(tmp_path / "charts.bmp"))
    with pytest.raises(ArmstepError, match="nowhere"):
        render_rows(rows, ViewSettings(), ExportSettings(tmp_path / "nowhere" / "charts.svg"))


class Written(QPainter):
    """A painter that keeps where it wrote what."""

    def drawText(self, box: QRectF, flags: int, text: str) -> None:  # type: ignore[override]
        self.texts = {**getattr(self, "texts", {}), text: box}
        super().drawText(box, flags, text)


@pytest.mark.parametrize("size", [(820.0, 380.0), (320.0, 240.0)])
def test_the_words_of_a_diagram_stay_in_their_boxes(qapp: QApplication, size: tuple[float, float]) -> None:
    chart, image = topology(), QImage(*map(int, size), QImage.Format.Format_RGB32)
    page, painter = (
        whole_page(Figure("figure 4", "bodies", (chart,)), style_for(size, "light", (), "sans 10")),
        Written(image),
    )
    page.paint(painter)
    painter.end()
    assert len(chart.labels) == 14 + 21, "bodies and joints"
    for label in chart.labels:
        written, (wide, high) = painter.texts[label.text], label.room
        drawn = page.painters[0]
        assert written.width() < float(drawn.across(label.x + wide) - drawn.across(label.x)), label
        assert written.height() < float(drawn.upward(label.y) - drawn.upward(label.y + high)), label


def test_lines_of_a_study_that_coincide_are_all_seen(qapp: QApplication) -> None:
    image = QImage(400, 240, QImage.Format.Format_RGB32)
    both = [Curve(np.array([0.0, 1.0]), np.array([0.0, 1.0]), name) for name in ("one", "other")]
    painter = QPainter(image)
    whole_page(
        Figure("figure 1", "alike", (panel("x", "m", both, log=False),)),
        style_for((400.0, 240.0), "light", (), "sans 10"),
    ).paint(painter)
    painter.end()
    seen = {image.pixelColor(x, y).name() for x in range(400) for y in range(240)}
    for slot in (0, 1):
        wanted = QColor(colour_of(slot))
        assert any(abs(QColor(one).hue() - wanted.hue()) < 8 and QColor(one).saturation() > 120 for one in seen), slot
