"""`armstep study`: compute a paper's figures and tables again, with what it says beside what we get."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from assets.errors import ArmstepError, BadInput
from assets.writing import reason
from gui.command import Command
from gui.commands._progress import ProgressBar
from gui.commands._scenario import add_style, given_settings

if TYPE_CHECKING:
    from gui.charts.figure_style import FigureStyle
    from robots.papers.study import Study, StudyResult


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The studies or `--all`, the folder for figures and tables, and `--json`."""
    parser.add_argument("study", nargs="*", metavar="STUDY", help="keys of studies (see `armstep list studies`)")
    parser.add_argument("--all", action="store_true", help="every study")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write a page, the figures (SVG, PDF) and CSV tables here"
    )
    parser.add_argument(
        "--pages",
        type=Path,
        metavar="DIR",
        help="write the findings into the Markdown pages here that name their study",
    )
    add_style(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Compute and report; always 0: a claim that cannot be reproduced is a finding."""
    from robots.papers.study import find_study, studies

    if args.all and args.study:
        raise BadInput("STUDY", " ".join(args.study), "left out beside --all")
    if not args.all and not args.study:
        raise ArmstepError("STUDY or --all must be given (`armstep list studies` shows all studies)")
    chosen = list(studies().values()) if args.all else [find_study(key) for key in dict.fromkeys(args.study)]
    if args.out:
        _make(args.out)
    if args.pages and not args.pages.is_dir():
        raise BadInput("--pages", str(args.pages), "a folder of pages")
    style, results = _style(args), []
    for study in chosen:
        with ProgressBar() as bar:
            result = study.compute(partial(bar.show, study.key))
        results.append((study, result))
        if args.out:
            from gui.qt.export.charts_file import write_study

            write_study(args.out / study.key, study, result, style)
    if args.pages:
        _update(args.pages, {study.key: result for study, result in results})
    if args.json:
        print(json.dumps({"studies": [_plain(study, result) for study, result in results]}, allow_nan=False))
    else:
        from robots.papers.study import markdown

        print("\n".join(markdown(study, result) for study, result in results))
    return 0


def _style(args: argparse.Namespace) -> FigureStyle:
    """How the figures look. Raises BadInput for a value that cannot be used, or without a folder to write them to."""
    from gui.qt.export.settings import ExportSettings, measured

    given = given_settings(args)
    if given and not args.out:
        name = next(iter(given))
        raise BadInput(f"--{name}", given[name], "left out without --out, since it is for figures")
    return ExportSettings(Path("figure.svg"), **measured(given)).figure_style()


def _make(folder: Path) -> None:
    """Make the folder before hours of computing, so that an impossible one is refused at once."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise BadInput("--out", str(folder), f"a folder that can be created ({reason(problem)})") from None


def _update(folder: Path, results: Mapping[str, StudyResult]) -> None:
    """Write what was found into the pages of a folder."""
    from robots.papers.study import updated

    for file in sorted(folder.glob("*.md")):
        text = file.read_text(encoding="utf-8")
        new = updated(text, results)
        if new != text:
            file.write_text(new, encoding="utf-8")


def _plain(study: Study, result: StudyResult) -> dict[str, object]:
    from assets.json_values import finite_json

    return finite_json(
        {
            "key": study.key,
            "title": study.title,
            "findings": [
                {
                    "figure": f.figure,
                    "paper": f.paper,
                    "ours": f.ours,
                    "verdict": f.verdict,
                    "where": f.where,
                    "why": f.why,
                }
                for f in result.findings
            ],
            "figures": [
                {"name": figure.name, "title": figure.title, "file": f"{figure.stem}.svg", "lines": figure.labels}
                for figure in result.figures
            ],
            "tables": [
                {"name": table.name, "columns": list(table.columns), "rows": [list(row) for row in table.rows]}
                for table in result.tables
            ],
        }
    )


COMMAND = Command("recompute a paper's figures and tables", __doc__, add_arguments, execute)
