"""`armstep run`: simulate one scenario and report its numbers."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from gui.command import Command
from gui.commands._scenario import add_scenario, computed, edited

if TYPE_CHECKING:
    from gui.front.runs import Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The scenario, its settings, and the file to write."""
    from gui.qt.export.format import suffixes

    add_scenario(parser)
    parser.add_argument("--reference", action="store_true", help="compute the reference run and the errors against it")
    parser.add_argument(
        "--out", metavar="FILE", help="write the run; the suffix decides the format: " + ", ".join(suffixes())
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Simulate and report; 0 when the run finished, 1 when it failed numerically."""
    from gui.qt.export.settings import ExportSettings

    scenario, remark = edited(args)
    settings = ExportSettings.chosen(args.out, {}) if args.out else None
    if settings:
        settings.check(scenario)
    run = computed(scenario, args.reference, remark)
    if settings:
        run.write(settings)
    if args.json:
        print(json.dumps(run.to_dict(), allow_nan=False))
    else:
        print(report(run))
        if settings:
            print(f"written to {settings.file}")
    return 0 if run.status.ok else 1


def report(run: Run) -> str:
    """The run's numbers for a person."""
    result = run.to_dict()
    counts = f"{result['steps']} steps, {result['rejected']} rejected, {result['rhs_evaluations']} evaluations"
    final = ", ".join(f"{name} = {_number(value)}" for name, value in result["final"].items())
    lines = [
        f"{result['scenario'] or run.scenario.robot}: {run.status}. {result['message']}",
        f"  method   {result['method']}: {counts}, {1e3 * result['compute_seconds']:.3g} ms",
        f"  final    t = {result['t_end']:g} s: {final}",
    ]
    for name, value in result["max_error"].items():
        last = result["final_error"].get(name)
        lines.append(
            f"  error    {name}: at most {_number(value)}"
            + (f", {_number(last)} at the end" if last is not None else "")
        )
    return "\n".join(lines)


def _number(value: float | None) -> str:
    return "not finite" if value is None else f"{value:.6g}"


COMMAND = Command("simulate a scenario and print its numbers", __doc__, add_arguments, execute)
