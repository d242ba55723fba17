"""Studies: every one computes, its verdicts follow its numbers, and the command prints them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from assets.counting import written_out
from assets.errors import BadInput
from benchmarks.__main__ import BLOCK, RECORDED
from benchmarks.__main__ import updated as with_benchmarks
from gui.cli import main
from robots.papers.figure import Figure, line, numbers, panel, points
from robots.papers.finding import AGREES, DIFFERS, NOT_COMPARABLE, PARTLY, Finding, agrees
from robots.papers.study import Study, StudyResult, Table, find_study, markdown, studies, updated
from robots.papers.study_data import data_of, result_of
from robots.scenario.presets import presets
from robots.studies import pa10_accuracy
from robots.studies._diagram import Way, diagram
from robots.studies.pa10_accuracy import METHODS
from solvers.status import Status
from tests.robots.figures import PAGES, check_figures, check_page


def check_limits(result: StudyResult) -> None:
    """Errors of y' = -y grow where R(-x) leaves the interval from -1 to 1: of orders 1 and 2 at 2.

    Of order 4 it is the only positive root of R(-x) = 1.
    """
    longest = float(np.roots([1 / 24, -1 / 6, 1 / 2, -1]).real.max())
    stable = next(one for one in result.findings if one.figure == "section III, stability")
    assert f"Euler 2, RK2 2, RK4 {longest:.3g};" in stable.ours
    assert stable.judged == "holds for RK4"


@pytest.mark.parametrize("key", ["pa10-accuracy", "pa10-singularity"])
def test_a_study_has_findings_tables_and_scenarios(key, monkeypatch):
    # Times are not judged here, so that once is enough.
    monkeypatch.setattr(pa10_accuracy, "REPEATS", dict.fromkeys(pa10_accuracy.REPEATS, 1))
    study = find_study(key)
    shares: list[float] = []
    result = study.compute(shares.append)
    assert (shares, shares[-1]) == (sorted(shares), 1.0)
    assert {one.verdict for one in result.findings} <= {AGREES, PARTLY, DIFFERS, NOT_COMPARABLE}
    assert all(one.where for one in result.findings if one.verdict == PARTLY)
    assert all(one.why for one in result.findings if one.verdict == DIFFERS)
    assert all(len(row) == len(table.columns) for table in result.tables for row in table.rows)
    assert study.scenarios
    assert study.title in markdown(study, result)
    check_figures(key, result)
    check_page(key, result)
    judged = {one.paper: one.verdict for one in result.findings}
    verdicts = {one.figure: one.verdict for one in result.findings}
    shown = {number for figure in result.figures for number in numbers(figure.name)}
    if key == "pa10-accuracy":
        assert shown == {1, 2, *range(4, 15)}, "figure 3 is a picture of the robot"
        check_limits(result)
        assert verdicts["figure 11"] == AGREES
        assert verdicts["figure 10"] == DIFFERS
        check_accuracy_figures(study, result)
        check_accuracy_claims(judged)
    else:
        assert shown == {15, 16, 17, 18}
        assert judged["RK4 with damping is more accurate than Euler with damping"] == AGREES
        assert judged["damped least squares gives satisfactory results near the singularity"] == AGREES
        assert judged["errors grow near the singularity whatever the method"] == PARTLY


def check_accuracy_figures(study: Study, result: StudyResult) -> None:
    """Figures of paper 3 whose lines and runs are known."""
    rk4 = next(figure for figure in result.figures if figure.name == "figure 11")
    assert rk4.labels == ("1 s", "100 ms", "10 ms", "1 ms")
    assert [chart.title for chart in rk4.charts] == ["Position error", "Orientation error"]
    drifting = next(figure for figure in result.figures if figure.name == "figure 12, drifting")
    assert drifting.opens is not None
    assert (drifting.opens.name, drifting.opens.method) == ("pa10-drift", "pc-trapezoid")
    times = next(figure for figure in result.figures if figure.name == "figure 8")
    assert [one.name for one in times.charts[0].curves] == ["P-C", "AB4", "AM4"]
    assert all(one.x.tolist() == [1.0, 0.1, 0.01, 0.001] for one in times.charts[0].curves)
    for figure, field, order in ((rk4, "step", [1.0, 0.1, 0.01, 0.001]), (times, "method", METHODS[3:])):
        opens = study.scenario_of(figure)
        assert opens is not None
        placed = [getattr(opens, field), *(pin["scenario"][field] for pin in opens.pins)]
        assert placed == list(order), "runs get their colours in this order, as the curves do"


def check_accuracy_claims(judged: Mapping[str, str]) -> None:
    """Verdicts on paper 3's claims about its methods."""
    # Stable multi-step methods must damp the control loop: K dt = 1 is beyond AB4's 0.30.
    assert judged["both Adams methods are stable"] == PARTLY
    # 1.65 m at 1 s is not accurate.
    assert judged["both Adams methods are quite accurate"] == PARTLY
    # Only one of the two paths is selected so that Euler drifts.
    assert judged["Euler at 1 s is unstable"] == PARTLY
    # Runge-Kutta 1, 2 and 4: 2, 2 and 2.785. Adams-Bashforth 1 to 5: 2, 1, 6/11, 3/10 and 90/551.
    assert judged["the higher the order of a method, the more stable it is"] == PARTLY
    # 1, 2, 4, 2, 1 and 2 evaluations a step.
    assert judged["Euler is the cheapest method, RK4 the most expensive"] == AGREES
    assert judged["the predictor-corrector is stable at 1 s"] == PARTLY
    assert judged["RK4 is the most accurate"] == AGREES
    # Heun's method is of order 2, both Adams methods are of order 4.
    assert judged["Runge-Kutta methods are more accurate and stable than Adams methods"] == PARTLY
    # K = 0 leaves what Euler errs in; with K = 1 an error dies out in a second.
    assert judged["the closed loop overcomes the drift of the integration"] == AGREES
    assert judged["Euler is the least accurate"] == PARTLY
    # Heun's method has order 2, Euler's 1: at short steps it is ahead, whatever happens at 1 s.
    assert judged["the predictor-corrector is more accurate and stable than Euler"] == PARTLY


