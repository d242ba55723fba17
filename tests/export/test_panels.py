"""Figures whose panels are maps, work-precision diagrams and studies' figures, read by foreign programs."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from assets.errors import BadInput
from gui.app.documents import Document, Result, to_scenario
from gui.app.session.results import KERNEL_GAIN, MAP, STUDY, WORK_PRECISION
from gui.charts.choice import PanelChoice, panel_texts
from gui.charts.figure_style import letter_of
from gui.charts.figures.panels import result_charts
from gui.cli import main
from gui.qt.export.inside import scenario_of
from gui.qt.export.panel_sources import sources_of
from gui.qt.export.request import Cancelled
from gui.qt.export.settings import ExportSettings
from gui.qt.export.tables import write_table
from robots.papers.figure import Figure, line, panel
from robots.papers.study import Report, StudyResult, studies
from robots.papers.study_data import data_of as study_data
from robots.scenario.file import save_scenario
from robots.scenario.presets import find_preset
from robots.sweeps.axes import SweepAxis
from robots.sweeps.files import SweepTable
from robots.sweeps.run_sweep import run_sweep
from robots.sweeps.sweep import Sweep, SweepResult
from robots.sweeps.work_precision import cases, data_of, judged, measured_once
from tests.lessons import SIX_KINDS

pytestmark = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs poppler")
SWING = find_preset("rr-swing").with_value("duration", 0.2)
STUDY_KEY = "rr-methods"


def wave(report: Report) -> StudyResult:
    """What stands for hours of computing: two charts in one figure, one in another."""
    computed.append("wave")
    report(0.5)
    t = np.linspace(0.0, 3.0, 40)
    first, second = (panel(name, "m", [line("wave", t, 2.0 + np.sin(t))]) for name in ("Height", "Depth"))
    return StudyResult((), (), (Figure("figure 2", "waves", (first, second)), Figure("figure 3", "more", (first,))))


computed: list[str] = []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A map as NPZ and CSV, a measurement as NPZ and CSV, and a scenario that keeps both."""
    made = tmp_path_factory.mktemp("panels")
    axes = SweepAxis("robot.m1", 0.5, 2.0, 4), SweepAxis("step", 0.001, 0.02, 3, log=True)
    found = run_sweep(Sweep(SWING, axes, ("max_error.energy_J", "final.q1")))
    points = [measured_once(one) for one in cases(SWING, ["rk4", "heun3"], [0.02, 0.01])]
    for suffix in (".npz", ".csv"):
        write_table(SweepTable(found), made / f"map{suffix}")
        write_table(judged(points), made / f"wp{suffix}")
    kept = (
        Result(MAP, "first", found.to_data()),
        Result(MAP, "The second one", found.to_data()),
        Result(WORK_PRECISION, "two methods", data_of(points)),
        Result(KERNEL_GAIN, "RK 4", {"generic": 2e-3, "specialised": 1e-3, "written_out": True}),
    )
    save_scenario(to_scenario(Document(SWING, results=kept), {}), made / "kept.armstep")
    return made


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A study that takes no time, and nothing kept of it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    figures = "figure 2", "figure 3"
    monkeypatch.setitem(studies(), STUDY_KEY, replace(studies()[STUDY_KEY], compute=wave, figures=figures))
    computed.clear()


def drawn(file: Path, plots: str, *words: str, scenario: str = "rr-swing") -> Path:
    values = ["--set", "duration=0.2", "--plots", plots, *words]
    assert main(["render", scenario, "--out", str(file), *values]) == 0
    return file


def said(*words: str) -> str:
    return " ".join(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split())


