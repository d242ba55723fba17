"""What is true of every study's figures."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from robots.papers.study import StudyResult, find_study, updated

PAGES = Path(__file__).parents[2] / "docs" / "papers"
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
TIMED = {"seconds", "s", "compute_s", "seconds_for_4_s", "ratio"}
"""Columns whose numbers are computing times."""
ROUND_OFF = 1e-12
WRITTEN_OUT = re.compile(r"(?:(\d+(?:\.\d+)?)·)?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def check_figures(key: str, result: StudyResult) -> None:
    """Every figure has curves of finite numbers and a note, opens runs, and no two share their files."""
    assert result.figures
    assert tuple(figure.name for figure in result.figures) == find_study(key).figures
    assert len({figure.stem for figure in result.figures}) == len(result.figures)
    for figure in result.figures:
        assert figure.notes(result.findings), figure.name
        assert figure.title
        opens = find_study(key).scenario_of(figure)
        assert opens is not None, figure.name
        dots = [line.x.size for line in figure.charts[0].curves if line.mark and "paper" not in line.name]
        if not figure.which and not figure.charts[0].equal:
            assert sum(dots) in (0, 1 + len(opens.pins)), f"{figure.name} opens each run that it has a dot for"
        assert figure.charts
        for chart in figure.charts:
            assert any(line.x.size > 1 for line in chart.curves), (figure.name, chart.title)
            for line in chart.curves:
                assert line.x.shape == line.y.shape
                assert np.isfinite(line.x).all()
                assert np.isfinite(line.y).all()


def check_page(key: str, result: StudyResult) -> None:
    """The page of the paper says what the study finds: the same words and, except for times, the same numbers."""
    pages = [page for page in PAGES.glob("*.md") if f"<!-- study: {key} -->" in page.read_text("utf-8")]
    assert len(pages) == 1, key
    page = pages[0].read_text("utf-8")
    blocks = re.compile(rf"<!-- study: {key}(?:, table: ([^>]+))? -->\n(.*?)<!-- end -->", re.DOTALL)
    timed = {one.figure + one.printed[0] for one in result.findings if one.timed}
    names = {table.name for table in result.tables}
    for (name, ours), (_, now) in zip(blocks.findall(page), blocks.findall(updated(page, {key: result})), strict=True):
        assert not name or name in names
        old, new = (
            [row.strip("| ").split(" | ") for row in text.splitlines() if not row.startswith("|---")]
            for text in (ours, now)
        )
        assert len(old) == len(new), name or "findings"
        for before, after in zip(old, new, strict=True):
            for column, one, other in zip(new[0], before, after, strict=True):
                loose = column in TIMED or (not name and after[0] + after[1] in timed)
                assert_alike(one, other, loose=loose)


def assert_alike(one: str, other: str, *, loose: bool) -> None:
    """The same words and numbers, unless they are times or round-off; "about 500" may be half or twice as much."""
    if loose:
        return
    one, other = (WRITTEN_OUT.sub(lambda x: f"{x[1] or 1}e{x[2].translate(DIGITS)}", text) for text in (one, other))
    assert NUMBER.sub("", one) == NUMBER.sub("", other)
    for mine, theirs in zip(NUMBER.finditer(one), NUMBER.finditer(other), strict=True):
        a, b = float(mine[0]), float(theirs[0])
        allowed = 0.5 if one[: mine.start()].endswith("about ") else 0.1
        assert abs(a - b) <= allowed * max(abs(a), abs(b)) or max(abs(a), abs(b)) < ROUND_OFF, (one, other)
