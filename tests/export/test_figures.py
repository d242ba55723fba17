"""Figures as a journal takes them, measured in the files by programs that nobody here wrote."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from assets.errors import BadInput
from assets.polylines import stripe
from gui.app.settings import Settings
from gui.app.view import ViewSettings
from gui.charts.colours import COLOURS, DASHES
from gui.charts.figure_style import STYLES, FigureStyle, find_figure_style, length, ranges_of
from gui.cli import main
from gui.qt.drawing.chart import ALONG, BARE
from gui.qt.drawing.charts_page import EDGE, TENTHS, ChartsPage, PagePanel
from gui.qt.drawing.legend import entries_of
from gui.qt.drawing.outlines import OutlinePainter
from gui.qt.drawing.style import stroked_length
from gui.qt.export import film
from gui.qt.export.charts_file import raster
from gui.qt.export.figure import page_of
from gui.qt.export.film import Film
from gui.qt.export.formats.svg import as_svg
from gui.qt.export.inside import read_scenarios, scenario_of
from gui.qt.export.settings import ExportSettings
from robots.model.chart import TIME, Axis, Band, Chart, ColourField, Curve

poppler = pytest.mark.skipif(shutil.which("pdftohtml") is None, reason="needs poppler's pdftohtml")
MM = 72.0 / 25.4


def drawn(folder: Path, *words: str, name: str = "fig.pdf", preset: str = "rr-swing") -> Path:
    assert main(["render", preset, "--out", str(folder / name), "--set", "duration=2", *words]) == 0
    return folder / name


def said(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def points(file: Path) -> set[float]:
    """The heights of the fonts of a PDF [pt]."""
    found = re.findall(
        r'<fontspec [^>]*size="(\d+)"', said("pdftohtml", "-xml", "-zoom", "3", "-i", "-stdout", str(file))
    )
    return {int(size) / 3.0 for size in found}


@poppler
def test_a_figure_for_a_column_has_text_of_nine_points_and_vector_curves(tmp_path: Path) -> None:
    words = ["--width", "85mm", "--font", "serif 9", "--plots", "error,energy", "--compare", "euler,rk2"]
    file = drawn(tmp_path, *words)
    width = float(re.search(r"Page size:\s+([\d.]+) x", said("pdfinfo", str(file)))[1])  # type: ignore[index]
    assert width == pytest.approx(85 * MM, abs=0.6)
    assert points(file) == {9.0}
    assert said("pdfimages", "-list", str(file)).count("\n") == 2, "no pictures"
    fonts = said("pdffonts", str(file)).splitlines()[2:]
    assert fonts
    assert all("Serif" in font or "Times" in font or "Roman" in font for font in fonts)
    assert all(re.search(r"yes (?:yes|no)\s+yes", font) for font in fonts), "embedded, with their characters"
    text = said("pdftotext", str(file), "-")
    for word in (
        "(a)",
        "(b)",
        "error [rad]",
        "|ΔE| [J]",
        "time [s]",
        "10⁻⁶",
        "Runge-Kutta 1 (explicit Euler), step 10 ms",
    ):
        assert word in text
    assert "The arm falls" not in text, "papers have captions"
    assert file.stat().st_size < 200_000
    assert scenario_of(str(file)).duration == 2.0


@poppler
def test_the_names_of_the_runs_stand_in_one_column(tmp_path: Path) -> None:
    """The sample of a solid line was half as long as a dashed one, and its name began left of the others."""
    words = ["--width", "85mm", "--theme", "mono", "--plots", "error", "--compare", "euler,rk2"]
    boxes = said("pdftotext", "-bbox", str(drawn(tmp_path, *words)), "-")
    begins = [float(x) for x in re.findall(r'<word xMin="([\d.]+)"[^>]*>Runge-Kutta</word>', boxes)]
    assert len(begins) >= 3
    assert max(begins) - min(begins) < 0.2, begins


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_text_keeps_its_height_in_latex(tmp_path: Path) -> None:
    drawn(tmp_path, "--width", "85mm", "--font", "serif 9", "--plots", "error")
    lines = r"\documentclass{article}\usepackage{graphicx}\begin{document}\pagestyle{empty}"
    lines += r"\includegraphics[width=85mm]{fig.pdf}\end{document}"
    (tmp_path / "paper.tex").write_text(lines)
    subprocess.run(["pdflatex", "paper.tex"], cwd=tmp_path, capture_output=True, check=True)
    assert points(tmp_path / "paper.pdf") == {9.0}


@poppler
@pytest.mark.parametrize("preset", ["rr-swing", "pa10-weld", "e12"])
def test_every_plot_of_a_long_run_stays_small(preset: str, tmp_path: Path) -> None:
    file = tmp_path / "fig.pdf"
    assert main(["render", preset, "--out", str(file), "--style", "paper", "--theme", "mono"]) == 0
    assert file.stat().st_size < 200_000
    colours = subprocess.run(["pdftoppm", "-r", "60", "-png", str(file)], capture_output=True, check=True).stdout
    (tmp_path / "page.png").write_bytes(colours)
    picture = Image.open(tmp_path / "page.png").convert("HSV")
    assert picture.getextrema()[1][1] < 90, "hardly any colour"


def page(rows, **values) -> ChartsPage:
    return page_of(rows, ViewSettings(), ExportSettings(Path("x.pdf"), **values))


def test_panels_stand_in_rows_and_columns_and_share_their_axis(rows) -> None:
    made = page(rows, plots="error,joints,energy,step-size", columns=2, width=180.0, show="letters")
    boxes = [painter.area for painter in made.painters]
    assert [painter.letter for painter in made.painters] == ["(a)", "(b)", "(c)", "(d)"]
    assert boxes[0].top() == boxes[1].top() < boxes[2].top() == boxes[3].top()
    assert boxes[0].left() == boxes[2].left() < boxes[1].left() == boxes[3].left()
    assert [painter.numbers for painter in made.painters] == [False, False, True, True]
    assert boxes[1].right() / 10 < made.size[0] == pytest.approx(180 / 25.4 * 96)
    tall = page(rows, plots="error,energy", height=200.0, width=85.0)
    assert tall.size[1] == pytest.approx(200 / 25.4 * 96, rel=0.01)
    with pytest.raises(BadInput, match=r"height must be at least 6\d mm for these panels, got 30"):
        page(rows, plots="error,energy,joints", height=30.0, width=85.0)


def test_ranges_scales_and_the_playhead_are_as_asked(rows) -> None:
    (painter,) = page(rows, plots="error//linear", ranges="error=0:0.01", start=0.2, end=0.6).painters
    assert painter.span == (0.2, 0.6)
    assert (painter.low, painter.high) == (0.0, 0.01)
    assert page(rows, plots="error", at=0.5).t == 0.5
    assert page(rows, plots="error").t is None
    with pytest.raises(BadInput, match="above 0 on a logarithmic axis"):
        page(rows, plots="error", ranges="error=0:1")
    (plane,) = page(rows, plots="phase-plane", ranges="phase-plane=-1:1").painters
    assert (plane.low, plane.high) == (-1.0, 1.0)
    (plane,) = page(rows, plots="phase-plane", ranges="phase-plane.x=-0.5:0.25, phase-plane=0:2").painters
    assert (plane.span, plane.low, plane.high) == ((-0.5, 0.25), 0.0, 2.0)
    (painter,) = page(rows, plots="error", ranges="error.x=0.5:0.75").painters
    assert painter.span == (0.5, 0.75)
    with pytest.raises(BadInput, match="ranges must be for plots of the figure, got 'energy'"):
        page(rows, plots="error", ranges="energy=1:2")


def test_a_page_is_as_high_as_its_picture(rows) -> None:
    picture = QImage(100, 62, QImage.Format.Format_RGB32)
    made = page(rows, plots="error", width=120.0, show="")
    made = ChartsPage([PagePanel(picture=picture)], made.figure)
    across = 120.0 / 25.4 * 96
    assert made.size[1] == pytest.approx(0.62 * (across - 2.0 * EDGE) + EDGE + BARE, abs=1.0)


def test_grounds_and_stripes_end_at_the_axes_in_svg(rows) -> None:
    x, y = stripe(np.array([0.0, 0.4, 0.6, 1.0]), np.array([-9.0, -9.0, 0.0, 0.0]), np.array([0.0, 9.0, 9.0, 0.0]))
    chart = Chart(curves=(Curve(x, y, joined=False, mark="stripe", colour=COLOURS[0]),), bands=(Band(0.5),))
    made = ChartsPage([PagePanel(chart, (0.0, 1.0), (-1.0, 1.0))], find_figure_style("web").changed({"show": ()}))
    image = QImage(*(round(side) for side in made.size), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(as_svg(made, {}))).render(painter)
    painter.end()
    left, top, right, bottom = (round(side / TENTHS) for side in made.painters[0].area.getCoords())
    assert image.pixelColor(right - 9, (top + bottom) // 2).name() != "#ffffff"
    assert {image.pixelColor(right + 6, y).name() for y in range(top, bottom)} == {"#ffffff"}
    assert {image.pixelColor(x, top - 4).name() for x in range(left, right)} == {"#ffffff"}


def test_the_lowest_panels_have_whole_units_and_numbers_apart() -> None:
    """Beside a low frame, a unit has the height of its whole panel."""
    t = np.linspace(0.0, 1.0, 9)
    torque = Chart(y=Axis("motor torque", "N m"), curves=(Curve(t, 1.5e5 * np.sin(9.0 * t)),))
    pole = Chart(x=Axis("Re"), y=Axis("Im", "1/s", "asinh"), curves=(Curve(t, 100.0 * np.cos(9.0 * t)),))
    figure = find_figure_style("paper").changed({"columns": 1})
    made = ChartsPage([PagePanel(torque), PagePanel(torque), PagePanel(pole)], replace(figure, height=20.0))
    image, dots = raster(made, 288.0)[..., :3].min(axis=-1), 3.0 / TENTHS
    metrics = QFontMetricsF(made.style.font(11.0))
    for painter, unit in zip(made.painters, ("[N m]", "[N m]", "[1/s]"), strict=True):
        assert painter.area.height() < metrics.horizontalAdvance(unit) + metrics.height(), "a low one"
        strip = image[int(painter.place.top() * dots) : int(painter.place.bottom() * dots), : int(160 * dots)]
        rows = np.flatnonzero((strip < 200).any(axis=1))
        assert (rows[-1] - rows[0]) / dots >= 0.97 * metrics.tightBoundingRect(f"… {unit}").width()
        places = painter.upward(painter.chart.y.value(np.array([place for place, _ in painter.value_ticks()])))
        assert len(places) > 0
        assert all(abs(np.diff(places)) >= 0.6 * metrics.height())


@pytest.mark.parametrize("style", ["paper", "web"])
def test_what_a_bar_of_colours_is_called_stands_above_the_colours(style: str) -> None:
    values, whole = np.arange(4.0).reshape(2, 2), np.zeros((2, 2), np.int8)

    def painted(words: str) -> tuple[np.ndarray, ChartsPage]:
        field = ColourField(values, whole, 0.0, 1.0, 0.0, 1.0, Axis(words))
        chart = Chart(x=Axis("x"), y=Axis("y"), colours=field, view=(0.0, 1.0, 0.0, 1.0))
        made = ChartsPage([PagePanel(chart)], find_figure_style(style))
        return raster(made), made

    (named, made), (bare, _) = painted("when an angle first passes a given value"), painted("")
    scale = named.shape[1] / made.size[0]
    area = made.painters[0].area
    edges = area.left(), area.top(), area.right(), area.bottom()
    left, top, right, bottom = (round(scale * side / TENTHS) for side in edges)
    np.testing.assert_array_equal(named[top + 2 : bottom, left:right], bare[top + 2 : bottom, left:right])
    assert (named[:top] != bare[:top]).any(), "the words are there"


def test_legends_show_marks_as_the_chart_does(rows, monkeypatch) -> None:
    """Hollow marks have the colour of the ground, also in the dark; dashes do not end in a dot."""
    x = np.array([0.0, 1.0])
    curves = [Curve(x, x + k, name, mark="circle", filled=bool(k)) for k, name in enumerate(("hollow", "solid"))]
    made = ChartsPage([PagePanel(Chart(curves=tuple(curves)))], find_figure_style("web").changed({"theme": "dark"}))
    assert [entry.filled for entry in entries_of(made.painters[0].chart, made.style)] == [False, True]
    assert (raster(made)[..., :3].min(axis=-1) < 255).all(), "nothing is white"
    painted = []
    monkeypatch.setattr("gui.qt.drawing.marks.paint_mark", lambda *words: painted.append(words))
    line = Curve(x, x, joined=True)
    for axis, marks in ((Axis("cost"), 2), (TIME, 2 + ALONG)):
        painted.clear()
        chart = Chart(x=axis, curves=(replace(line, colour=COLOURS[1]), replace(line, joined=False, mark="square")))
        raster(ChartsPage([PagePanel(chart, (-1.0, 2.0), (-1.0, 2.0))], made.figure.changed({"theme": "mono"})))
        assert len(painted) == marks, "marks on a plane are points"
    ends = {dash: stroked_length(dash, 1.0, 15.4) for dash in DASHES}
    assert ends["solid"] == 15.4
    assert ends["dash"] == pytest.approx(5.0 + 2.6 + 5.0)
    assert ends["dash-dot-dot"] == pytest.approx(5.0 + 2.2 + 1.4 + 2.2 + 1.4)


def test_a_caption_says_what_is_shown(rows) -> None:
    caption = page(rows, plots="error,energy", show="caption,letters").caption
    assert "(a) Error against the reference" in caption
    assert "(b) Energy error" in caption
    assert "step 50\u00a0ms" in caption
    assert page(rows, plots="error", show="").caption == ""


def test_outlines_need_no_font_and_look_the_same(tmp_path: Path, monkeypatch) -> None:
    lines, draw = [], OutlinePainter._draw_line
    monkeypatch.setattr(OutlinePainter, "_draw_line", lambda *one: (lines.append(one[-1]), draw(*one)))
    words = ["--style", "paper", "--plots", "error,joints", "--show", "legend,letters,caption"]
    text = drawn(tmp_path, *words, name="text.svg").read_text("utf-8")
    shapes = drawn(tmp_path, *words, "--outlines", name="shapes.svg").read_text("utf-8")
    assert "(a)" in text
    assert "<text" not in shapes
    assert shapes.count("<path") == text.count("<path") + sum(map(bool, lines)), "each text is a shape, with any font"
    said = "".join(re.findall(r"<text[^>]*>([^<]*)</text>", text))
    assert "".join(lines).split() == said.split()
    assert 'width="85.0000mm"' in text
    assert 'width="85.0000mm"' in shapes


@poppler
def test_a_still_stands_among_charts(tmp_path: Path, monkeypatch) -> None:
    scales = []

    class Seen(Film):
        def __init__(self, rows, view, settings, scale=None) -> None:
            scales.append(scale)
            super().__init__(rows, view, settings, scale)

    monkeypatch.setattr(film, "Film", Seen)
    file = drawn(tmp_path, "--plots", "scene@1,error", "--columns", "2", "--width", "180mm", "--dpi", "50")
    assert "image" in said("pdfimages", "-list", str(file))
    assert scales == [pytest.approx(0.8 * 50 / 96)], "type has one height on paper, however wide the panel"
    assert "(a)" not in said("pdftotext", str(file), "-")


@poppler
def test_a_figure_with_a_still_stays_small_unless_more_dots_are_asked_for(tmp_path: Path) -> None:
    words = ["--style", "paper", "--width", "85mm", "--plots", "scene@1,error"]
    small, large = drawn(tmp_path, *words), drawn(tmp_path, *words, "--dpi", "600", name="large.pdf")
    assert small.stat().st_size < 200_000 < large.stat().st_size
    assert 250 < int(said("pdfimages", "-list", str(small)).split()[-4]) < 330, "dots per inch on the page"


@poppler
def test_panels_of_other_scenarios_stand_on_the_page_and_travel_with_it(tmp_path: Path) -> None:
    file = tmp_path / "both.pdf"
    words = [
        "--plots",
        "energy,double-pendulum:joints,double-pendulum:scene@0.1",
        "--show",
        "letters,caption",
        "--set",
        "duration=1",
        "--dpi",
        "50",
    ]
    assert main(["render", "rr-swing", "--out", str(file), *words]) == 0
    assert [one.name for one in read_scenarios(file)] == ["rr-swing", "double-pendulum"]
    text = " ".join(said("pdftotext", str(file), "-").split())
    assert "(c) Stiff double pendulum at 0.1 s" in text


def test_a_picture_of_charts_knows_its_size_on_paper(tmp_path: Path) -> None:
    file = drawn(tmp_path, "--style", "paper", "--dpi", "300", "--plots", "error", name="fig.png")
    picture = Image.open(file)
    assert picture.size[0] == round(85 / 25.4 * 300)
    assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--width", "3km"], "--width must be a length such as 85mm"),
        (["--width", "1mm"], "width must be from 20 to 2000 mm, got 1"),
        (["--font", "serif"], "--font must be a family and a size in points"),
        (["--font", "serif 900"], "font must be from 3 to 144 pt, got 900"),
        (["--plots", "eror"], "did you mean 'error'?"),
        (["--plots", "scene@soon"], "scene@T with the time T in seconds"),
        (["--plots", "scene@99"], "time must be from 0 to 2 s, got 99"),
        (["--ranges", "error=2:1"], "PLOT=LOW:HIGH"),
        (["--show", "legends"], "did you mean 'legend'?"),
        (["--style", "papr"], "did you mean 'paper'?"),
        (["--columns", "0"], "columns must be"),
        (["--theme", "sepia"], "theme must be"),
        (["--time", "9"], "time must be from 0 to 2 s, got 9"),
        (["--camera", "tp", "--plots", "scene@1"], "did you mean 'top'?"),
        (["--camera", "top"], "--camera must be left out for a figure without a still"),
        (["--from", "1", "--plots", "beam:error"], "--from must be left out for a figure without plots"),
    ],
)
def test_what_a_figure_cannot_have_is_refused_in_one_line(words, message: str, tmp_path: Path, capsys) -> None:
    assert main(["render", "rr-swing", "--set", "duration=2", "--out", str(tmp_path / "f.pdf"), *words]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert message in lines[0], lines[0]
    assert list(tmp_path.iterdir()) == []


def test_a_picture_is_either_of_the_scene_or_of_charts(tmp_path: Path, capsys) -> None:
    words = ["--width", "85mm", "--size", "300x200"]
    assert main(["render", "rr-swing", "--out", str(tmp_path / "f.png"), *words]) == 2
    assert "size must be left out for a figure" in capsys.readouterr().err


def test_a_style_is_kept_under_a_name(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("gui.charts.figure_style.Settings", lambda: Settings(tmp_path / "person"))
    drawn(tmp_path, "--style", "paper", "--width", "88mm", "--show", "grid", "--save-style", "my-journal")
    kept = find_figure_style("my-journal")
    assert (kept.width, kept.show, kept.font) == (88.0, ("grid",), "serif 9")
    assert json.loads((tmp_path / "person" / "figures" / "my-journal.json").read_text())["width"] == 88.0
    drawn(tmp_path, "--style", "my-journal")


def test_styles_and_lengths_are_read_as_people_write_them() -> None:
    assert {"paper", "slides", "web"} <= set(STYLES.keys())
    for style in STYLES.all().values():
        assert FigureStyle.from_json(style.to_json()) == style
    assert [length("width", text) for text in ("85mm", "85", "8.5 cm", "1in", "72pt")] == pytest.approx(
        [85.0, 85.0, 85.0, 25.4, 25.4]
    )
    assert ranges_of("error=1e-9:1e-3, energy=0:1") == {"error": (1e-9, 1e-3), "energy": (0.0, 1.0)}
    for text in ('{"widht": 3}', '{"width": "x"}', "[]", '{"show": ["all"]}'):
        with pytest.raises(BadInput):
            FigureStyle.from_json(text)


@poppler
def test_the_legend_of_a_narrow_figure_goes_on_below(tmp_path: Path, capsys) -> None:
    file = tmp_path / "narrow.pdf"
    values = ("duration=0.5", "method=dop853", "rtol=1e-12", "atol=1e-12")
    words = ["render", "rr-swing", *(word for value in values for word in ("--set", value))]
    shown = ["--compare", "dopri5", "--plots", "energy", "--show", "legend", "--out", str(file)]
    for width in ("85mm", "180mm"):
        assert main([*words, *shown, "--font", "DejaVu Serif 9", "--width", width]) == 0
        text = " ".join(said("pdftotext", str(file), "-").split())
        assert "Dormand-Prince 8(5,3), rtol 1e-12, atol 1e-12" in text
        assert text.count("atol") == 2
        assert "…" not in text, "what follows would be lost in print"
    capsys.readouterr()


@poppler
def test_a_work_precision_diagram_is_a_figure(tmp_path: Path, capsys) -> None:
    file = tmp_path / "wp.pdf"
    words = ["compare", "rr-swing", "--methods", "rk4,dopri5", "--steps", "0.02,0.01", "--set", "duration=0.5"]
    assert main([*words, "--out", str(file), "--width", "85mm", "--show", "legend,caption"]) == 0
    text = " ".join(said("pdftotext", str(file), "-").split())
    assert "The arm falls. Work-precision diagram." in text
    for word in ("Runge-Kutta 4 (classical)", "Dormand-Prince 5(4)", "computing time [s]", "largest error", "10⁻"):
        assert word in text
    assert points(file) == {9.0}
    assert scenario_of(str(file)).duration == 0.5
    capsys.readouterr()
    assert main([*words, "--out", str(tmp_path / "wp.csv"), "--width", "85mm"]) == 2
    assert "--width must be used together with a figure" in capsys.readouterr().err