def covered(file: Path) -> list[tuple[str, str]]:
    """Pairs of words of a PDF of which one lies over the other."""
    text = subprocess.run(["pdftotext", "-bbox", str(file), "-"], capture_output=True, text=True, check=True).stdout
    found = re.findall(r'<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.*?)</word>', text)
    boxes = [(word, [float(end) for end in ends]) for *ends, word in found]
    return [
        (one, other)
        for (one, (left, top, right, bottom)), (other, ends) in itertools.combinations(boxes, 2)
        if min(right, ends[2]) - max(left, ends[0]) > 1.0 and min(bottom, ends[3]) - max(top, ends[1]) > 3.0
    ]


def test_every_kind_of_chart_stands_on_one_page(folder: Path, tmp_path: Path, quick: None) -> None:
    plots = (
        f"error,{folder}/map.npz:map/final.q1,{folder}/wp.csv:work-precision,{STUDY_KEY}/figure-2,stability,scene@0.1"
    )
    words = ["--width", "85mm", "--style", "paper", "--dpi", "60", "--show", "letters,legend,caption"]
    file = drawn(tmp_path / "all.pdf", plots, *words)
    text = said("pdftotext", str(file), "-")
    for word in (*(f"({letter})" for letter in "abcdefg"), "mass 1 [kg]", "angle 1 at the end [°]", "Re hλ"):
        assert word in text, word
    for word in ("evaluations of the right-hand side", "Runge-Kutta 4 (classical)", "Height [m]", "Depth [m]", "wave"):
        assert word in text, word
    assert "(d) Taylor series and Runge-Kutta methods on the RR arm, figure 2, Height" in text
    assert covered(file) == []
    assert "(b) Angle 1 at the end" not in text, "a map is called as its document calls it"
    assert file.stat().st_size < 200_000
    sizes = re.findall(r'size="(\d+)"', said("pdftohtml", "-xml", "-zoom", "3", "-i", "-stdout", str(file)))
    assert {int(size) / 3.0 for size in sizes} == {9.0}
    pictures = said("pdfimages", "-list", str(file))
    assert " rgb 3 8 image " in pictures, "the cells of a map are not blurred"
    assert scenario_of(str(file)).name == "rr-swing"


def test_a_page_without_charts_of_runs_has_no_legend_of_runs(folder: Path, tmp_path: Path, quick: None) -> None:
    words = ["--theme", "mono", "--show", "title,legend,caption,letters,names", "--columns", "2"]
    file = drawn(tmp_path / "two.pdf", f"{folder}/map.csv:map,{STUDY_KEY}/figure-2.2,{STUDY_KEY}/figure-3", *words)
    text = said("pdftotext", str(file), "-")
    assert "(c)" in text
    assert "(d)" not in text
    assert "Depth" in text
    assert "step 10" not in text
    assert "Runge-Kutta 4" not in text
    subprocess.run(["pdftoppm", "-r", "60", "-png", "-singlefile", str(file), str(tmp_path / "page")], check=True)
    saturation = np.asarray(Image.open(tmp_path / "page.png").convert("HSV"))[..., 1]
    assert saturation.max() < 30, "a map in black and white is grey"


def test_a_scenario_has_what_it_keeps(folder: Path, tmp_path: Path) -> None:
    kept = folder / "kept.armstep"
    file = drawn(
        tmp_path / "a.svg", "map@first/final.q1,map,work-precision/steps+energy_J,kernel-gain", scenario=str(kept)
    )
    text = file.read_text("utf-8")
    for word in ("angle 1 at the end [°]", "largest error, energy [J]", ">steps<", "computing time [ms]"):
        assert word in text, word
    drawn(tmp_path / "b.svg", f"{kept}:map,{kept}:work-precision,error")
    assert "The arm falls: Work-precision" in (tmp_path / "b.svg").read_text("utf-8")


