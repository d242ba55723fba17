"""A study: a paper's figures and tables, computed again, with findings; figures are data, drawn elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assets.counting import capital, written_out
from assets.errors import ArmstepError
from assets.fields import Value
from assets.registry import Registry
from assets.writing import csv_text, make_folder, reason
from robots.papers.figure import Figure, numbers
from robots.papers.finding import Finding
from robots.scenario.scenario import Scenario

Report = Callable[[float], None]
_BLOCK = re.compile(
    r"(?P<head><!-- study: (?P<key>[\w-]+)(?:, table: (?P<table>[^>]+))? -->)\n.*?<!-- end -->", re.DOTALL
)
MOST_ROWS = 60
"""Longer tables are only saved as files."""


Row = tuple[Any, ...]
"""Cells of several types, as the columns of its table have them."""


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers with named columns; a cell is a number, a text or None."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def stem(self) -> str:
        """The name of its file, without suffix."""
        return self.name.replace(" ", "-")

    def to_csv(self) -> str:
        """Comma-separated text with a header."""
        return csv_text([self.columns, *self.rows])


@dataclass(frozen=True, slots=True)
class StudyResult:
    """What a study found."""

    tables: tuple[Table, ...]
    findings: tuple[Finding, ...]
    figures: tuple[Figure, ...] = ()


PAPERS = {
    1: "H. Jack: Appendix D, adaptive Runge-Kutta integration (1990)",
    2: "J. A. Tenreiro Machado, A. M. S. F. Galhano: Evaluation of Manipulator Direct Dynamics Using Customized"
    " Runge-Kutta Methods (1994)",
    3: "E. Sariyildiz, H. Temeltas: Performance Analysis of Numerical Integration Methods in the Trajectory Tracking"
    " Application of Redundant Robot Manipulators (2011)",
    4: "A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu: Rosenbrock-Nystrom Integrators for SODE of Multibody"
    " Dynamics (2001)",
    5: "S. Moberg, S. Hanssen: Inverse Dynamics of Flexible Manipulators (2009)",
}
"""Authors, title and year of the papers, by their numbers."""


@dataclass(frozen=True, slots=True)
class Study:
    """One paper's experiment: the `STUDY` of a file in `robots/studies`.

    Attributes:
        key: name on the command line; the file's stem with `_` written as `-`.
        title, paper, summary: texts for people.
        compute: makes the result; it gets a function that takes the fraction done, 0 to 1.
        figures: the names of the figures that it makes, in order.
        scenarios: (label, scenario) pairs worth opening in the window, the first one being the default.
    """

    key: str
    title: str
    paper: str
    summary: str
    compute: Callable[[Report], StudyResult]
    figures: tuple[str, ...] = ()
    scenarios: tuple[tuple[str, Scenario], ...] = ()

    @property
    def source(self) -> str:
        """Authors, title and year of the paper."""
        return PAPERS[_numbers(self.paper)[0]]

    def scenario_of(self, figure: Figure) -> Scenario | None:
        """What a figure of the study opens: its own scenario, else the study's that names its number."""
        if figure.opens is not None:
            return figure.opens
        mine = numbers(figure.name)
        return next((scenario for label, scenario in self.scenarios if mine & numbers(label)), None)


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def _place(study: Study) -> tuple[list[int], str]:
    return _numbers(study.paper), study.key


_REGISTRY: Registry[Study] = Registry.of_modules("study", "robots.studies", attribute="STUDY", order=_place)
studies, find_study = _REGISTRY.all, _REGISTRY.find


def together(scenarios: Iterable[Scenario]) -> Scenario:
    """The first of these scenarios with the others pinned beside it, as the window shows them."""
    first, *others = scenarios
    return first.with_pins(others)


def side_by_side(scenario: Scenario, settings: Iterable[Mapping[str, Value]]) -> Scenario:
    """The scenario changed by each of `settings` (paths to values), in their order, which is that of the colours."""
    return together(scenario.with_values(changes) for changes in settings)


def markdown(study: Study, result: StudyResult, *, pictures: bool = False) -> str:
    """The study as a page of text; with `pictures` it shows the figures' files."""
    lines = [f"# {study.title}", "", f"{study.source}.", "", f"{study.paper}. {study.summary}", ""]
    lines += findings_table(result)
    for figure in result.figures:
        lines += ["", f"## {capital(figure.name)}: {figure.title}", ""]
        if pictures:
            lines += [f"![{figure.title}]({figure.stem}.svg)", ""]
        for note in figure.notes(result.findings):
            paper, ours, why = note.printed
            because = f" Why: {why}." if why else ""
            lines.append(f"- {note.figure}, {note.judged}. The paper says: {paper}. We get: {ours}.{because}")
    for table in result.tables:
        lines += ["", f"## {capital(table.name)}", ""]
        if len(table.rows) > MOST_ROWS:
            lines.append(f"{len(table.rows)} rows of {', '.join(table.columns)}: in `{table.stem}.csv`.")
            continue
        lines += _table(table.columns, map(_cells, table.rows))
    return "\n".join(lines) + "\n"


def findings_table(result: StudyResult) -> list[str]:
    """What the paper says beside what we get, as lines of a Markdown table."""
    rows = []
    for one in result.findings:
        paper, ours, why = one.printed
        rows.append((one.figure, paper, ours, one.judged, why or "-"))
    return _table(("where", "the paper says", "we get", "verdict", "why"), rows)


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return lines + ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]


def updated(page: str, results: Mapping[str, StudyResult]) -> str:
    """A page of text with the findings and tables of these studies, by key, computed again.

    They stand between `<!-- study: KEY -->`, or `<!-- study: KEY, table: NAME -->`, and `<!-- end -->`.
    """

    def block(found: re.Match[str]) -> str:
        result = results.get(found["key"])
        if result is None:
            return found[0]
        table = next((one for one in result.tables if one.name == found["table"]), None)
        lines = findings_table(result) if table is None else _table(table.columns, map(_cells, table.rows))
        return "\n".join([found["head"], *lines, "<!-- end -->"])

    return _BLOCK.sub(block, page)


def _cells(row: Row) -> list[str]:
    return [cell_text(cell) for cell in row]


def write(folder: Path, study: Study, result: StudyResult) -> None:
    """Write the study's page, its tables and its figures' data as CSV into `folder`.

    Raises:
        ArmstepError: when that cannot be written.
    """
    make_folder(folder)
    try:
        (folder / "README.md").write_text(markdown(study, result, pictures=True), encoding="utf-8")
        for table in result.tables:
            (folder / f"{table.stem}.csv").write_text(table.to_csv(), encoding="utf-8")
        for figure in result.figures:
            (folder / f"{figure.stem}-curves.csv").write_text(figure.to_csv(), encoding="utf-8")
    except OSError as problem:
        raise ArmstepError(f"{folder} cannot be written: {reason(problem)}") from None


def cell_text(cell: object) -> str:
    """A table's cell for a person."""
    if cell is None:
        return "-"
    return written_out(f"{cell:.3g}") if isinstance(cell, float) else str(cell)