def test_paper_1_computes_and_its_page_is_up_to_date():
    result = find_study("beam-step-doubling").compute(lambda done: None)
    check_figures("beam-step-doubling", result)
    check_page("beam-step-doubling", result)
    judged = {one.figure: one.verdict for one in result.findings if one.verdict != AGREES}
    # Nothing decides what a reputation is, nor where extrapolation may fail; DOP853 is ahead of it. Step doubling pays
    # 11 evaluations a step, and the arm falls too evenly to earn them.
    assert judged == {
        "section D.1": NOT_COMPARABLE,
        "section D.1, adaptive steps": DIFFERS,
        "section D.1, failures": NOT_COMPARABLE,
        "section D.1, extrapolation": PARTLY,
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("figure 9a", {9}),
        ("figures 7 to 9", {7, 8, 9}),
        ("figures 1, 2 and 4 to 6", {1, 2, 4, 5, 6}),
        ("figures 12 and 13", {12, 13}),
        ("figure 9: Euler", {9}),
        ("section 5.1", set()),
    ],
)
def test_which_figures_a_place_names(name, expected):
    assert numbers(name) == expected


def test_notes_are_those_about_the_same_figure_or_place():
    findings = [
        Finding(place, "", "", AGREES) for place in ("figures 4 to 6", "figure 7", "table 5", "section 5, start")
    ]
    assert [note.figure for note in Figure("figure 5, drifting", "", ()).notes(findings)] == ["figures 4 to 6"]
    assert [note.figure for note in Figure("section 5, start", "", ()).notes(findings)] == ["section 5, start"]


def test_a_long_line_keeps_its_peaks():
    x = np.linspace(0.0, 1.0, 100_001)
    y = np.sin(40.0 * x)
    y[77_777] = 9.0
    thin = line("long", x, y)
    assert len(thin.x) < 1300
    assert thin.y.max() == 9.0
    assert (thin.x[0], thin.x[-1]) == (0.0, 1.0)
    assert (np.diff(thin.x) > 0.0).all()


def test_logarithmic_points_leave_out_what_has_no_logarithm():
    kept = points("one", [(1.0, 2.0), (None, 3.0), (2.0, None), (0.0, 1.0), (3.0, 4.0)])
    assert (kept.mark, kept.filled) == ("circle", True)
    assert kept.x.tolist() == [1.0, 3.0]