def test_a_line_through_a_map_is_a_panel(folder: Path, tmp_path: Path) -> None:
    plots = f"{folder}/map.npz:map/final.q1+step=5 ms,{folder}/map.csv:map/robot.m1=1.1/linear"
    text = drawn(tmp_path / "two.svg", plots, "--show", "caption").read_text("utf-8")
    for words in ("angle 1 at the end [°]", "mass 1 [kg]", "largest error, energy [J]", "step [s]"):
        assert words in text, words
    assert "at step = 0.00447" in text, "the nearest runs of the map"
    (found,) = map(Result.read, scenario_of(str(folder / "map.npz")).results)
    (shown,) = result_charts(PanelChoice.of("map/final.q1+step=5 ms"), [found])
    expected = SweepResult.from_data(found.data).readings()["final.q1"][:, 1]
    np.testing.assert_allclose(shown.chart.curves[0].y, np.degrees(expected), rtol=1e-15)
    (lanes,) = result_charts(PanelChoice.of("map/method=euler"), [methods_map()])
    assert lanes.chart.x.title == "step"
    assert lanes.chart.note == "at Runge-Kutta 1 (explicit Euler)"


def test_predictions_of_a_lesson_are_panels_lettered_beyond_z(tmp_path: Path) -> None:
    lesson = tmp_path / "six.md"
    lesson.write_text(SIX_KINDS)
    names = "how-many", "when", "how-steep", "what-shape"
    plots = [f"{lesson}:prediction@{name}" for name in names] * 7
    words = ["--width", "360mm", "--columns", "4", "--show", "letters,names,legend,caption"]
    text = said("pdftotext", str(drawn(tmp_path / "all.pdf", ",".join(plots), *words)), "-")
    for word in ("(z)", "(aa)", "(ab)", "When?", "step [s]", "What shape? [rad] angle 1", "Outcome: 2.18"):
        assert word in text, word
    assert "(aa) Six kinds, “How steep?”: The slope is 2.18" in text
    assert "(ac)" not in text
    assert [letter_of(index) for index in (0, 25, 26, 51, 52, 701, 702)] == [
        f"({letters})" for letters in ("a", "z", "aa", "az", "ba", "zz", "aaa")
    ]
    last = said("pdftotext", str(drawn(tmp_path / "last.pdf", f"{lesson}:prediction", "--show", "names")), "-")
    assert "What shape?" in last, "without a name, the last one"


def methods_map() -> Result:
    """A map of two methods over the step."""
    axes = (SweepAxis("step", 0.01, 0.02, 3),)
    return Result(MAP, "methods", run_sweep(Sweep(SWING, axes, ("steps",), ("rk4", "rk1"))).to_data())


@pytest.mark.parametrize("name", ["map.npz", "map.csv", "wp.npz", "wp.csv"])
def test_a_file_of_numbers_is_the_scenario_with_its_result(name: str, folder: Path) -> None:
    found = scenario_of(str(folder / name))
    (result,) = map(Result.read, found.results)
    (kept,) = [
        one for one in map(Result.read, scenario_of(str(folder / "kept.armstep")).results) if one.kind == result.kind
    ][:1]
    assert (found.name, found.duration) == (SWING.name, SWING.duration)
    if result.kind == MAP:
        assert {**result.data, "sweep": 0} == {**kept.data, "sweep": 0}, "to the last bit"
        assert result.name == "largest error, energy over mass 1 and step"
    else:
        assert result.data == kept.data


