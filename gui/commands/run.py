"""`armstep run`: simulate one scenario and report its numbers."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from assets.errors import BadInput
from assets.fields import Data
from gui.command import Command
from gui.commands._scenario import add_ensemble, add_scenario, add_table, computed, edited
from robots.scenario.method_selection import label_of

if TYPE_CHECKING:
    from gui.front.runs import Run
    from robots.ensembles.members import EnsembleResult
    from robots.scenario.scenario import Scenario


STREAM = "-"
"""The name of the standard output."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The scenario, its settings, and the file to write."""
    from gui.qt.export.format import suffixes

    add_scenario(parser)
    parser.add_argument("--reference", action="store_true", help="compute the reference run and the errors against it")
    parser.add_argument(
        "--estimate", action="store_true", help="estimate the error without a reference, by a finer run of the method"
    )
    add_ensemble(parser)
    parser.add_argument("--member", type=int, metavar="K", help="run member K of the ensemble alone, from 0")
    parser.add_argument(
        "--workers", type=int, metavar="N", help="how many processes compute an ensemble (one per core)"
    )
    parser.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="let the workers of a running Dask cluster compute it too"
    )
    out = "write the run; the suffix decides the format; - writes a table to the standard output: "
    parser.add_argument("--out", metavar="FILE", help=out + ", ".join(suffixes()))
    add_table(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Simulate and report; 0 when the run finished, 1 when it failed numerically."""
    from assets.json_values import finite_json

    scenario, remark = _chosen(args)
    given = {name: getattr(args, name) for name in ("also", "every", "table") if hasattr(args, name)}
    if args.out == STREAM:
        return _stream(args, given, scenario, remark)
    if given and not args.out:
        name, value = next(iter(given.items()))
        raise BadInput(f"--{name}", value, "used together with --out")
    settings = None
    if args.out:
        from gui.qt.export.settings import ExportSettings

        settings = ExportSettings.chosen(args.out, given)
        settings.check(scenario)
    run = _computed(args, scenario, remark)
    if settings:
        run.write(settings)
    estimated = run.estimated_error if args.estimate else {}
    if args.json:
        more = {"estimated_error": estimated} if args.estimate else {}
        print(json.dumps(finite_json(run.to_dict() | more), allow_nan=False))
    else:
        print(report(run))
        for name, value in estimated.items():
            print(f"  estimate {name}: at most {_number(value)}")
        if settings:
            print(f"written to {settings.file}")
    return 0 if run.status.ok else 1


def _stream(args: argparse.Namespace, given: Data, scenario: Scenario, remark: str) -> int:
    """Write the table as CSV to the standard output, and nothing else."""
    from gui.qt.export.exporter import data_of
    from gui.qt.export.format import DataFormat, find_format
    from gui.qt.export.settings import ExportSettings
    from robots.export.table import check_table

    if args.json:
        raise BadInput("--out", STREAM, "a file when --json is given, which prints to the standard output alone")
    if args.estimate:
        raise BadInput("--out", STREAM, "a file when --estimate is given, which prints to the standard output too")
    settings = ExportSettings.chosen("table.csv", given)
    check_table(settings.table, settings.also, settings.every)
    run = _computed(args, scenario, remark)
    kind = find_format("csv")
    assert isinstance(kind, DataFormat)
    sys.stdout.buffer.write(kind.write(data_of(run.rows_shown(), settings)))
    if not run.status.ok:
        print(f"armstep: {run.message}", file=sys.stderr)
    return 0 if run.status.ok else 1


def _chosen(args: argparse.Namespace) -> tuple[Scenario, str]:
    """The scenario, or that of the member that is asked for, and the remark on it."""
    scenario, remark = edited(args)
    if args.member is not None:
        from robots.ensembles.members import EnsembleRuns

        if scenario.ensemble is None:
            raise BadInput("--member", args.member, "used together with --spread")
        scenario = EnsembleRuns(scenario).scenario_at(args.member)
    return scenario, remark


def _computed(args: argparse.Namespace, scenario: Scenario, remark: str) -> Run:
    if args.scheduler:
        from robots.sweeps.cluster import warning_about

        if warning := warning_about(args.scheduler):
            print(warning, file=sys.stderr)
    return computed(scenario, args.reference, remark, workers=args.workers, scheduler=args.scheduler)


def report(run: Run) -> str:
    """The run's numbers for a person."""
    result = run.to_dict()
    failed = ", 1 failed" if run.failed else ""
    counts = f"{result['steps']} steps, {result['rejected']} rejected{failed}, {result['rhs_evaluations']} evaluations"
    final = ", ".join(f"{name} = {_number(value)}" for name, value in result["final"].items())
    lines = [
        f"{result['scenario'] or run.scenario.robot}: {run.status}. {result['message']}",
        f"  method   {label_of(run.scenario)}: {counts}, {1e3 * result['compute_seconds']:.3g} ms",
        f"  final    t = {result['t_end']:g} s: {final}",
    ]
    for name, value in result["max_error"].items():
        last = result["final_error"].get(name)
        lines.append(
            f"  error    {name}: at most {_number(value)}"
            + (f", {_number(last)} at the end" if last is not None else "")
        )
    if run.ensemble is not None:
        lines += _ensemble_report(run.ensemble)
    return "\n".join(lines)


def _ensemble_report(ensemble: EnsembleResult) -> list[str]:
    """How long its members agree, and where they end."""
    found, last = ensemble.to_dict(), ensemble.times[-1]
    until, ended = found["agrees_until"], ", ".join(f"{count} {word}" for word, count in found["status"].items())
    agree = f"agree until t = {until:.6g} s" if until is not None else f"agree until the end, t = {last:.6g} s"
    lines = [f"  ensemble {found['members']} members ({ended}) {agree}"]
    for name, (low, _, middle, _, high) in found["final"].items():
        lines.append(f"    {name}: {_number(middle)} in the middle, nine in ten from {_number(low)} to {_number(high)}")
    return lines


def _number(value: float | None) -> str:
    return "not finite" if value is None else f"{value:.6g}"


COMMAND = Command("simulate a scenario and print its numbers", __doc__, add_arguments, execute)