def test_tables_and_curves_as_text_keep_commas():
    table = Table("one, two", ("a", "b"), (("x, y", None), (1.5, "z")))
    assert table.to_csv() == 'a,b\n"x, y",\n1.5,z\n'
    figure = Figure("figure 1, too", "t", (panel("E", "m", (line("S1, S2", [0.0], [1.0]),)),))
    assert figure.to_csv() == 'panel,line,x,y\nE,"S1, S2",0.0,1.0\n'
    assert figure.stem == "figure-1-too"


def test_keys_are_file_stems():
    from pkgutil import iter_modules

    from robots import studies as folder

    names = [entry.name for entry in iter_modules(folder.__path__) if not entry.name.startswith("_")]
    assert set(studies()) == {name.replace("_", "-") for name in names}
    papers = [study.paper for study in studies().values()]
    assert [paper[:7] for paper in papers] == sorted(paper[:7] for paper in papers)
    assert papers.index("Paper 3, figures 1, 2 and 4 to 14") < papers.index("Paper 3, figures 15 to 18")


def test_an_unknown_study_names_the_nearest():
    with pytest.raises(BadInput, match="pa10-accuracy"):
        find_study("pa10-acuracy")


def test_the_command_prints_one_object_and_writes_tables(tmp_path, capsys):
    assert main(["study", "pa10-singularity", "--json", "--out", str(tmp_path)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["studies"][0]["key"] == "pa10-singularity"
    folder = tmp_path / "pa10-singularity"
    page = (folder / "README.md").read_text()
    assert page.startswith("# The PA-10")
    figures = printed["studies"][0]["figures"]
    assert [one["name"] for one in figures][:4] == [f"figure {k}" for k in range(15, 19)]
    for one in figures:
        assert f"]({one['file']})" in page
        drawing = (folder / one["file"]).read_text()
        assert drawing.startswith("<?xml")
        assert all(label in drawing for label in one["lines"])
        assert (folder / one["file"].replace(".svg", ".pdf")).read_bytes().startswith(b"%PDF")
        assert (folder / one["file"].replace(".svg", "-curves.csv")).read_text().startswith("panel,line,x,y\n")
    assert (folder / "errors-near-the-singularity.csv").exists()


def test_a_folder_that_cannot_be_written_is_said(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["study", "pa10-singularity", "--out", str(tmp_path / "file")]) == 2
    assert "a folder that can be created" in capsys.readouterr().err


def test_several_studies_in_one_command_each_once(tmp_path, capsys):
    words = ["pa10-singularity", "pa10-singularity"]
    assert main(["study", *words, "--json", "--out", str(tmp_path)]) == 0
    assert [one["key"] for one in json.loads(capsys.readouterr().out)["studies"]] == ["pa10-singularity"]


@pytest.mark.parametrize(
    "words",
    [["study"], ["study", "pa10-singularity", "nothing"], ["study", "nothing"], ["study", "pa10-accuracy", "--all"]],
)
def test_bad_words_are_refused(words, capsys):
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("page", sorted(PAGES.glob("[0-9]*.md")), ids=lambda page: page.stem)
def test_findings_have_names_instead_of_keys(page: Path):
    """The pages have what the desk shows, and are compared with the numbers."""
    coded = {key for key in (*Status, *presets(), *studies()) if "-" in key}
    blocks = re.findall(r"<!-- study: [\w-]+ -->\n(.*?)<!-- end -->", page.read_text(encoding="utf-8"), re.S)
    assert blocks
    assert not coded & set(re.findall(r"[\w-]+", " ".join(blocks)))


def test_a_page_is_updated_between_its_marks_only():
    found = Finding("figure 1", "one | two", "3 m", AGREES)
    result = StudyResult((Table("sizes", ("a_m", "b"), ((1.0, None),)),), (found,))
    page = "Words.\n<!-- study: one -->\nold\n<!-- end -->\n<!-- study: one, table: sizes -->\n<!-- end -->\n"
    page += "<!-- study: two -->\n7\n<!-- end -->\n"
    new = updated(page, {"one": result})
    assert new.startswith("Words.\n<!-- study: one -->\n| where |")
    assert "| figure 1 | one \\| two | 3 m | holds | - |" in new
    assert "| a_m | b |\n|---|---|\n| 1 | - |\n<!-- end -->" in new
    assert new.endswith("<!-- study: two -->\n7\n<!-- end -->\n")
    assert updated(new, {"one": result}) == new


def test_the_command_writes_pages(tmp_path, capsys):
    file = tmp_path / "3.md"
    file.write_text("<!-- study: pa10-singularity -->\n<!-- end -->\n", encoding="utf-8")
    assert main(["study", "pa10-singularity", "--pages", str(tmp_path)]) == 0
    assert "damped least squares" in file.read_text(encoding="utf-8")
    assert main(["study", "pa10-singularity", "--pages", str(file)]) == 2
    assert "a folder of pages" in capsys.readouterr().err


def test_a_claim_that_holds_in_part_says_where():
    assert agrees(True, True) == AGREES
    assert agrees(False, True) == PARTLY
    assert agrees(False) == DIFFERS
    assert Finding("", "", "", PARTLY, where="at 1 s").judged == "holds at 1 s"
    assert Finding("", "", "", AGREES, where="at 1 s").judged == "holds"


def test_a_diagram_ends_its_lines_at_its_boxes():
    boxes = {"a": (0.0, 0.0), "b": (4.0, 0.0)}
    chart = diagram(boxes, [Way("a", "b", text="x"), Way("b", "a", ((4.0, -2.0), (0.0, -2.0)))], ("boxes", "lines"))
    assert [label.text for label in chart.labels] == ["a", "b", "x"]
    lines = [curve for curve in chart.curves if curve.name == "lines"]
    assert (lines[0].x.tolist(), lines[0].y.tolist()) == ([1.0, 3.0], [0.0, 0.0]), "boxes are two wide"
    assert lines[2].y.tolist() == [-0.4, -2.0, -2.0, -0.4], "and 0.8 high"
    assert len(lines) == 4, "each line has a head"


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("an error of 6.3e-09 rad, at 1e-06 s", "an error of 6.3·10⁻⁹ rad, at 10⁻⁶ s"),
        ("7.3e+00, 2.4e-03, 1.0e-02 and 3.5e+02 m", "7.3, 0.0024, 0.01 and 3.5·10² m"),
        ("rk4, 12e3x, e1e-3, 0.001", "rk4, 12e3x, e1e-3, 0.001"),
    ],
)
def test_powers_of_ten_are_written_out(typed: str, printed: str) -> None:
    assert written_out(typed) == printed
    assert Finding("figure 1", typed, typed, "holds").printed == (printed, printed, "")


