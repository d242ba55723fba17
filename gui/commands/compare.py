"""`armstep compare`: one scenario with several methods, or with several steps and tolerances of each."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from assets.counting import words_of
from assets.errors import BadInput, Range
from assets.fields import Data
from gui.command import Command
from gui.commands._progress import ProgressBar
from gui.commands._scenario import (
    add_figure,
    add_scenario,
    computed,
    configured,
    edited,
    given_settings,
    methods_of,
    say_idle,
    settings_of,
)
from gui.front.table import aligned

if TYPE_CHECKING:
    from gui.qt.export.settings import ExportSettings
    from robots.sweeps.work_precision import Point, WorkPrecision

PATIENCE = 30.0
MEASURING = "used together with --steps or --tolerances"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The scenario, the methods, and `--json`."""
    add_scenario(parser)
    parser.add_argument("--methods", required=True, metavar="A,B,C", help="keys or aliases of methods")
    parser.add_argument("--reference", action="store_true", help="compute the reference run and the errors against it")
    parser.add_argument("--steps", metavar="H,H", help="measure a work-precision diagram with these fixed steps [s]")
    parser.add_argument("--tolerances", metavar="TOL,TOL", help="the same with these tolerances, rtol and atol alike")
    parser.add_argument(
        "--timeout", type=float, metavar="S", help=f"stop a measured run after S ({PATIENCE:g}) seconds"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write the table (.csv, .json) or the diagram (.pdf, .svg, .png)"
    )
    add_figure(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Simulate with each method and report; 0 when every run finished, 1 when one failed numerically."""
    keys = methods_of(args)
    if args.steps is not None or args.tolerances is not None:
        return _measure(args, keys)
    for name, given in (("--out", args.out), ("--timeout", args.timeout)):
        if given is not None:
            raise BadInput(name, given if isinstance(given, float) else str(given), MEASURING)
    wanted = [edited(args, method=key) for key in keys]
    say_idle(wanted[0][0], settings_of(args.settings))
    from gui.front.runs import Comparison

    found = Comparison([computed(scenario, args.reference, remark) for scenario, remark in wanted])
    print(json.dumps(found.to_dict(), allow_nan=False) if args.json else found)
    return 0 if all(run.status.ok for run in found.runs) else 1


def _measure(args: argparse.Namespace, keys: Sequence[str]) -> int:
    """Measure the error and the time of each method at each step or tolerance, and write or print them.

    A process of its own computes, so that the timeout can end a run. Returns 1 if a run did not finish, else 0.

    Raises:
        BadInput: an argument does not suit the measurement.
    """
    from robots.sweeps.work_precision import cases, work_precision

    figure = _figure(args)
    if args.out and figure is None:
        from gui.qt.export.tables import check_table

        check_table("--out", args.out)
    timeout = PATIENCE if args.timeout is None else args.timeout
    if not timeout > 0.0:
        raise BadInput("--timeout", timeout, Range(0.0, above=True, unit="s"))
    scenario = configured(args)
    steps, tolerances = numbers("--steps", args.steps), numbers("--tolerances", args.tolerances)
    with ProgressBar() as bar:
        progress = partial(bar.show, f"{scenario.label}, work-precision")
        found = work_precision(
            cases(scenario, keys, steps, tolerances), cost="seconds", timeout=timeout, progress=progress
        )
    if figure is not None:
        from gui.charts.work_precision import measured_chart
        from gui.qt.export.figure import write_chart

        write_chart(measured_chart(found, scenario), figure, scenario)
    elif args.out:
        from gui.qt.export.tables import write_table
        from robots.sweeps.work_curves import with_sure_orders

        write_table(with_sure_orders(found), args.out)
    if args.json:
        head = {"scenario": scenario.name, "robot": scenario.robot, "error": found.error, "cost": found.cost}
        print(json.dumps({**head, "runs": [_plain(point) for point in found.points]}, allow_nan=False))
    else:
        print(measured_table(found))
    return 0 if all(point.finished for point in found.points) else 1


def _figure(args: argparse.Namespace) -> ExportSettings | None:
    """The figure that the arguments describe; None for a table, or without a file.

    Raises:
        BadInput: a setting that the file cannot have.
    """
    from gui.qt.export.format import formats_of
    from gui.qt.export.settings import USUAL_STYLE, ExportSettings

    given = given_settings(args)
    if not args.out or args.out.suffix.lower() not in [one.suffix for one in formats_of("plots")]:
        for name, value in given.items():
            raise BadInput(f"--{name}", value, "used together with a figure in --out (.svg, .pdf or .png)")
        return None
    usual = {} if "width" in given else {"style": USUAL_STYLE}
    settings = ExportSettings.chosen(str(args.out), {**usual, **given})
    settings.check()
    return settings


def numbers(what: str, text: str | None) -> list[float]:
    """`0.1,0.01` as numbers.

    Raises:
        BadInput: for anything else.
    """
    allowed = "numbers above 0 separated by commas, such as 0.1,0.01"
    if text is None:
        return []
    try:
        found = [float(word) for word in words_of(text)]
    except ValueError:
        raise BadInput(what, text, allowed) from None
    if not found or not all(math.isfinite(number) and number > 0.0 for number in found):
        raise BadInput(what, text, allowed)
    return found


def _plain(point: Point) -> Data:
    """A point with the names of a run's JSON object, and the measurements."""
    from assets.json_values import finite_json

    return finite_json(
        {
            "method": point.method,
            "options": dict(point.scenario.options),
            "step": point.step,
            "rtol": point.scenario.rtol,
            "atol": point.scenario.atol,
            "status": point.status,
            "message": point.message,
            **point.counts,
            "compute_seconds": point.seconds,
            "repeats": point.repeats,
            "max_error": point.max_error,
            "final_error": point.final_error,
            "level": dict(point.level),
            "trusted_until": point.trusted_until,
            "order": point.order,
            "pareto": point.pareto,
            "best_of_family": point.best_of_family,
        }
    )


def measured_table(found: WorkPrecision) -> str:
    """One row per point, for a person; * marks Pareto-optimal points, + those within their family, ~ chance.

    Where an error is marked as chance, rounding decides how large it is.
    """
    head = ["", "method", "setting", "status", "steps", "rejected", "evaluations", "time [ms]"]
    rows = [[*head, f"max {found.error}" if found.error else "error", "order"]]
    for point in found.points:
        best = "*" if point.pareto else "+" if point.best_of_family else ""
        setting = f"step {point.step:g}" if point.step is not None else f"tol {point.tolerance:g}"
        error = point.max_error.get(found.error)
        rows.append(
            [
                "~" if point.rounded(found.error) else best,
                *(point.label, setting, point.status),
                *(str(point.counts[name]) for name in ("steps", "rejected", "rhs_evaluations")),
                *(f"{value:.3g}" if value is not None else "-" for value in (_milliseconds(point), error)),
                f"{point.order:.1f}" if point.order is not None else "-",
            ]
        )
    key = "* Pareto-optimal; + Pareto-optimal within its family; ~ rounding decides how large its error is"
    return f"{aligned(rows)}\n{key}"


def _milliseconds(point: Point) -> float | None:
    return None if point.seconds is None else 1e3 * point.seconds


COMMAND = Command("simulate a scenario with several methods and compare their numbers", __doc__, add_arguments, execute)