def test_a_study_is_computed_once_with_progress_and_can_be_stopped(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = ExportSettings(tmp_path / "x.pdf", plots=f"{STUDY_KEY}/figure-2,{STUDY_KEY}/figure-3")
    with pytest.raises(Cancelled):
        sources_of(settings, cancel=lambda: True)
    assert computed == []
    shares: list[tuple[str, float]] = []
    sources_of(settings, progress=lambda *share: shares.append(share))
    assert (f"the study {STUDY_KEY}", 0.5) in shares
    again = sources_of(settings)
    assert computed == ["wave"], "this version keeps what it has found"
    assert again.studies["", STUDY_KEY].figures[0].labels == ("wave",)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    kept = Result(STUDY, "mine", {"study": STUDY_KEY, **study_data(wave(lambda _: None))})
    computed.clear()
    sources_of(settings, (kept,))
    assert computed == [], "the scenario keeps it"


def test_every_study_names_its_figures() -> None:
    for study in studies().values():
        assert study.figures, study.key


@pytest.mark.parametrize(
    ("plots", "message"),
    [
        ("mapp", "did you mean 'map'?"),
        (",,", "names of plots with commas between them, such as error,energy, got ',,'"),
        ("error, :", "a plot, a still or a result of this scenario"),
        ("error/reference_m", "must be 'error/reference_q_rad', got 'error/reference_m'"),
        ("error//logg", "ends in /log or /linear, got 'error//logg'"),
        ("error@2", "without @"),
        ("scene@0.1/iso", "without /"),
        ("{0}/map.npz:map/step=9", "step= with a number from 0.001 to 0.02 s, got 'step=9'"),
        ("{0}/map.npz:map/robot.m2=1", "did you mean 'robot.m1'?"),
        ("work-precison", "did you mean 'work-precision'?"),
        ("rr-metods/figure-2", "did you mean 'rr-methods'?"),
        ("rr-methods/figure-99", "rr-methods/figure-"),
        ("rr-methods/figure-2.x", "rr-methods/figure-2"),
        ("flexible-e12/figure-20", "did you mean 'flexible-e12/figure-"),
        ("map", "of a scenario that keeps one, or a file that holds one, such as FILE.npz:map, got 'map'"),
        ("{0}/map.npz:work-precision", "FILE.npz:work-precision"),
        ("{0}/map.npz:map/final.q2", "map/final.q1'?"),
        ("{0}/kept.armstep:map@frist", "map@first'?"),
        ("{0}/wp.npz:work-precision/sekonds", "/seconds'?"),
        ("{0}/nowhere.npz:map", "an existing file"),
        ("prediction", "made in the open lesson, or of a lesson, such as lesson:order:prediction"),
        ("lesson:order:prediction@halve", "did you mean 'lesson:order:prediction@halve-the-step'?"),
        ("lesson:oder:prediction", "did you mean 'order'?"),
        ("lesson:order:prediction//log", "without /"),
        ("lesson:order:prediction,lesson:order:error", "got 'lesson:order'"),
        ("{1}/broken.npz:map", "broken.npz cannot be read"),
        ("{1}/hollow.npz:map", "hollow.npz"),
    ],
)
def test_what_is_no_panel_is_refused_in_one_line(
    plots: str, message: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.npz").write_bytes((folder / "map.npz").read_bytes()[:300])
    np.savez(tmp_path / "hollow.npz", axis_0=np.arange(3.0))
    words = ["render", "rr-swing", "--set", "duration=0.2", "--out", str(tmp_path / "f.pdf")]
    assert main([*words, "--plots", plots.format(folder, tmp_path)]) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert message in sentence, sentence
    assert not (tmp_path / "f.pdf").exists()


def test_what_a_window_computes_later_is_computed_for_a_file(tmp_path: Path) -> None:
    plots = "rr-estimate:estimated-error,rr-estimate:stiffness,rr-estimate:error"
    text = drawn(tmp_path / "others.svg", plots, "--show", "names").read_text("utf-8")
    for words in ("Estimated error", "Stiffness", "efficiency index", "against the reference"):
        assert words in text, words
    own = drawn(tmp_path / "own.svg", "estimated-error,stiffness", "--show", "names").read_text("utf-8")
    assert "half the step" in own


def test_panels_are_written_as_they_are_read() -> None:
    for text in ("error", "energy//linear", "scene@2", "a.npz:map@x/value(q1, 2)/log", "b c.csv:work-precision"):
        assert PanelChoice.of(text).text == text
    assert panel_texts("map/value(q1, 0.1), error") == ["map/value(q1, 0.1)", "error"]
    with pytest.raises(BadInput, match="scene@T with the time"):
        PanelChoice.of("scene@soon").time(0.0)