def test_numbers_of_benchmarks_are_those_that_are_recorded():
    """A page has no table, time or ratio of its own: studies and benchmarks write theirs between marks."""
    recorded = json.loads((PAGES / RECORDED).read_text("utf-8"))
    known = {one["benchmark"] for one in recorded["results"]}
    written = re.compile(r"<!-- (?:study|benchmark): .*?<!-- end -->", re.DOTALL)
    for page in PAGES.glob("*.md"):
        text = page.read_text("utf-8")
        assert with_benchmarks(text, recorded) == text, page.name
        assert {match["name"] for match in BLOCK.finditer(text)} <= known
        own = written.sub("", text)
        assert not re.findall(r"^\|.*\| *-?[\d.]*\d[\d.]* *\|.*", own, re.MULTILINE), page.name
        assert not re.findall(r"\d[\d.]* times (?:as|faster|slower|longer)|\d µs", own), page.name
    assert with_benchmarks("<!-- benchmark: stiff_machines, in x -->\n7\n<!-- end -->", recorded).count("MuJoCo") == 4


def test_a_kept_diagram_has_its_words_and_ways():
    chart = diagram({"a": (0.0, 0.0), "b": (4.0, 0.0)}, [Way("a", "b", text="x")], ("boxes", "lines"))
    result = StudyResult((), (), (Figure("figure 1", "a diagram", (chart,)),))
    kept = result_of(json.loads(json.dumps(data_of(result)))).figures[0].charts[0]
    assert kept.labels == chart.labels
    for one, other in zip(kept.curves, chart.curves, strict=True):
        assert one.t is not None
        assert other.t is not None
        assert one.t.tolist() == other.t.tolist(), "its points are in order, whatever their x"
